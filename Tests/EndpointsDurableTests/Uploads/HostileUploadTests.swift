import Endpoints
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers that lie, or never end.
@Suite struct HostileUploadTests {
    let server = TusServer()
    let waits = Waits()

    func upload(
        _ place: Place, _ policy: LoadPolicy? = nil
    ) -> ResumableUpload<AddVideo> {
        var environment = ServerEnvironment.uploads
        if let policy {
            environment = ServerEnvironment(
                baseUrl: environment.baseUrl, headers: environment.headers, loadPolicy: policy)
        }
        return EndpointClient(server, in: environment).upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    /// The kind of the error with which a call ends, and its text.
    func ending(
        _ upload: ResumableUpload<AddVideo>
    ) async -> (kind: UploadError.Kind?, text: String) {
        do {
            try await upload.response()
            return (nil, "no error")
        } catch { return ((error.cause as? UploadError)?.kind, "\(error)") }
    }

    var patches: Int { server.seen.filter { $0.hasPrefix("PATCH") }.count }

    @Test(arguments: [301, 302, 303, 307, 308], ["HEAD", "PATCH", "EMPTY"])
    func `A redirect within an upload is an error, and nothing is sent there`(
        _ status: Int, _ method: String
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        let elsewhere = ["Location": "https://other.example.com/files/1"]
        if method == "PATCH" { server.state.withLock { $0.faults = [:] } }
        server.fail(method, .status(status, elsewhere))
        let (kind, text) = await ending(upload(place))
        #expect(kind == .redirected)
        #expect(text.contains("call `discard()` to begin a new upload"))
        #expect(server.requests.allSatisfy { $0.url?.host == "api.example.com" })
        // The server may have been wrong for a moment.
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test func `A request to an upload that has begun isn't redirected to another host`()
        async throws
    {
        let place = try Place()
        let policies = Policies(server: server)
        try await EndpointClient(policies, in: .uploads).upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        #expect(policies.seen.withLock(\.self)["PATCH"] == .followSameOrigin)
        #expect(policies.seen.withLock(\.self)["POST"] == .follow)
    }

    @Test func `A Location at another host is refused if the policy stays at the origin`()
        async throws
    {
        let place = try Place()
        server.state.withLock { $0.location = "https://other.example.com/files/" }
        let (kind, _) = await ending(upload(place, LoadPolicy(redirects: .followSameOrigin)))
        #expect(kind == .noLocation)
        #expect(server.seen == ["POST /files"])
        #expect(place.stateFiles == [])
    }

    @Test(arguments: ["1001", "3500"])
    func `A server that has bytes that were never sent is an error`(_ offset: String) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        server.fail("HEAD", .headers(["Upload-Offset": offset]))
        let (kind, text) = await ending(upload(place))
        #expect(kind == .wrongOffset)
        #expect(text.contains("more bytes than were sent"))
        #expect(server.seen.last == "DELETE /files/1")
        #expect(place.stateFiles == [])
    }

    @Test(arguments: ["3499", "3501", "0"])
    func `A server that says that the file has another length is an error`(
        _ length: String
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        server.fail("HEAD", .headers(["Upload-Length": length]))
        #expect(await ending(upload(place)).kind == .wrongOffset)
        #expect(place.stateFiles == [])
    }

    @Test(arguments: ["2000", "3500", "9223372036854775807"])
    func `A response to a piece that claims more than was sent is asked for again`(
        _ offset: String
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .headers(["Upload-Offset": offset]))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
        #expect(server.seen[2] == "HEAD /files/1")
    }

    @Test(arguments: [409, 423, 460, 503])
    func `A server that refuses each piece ends the call after five tries`(
        _ status: Int
    ) async throws {
        let place = try Place()
        for _ in 0..<99 { server.fail("PATCH", .status(status)) }
        let (kind, text) = await ending(upload(place))
        #expect(kind == nil && text != "no error")
        // What follows a refusal has no bytes until the server takes it.
        #expect(patches == 6)
        #expect(waits.seconds.withLock(\.count) == 5)
        #expect(place.stateFiles.count == 1)
    }

