import EndpointsStreams
import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CancelledProgressTests {
    struct Put: FlatRequest, Sendable {
        let body = File(Data([1]), name: "a")
        static let endpoint = Endpoint<Put>(method: .put, path: "a")
        typealias Response = Data
    }

    /// Reads nothing of the body, and responds only when it is cancelled.
    struct Deaf: Transport {
        let begun: Gate

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let (ended, end) = AsyncStream<Void>.makeStream()
            begun.open()
            await withTaskCancellationHandler {
                for await _ in ended {}
            } onCancel: {
                end.finish()
            }
            throw CancellationError()
        }
    }

    @Test(
        "Cancelling a Progress ends an upload of which nothing is read",
        .timeLimit(.minutes(1)), arguments: [false, true])
    func cancel(isBefore: Bool) async throws {
        let (bar, begun) = (Progress(totalUnitCount: 1), Gate())
        let ownHandler = Guarded(0)
        bar.cancellationHandler = { ownHandler.withLock { $0 += 1 } }
        if isBefore { bar.cancel() }
        let progress = UploadProgress(bar)
        let load = Task {
            do throws(Put.TaskError) {
                _ = try await Deaf(begun: begun).response(
                    in: .production, with: Put(), progress: progress)
                return false
            } catch {
                if case .cancelled = error { return true }
                return false
            }
        }
        if !isBefore {
            await begun.pass()
            bar.cancel()
        }
        #expect(await load.value)
        #expect(ownHandler.withLock { $0 } == 1)
    }

    struct Accepting: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = try #require(request.urlRequest.url)
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            return TransportResponse(Data(), try #require(head))
        }
    }

    @Test("A load that has ended gives a Progress its own handler back")
    func restored() async throws {
        let bar = Progress(totalUnitCount: 1)
        _ = try await Accepting().response(
            in: .production, with: Put(), progress: UploadProgress(bar))
        #expect(bar.cancellationHandler == nil)
    }
}
