import Endpoints
import EndpointsStreams
import Foundation
import FoundationNetworking

/// A loader: the numbers take turns.
enum Way: CaseIterable, Sendable {
    case async
    case callback
}

/// A load that has begun, or not yet, and can be cancelled.
struct Flight: Sendable {
    let start: @Sendable () -> Void
    let cancel: @Sendable () -> Void
    let ending: @Sendable () async -> Ending
}

/// The server, a session, and the record of what ended.
struct Field: Sendable {
    let session: URLSession
    let environment: ServerEnvironment
    let record: Record

    /// A load that begins with `start`.
    func flight(_ request: GetNumber, by way: Way) -> Flight {
        let landing = Landing()
        let land: @Sendable (Ending) -> Void = { ending in
            record.end(request.i)
            landing.land(ending)
        }
        switch way {
        case .async:
            let gate = AsyncStream<Void>.makeStream()
            let task = Task {
                // Waits without being cancellable, so that a load can begin in a cancelled task.
                await Task { for await _ in gate.stream {} }.value
                land(await ending(of: request))
            }
            return Flight(
                start: { gate.continuation.finish() }, cancel: { task.cancel() },
                ending: { await landing.ending })
        case .callback:
            do {
                let task = try session.endpointTask(in: environment, with: request) { result in
                    switch result {
                    case .success(let number): land(.number(number.i))
                    case .failure(let error): land(Ending(error))
                    }
                }
                return Flight(
                    start: { task.resume() }, cancel: { task.cancel() },
                    ending: { await landing.ending })
            } catch {
                land(.other("\(error)"))
                return Flight(start: {}, cancel: {}, ending: { await landing.ending })
            }
        }
    }

    private func ending(of request: GetNumber) async -> Ending {
        do throws(GetNumber.TaskError) {
            return .number(try await session.response(in: environment, with: request).i)
        } catch { return Ending(error) }
    }
}

/// The place where the first ending arrives; others are only counted, by the record.
final class Landing: Sendable {
    private let first = AsyncStream<Ending>.makeStream(bufferingPolicy: .bufferingOldest(1))

    func land(_ ending: Ending) {
        first.continuation.yield(ending)
        first.continuation.finish()
    }

    var ending: Ending {
        get async {
            for await ending in first.stream { return ending }
            return .other("no ending")
        }
    }
}
