import Endpoints
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct TusTests {
    let server = TusServer()
    let waits = Waits()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(server, in: .uploads) }

    func upload(_ place: Place) -> ResumableUpload<AddVideo> {
        api.upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    @Test func `A file is sent in pieces to the URL that the server names`() async throws {
        let place = try Place()
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
        #expect(
            server.seen == [
                "POST /files", "PATCH /files/1 0+1000", "PATCH /files/1 1000+1000",
                "PATCH /files/1 2000+1000", "PATCH /files/1 3000+500",
            ])
        let create = server.requests[0]
        #expect(create.value(forHTTPHeaderField: "Upload-Length") == "3500")
        #expect(
            create.value(forHTTPHeaderField: "Upload-Metadata")
                == "filename dmlkZW8ubXA0,filetype dmlkZW8vbXA0")
        #expect(create.value(forHTTPHeaderField: "Content-Type") == nil)
        #expect(place.stateFiles == [])
    }

    @Test(arguments: [
        (Data(), ["POST /files"]),
        (Data([1]), ["POST /files", "PATCH /files/1 0+1"]),
        (Data(count: 1000), ["POST /files", "PATCH /files/1 0+1000"]),
        (
            Data(count: 1001),
            ["POST /files", "PATCH /files/1 0+1000", "PATCH /files/1 1000+1"]
        ),
    ])
    func `A file of any size is sent whole, on disk or in memory`(
        _ bytes: Data, _ seen: [String]
    ) async throws {
        let place = try Place(bytes)
        try await upload(place).response()
        #expect((server.stored, server.seen) == (bytes, seen))
        let other = TusServer()
        try await EndpointClient(other, in: .uploads).upload(
            AddVideo(body: File(bytes, name: "a.mp4")), keepingStateIn: place.states
        ).response()
        #expect((other.stored, other.seen) == (bytes, seen))
    }

    @Test func `A part of a file is sent as if it were a file`() async throws {
        let place = try Place()
        try await api.upload(
            AddVideo(body: File(place.file, range: 100..<1300)), keepingStateIn: place.states
        ).response()
        #expect(server.stored == Place.bytes[100..<1300])
    }

    @Test(
        arguments: [
            ("POST", .loseResponse, ["POST /files", "POST /files", "PATCH /files/2 0+1000"]),
            ("POST", .cut(after: 0), ["POST /files", "POST /files", "PATCH /files/2 0+1000"]),
            (
                "PATCH", .cut(after: 0),
                ["POST /files", "PATCH /files/1 0+0", "HEAD /files/1", "PATCH /files/1 0+1000"]
            ),
            (
                "PATCH", .cut(after: 1),
                ["POST /files", "PATCH /files/1 0+1", "HEAD /files/1", "PATCH /files/1 1+1000"]
            ),
            (
                "PATCH", .cut(after: 999),
                ["POST /files", "PATCH /files/1 0+999", "HEAD /files/1", "PATCH /files/1 999+1000"]
            ),
            (
                "PATCH", .loseResponse,
                [
                    "POST /files", "PATCH /files/1 0+1000", "HEAD /files/1",
                    "PATCH /files/1 1000+1000",
                ]
            ),
            (
                "PATCH", .status(409),
                ["POST /files", "PATCH /files/1 0+1000", "HEAD /files/1", "PATCH /files/1 0+1000"]
            ),
            (
                "PATCH", .status(423),
                ["POST /files", "PATCH /files/1 0+1000", "HEAD /files/1", "PATCH /files/1 0+1000"]
            ),
            (
                "PATCH", .status(460),
                ["POST /files", "PATCH /files/1 0+1000", "HEAD /files/1", "PATCH /files/1 0+1000"]
            ),
            (
                "PATCH", .status(503),
                ["POST /files", "PATCH /files/1 0+1000", "HEAD /files/1", "PATCH /files/1 0+1000"]
            ),
            (
                "PATCH", .headers(["Upload-Offset": nil]),
                [
                    "POST /files", "PATCH /files/1 0+1000", "HEAD /files/1",
                    "PATCH /files/1 1000+1000",
                ]
            ),
            (
                "PATCH", .headers(["Upload-Offset": "1001"]),
                [
                    "POST /files", "PATCH /files/1 0+1000", "HEAD /files/1",
                    "PATCH /files/1 1000+1000",
                ]
            ),
            (
                "PATCH", .headers(["Upload-Offset": "0"]),
                [
                    "POST /files", "PATCH /files/1 0+1000", "HEAD /files/1",
                    "PATCH /files/1 1000+1000",
                ]
            ),
            (
                "PATCH", .headers(["Upload-Offset": "-1"]),
                [
                    "POST /files", "PATCH /files/1 0+1000", "HEAD /files/1",
                    "PATCH /files/1 1000+1000",
                ]
            ),
            ("PATCH", .status(404), ["POST /files", "PATCH /files/1 0+1000", "POST /files"]),
            ("PATCH", .status(410), ["POST /files", "PATCH /files/1 0+1000", "POST /files"]),
        ] as [(String, TusServer.Fault, [String])])
    func
        `After a fault the upload goes on where the server says, and at most one piece is sent twice`(
            _ method: String, _ fault: TusServer.Fault, _ seen: [String]
        ) async throws
    {
        let place = try Place()
        server.fail(method, fault)
        try await upload(place).response()
        #expect(Array(server.seen.prefix(seen.count)) == seen)
        let last = server.state.withLock { state in
            state.uploads["/files/\(state.count)"]?.data
        }
        #expect(last == Place.bytes)
        let sent = server.state.withLock(\.seen).map(\.count).reduce(0, +)
        #expect(sent <= 4500)
        #expect(place.stateFiles == [])
    }

    @Test func `Five tries in a row without new bytes end the call, and the next one goes on`()
        async throws
    {
        let place = try Place()
        server.fail("PATCH", .cut(after: 500))
        for _ in 0..<6 { server.fail("PATCH", .cut(after: 0)) }
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        #expect(waits.seconds.withLock(\.self) == [1, 1, 2, 4, 8, 16])
        #expect(place.stateFiles.count == 1)
        let count = server.seen.count
        try await upload(place).response()
        #expect(server.seen[count...].first == "HEAD /files/1")
        #expect(server.stored == Place.bytes)
    }

    @Test(
        arguments: [(403, ["Tus-Resumable": "1.0.0"]), (404, [:]), (410, [:])]
            as [(Int, [String: String])])
    func `An upload that the server has forgotten begins anew`(
        _ status: Int, _ headers: [String: String]
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        server.fail("HEAD", .status(status, headers))
        try await upload(place).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 2)
        #expect(server.state.withLock { $0.uploads["/files/2"]?.data } == Place.bytes)
    }

    @Test(
        arguments: [
            (403, .headers([:])), (404, .status(404)), (404, .status(401)), (410, .status(413)),
            (404, .headers(["Location": nil])),
        ] as [(Int, TusServer.Fault)])
    func `An outage doesn't lose the upload, as its state stays until there is another one`(
        _ status: Int, _ creation: TusServer.Fault
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        server.fail("HEAD", .status(status))
        server.fail("POST", creation)
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        let count = server.seen.count
        try await upload(place).response()
        #expect(server.seen[count...].prefix(2) == ["HEAD /files/1", "PATCH /files/1 10+1000"])
        #expect(server.state.withLock { $0.uploads["/files/1"]?.data } == Place.bytes)
        #expect(place.stateFiles == [])
    }

    @Test func `An outage that ends during the call doesn't lose the upload`() async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        server.fail("HEAD", .status(404), .status(404))
        server.fail("POST", .status(503), .status(503))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test func `A server that knows the upload only if it is asked doesn't keep the call for ever`()
        async throws
    {
        let place = try Place()
        server.fail("POST", .headers([:]))
        server.fail("PATCH", .cut(after: 10))
        for _ in 0..<20 {
            server.fail("PATCH", .status(404))
            server.fail("POST", .status(503))
        }
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        #expect(waits.seconds.withLock(\.self) == [1, 1, 2, 4, 8, 16])
    }

    @Test func `A server that takes a byte of each piece ends the call`() async throws {
        let place = try Place()
        for _ in 0..<9 { server.fail("PATCH", .take(1)) }
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        #expect(server.seen.filter { $0.hasPrefix("PATCH") }.count == 6)
        server.state.withLock { $0.faults = [:] }
        server.fail("PATCH", .take(500), .take(501), .take(999))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test(
        arguments: [
            ("Authorization", "Bearer b", 2), ("Cookie", "id=2", 2), ("X-Tenant", "2", 2),
            ("Upload-Metadata", "album Qg==", 2), ("X-API-Key", "", 2),
            ("Idempotency-Key", "2", 1), ("Date", "2", 1), ("traceparent", "2", 1),
            ("User-Agent", "App/2", 1), ("x-request-id", "2", 1),
        ])
    func `A request with other headers has an upload of its own`(
        _ name: String, _ value: String, _ count: Int
    ) async throws {
        let place = try Place()
        func upload(_ value: String) -> ResumableUpload<AddVideo> {
            let server = ServerEnvironment(
                baseUrl: ServerEnvironment.uploads.baseUrl,
                headers: [Headers(name: name): value])
            return EndpointClient(self.server, in: server).upload(
                AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        }
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload("1").response() }
        try await upload(value).response()
        #expect(server.state.withLock(\.count) == count)
        #expect(server.state.withLock { $0.uploads["/files/\(count)"]?.data } == Place.bytes)
    }

    @Test func `A file with another name or type has an upload of its own`() async throws {
        let place = try Place()
        func upload(_ file: File) -> ResumableUpload<AddVideo> {
            api.upload(AddVideo(body: file), keepingStateIn: place.states, clock: waits.clock)
        }
        for (number, file) in [
            File(place.file), File(place.file, name: "b.mp4"),
            File(place.file, contentType: "audio/mp4"),
        ].enumerated() {
            server.fail("PATCH", .cut(after: 10), .status(400))
            await #expect(throws: AddVideo.TaskError.self) { try await upload(file).response() }
            #expect(server.state.withLock(\.count) == number + 1)
        }
    }

    @Test func `Headers go only with the requests that they are about`() async throws {
        let place = try Place()
        let environment = ServerEnvironment(
            baseUrl: ServerEnvironment.uploads.baseUrl,
            headers: [
                "Content-Digest": "sha-256=:a:", "Content-MD5": "a", "Content-Encoding": "gzip",
                "Content-Disposition": "inline", "Idempotency-Key": "1", "If-None-Match": "*",
                "Upload-Metadata": "album Qg==", "X-Tenant": "1",
            ])
        server.fail("PATCH", .cut(after: 10))
        try await EndpointClient(server, in: environment).upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        for (index, request) in server.requests.enumerated() {
            let names = (request.allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() }
            #expect(!names.contains("content-digest") && !names.contains("content-md5"))
            #expect(names.contains("x-tenant"))
            for name in [
                "content-encoding", "content-disposition", "idempotency-key", "if-none-match",
                "upload-metadata",
            ] {
                #expect(names.contains(name) == (index == 0), "\(name) \(index)")
            }
        }
    }

    @Test func `An upload that should have expired is asked for, as its server may have kept it`()
        async throws
    {
        let place = try Place()
        server.state.withLock {
            $0.creationHeaders["Upload-Expires"] = "Tue, 01 Jan 2019 10:00:00 GMT"
        }
        server.fail("PATCH", .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        try await upload(place).response()
        #expect(server.seen[2] == "HEAD /files/1")
        #expect(server.stored == Place.bytes)
    }

    @Test func `A server that forgets each upload ends the call with its response`() async throws {
        let place = try Place()
        for _ in 0..<9 { server.fail("PATCH", .status(404)) }
        let error = await #expect(throws: AddVideo.TaskError.self) {
            try await upload(place).response()
        }
        #expect(error?.httpResponse?.statusCode == 404)
        #expect(server.seen.count == 6)
    }

    @Test(
        arguments: [
            { Data(count: $0.count) }, { $0 + [1] }, { $0.dropLast() }, { _ in Data() },
        ] as [@Sendable (Data) -> Data])
    func `A file that was changed between two calls is an error, and the next call sends it anew`(
        _ change: @Sendable (Data) -> Data
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        let new = change(Place.bytes)
        try new.write(to: place.file)
        await expect(.fileChanged) { try await upload(place).response() }
        #expect(server.seen.last == "DELETE /files/1")
        #expect(server.stored == nil)
        #expect(place.stateFiles == [])
        try await upload(place).response()
        #expect(server.stored == new)
    }

    @Test
    func `A file that changes while it is sent is an error, and the server keeps nothing of it`()
        async throws
    {
        let place = try Place()
        server.fail(
            "PATCH", .headers([:]),
            .run { try Data(repeating: 9, count: 3500).write(to: place.file) })
        await expect(.fileChanged) { try await upload(place).response() }
        #expect(server.state.withLock(\.uploads).isEmpty)
        try await upload(place).response()
        #expect(server.stored == Data(repeating: 9, count: 3500))
    }

    @Test(arguments: ["3501", "99999999999999999"])
    func `A server that has more than the file ends the call, and the next one begins anew`(
        _ offset: String
    ) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        server.fail("HEAD", .headers(["Upload-Offset": offset]))
        await expect(.wrongOffset) { try await upload(place).response() }
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test(arguments: ["", "a", "-5", "1.5", "99999999999999999999", "1, 2"])
    func `An offset that isn't a number is asked for again`(_ offset: String) async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10))
        server.fail("HEAD", .headers(["Upload-Offset": offset]))
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test(arguments: [
        "", "javascript:alert(1)", "file:///etc/passwd", "https://a:b@api.example.com/files/",
        "http://api.example.com/files/", "https://[/files/", "ftp://api.example.com/files/",
    ])
    func `A Location that can't be used is an error`(_ location: String) async throws {
        let place = try Place()
        server.fail("POST", .headers(["Location": location]))
        await expect(.noLocation) { try await upload(place).response() }
        #expect(server.seen == ["POST /files"])
    }

    @Test(
        arguments: [
            ("/files/", "Bearer token"), ("", "Bearer token"),
            ("https://api.example.com/files/", "Bearer token"),
            ("https://api.example.com:444/files/", nil), ("https://other.example.com/files/", nil),
        ] as [(String, String?)])
    func `Only an upload URL of the same origin gets the credentials`(
        _ location: String, _ token: String?
    ) async throws {
        let place = try Place()
        server.state.withLock { $0.location = location.isEmpty ? "files/" : location }
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
        for request in server.requests.dropFirst() {
            #expect(request.value(forHTTPHeaderField: "Authorization") == token)
        }
    }

    @Test func `Two uploads of a file at once are refused`() async throws {
        let place = try Place()
        let other = upload(place)
        let seen = Locked<(any Error)?>(nil)
        server.fail("POST", .headers([:]))
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let gate = Gate(server: server) {
            do { try await other.response() } catch { seen.withLock { $0 = error } }
            continuation.finish()
        }
        try await EndpointClient(gate, in: .uploads).upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states
        ).response()
        for await _ in stream {}
        let error = seen.withLock(\.self) as? AddVideo.TaskError
        #expect("\(error.map { "\($0)" } ?? "")".contains("another call or process uploads this"))
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test func `Progress never falls, and ends with the whole file`() async throws {
        let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ $0 / 977) })
        let place = try Place(bytes)
        server.fail("PATCH", .headers([:]), .cut(after: 10), .status(404))
        let upload = api.upload(
            AddLargeVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        var steps: [Int64] = []
        for try await step in upload {
            #expect(step.total == 1_000_000)
            steps.append(step.completed)
        }
        #expect(steps == steps.sorted())
        #expect(steps.last == 1_000_000)
        #expect(Set(steps).count == steps.count)
        try await upload.response()
    }

    @Test func `Leaving the loop keeps the upload, and the next call goes on`() async throws {
        let place = try Place(Data(count: 1_000_000))
        let first = api.upload(
            AddLargeVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        server.fail("PATCH", .headers([:]), .headers([:]), .hang)
        for try await step in first {
            if step.completed > 0 { break }
        }
        // The call that was left ends soon, and this one waits for that.
        try await api.upload(
            AddLargeVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 1)
        #expect(server.stored == Data(count: 1_000_000))
    }

    @Test func `A cancelled call throws cancelled and keeps the upload`() async throws {
        let place = try Place()
        let server = server, upload = upload(place)
        let task = Task { try await upload.response() }
        server.fail("PATCH", .headers([:]), .run { task.cancel() }, .headers([:]))
        let result = await task.result
        guard case .failure(AddVideo.TaskError.cancelled) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(place.stateFiles.count == 1)
        try await upload.response()
        #expect(server.stored == Place.bytes)
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 1)
    }

    @Test func `Discarding removes the state and what the server has`() async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        try await upload(place).discard()
        #expect(server.seen.last == "DELETE /files/1")
        #expect(place.stateFiles == [])
        let count = server.seen.count
        try await upload(place).discard()
        #expect(server.seen.count == count)
    }

    @Test func `An upload whose file is gone or was changed can be discarded`() async throws {
        for isChanged in [false, true] {
            let place = try Place()
            server.fail("PATCH", .cut(after: 10), .status(400))
            await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
            try FileManager.default.removeItem(at: place.file)
            if isChanged { try Data("new".utf8).write(to: place.file) }
            try await upload(place).discard()
            #expect(server.seen.last?.hasPrefix("DELETE /files/") == true)
            #expect(place.stateFiles == [])
        }
    }

    @Test func `Another account and another URL have states of their own`() async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        var other = ServerEnvironment.uploads
        other = ServerEnvironment(
            baseUrl: other.baseUrl.appendingPathComponent("v2"), headers: other.headers)
        try await EndpointClient(server, in: other).upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") } == ["POST /files", "POST /v2/files"])
        #expect(place.stateFiles.count == 1)
    }

    @Test func `A state that nobody asks for in 30 days is removed`() async throws {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        var clock = waits.clock
        for (days, count) in [(29.0, 1), (31, 0)] {
            clock.date = { Date(timeIntervalSinceNow: days * 86_400) }
            try await api.upload(
                AddVideo(body: File(Data(), name: "a")), keepingStateIn: place.states, clock: clock
            ).response()
            #expect(place.stateFiles.count == count)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.states.path) == [".lock"])
    }

    @Test(
        arguments: [
            ("creation", "sha1", nil), ("creation,checksum", "md5", nil),
            ("creation, Checksum", "md5,sha1", "sha1 qZk+NkcGgWq6PiVxeFDCbJzQ2J0="),
            (
                "checksum", "sha1,sha256",
                "sha256 ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
            ),
        ] as [(String, String, String?)])
    func `Pieces have a checksum if the server says that it checks them`(
        _ extensions: String, _ algorithms: String, _ checksum: String?
    ) async throws {
        let place = try Place(Data("abc".utf8))
        server.state.withLock {
            $0.options = [
                "Tus-Version": "1.0.0,0.2.2", "Tus-Extension": extensions,
                "Tus-Checksum-Algorithm": algorithms,
            ]
        }
        server.fail("PATCH", .status(460))
        try await upload(place).response()
        #expect(server.stored == Data("abc".utf8))
        #expect(server.state.withLock(\.checksums) == (checksum.map { [$0] } ?? []))
    }

    @Test(
        arguments: [
            (["Tus-Version": "0.2.2"], .unsupported), (["Tus-Max-Size": "3499"], .tooLarge),
        ] as [([String: String], UploadError.Kind)])
    func `A server that says that it can't take the file gets none`(
        _ options: [String: String], _ kind: UploadError.Kind
    ) async throws {
        let place = try Place()
        server.state.withLock { $0.options = options }
        await expect(kind) { try await upload(place).response() }
        #expect(server.seen == [])
    }

    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
    func `SHA-1 is the same, whatever pieces it is made of`(_ count: Int) {
        let bytes = [UInt8](repeating: 0x61, count: count)
        var (whole, parts) = (SHA1(), SHA1())
        whole.update(bytes)
        for byte in bytes { parts.update([byte]) }
        let digest = whole.finalized().hex
        #expect(digest == parts.finalized().hex)
        let known = [
            0: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            1: "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
            1000: "291e9a6c66994949b57ba5e650361e98fc36b1ba",
        ]
        #expect(known[count].map { $0 == digest } ?? true)
    }

    @Test func `A Retry-After is waited for`() async throws {
        let place = try Place()
        server.fail(
            "PATCH", .status(503, ["Retry-After": "30"]), .status(429, ["Retry-After": "x"]))
        try await upload(place).response()
        #expect(waits.seconds.withLock(\.self) == [30, 2])
    }

    @Test func `A refusal of the creation is the typed error of the request`() async throws {
        let place = try Place()
        server.fail("POST", .status(401))
        let error = await #expect(throws: AddVideo.TaskError.self) {
            try await upload(place).response()
        }
        #expect(error?.httpResponse?.statusCode == 401)
        #expect(server.seen == ["POST /files"])
        #expect(place.stateFiles == [])
    }

    @Test func `A missing file, a method other than POST and pieces of no bytes send nothing`()
        async throws
    {
        let place = try Place()
        let missing = AddVideo(body: File(place.url.appendingPathComponent("none")))
        await #expect {
            try await api.upload(missing, keepingStateIn: place.states).response()
        } throws: { "\($0)".contains("there is no such file") }
        await #expect {
            try await api.upload(PutVideo(body: File(place.file)), keepingStateIn: place.states)
                .response()
        } throws: { "\($0)".contains("must be POST") }
        await #expect {
            try await api.upload(NoPieces(body: File(place.file)), keepingStateIn: place.states)
                .response()
        } throws: { "\($0)".contains("write a `chunkSize` of 1 or more") }
        #expect(server.seen == [])
    }

    func expect(
        _ kind: UploadError.Kind, _ body: () async throws -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: AddVideo.TaskError.self, sourceLocation: location) {
            try await body()
        }
        guard case .transportError(let error) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
        #expect((error.cause as? UploadError)?.kind == kind, sourceLocation: location)
    }
}

/// Runs something before the second request.
private final class Gate: Transport {
    let server: TusServer
    let body: @Sendable () async -> Void
    let count = Locked(0)
    init(server: TusServer, _ body: @escaping @Sendable () async -> Void) {
        self.server = server
        self.body = body
    }
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 2 { await body() }
        return try await server.send(request)
    }
}

struct AddLargeVideo: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(chunkSize: 100_000)
    typealias Response = Void
}

struct PutVideo: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .put, path: "files")
    static let uploading = Resumable.tus
    typealias Response = Void
}

struct NoPieces: FlatRequest, ResumableRequest {
    let body: File
    static let endpoint = Endpoint<Self>(method: .post, path: "files")
    static let uploading = Resumable.tus(chunkSize: 0)
    typealias Response = Void
}
