import Endpoints
import EndpointsAuth
import EndpointsFolder
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads that go on, and whose requests are signed.
@Suite("Downloads: signatures")
struct SignedDownloadTests {
    struct GetModel: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "models/1")
        static let loadPolicy = LoadPolicy(timeLimit: 60)
        typealias Response = ByteStream
        typealias ErrorResponse = String
    }

    @Test(
        "Through each pair with a signer, each request of a download has a signature of its own",
        arguments: Layering.pairs.filter { $0.has("signed") })
    func pair(_ layering: Layering) async throws {
        let server = RangeServer()
        let folder = TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("model")
        // Each call is a process of its own.
        func download(as account: String) async throws {
            let api = EndpointClient(
                layering.around(server, of: account), in: Box.environment)
            try await api.download(GetModel(), to: file)
        }
        for _ in 0..<2 {
            await #expect(throws: GetModel.TaskError.self) { try await download(as: "ann") }
            try wait(forPartsIn: folder)
        }
        try await download(as: "ann")
        #expect(try Data(contentsOf: file) == RangeServer.content)
        let got = server.got
        #expect(got.map(\.range) == [nil, "bytes=4000-", "bytes=7000-"])
        #expect(got.allSatisfy { $0.signature?.hasPrefix("ann ") == true })
        #expect(Set(got.map(\.signature)).count == got.count)
    }

    @Test(
        "A part isn't gone on with by another one's signature",
        arguments: Layering.pairs.filter { $0.has("signed") })
    func accounts(_ layering: Layering) async throws {
        let server = RangeServer()
        let folder = TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("model")
        for account in ["ann", "ben"] {
            let api = EndpointClient(
                layering.around(server, of: account), in: Box.environment)
            await #expect(throws: GetModel.TaskError.self) {
                try await api.download(GetModel(), to: file)
            }
            try wait(forPartsIn: folder)
        }
        #expect(server.got.map(\.range) == [nil, nil])
    }

    @Test("A part isn't gone on with by the signature of one who signs in meanwhile")
    func swapped() async throws {
        let server = RangeServer()
        let folder = TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
        let signer = OutboxMeetingTests.UserSigner(user: Locked("ann"), next: Locked("ben"))
        let api = EndpointClient(server.signed(by: signer), in: Box.environment)
        let error = await #expect(throws: GetModel.TaskError.self) {
            try await api.download(GetModel(), to: folder.url.appendingPathComponent("model"))
        }
        #expect(error?.description.contains("account") == true)
        #expect(server.got.isEmpty)
    }

    /// Returns when a download that has ended has let go of its part, which is flushed before that.
    private func wait(forPartsIn folder: TestFolder) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let part = folder.url.appendingPathComponent(name)
            let file = try OpenFile(open(part.path, O_RDWR | O_CLOEXEC), at: part)
            #expect(file.lock(waiting: 60) == 0)
        }
    }
}

/// A server of one file that supports ranges. Its first two responses are cut off.
final class RangeServer: Transport {
    static let content = Data((0..<10_000).map { UInt8($0 * 31 % 251) })

    struct Got: Sendable {
        let range: String?
        let signature: String?
    }

    private let state = Locked<[Got]>([])

    var got: [Got] { state.withLock(\.self) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let headers = request.urlRequest.allHTTPHeaderFields ?? [:]
        let got = Got(range: headers["Range"], signature: headers["X-Signature"])
        let number = state.withLock { state in
            state.append(got)
            return state.count
        }
        let start = got.range.flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        let content = Self.content
        var fields = ["ETag": "\"1\"", "Content-Length": "\(content.count - start)"]
        if start > 0 {
            fields["Content-Range"] = "bytes \(start)-\(content.count - 1)/\(content.count)"
        }
        let url = try #require(request.urlRequest.url)
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: start > 0 ? 206 : 200,
                httpVersion: "HTTP/1.1", headerFields: fields))
        let end = number < 3 ? start + [4000, 3000][number - 1] : content.count
        let place = Locked(start)
        let body = ResponseBody {
            let next = place.withLock { place in
                defer { place = min(end, place + 1000) }
                return place..<min(end, place + 1000)
            }
            if !next.isEmpty { return content[next] }
            if number < 3 { throw CancellationError() }
            return nil
        }
        return TransportResponse(body: body, head)
    }
}
