import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The progress of uploads", .needsServers, .timeLimit(.minutes(5)))
struct UploadProgressTests {
    struct Put: FlatRequest, Sendable {
        let body: File?
        var action = "echo"
        var to: String?
        var status: Int?
        static let endpoint = Endpoint<Put>(
            method: .put, path: "-/\(path: \.action)",
            parameters: [.query("to", path: \.to), .query("status", path: \.status)])
        typealias Response = Data
    }

    struct PostJSON: FlatRequest, Sendable {
        let body = ["a": 1]
        static let endpoint = Endpoint<PostJSON>(method: .post, path: "-/echo")
        typealias Response = Data
    }

    /// The steps of one load, and how it ends.
    private func steps<Request: RequestType & Sendable>(
        _ request: Request, reportingTo foundation: Progress? = nil
    ) async throws -> (steps: [TransferProgress], error: Request.TaskError?)
    where Request.Environment == ServerEnvironment, Request.Response == Data {
        let environment = try Server.recorder.environment
        let progress = UploadProgress(foundation)
        let task = Task {
            var steps: [TransferProgress] = []
            for await step in progress { steps.append(step) }
            return steps
        }
        do throws(Request.TaskError) {
            _ = try await Server.network.response(
                in: environment, with: request, progress: progress)
        } catch {
            return (await task.value, error)
        }
        return (await task.value, nil)
    }

    private func expectWhole(_ steps: [TransferProgress], _ total: Int64) {
        #expect(steps.map(\.completed) == steps.map(\.completed).sorted())
        #expect(steps.allSatisfy { $0.total == total })
        #expect(steps.map(\.fraction).filter { $0 == 1 }.count == 1)
        #expect(steps.last?.fraction == 1)
    }

    @Test("The progress of a file grows and is 1 exactly once, at the end")
    func file() async throws {
        let file = try TemporaryFile(count: 5_000_000)
        let foundation = Progress(totalUnitCount: 1)
        let (steps, error) = try await steps(
            Put(body: File(file.url)), reportingTo: foundation)
        #expect(error == nil)
        expectWhole(steps, 5_000_000)
        #expect(foundation.completedUnitCount == 5_000_000)
        #expect(foundation.totalUnitCount == 5_000_000)
        #expect(foundation.isFinished)
    }

    @Test("The progress grows where the body is sent again after a redirect")
    func redirect() async throws {
        let file = try TemporaryFile(count: 5_000_000)
        let (steps, error) = try await steps(
            Put(body: File(file.url), action: "redirect", to: "/-/echo", status: 307))
        #expect(error == nil)
        expectWhole(steps, 5_000_000)
    }

    @Test("The progress of an empty file, of no body and of JSON is 1 at the end")
    func empty() async throws {
        for put in [Put(body: File(Data())), Put(body: nil)] {
            let foundation = Progress(totalUnitCount: 1)
            let (steps, error) = try await steps(put, reportingTo: foundation)
            #expect(error == nil)
            #expect(steps.map(\.fraction) == [1])
            #expect(foundation.isFinished)
        }
        #expect(try await steps(PostJSON()).steps.map(\.fraction) == [1])
    }

    @Test("The progress of a load that fails ends without 1")
    func failure() async throws {
        let file = try TemporaryFile(count: 5_000_000)
        let foundation = Progress(totalUnitCount: 1)
        let (steps, error) = try await steps(
            Put(body: File(file.url), status: 500), reportingTo: foundation)
        #expect(error != nil)
        #expect(steps.allSatisfy { ($0.fraction ?? 1) < 1 })
        #expect(!foundation.isFinished)
        let (none, missing) = try await self.steps(
            Put(body: File(URL(fileURLWithPath: "/nowhere"))))
        #expect(none.isEmpty)
        #expect("\(try #require(missing))".contains("there is no such file"))
    }

    @Test("Cancelling the progress ends the upload as cancelled")
    func cancelled() async throws {
        let file = try TemporaryFile(count: 5_000_000)
        let foundation = Progress(totalUnitCount: 1)
        foundation.cancel()
        let (steps, error) = try await steps(
            Put(body: File(file.url)), reportingTo: foundation)
        #expect(steps.isEmpty)
        guard case .cancelled = try #require(error) else { throw try #require(error) }
    }

    /// A transport that takes the whole body, and calls a function before it responds.
    struct Taking: Transport {
        let taken: @Sendable () -> Void

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            if let upload = request.upload { for try await _ in try upload.chunks() {} }
            taken()
            let url = try #require(request.urlRequest.url)
            let head = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            return TransportResponse(Data(), try #require(head))
        }
    }

    @Test("The progress isn't 1 before the response has arrived, though all bytes were taken")
    func beforeResponse() async throws {
        let foundation = Progress(totalUnitCount: 1)
        let isFinished = Locked<[Bool]>([])
        let transport = Taking { isFinished.withLock { $0.append(foundation.isFinished) } }
        let put = Put(body: File(Data(count: 1_000_000)))
        _ = try await transport.response(
            in: .production, with: put, progress: UploadProgress(foundation))
        #expect(isFinished.withLock { $0 } == [false])
        #expect(foundation.isFinished)
    }
}