    @Test(arguments: [409, 423, 460, 503])
    func `A server that stays locked gets no piece a second time`(_ status: Int) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        for _ in 0..<99 { server.fail("EMPTY", .status(status)) }
        let (kind, text) = await ending(upload(place))
        #expect(kind == nil && text != "no error")
        #expect(patches == 1)
    }

    @Test(arguments: ["HEAD", "PATCH", "EMPTY", "POST"])
    func `A precondition that fails is an error that names the version`(
        _ method: String
    ) async throws {
        let place = try Place()
        if method != "PATCH" { server.fail("PATCH", .cut(after: 10)) }
        for _ in 0..<9 { server.fail(method, .status(412)) }
        let (kind, text) = await ending(upload(place))
        #expect(kind == .unsupported)
        #expect(text.contains("choose another `uploading`"))
        #expect(server.seen.count <= 3)
    }

    @Test func `A server whose offset falls again and again ends the call`() async throws {
        let place = try Place()
        let server = server
        for _ in 0..<99 {
            server.fail(
                "PATCH", .headers([:]),
                .run {
                    server.state.withLock { state in
                        for path in state.uploads.keys { state.uploads[path]?.data = Data() }
                    }
                })
        }
        let (kind, text) = await ending(upload(place))
        #expect(kind == nil && text != "no error")
        #expect(patches <= 14)
    }

    @Test func `A server that has one more byte each time gets the file only so often`()
        async throws
    {
        let place = try Place(Data(count: 3500))
        let server = server
        // It refuses each piece, and takes one byte of it nevertheless.
        for _ in 0..<3400 {
            server.fail("PATCH", .take(1))
            server.fail("PATCH", .status(503))
        }
        for _ in 0..<3400 { server.fail("HEAD", .headers([:])) }
        _ = await ending(upload(place))
        let sent = server.state.withLock(\.seen).filter { $0.method == "PATCH" }.count
        #expect(sent < 200)
    }

    @Test(arguments: ["POST", "HEAD", "PATCH", "EMPTY"])
    func `A response without an end is an error, or isn't read`(_ method: String) async throws {
        let place = try Place()
        if method != "POST", method != "PATCH" { server.fail("PATCH", .cut(after: 10)) }
        for _ in 0..<9 { server.fail(method, .endlessBody) }
        let (_, text) = await ending(upload(place, LoadPolicy(bodyLimit: 4 << 20)))
        #expect(text == "no error" || text.contains("bodyLimit"), "\(text)")
        #expect(server.seen.count <= 12)
    }

    @Test func `A server that takes no empty piece is sent the next one`() async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        server.fail("EMPTY", .status(400))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
        server.fail("PATCH", .cut(after: 10), .cut(after: 20))
        #expect(server.state.withLock(\.confirmed) == [10])
    }

    @Test func `A server that is still reading is waited for, and no byte is sent twice`()
        async throws
    {
        let place = try Place()
        // It says 0 until it notices the cut, and has 600 bytes then.
        server.fail("PATCH", .cut(after: 600))
        server.fail(
            "HEAD", .headers(["Upload-Offset": "0"]), .headers(["Upload-Offset": "0"]))
        server.fail("EMPTY", .status(423))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
        let sent = server.state.withLock(\.seen).map(\.count).reduce(0, +)
        #expect(sent == 3500)
        #expect(server.state.withLock(\.confirmed) == [0, 0, 600])
    }
}

/// Notes whether redirects are followed.
private final class Policies: Transport {
    let server: TusServer
    let seen = Locked<[String: LoadPolicy.Redirects]>([:])
    init(server: TusServer) { self.server = server }
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        seen.withLock { $0[request.urlRequest.httpMethod ?? ""] = request.policy.redirects }
        return try await server.send(request)
    }
}
