import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streams", .needsServers, .timeLimit(.minutes(1)))
struct StreamTests {
    @Test("The chunks of a byte stream are the bytes of the body, and none is empty")
    func bytes() async throws {
        let stream = try await Server.faults.response(to: GetFile(n: 300_000))
        let chunks = try await stream.collected()
        #expect(chunks.allSatisfy { !$0.isEmpty })
        #expect(Data(chunks.joined()) == GetFile.content(300_000))
    }

    @Test("A stream of lines has each line, in order")
    func lines() async throws {
        let lines = try await Server.faults.response(to: GetLines<Lines>(n: 20_000))
        #expect(try await lines.collected() == (0..<20_000).map { #"{"id": \#($0)}"# })
    }

    @Test("A stream of JSON lines has each value, in order, and the head of its response")
    func jsonLines() async throws {
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Get>(
                method: .get, path: "-/stream/lines", parameters: [.queryValue("n", value: 20_000)])
            typealias Response = WithHTTPResponse<JSONLines<Numbered>>
        }
        let response = try await Server.faults.response(to: Get())
        #expect(
            response.httpResponse.value(forHTTPHeaderField: "Content-Type") == "application/jsonl")
        #expect(try await response.value.collected() == (0..<20_000).map(Numbered.init))
    }

    @Test("The first iterator of a stream reads it, and a second one gets an error")
    func readOnce() async throws {
        let lines = try await Server.faults.response(to: GetLines<Lines>(n: 3))
        #expect(try await lines.collected().count == 3)
        await #expect(throws: StreamError.self) { try await lines.collected() }
    }

    @Test("An error response is thrown, decoded, before there is a stream")
    func errorResponse() async throws {
        struct Get: FlatRequest {
            static let endpoint = Endpoint<Get>(method: .get, path: "no-such-fault")
            typealias Response = Lines
            typealias ErrorResponse = Fault.Problem
        }
        let environment = try Server.faults.environment
        do throws(Get.TaskError) {
            _ = try await Server.network.response(in: environment, with: Get())
            Issue.record("there is a stream")
        } catch .errorResponse(let httpResponse, let problem) {
            #expect(httpResponse.statusCode == 404)
            #expect(problem.error == "no such fault")
        } catch {
            Issue.record(error)
        }
    }

    @Test(
        "A connection that is lost within a body is an error after the bytes that arrived",
        arguments: ["fin", "rst"])
    func cut(_ how: String) async throws {
        let request = GetFile(cuts: [500], how: how)
        let stream = try await Server.faults.response(to: request)
        var data = Data()
        do throws(StreamError) {
            var chunks = stream.makeAsyncIterator()
            while let chunk = try await chunks.next() { data += chunk }
            Issue.record("the stream ended as a whole")
        } catch .urlLoadError {
        } catch {
            Issue.record(error)
        }
        // What a RST overtakes is lost.
        #expect(how == "rst" || data == GetFile.content(500))
    }
}

/// How a reader gives up.
enum Leaving: CaseIterable {
    case breaking, cancelling, dropping, droppingUnread, cancellingBeforeTheHead
}

@Suite("Streams that are left", .needsServers, .timeLimit(.minutes(1)))
struct LeavingStreamTests {
    @Test("Leaving a stream ends its connection", arguments: Leaving.allCases)
    func closes(_ leaving: Leaving) async throws {
        let request = GetEndless()
        try await leave(request, leaving)
        let open = CancellationTests.Open(key: request.key)
        let start = ContinuousClock.now
        #expect(try await Server.faults.response(to: open).open == 0)
        #expect(start.duration(to: .now) < .seconds(5), "usually it takes milliseconds")
    }

    private func leave(_ request: GetEndless, _ leaving: Leaving) async throws {
        switch leaving {
        case .breaking:
            for try await _ in try await Server.faults.response(to: request) { break }
        case .dropping:
            var chunks = try await Server.faults.response(to: request).makeAsyncIterator()
            _ = try await chunks.next()
        case .droppingUnread:
            _ = try await Server.faults.response(to: request)
        case .cancelling:
            let (started, starts) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for try await _ in try await Server.faults.response(to: request) { starts.yield() }
            }
            for await _ in started { break }
            task.cancel()
            await #expect(throws: StreamError.self) { try await task.value }
        case .cancellingBeforeTheHead:
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await Server.faults.response(to: request)
            }
            await #expect(throws: GetEndless.TaskError.self) { try await task.value }
        }
    }
}
