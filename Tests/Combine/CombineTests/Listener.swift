import Endpoints
import Foundation
import OpenCombine

/// A request whose response is the body's text.
struct Get: FlatRequest {
    let path: String

    static let endpoint = Endpoint<Get>(
        method: .get, path: "\(path: \.path)", headers: ["X-Line": .field(path: \.path)])
    typealias Response = String
}

/// A subscriber that requests what the test says and records what it receives.
///
/// It is `@unchecked` because subscriptions aren't `Sendable`. Its state changes only under the
/// lock.
final class Listener: Subscriber, @unchecked Sendable {
    typealias Input = String
    typealias Failure = Get.TaskError

    private let demand: Subscribers.Demand
    private let lock = NSLock()
    private var subscription: (any Subscription)?
    private var heard: [String] = []
    private let ended = Events()

    init(demand: Subscribers.Demand = .unlimited) { self.demand = demand }

    /// What it has received so far.
    var log: [String] { lock.withLock { heard } }

    /// What it has received up to the completion.
    func logAtEnd() async -> [String] {
        _ = await ended.next()
        return log
    }

    func ask(for demand: Subscribers.Demand) { lock.withLock { subscription }?.request(demand) }
    func cancel() { lock.withLock { subscription }?.cancel() }

    func receive(subscription: any Subscription) {
        lock.withLock { self.subscription = subscription }
        subscription.request(demand)
    }

    func receive(_ input: String) -> Subscribers.Demand {
        lock.withLock { heard.append(input) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.withLock {
            switch completion {
            case .finished: heard.append("finished")
            case .failure(let error): heard.append("\(error)")
            }
        }
        ended.append("ended")
    }
}
