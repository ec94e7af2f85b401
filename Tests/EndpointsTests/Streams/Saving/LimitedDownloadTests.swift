import Endpoints
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import Testing

@Suite("Downloads behind a limit", .timeLimit(.minutes(1)))
struct LimitedDownloadTests {
    /// How the first body of each download ends before it is complete.
    enum Loss: CaseIterable {
        case error, earlyEnd
    }

    @Test(
        "A body that failed gives its slot back before the rest is requested",
        arguments: [1, 2, 6], Loss.allCases)
    func lost(slots: Int, loss: Loss) async throws {
        let requests = Journal<String?>()
        let stub = ClosureTransport { request in
            let range = request.urlRequest.value(forHTTPHeaderField: "Range")
            requests.add(range)
            guard range == nil else {
                return try .stub(
                    206, ["ETag": "\"1\"", "Content-Range": "bytes 4-9/10"], "456789")
            }
            let chunks = Journal<Void>()
            let body = ResponseBody {
                if chunks.add(()) == 1 { return Data("0123".utf8) }
                // The other downloads begin meanwhile, and wait for this one's slot.
                for _ in 0..<10 { await Task.yield() }
                if loss == .error { throw URLError(.networkConnectionLost) }
                return nil
            }
            let fields = ["ETag": "\"1\"", "Content-Length": "10"]
            return TransportResponse(body: body, try .stub(200, fields))
        }
        let transport = stub.limited(perOrigin: slots)
        let folder = try Folder()
        let files = (0..<6).map { folder.url.appendingPathComponent("\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for file in files {
                group.addTask {
                    let stream = try await transport.response(
                        in: .production, with: ContinuedDownloadTests.GetFile())
                    try await stream.save(to: file, clock: .immediate)
                }
            }
            try await group.waitForAll()
        }
        for file in files { #expect(try Data(contentsOf: file) == Data("0123456789".utf8)) }
        #expect(requests.entries.count == 12)
        #expect(requests.entries.filter { $0 == "bytes=4-" }.count == 6)
    }

    @Test("A response that can't be used gives its slot back before all is requested")
    func unusable() async throws {
        let folder = try Folder()
        let server = FileServer(loss: URLError(.networkConnectionLost))
        server.state.withLock { state in
            state.change = {
                if $0 == 1 { $1.cut = 4000 }
                if $0 == 2 { $1.address = "https://other.example.com/model" }
            }
        }
        let client = EndpointClient(
            server.limited(perOrigin: 1), in: ServerEnvironment.production)
        try await client.download(
            ResumedDownloadTests.GetModel(), to: folder.file, clock: .immediate)
        #expect(server.asked == ["-", "4000-", "-"])
        #expect(try Data(contentsOf: folder.file) == ResumedDownloadTests.content)
    }
}
