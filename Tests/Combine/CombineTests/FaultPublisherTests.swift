import Endpoints
import Foundation
import OpenCombine
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Publishers at a broken server", .needsServers)
struct FaultPublisherTests {
    @Test(
        "A publisher at a broken server ends once, with the right error, and leaves nothing open",
        arguments: Fault.survivable, [Fault.Way.publisher, .publisher.uploading(by: "POST")])
    func outcome(_ fault: Fault, _ way: Fault.Way) async throws {
        let report = try await fault.report(way)
        #expect(report == fault.expected(way))
    }
}

extension Fault.Way {
    /// `session.endpointPublisher(in:with:)`.
    fileprivate static let publisher = Fault.Way(description: "publisher") {
        request, session, environment, ended in
        let subscription = Kept()
        let outcome = await withCheckedContinuation { continuation in
            let first = Fault.First { continuation.resume(returning: $0) }
            subscription.cancellable = session.subscribe(to: request, in: environment) { outcome in
                ended()
                first.call(outcome)
            }
        }
        withExtendedLifetime(subscription) {}
        return outcome
    }
}

/// Keeps a subscription until its outcome arrives. It is set once, before it is read.
private final class Kept: @unchecked Sendable {
    var cancellable: AnyCancellable?
}

extension URLSession {
    /// Calls back at the completion, with the value if there was one.
    fileprivate func subscribe<Request: Provocation>(
        to request: Request, in environment: ServerEnvironment,
        _ ended: @escaping @Sendable (Fault.Outcome) -> Void
    ) -> AnyCancellable {
        var values: [String] = []
        return endpointPublisher(in: environment, with: request).sink { completion in
            switch completion {
            case .finished: ended(.response(values.joined(separator: ", ")))
            case .failure(let error): ended(error.outcome)
            }
        } receiveValue: {
            values.append($0.description)
        }
    }
}
