import EndpointsMiddleware
import Foundation

@testable import Endpoints

/// What a monitor was told.
final class Monitor: Sendable {
    private let state = Locked<
        (events: [LoadEvent], waiting: (count: Int, CheckedContinuation<Void, Never>)?)
    >(([], nil))

    var events: [LoadEvent] { state.withLock(\.events) }

    /// The events without the names of the request type and the seconds, which are those of a
    /// clock that stands still.
    var lines: [String] { events.map(\.line) }

    func add(_ event: LoadEvent) {
        let waiting = state.withLock { state in
            state.events.append(event)
            guard let waiting = state.waiting, state.events.ends >= waiting.count
            else { return nil as CheckedContinuation<Void, Never>? }
            state.waiting = nil
            return waiting.1
        }
        waiting?.resume()
    }

    /// Returns when so many loads have ended: their steps are reported on another queue.
    func wait(forEnds count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.events.ends < count else { return true }
                state.waiting = (count, continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

extension LoadEvent {
    /// The event in a word or two, without its time.
    var line: String {
        switch kind {
        case .started: "started"
        case .sent: "sent"
        case .responded(let status, _): "\(status)"
        case .redirected(let url): "redirected to \(url)"
        case .connection(let connection): "connection \(connection.networkProtocol ?? "?")"
        case .finished(let bytes, let isWhole): "finished \(bytes)\(isWhole ? "" : " left")"
        case .failed(let error): "failed \((error as NSError).code)"
        case .cancelled: "cancelled"
        }
    }
}

extension [LoadEvent] {
    fileprivate var ends: Int { filter(\.isEnd).count }
}
