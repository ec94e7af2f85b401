import Endpoints
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pieces of 1,000 bytes, in three parts.
struct AddInLanes: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(chunkSize: 1000, lanes: 3)
    typealias Response = Void
}

@Suite struct TusLanesTests {
    static let bytes = Data((0..<7500).map { UInt8(truncatingIfNeeded: $0 &* 11 &+ $0 / 251) })

    let server = TusServer()
    let waits = Waits()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(server, in: .uploads) }

    init() { server.state.withLock { $0.options = ["Tus-Extension": "creation,Concatenation"] } }

    func upload(_ place: Place) -> ResumableUpload<AddInLanes> {
        api.upload(
            AddInLanes(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    /// The bytes of the last upload that parts were joined to.
    var joined: Data? {
        server.state.withLock { state in state.joined.last.flatMap { state.uploads[$0]?.data } }
    }

    func sent(_ server: TusServer) -> Int64 {
        server.state.withLock(\.seen).map(\.count).reduce(0, +)
    }

    @Test func `A file is sent in parts at the same time, which the server joins`() async throws {
        let place = try Place(Self.bytes)
        try await upload(place).response()
        #expect(joined == Self.bytes)
        #expect(sent(server) == 7500)
        #expect(server.state.withLock(\.mostRunning) > 1)
        #expect(server.seen.suffix(2) == ["POST /files", "HEAD /files/4"])
        let posts = server.requests.filter { $0.httpMethod == "POST" }
        let concats = posts.map { $0.value(forHTTPHeaderField: "Upload-Concat") ?? "" }
        #expect(Array(concats.prefix(3)) == ["partial", "partial", "partial"])
        #expect(concats.last?.hasPrefix("final;https://api.example.com/files/") == true)
        let lengths = posts.map { $0.value(forHTTPHeaderField: "Upload-Length") ?? "none" }
        #expect(lengths.sorted() == ["1500", "3000", "3000", "none"])
        let metadata = posts.map { $0.value(forHTTPHeaderField: "Upload-Metadata") }
        #expect(metadata == [nil, nil, nil, "filename dmlkZW8ubXA0,filetype dmlkZW8vbXA0"])
        #expect(place.stateFiles == [])
    }

    @Test(
        arguments: [
            (nil, 7500), (["Tus-Extension": "creation,checksum"], 7500),
            (["Tus-Extension": "concatenation"], 1000), (["Tus-Extension": "concatenation"], 0),
        ] as [([String: String]?, Int)])
    func `A server that joins nothing, and a file of one piece, have one lane`(
        _ options: [String: String]?, _ count: Int
    ) async throws {
        let place = try Place(Data(Self.bytes.prefix(count)))
        server.state.withLock { $0.options = options }
        try await upload(place).response()
        #expect(server.stored == Data(Self.bytes.prefix(count)))
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 1)
        #expect(server.state.withLock(\.parts) == [])
    }

    @Test(
        arguments: [
            ("POST", .cut(after: 0)), ("POST", .loseResponse), ("POST", .status(503)),
            ("PATCH", .cut(after: 10)), ("PATCH", .loseResponse), ("PATCH", .status(409)),
            ("PATCH", .status(404)), ("PATCH", .status(410)),
            ("JOIN", .status(503)), ("JOIN", .status(423)), ("JOIN", .status(404)),
            ("JOIN", .status(400)),
        ] as [(String, TusServer.Fault)])
    func `After a fault of one lane all go on, and at most one piece is sent twice`(
        _ method: String, _ fault: TusServer.Fault
    ) async throws {
        let place = try Place(Self.bytes)
        server.fail(method, fault)
        try await upload(place).response()
        #expect(joined == Self.bytes)
        #expect(sent(server) <= 8500)
        #expect(place.stateFiles == [])
    }

    @Test(
        arguments: [
            ("POST", 0), ("POST", 1), ("POST", 2), ("PATCH", 0), ("PATCH", 1), ("PATCH", 3),
            ("PATCH", 7), ("JOIN", 0),
        ])
    func `A call that ends at any request goes on in the next one`(
        _ method: String, _ count: Int
    ) async throws {
        let place = try Place(Self.bytes)
        for _ in 0..<count { server.fail(method, .headers([:])) }
        // A status that ends the call, and keeps what there is.
        server.fail(method, .status(401))
        await #expect(throws: AddInLanes.TaskError.self) { try await upload(place).response() }
        try await upload(place).response()
        #expect(server.state.withLock(\.joined).count == 1)
        #expect(joined == Self.bytes)
        // Each lane may have been at a piece when the call ended.
        #expect(sent(server) <= 7500 + 3 * 1000)
        #expect(place.stateFiles == [])
    }

    @Test
    func `If the response to joining is lost, a server that keeps the parts joins them again`()
        async throws
    {
        let place = try Place(Self.bytes)
        server.state.withLock { $0.keepsParts = true }
        server.fail("JOIN", .loseResponse)
        try await upload(place).response()
        #expect((joined, sent(server)) == (Self.bytes, 7500))
    }

    @Test
    func `If the response to joining is lost, a server that removed the parts gets the file again`()
        async throws
    {
        let place = try Place(Self.bytes)
        server.fail("JOIN", .loseResponse)
        try await upload(place).response()
        #expect((joined, sent(server)) == (Self.bytes, 15_000))
        #expect(server.state.withLock(\.joined).count == 2)
    }

    @Test(arguments: [400, 404, 405, 501])
    func `A server that doesn't join the parts is asked to remove them`(_ status: Int) async throws
    {
        let place = try Place(Self.bytes)
        for _ in 0..<9 { server.fail("JOIN", .status(status)) }
        await expect(.notJoined) { try await upload(place).response() }
        #expect(server.state.withLock(\.uploads).isEmpty)
        #expect(sent(server) == 7500)
        #expect(place.stateFiles == [])
    }

    @Test func `A server that forgets the parts each time they are joined ends the call`()
        async throws
    {
        let place = try Place(Self.bytes)
        let server = server
        for _ in 0..<9 {
            server.fail("JOIN", .run { server.state.withLock { $0.uploads = [:] } })
        }
        await expect(.notJoined) { try await upload(place).response() }
        #expect(sent(server) == 3 * 7500)
    }

    @Test func `A server that joins to another length is an error`() async throws {
        let place = try Place(Self.bytes)
        server.fail("HEAD", .headers(["Upload-Length": "7499"]))
        await expect(.wrongOffset) { try await upload(place).response() }
        #expect(place.stateFiles == [])
    }

    @Test func `Discarding removes the state and all parts`() async throws {
        let place = try Place(Self.bytes)
        for _ in 0..<9 { server.fail("PATCH", .status(401)) }
        await #expect(throws: AddInLanes.TaskError.self) { try await upload(place).response() }
        #expect(place.stateFiles.count == 1)
        server.state.withLock { $0.faults = [:] }
        try await upload(place).discard()
        #expect(server.state.withLock(\.uploads).isEmpty)
        #expect(place.stateFiles == [])
    }

    @Test func `A cancelled call keeps the parts`() async throws {
        let place = try Place(Self.bytes)
        let server = server, upload = upload(place)
        let task = Task { try await upload.response() }
        server.fail("PATCH", .headers([:]), .headers([:]), .headers([:]), .run { task.cancel() })
        guard case .failure(AddInLanes.TaskError.cancelled) = await task.result else {
            Issue.record("it isn't cancelled")
            return
        }
        #expect(place.stateFiles.count == 1)
        try await upload.response()
        #expect(joined == Self.bytes)
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 4)
    }

    @Test func `A file that changes meanwhile is an error, and the server keeps no part of it`()
        async throws
    {
        let place = try Place(Self.bytes)
        let new = Data(repeating: 9, count: 7500)
        server.fail("PATCH", .headers([:]), .headers([:]), .run { try new.write(to: place.file) })
        await expect(.fileChanged) { try await upload(place).response() }
        #expect(server.state.withLock(\.uploads).isEmpty)
        try await upload(place).response()
        #expect(joined == new)
    }

    @Test func `A file that was changed between two calls is an error, and no part of it stays`()
        async throws
    {
        let place = try Place(Self.bytes)
        server.fail("JOIN", .status(401))
        await #expect(throws: AddInLanes.TaskError.self) { try await upload(place).response() }
        try Data(repeating: 9, count: 7500).write(to: place.file)
        await expect(.fileChanged) { try await upload(place).response() }
        #expect(server.state.withLock(\.uploads).isEmpty)
        #expect(place.stateFiles == [])
    }

    @Test func `Progress of lanes never falls, and ends with the whole file`() async throws {
        let place = try Place(Data(count: 2_000_000))
        server.fail("PATCH", .headers([:]), .cut(after: 10), .status(404))
        let upload = api.upload(
            AddLargeInLanes(body: File(place.file)), keepingStateIn: place.states,
            clock: waits.clock)
        var steps: [Int64] = []
        for try await step in upload { steps.append(step.completed) }
        #expect(steps == steps.sorted())
        #expect(Set(steps).count == steps.count)
        #expect(steps.last == 2_000_000)
    }

    @Test(arguments: [0, 9, -1])
    func `Lanes are from 1 to 8`(_ lanes: Int) async throws {
        let place = try Place(Self.bytes)
        let error: any Error
        switch lanes {
        case 0: error = await refusal(Lanes0(body: File(place.file)), place)
        case 9: error = await refusal(Lanes9(body: File(place.file)), place)
        default: error = await refusal(LanesBelow(body: File(place.file)), place)
        }
        #expect("\(error)".contains("has \(lanes) lanes; write `lanes` from 1 to 8"))
        #expect(server.seen == [])
    }

    func refusal<Request: ResumableRequest>(_ request: Request, _ place: Place) async -> any Error
    where Request.Environment == ServerEnvironment {
        do {
            _ = try await server.upload(
                in: .uploads, with: request, keepingStateIn: place.states
            ).response()
            return CancellationError()
        } catch { return error }
    }

    func expect(
        _ kind: UploadError.Kind, _ body: () async throws -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: AddInLanes.TaskError.self, sourceLocation: location) {
            try await body()
        }
        #expect((error?.cause as? UploadError)?.kind == kind, sourceLocation: location)
    }
}

struct AddLargeInLanes: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(chunkSize: 100_000, lanes: 4)
    typealias Response = Void
}

private struct Lanes0: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(lanes: 0)
    typealias Response = Void
}

private struct Lanes9: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(lanes: 9)
    typealias Response = Void
}

private struct LanesBelow: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(lanes: -1)
    typealias Response = Void
}
