import Endpoints
import EndpointsAuth
import EndpointsCache
import EndpointsMiddleware
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct UploadStateTests {
    let server = TusServer()
    let waits = Waits()

    func upload(
        _ place: Place, through transport: (any Transport)? = nil,
        in environment: ServerEnvironment = .uploads
    ) -> ResumableUpload<AddVideo> {
        var client = EndpointClient(server, in: environment)
        client.transport = transport ?? server
        return client.upload(
            AddVideo(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    /// A place with the state of an upload of which the server has 10 bytes.
    func begun() async throws -> (Place, URL) {
        let place = try Place()
        server.fail("PATCH", .cut(after: 10), .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        let name = try #require(place.stateFiles.first)
        return (place, place.states.appendingPathComponent(name))
    }

    @Test func `A state is read by its owner only, and has no credentials and no path`()
        async throws
    {
        let (place, state) = try await begun()
        let text = try String(contentsOf: state, encoding: .utf8)
        #expect(text.contains("https://api.example.com/files/1"))
        #expect(!text.contains("token"))
        #expect(!text.contains("video"))
        let attributes = try FileManager.default.attributesOfItem(atPath: state.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime(place) {}
    }

    @Test(
        arguments: [
            { _ in Data() }, { $0.dropLast() }, { $0 + [32] }, { Data($0.reversed()) },
            { _ in Data("Endpoints upload 1\n\n{}".utf8) }, { Data("x".utf8) + $0 },
            { _ in Data(count: 2 << 20) },
            { data in
                let text = String(decoding: data, as: UTF8.self)
                return Data(text.replacingOccurrences(of: "files/1", with: "files/2").utf8)
            },
        ] as [@Sendable (Data) -> Data])
    func `A state that was changed counts as none`(_ change: @Sendable (Data) -> Data) async throws
    {
        let (place, state) = try await begun()
        try change(Data(contentsOf: state)).write(to: state)
        try await upload(place).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 2)
        #expect(server.state.withLock { $0.uploads["/files/2"]?.data } == Place.bytes)
    }

    @Test func `A state that is a link, a folder or a pipe isn't followed`() async throws {
        let (place, state) = try await begun()
        let other = place.url.appendingPathComponent("other")
        try FileManager.default.moveItem(at: state, to: other)
        let bytes = try Data(contentsOf: other)
        try FileManager.default.createSymbolicLink(at: state, withDestinationURL: other)
        try await upload(place).response()
        #expect(server.state.withLock(\.count) == 2)
        #expect(try Data(contentsOf: other) == bytes)
        server.fail("PATCH", .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        try FileManager.default.removeItem(at: state)
        #expect(mkfifo(state.path, 0o600) == 0)
        try await upload(place).response()
        #expect(server.state.withLock(\.count) == 4)
    }

    @Test(
        arguments: [
            { chmod($0, 0o666) }, { chmod($0, 0o620) }, { link($0, $0 + "2") },
            { geteuid() == 0 ? chown($0, 65_534, 65_534) : chmod($0, 0o666) },
        ] as [@Sendable (String) -> Int32])
    func `A state that others may have written counts as none`(
        _ change: @Sendable (String) -> Int32
    ) async throws {
        let (place, state) = try await begun()
        #expect(change(state.path) == 0)
        try await upload(place).response()
        #expect(server.state.withLock(\.count) == 2)
    }

    @Test func `A lock of another user isn't waited for`() async throws {
        guard geteuid() == 0 else { return }
        let (place, state) = try await begun()
        let path = state.path + "-lock"
        #expect(chown(path, 65_534, 65_534) == 0)
        let other = open(path, O_RDWR)
        defer { close(other) }
        #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
        try await upload(place).response()
        #expect(server.stored == Place.bytes)
    }

    @Test func `A state whose lock somebody has removed belongs to one call at a time`() throws {
        let place = try Place()
        let name = String(repeating: "a", count: 64)
        let path = place.states.appendingPathComponent("\(name).upload-lock").path
        let state = UploadState(
            uploading: "tus",
            file: UploadedFile.Identity(size: 1, modified: [0, 0], inode: 1, digest: ""))
        let first = try UploadStore(named: name, in: place.states)
        #expect(unlink(path) == 0)
        do {
            let second = try UploadStore(named: name, in: place.states)
            let error = #expect(throws: UploadError.self) { try first.write(state) }
            #expect(error?.kind == .inUse)
            try second.write(state)
        }
        #expect(throws: Never.self) { try first.remove() }
        #expect(unlink(path) == 0)
        #expect(throws: Never.self) { try first.write(state) }
        #expect(throws: UploadError.self) { try UploadStore(named: name, in: place.states) }
    }

    @Test func `A call whose lock is gone doesn't remove that of the next one`() throws {
        let place = try Place()
        let name = String(repeating: "b", count: 64)
        let path = place.states.appendingPathComponent("\(name).upload-lock").path
        var first: UploadStore? = try UploadStore(named: name, in: place.states)
        #expect(first != nil && unlink(path) == 0)
        let second = try UploadStore(named: name, in: place.states)
        first = nil
        #expect(FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(second) {}
    }

    @Test func `The age of a state is counted from the last call for it`() async throws {
        let (place, state) = try await begun()
        let old = Date(timeIntervalSinceNow: -29 * 86_400)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: state.path)
        server.fail("HEAD", .status(400))
        await #expect(throws: AddVideo.TaskError.self) { try await upload(place).response() }
        let attributes = try FileManager.default.attributesOfItem(atPath: state.path)
        let date = try #require(attributes[.modificationDate] as? Date)
        #expect(date.timeIntervalSinceNow > -3600)
    }

    @Test func `Old files of others in the folder stay`() async throws {
        let (place, state) = try await begun()
        let stem = String(state.lastPathComponent.prefix(64))
        let names = [
            "holiday.upload", "holiday.upload-lock", "\(stem)0.upload",
            "g\(stem.dropFirst()).upload",
        ]
        let old = Date(timeIntervalSinceNow: -90 * 86_400)
        for name in names {
            let url = place.states.appendingPathComponent(name)
            try Data("a".utf8).write(to: url)
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: url.path)
        }
        try await upload(place).response()
        let left = try FileManager.default.contentsOfDirectory(atPath: place.states.path)
        #expect(Set(left) == Set(names + [".lock"]))
    }

    @Test func `A folder that another process has locked holds up no other tasks`() async throws {
        let place = try Place()
        try FileManager.default.createDirectory(
            at: place.states, withIntermediateDirectories: true)
        let lock = open(place.states.path + "/.lock", O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let api = EndpointClient(server, in: .uploads)
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    try await api.upload(
                        AddVideo(body: File(Data([UInt8(number)]), name: "a")),
                        keepingStateIn: place.states
                    ).response()
                }
            }
            // If the uploads wait on the threads of all tasks, these run only after ten seconds.
            for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
            flock(lock, LOCK_UN)
            try await group.waitForAll()
        }
        #expect(server.state.withLock(\.count) == 16)
    }

    @Test func `A cache stores nothing of what the server says of an upload`() async throws {
        let place = try Place()
        let cached = server.cached(in: .memory(megabytes: 1))
        let fresh = TusServer.Fault.headers(["Cache-Control": "max-age=60"])
        server.fail("PATCH", .cut(after: 10), .cut(after: 20), .cut(after: 30))
        server.fail("HEAD", fresh, fresh, fresh)
        try await upload(place, through: cached).response()
        #expect(server.stored == Place.bytes)
        #expect(server.seen.filter { $0.hasPrefix("HEAD") }.count == 3)
    }

    @Test func `A folder that can't be used is an error before anything is sent`() async throws {
        let place = try Place()
        try Data().write(to: place.states)
        await #expect {
            try await upload(place).response()
        } throws: {
            "\($0)".contains("the call has a folder for the state that can't be used: it isn't")
        }
        #expect(server.seen == [])
    }

    @Test func `Bytes of a state that end anywhere are none`() throws {
        let identity = UploadedFile.Identity(size: 1, modified: [2, 3], inode: 4, digest: "5")
        let state = UploadState(uploading: "tus", file: identity, url: "https://a/b")
        let data = try state.data
        #expect(UploadState(data) == state)
        for count in data.indices { #expect(UploadState(data.prefix(count)) == nil) }
        for index in data.indices {
            var other = data
            other[index] ^= 1
            #expect(UploadState(other) == nil)
        }
    }

    @Test func `A dump of an upload shows nothing of it`() async throws {
        let (place, _) = try await begun()
        var text = ""
        dump(upload(place), to: &text)
        #expect(!text.contains("token") && !text.contains("video"))
    }

    @Test func `Middleware treats each request of an upload as any other`() async throws {
        let place = try Place()
        let lines = Locked<[String]>([])
        let transport = server.retrying(.standard, clock: waits.clock).coalesced()
            .limited(perOrigin: 1).logged { event in lines.withLock { $0.append("\(event)") } }
        server.fail("PATCH", .cut(after: 700), .status(503), .loseResponse)
        server.fail("HEAD", .status(503))
        try await upload(place, through: transport).response()
        #expect(server.stored == Place.bytes)
        #expect(lines.withLock(\.self).contains { $0.contains("PATCH") })
        #expect(!lines.withLock(\.self).contains { $0.contains("Bearer token") })
    }

    @Test(arguments: [false, true])
    func `An upload belongs to the account with which it began`(isSigned: Bool) async throws {
        let place = try Place()
        let account = Locked("ann")
        let transport: any Transport =
            isSigned
            ? server.signed(by: Signer(user: account), clock: waits.clock)
            : server.authorized(by: Accounts(account), clock: waits.clock)
        let plain = ServerEnvironment(baseUrl: ServerEnvironment.uploads.baseUrl)
        server.fail("PATCH", .headers([:]), .run { account.withLock { $0 = "bob" } })
        await #expect(throws: AddVideo.TaskError.self) {
            try await upload(place, through: transport, in: plain).response()
        }
        #expect(Set(server.state.withLock(\.tokens)) == ["Bearer ann"])
        // The other account has an upload of its own.
        try await upload(place, through: transport, in: plain).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 2)
        #expect(place.stateFiles.count == 1)
        account.withLock { $0 = "ann" }
        try await upload(place, through: transport, in: plain).response()
        #expect(server.seen.filter { $0.hasPrefix("POST") }.count == 2)
        #expect(place.stateFiles == [])
    }

    private struct Signer: RequestSigner {
        let user: Locked<String>
        func account() -> String { user.withLock(\.self) }
        func sign(_ request: inout TransportRequest, at date: Date) {
            request.urlRequest.setValue("Bearer \(account())", forHTTPHeaderField: "Authorization")
        }
    }

    private struct Accounts: CredentialSource {
        let account: Locked<String>
        let baseUrl = ServerEnvironment.uploads.baseUrl
        init(_ account: Locked<String>) { self.account = account }
        func token() async throws -> AccessToken? {
            let name = account.withLock(\.self)
            return AccessToken(.bearer(name), account: name)
        }
        func refresh(after refused: AccessToken) async throws -> AccessToken { refused }
    }
}
