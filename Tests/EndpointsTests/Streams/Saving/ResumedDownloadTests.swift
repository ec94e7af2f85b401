import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Downloads that go on with what an earlier one has left", .timeLimit(.minutes(2)))
struct ResumedDownloadTests {
    struct GetModel: FlatRequest {
        var id = 1
        static let endpoint = Endpoint<Self>(method: .get, path: "models/\(path: \.id)")
        typealias Response = ByteStream
        typealias ErrorResponse = String
    }

    struct PostModel: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "models")
        typealias Response = ByteStream
    }

    struct GetRange: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "models/1", headers: ["Range": "bytes=0-99"])
        typealias Response = ByteStream
    }

    static let content = FileServer.content(10_000)
    static let other = FileServer.content(10_000, seed: 3)

    /// How the server differs for the second download, after one that ended after 4,000 bytes.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first: @Sendable (inout FileServer.State) -> Void = { _ in }
        var second: @Sendable (inout FileServer.State) -> Void = { _ in }
        /// Changes the first response to the second download.
        var response: @Sendable (inout FileServer.Response) -> Void = { _ in }
        /// The ranges that the second download asks for.
        let asked: [String]
        var file: Data? = ResumedDownloadTests.content
    }

    static let rows: [Row] = [
        Row(testDescription: "The file is the same", asked: ["4000-"]),
        Row(
            testDescription: "The file has changed", second: { $0.change(to: other) },
            asked: ["4000-"], file: other),
        Row(
            testDescription: "The file has changed, and is shorter",
            second: { $0.change(to: other.prefix(100)) }, asked: ["4000-"],
            file: other.prefix(100)),
        Row(
            testDescription: "The tag is weak", first: { $0.tag = "W/\"1\"" },
            second: { $0.tag = "W/\"1\"" }, asked: ["-"]),
        Row(
            testDescription: "There is no validator", first: { $0.tag = nil }, asked: ["-"]),
        Row(
            testDescription: "There is only a date, which is strong",
            first: { $0.hasOnlyDate("Fri, 01 Jan 2021 00:01:00 GMT") },
            second: { $0.hasOnlyDate("Fri, 01 Jan 2021 00:05:00 GMT") }, asked: ["4000-"]),
        Row(
            testDescription: "There is only a date, which a part doesn't repeat",
            first: { $0.hasOnlyDate("Fri, 01 Jan 2021 00:01:00 GMT") },
            second: { $0.hasOnlyDate("Fri, 01 Jan 2021 00:05:00 GMT") },
            response: { $0.fields["Last-Modified"] = nil }, asked: ["4000-"]),
        Row(
            testDescription: "There is only a date, which is weak",
            first: { $0.hasOnlyDate("Fri, 01 Jan 2021 00:00:59 GMT") }, asked: ["-"]),
        Row(
            testDescription: "The server knows no ranges",
            response: {
                $0 = .init(status: 200, fields: ["ETag": "\"1\""], body: content)
            }, asked: ["4000-"]),
        Row(
            testDescription: "The first response was compressed",
            first: { $0.fields["Content-Encoding"] = "gzip" }, asked: ["-"]),
        Row(
            testDescription: "Another range", response: { $0.range("bytes 0-9999/10000") },
            asked: ["4000-", "-"]),
        Row(
            testDescription: "Only a part of the range",
            response: {
                $0.range("bytes 4000-4999/10000")
                $0.body = $0.body.prefix(1000)
            }, asked: ["4000-", "5000-"]),
        Row(
            testDescription: "Another total", response: { $0.range("bytes 4000-10000/10001") },
            asked: ["4000-", "-"]),
        Row(
            testDescription: "An end before the start",
            response: { $0.range("bytes 4000-3999/10000") }, asked: ["4000-", "-"]),
        Row(
            testDescription: "No `Content-Range`", response: { $0.range(nil) },
            asked: ["4000-", "-"]),
        Row(
            testDescription: "Several ranges",
            response: {
                $0.fields["Content-Type"] = "multipart/byteranges; boundary=a"
                $0.range(nil)
            }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A compressed part",
            response: { $0.fields["Content-Encoding"] = "gzip" }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A part with another tag",
            response: { $0.fields["ETag"] = "\"2\"" }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A part without a tag",
            response: { $0.fields["ETag"] = nil }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A redirect to another place",
            response: { $0.address = "https://other.example.com/model" }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A redirect with another signature",
            response: { $0.address += "?signature=2" }, asked: ["4000-"]),
        Row(
            testDescription: "A 416", response: { $0.refuse("bytes */10000") },
            asked: ["4000-", "-"]),
        Row(
            testDescription: "A 416 that says the part is whole, though it isn't",
            response: { $0.refuse("bytes */4000") }, asked: ["4000-", "-"]),
        Row(
            testDescription: "A part with more bytes than it says",
            response: { $0.body += Data(count: 10) }, asked: ["4000-"], file: nil),
        Row(
            testDescription: "A 404",
            response: { $0 = .init(status: 404, fields: [:], body: Data("gone".utf8)) },
            asked: ["4000-"], file: nil),
    ]

    @Test(
        "The next download loads the rest if the server has the same file, and else all of it",
        arguments: rows)
    func resumed(_ row: Row) async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server, row.first)
        let firsts = server.asked.count
        server.state.withLock { state in
            row.second(&state)
            state.change = { if $0 == firsts + 1 { row.response(&$1) } }
        }
        let error = await Self.error { () async throws(GetModel.TaskError) in
            try await server.client.download(GetModel(), to: folder.file, clock: .immediate)
        }
        #expect(server.asked.dropFirst(firsts) == row.asked[...])
        let names = try folder.names
        if let file = row.file {
            #expect(error == nil)
            #expect(try Data(contentsOf: folder.file) == file)
            #expect(names == ["file"])
        } else {
            #expect(error != nil)
            // The part of the first download is still there.
            #expect(names.contains { $0.hasSuffix(".part") } && !names.contains("file"))
        }
    }

    @Test("An error response to the next download has its type")
    func typedError() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        server.state.withLock { state in
            state.change = { $1 = .init(status: 404, fields: [:], body: Data("gone".utf8)) }
        }
        do throws(GetModel.TaskError) {
            try await server.client.download(GetModel(), to: folder.file)
            Issue.record("it succeeded")
        } catch .errorResponse(let head, let text) {
            #expect(head.statusCode == 404 && text == "gone")
        } catch { Issue.record(error) }
    }

    @Test("The result says how many bytes there were before, and has the head of the whole file")
    func result() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        let file = try await server.client.download(GetModel(), to: folder.file)
        #expect(file.byteCount == 10_000 && file.resumedByteCount == 4000)
        #expect(file.url == folder.file)
        #expect(file.httpResponse?.statusCode == 200)
        #expect(file.httpResponse?.value(forHTTPHeaderField: "Content-Length") == "10000")
        #expect(file.httpResponse?.value(forHTTPHeaderField: "Content-Range") == nil)
    }

    @Test("A loop reads the progress from where the download goes on")
    func progress() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        var fractions: [Double?] = []
        for try await progress in server.client.download(GetModel(), to: folder.file) {
            fractions.append(progress.fraction)
        }
        #expect(fractions.last == 1)
        #expect([0.4, 1].contains(fractions.first))
    }

    @Test("Leaving the loop ends the download, and keeps the part")
    func leaving() async throws {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { state in
            state.content = FileServer.content(1_000_000)
            state.change = { if $0 == 1 { ($1.cut, $1.stalls) = (500_000, true) } }
        }
        for try await _ in server.client.download(GetModel(), to: folder.file) { break }
        let file = try await server.client.download(GetModel(), to: folder.file)
        #expect(file.byteCount == 1_000_000 && file.resumedByteCount > 0)
        #expect(try Data(contentsOf: folder.file) == FileServer.content(1_000_000))
        #expect(try folder.names == ["file"])
    }

    @Test("Nothing is left of a download that is to keep nothing")
    func nothing() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server, keeping: .nothing)
        #expect(try folder.names.isEmpty)
    }

    @Test("A download that can't go on, as it isn't a GET or has a `Range`, leaves nothing")
    func others() async throws {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { state in state.change = { $1.cut = 50 } }
        await #expect(throws: PostModel.TaskError.self) {
            try await server.client.download(PostModel(), to: folder.file)
        }
        await #expect(throws: GetRange.TaskError.self) {
            try await server.client.download(GetRange(), to: folder.file)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("A part belongs to a request, with all that its headers say, an account and a place")
    func keys() throws {
        let url = try #require(URL(string: "https://api.example.com/a?b=c"))
        let file = URL(fileURLWithPath: "/folder/a")
        var request = URLRequest(url: url)
        let key = PartKey(request, account: nil, to: file)
        #expect(PartKey(request, account: nil, to: file) == key)
        #expect(PartKey(request, account: "1", to: file) != key)
        #expect(PartKey(request, account: nil, to: URL(fileURLWithPath: "/folder/b")) != key)
        for name in ["Date", "Idempotency-Key", "traceparent"] {
            request.setValue("a", forHTTPHeaderField: name)
            #expect(PartKey(request, account: nil, to: file) == key)
        }
        var keys: Set = [key]
        for value in ["a", "b"] {
            for name in ["Authorization", "Cookie", "X-API-Key", "X-Tenant", "Accept"] {
                request.setValue(value, forHTTPHeaderField: name)
                #expect(keys.insert(PartKey(request, account: nil, to: file)).inserted)
            }
        }
    }

    @Test("What a server sends in pieces of its own size is asked for without waiting")
    func pieces() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        server.state.withLock { state in
            state.change = { number, response in
                let start = number * 2000
                response.range("bytes \(start)-\(start + 1999)/10000")
                response.body = response.body.prefix(2000)
            }
        }
        let waits = Journal<TimeInterval>()
        let file = try await server.client.download(
            GetModel(), to: folder.file, clock: .journal(waits))
        #expect(server.asked == ["-", "4000-", "6000-", "8000-"])
        #expect(try Data(contentsOf: folder.file) == Self.content)
        #expect(waits.entries.isEmpty && file.resumedByteCount == 4000)
    }

    @Test("A part that is whole, though nobody knew, is so only if the server says the version")
    func whole() async throws {
        for tag in ["\"1\"", nil] {
            let folder = try Folder()
            let server = FileServer()
            server.state.withLock { state in
                state.change = { ($1.fields["Content-Length"], $1.cut) = (nil, 10_000) }
            }
            await #expect(throws: GetModel.TaskError.self) {
                try await server.client.download(GetModel(), to: folder.file)
            }
            server.state.withLock { state in
                state.change = { if $0 == 2 { $1.fields["ETag"] = tag } }
            }
            // What a process has written between its last record and its kill.
            let part = URL(fileURLWithPath: PartName(try key(of: folder.file), in: folder.url).part)
            try (try Data(contentsOf: part) + Data(count: 99)).write(to: part)
            try await server.client.download(GetModel(), to: folder.file)
            #expect(server.asked == (tag == nil ? ["-", "10000-", "-"] : ["-", "10000-"]))
            #expect(try Data(contentsOf: folder.file) == Self.content)
        }
    }

    @Test("The request for all of a file has the time that the one for its rest has left")
    func timeLimit() async throws {
        let folder = try Folder()
        let (server, limits) = (FileServer(), Journal<TimeInterval?>())
        let base = ClosureTransport { request in
            limits.add(request.policy.timeLimit)
            return try await server.send(request)
        }
        let part = try #require(try PartFile(for: folder.file, key: .random))
        // Its place is another one, so that the response can't be used.
        part.setRecord(PartRecord(validator: "\"1\"", total: 10_000, place: ""))
        try part.write(Self.content.prefix(4000), at: 0)
        let uptime = Locked(0.0)
        let clock = TransportClock(
            date: { Date() },
            uptime: {
                uptime.withLock { uptime in
                    uptime += 600
                    return uptime
                }
            }, sleep: { _ in }, random: { 0 })
        let request = try TransportRequest(of: ContinuedDownloadTests.GetFile(), in: .production)
        _ = try await FirstRequest(base, part, clock).send(request)
        #expect(server.asked == ["4000-", "-"])
        #expect(limits.entries == [3600, 3000])
        await part.keep()
    }

    @Test("A file that another download writes isn't written")
    func busy() async throws {
        let folder = try Folder()
        let server = FileServer()
        let request = try GetModel().urlRequest(in: .production)
        let key = PartKey(request, account: nil, to: folder.file)
        let part = try #require(try PartFile(for: folder.file, key: key))
        let error = await Self.error { () async throws(GetModel.TaskError) in
            try await server.client.download(GetModel(), to: folder.file, clock: .immediate)
        }
        #expect(error?.errorCode == 50_007)
        withExtendedLifetime(part) {}
    }

    @Test("A download doesn't wait for a file of another one when its time is over")
    func busyForLong() async throws {
        struct Brief: FlatRequest {
            static let endpoint = Endpoint<Self>(method: .get, path: "models/1")
            static let loadPolicy = LoadPolicy(timeLimit: 0.01)
            typealias Response = ByteStream
        }
        let folder = try Folder()
        let server = FileServer()
        let request = try Brief().urlRequest(in: .production)
        let key = PartKey(request, account: nil, to: folder.file)
        let part = try #require(try PartFile(for: folder.file, key: key))
        let waits = Journal<TimeInterval>()
        let error = await Self.error { () async throws(Brief.TaskError) in
            try await server.client.download(Brief(), to: folder.file, clock: .journal(waits))
        }
        #expect(error?.errorCode == 21_001 && waits.entries == [0.01])
        #expect(server.asked.isEmpty)
        withExtendedLifetime(part) {}
    }

    @Test("A part that was made longer or shorter, or whose record was changed, isn't trusted")
    func changedParts() async throws {
        let changes: [(String, (URL) throws -> Void, asked: String)] = [
            (".part", { try Data().write(to: $0) }, "-"),
            (".part", { try FileManager.default.removeItem(at: $0) }, "-"),
            (".state", { try Data().write(to: $0) }, "-"),
            (".state", { try FileManager.default.removeItem(at: $0) }, "-"),
            (".state", { try Data(try Data(contentsOf: $0).dropLast()).write(to: $0) }, "-"),
            (
                ".state",
                {
                    let text = try String(contentsOf: $0, encoding: .utf8)
                    try Data(text.replacingOccurrences(of: "0-3999", with: "0-3998").utf8)
                        .write(to: $0)
                }, "-"
            ),
            // Bytes that the record doesn't name are written again.
            (".part", { try (try Data(contentsOf: $0) + Data(count: 99)).write(to: $0) }, "4000-"),
        ]
        for (suffix, change, asked) in changes {
            let folder = try Folder()
            let server = FileServer()
            try await Self.leavePart(of: 4000, in: folder.file, server)
            let name = try #require(try folder.names.first { $0.hasSuffix(suffix) })
            try change(folder.url.appendingPathComponent(name))
            try await server.client.download(GetModel(), to: folder.file)
            #expect(server.asked == ["-", asked])
            #expect(try Data(contentsOf: folder.file) == Self.content)
            #expect(try folder.names == ["file"])
        }
    }

    @Test("A record or a part that is a link isn't followed")
    func links() async throws {
        for suffix in [".part", ".state", ".new"] {
            let folder = try Folder()
            let server = FileServer()
            try await Self.leavePart(of: 4000, in: folder.file, server)
            let victim = folder.url.appendingPathComponent("victim")
            try Data("mine".utf8).write(to: victim)
            let name = try #require(try folder.names.first { $0.hasSuffix(".part") })
            let link = folder.url.appendingPathComponent(name.replacing(".part", with: suffix))
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            _ = try? await server.client.download(GetModel(), to: folder.file)
            #expect(try Data(contentsOf: victim) == Data("mine".utf8))
            // A second name of a file.
            try? FileManager.default.removeItem(at: folder.file)
            try await Self.leavePart(of: 4000, in: folder.file, server)
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.linkItem(at: victim, to: link)
            try await server.client.download(GetModel(), to: folder.file)
            #expect(try Data(contentsOf: victim) == Data("mine".utf8))
            #expect(try Data(contentsOf: folder.file) == Self.content)
        }
    }

    private func key(of file: URL) throws -> PartKey {
        PartKey(try GetModel().urlRequest(in: .production), account: nil, to: file)
    }

    @Test("The age of a part counts from when it was asked for, even if nothing arrived then")
    func age() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        let key = try key(of: folder.file)
        let name = PartName(key, in: folder.url)
        let old = timeval(tv_sec: time(nil) - 8 * 86_400, tv_usec: 0)
        #expect(utimes(name.part, [old, old]) == 0)
        await (try #require(try PartFile(for: folder.file, key: key))).keep()
        PartFolder(folder.url).removeOld(at: Date())
        #expect(try folder.names.count == 2)
    }

    @Test("A part is kept as long as its own download has said, whatever others say")
    func days() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server, keeping: .part(days: 90))
        PartFolder(folder.url).removeOld(at: Date() + 89 * 86_400)
        #expect(try folder.names.count == 2)
        PartFolder(folder.url).removeOld(at: Date() + 91 * 86_400)
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "Days and megabytes that can't be meant are refused",
        arguments: [
            .part(days: 0), .part(days: -1), .part(days: .nan), .part(days: 1, megabytes: 0),
        ] as [KeptPart])
    func wrongNumbers(_ keeping: KeptPart) async throws {
        let folder = try Folder()
        let server = FileServer()
        let error = await Self.error { () async throws(GetModel.TaskError) in
            try await server.client.download(GetModel(), to: folder.file, keeping: keeping)
        }
        guard case .endpointError(let error) = error else {
            Issue.record("not an EndpointError: \(String(describing: error))")
            return
        }
        #expect(error.field == .call && server.asked.isEmpty)
    }

    @Test("The length that a later response says is written down")
    func learned() async throws {
        let folder = try Folder()
        let server = FileServer()
        server.state.withLock { state in
            state.change = {
                $1.fields["Content-Length"] = nil
                $1.cut = 4000
            }
        }
        let name = PartName(try key(of: folder.file), in: folder.url)
        for total in [nil, 10_000] as [Int64?] {
            await #expect(throws: GetModel.TaskError.self) {
                try await server.client.download(GetModel(), to: folder.file)
            }
            #expect(name.record?.total == total)
        }
        #expect(name.record?.ranges.all == [0..<8000])
    }

    @Test(
        "A download whose part was deleted fails, and doesn't touch the part of another one",
        arguments: [KeptPart.part, .nothing], [false, true])
    func deleted(keeping: KeptPart, isCutOff: Bool) async throws {
        let folder = try Folder()
        let server = FileServer(loss: URLError(.networkConnectionLost))
        let name = PartName(try key(of: folder.file), in: folder.url)
        let (part, state) = (URL(fileURLWithPath: name.part), URL(fileURLWithPath: name.state))
        server.state.withLock { state in
            state.change = { number, response in
                guard number > 1 else { return response.cut = 4000 }
                if isCutOff { response = .init(status: 404, fields: [:], body: Data()) }
                // Somebody has deleted the part, and another download has made one.
                unlink(name.part)
                try? Data("half".utf8).write(to: URL(fileURLWithPath: name.part))
                try? Data("its".utf8).write(to: URL(fileURLWithPath: name.state))
            }
        }
        let error = await Self.error { () async throws(GetModel.TaskError) in
            try await server.client.download(
                GetModel(), to: folder.file, keeping: keeping, clock: .immediate)
        }
        if !isCutOff {
            guard case .fileError(let cause) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.kind == .changed && cause.url == folder.file)
            #expect(cause.description == "the file was changed or deleted meanwhile; try again")
        }
        #expect(error != nil)
        #expect(try Data(contentsOf: part) == Data("half".utf8))
        #expect(try Data(contentsOf: state) == Data("its".utf8))
        #expect(try folder.names.count == 2)
    }

    @Test("A lost download whose rest doesn't say the tag of its version is loaded from its start")
    func unsaidTag() async throws {
        let folder = try Folder()
        let server = FileServer(loss: URLError(.networkConnectionLost))
        server.state.withLock { state in
            state.change = { number, response in
                if number == 1 { response.cut = 4000 }
                guard number == 2 else { return }
                // It doesn't know `If-Range`, and the file has changed.
                response.fields["ETag"] = nil
                response.body = Self.other[4000...]
            }
        }
        try await server.client.download(GetModel(), to: folder.file, clock: .immediate)
        #expect(server.asked == ["-", "4000-", "-"])
        #expect(try Data(contentsOf: folder.file) == Self.content)
    }

    @Test("A part whose record can't be written isn't left, as nobody can go on with it")
    func noRecord() async throws {
        let folder = try Folder()
        let server = FileServer()
        // The record is first written to a file of this name.
        let name = PartName(try key(of: folder.file), in: folder.url)
        try FileManager.default.createDirectory(
            atPath: name.newState, withIntermediateDirectories: false)
        try await Self.leavePart(of: 4000, in: folder.file, server)
        #expect(try !folder.names.contains { $0.hasSuffix(".part") })
    }

    @Test("A body without a length that has filled the disk isn't kept", arguments: [nil, 10_000])
    func endless(total: Int64?) async throws {
        let folder = try Folder()
        let part = try #require(try PartFile(for: folder.file, key: .random))
        part.setRecord(PartRecord(validator: "\"1\"", total: total, place: ""))
        func isEndless(_ kind: FileError.Kind) -> Bool {
            let error = FileError(kind, at: folder.file)
            return part.isEndless(after: EndpointTaskError<Never>.fileError(error))
        }
        #expect(isEndless(.outOfSpace) == (total == nil) && !isEndless(.busy))
        part.remove()
    }

    @Test("Bytes that may be lost are not taken for written when the system has said so once")
    func lostBytes() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[0])
        let folder = try Folder()
        // A pipe can't be brought to a disk.
        let file = try OpenFile(ends[1], at: folder.file)
        let part = PartFile(file, destination: folder.file)
        for _ in 0..<2 {
            let error = await Self.error { () async throws(FileError) in
                try await part.move(replacing: false)
            }
            #expect(error?.kind == .other(code: EINVAL))
            // From now on, the system says that all is well.
            let other = open(folder.url.path, O_RDONLY | O_CLOEXEC)
            #expect(dup2(other, file.descriptor) >= 0)
            close(other)
        }
    }

    @Test("Parts that nobody can use are removed, and old ones")
    func cleaned() async throws {
        let folder = try Folder()
        let server = FileServer()
        try await Self.leavePart(of: 4000, in: folder.file, server)
        let other = folder.url.appendingPathComponent("other")
        try await Self.leavePart(of: 4000, in: other, server)
        let parts = PartFolder(folder.url)
        // What a killed process has left, and what this one is writing.
        let orphan = PartName(.random, in: folder.url)
        try Data(count: 9).write(to: URL(fileURLWithPath: orphan.part))
        let running = try PartFile(for: folder.url.appendingPathComponent("third"))
        let now = Date()
        func count(_ suffix: String) throws -> Int {
            try folder.names.count { $0.hasSuffix(suffix) }
        }
        #expect(try count(".part") == 4)
        parts.removeOld(at: now)
        #expect(try count(".part") == 3 && count(".state") == 2)
        parts.removeOld(at: now + 6 * 86_400)
        #expect(try count(".part") == 3)
        parts.removeOld(megabytes: 0.005, at: now)
        #expect(try count(".part") == 2 && count(".state") == 1)
        parts.removeOld(at: now + 8 * 86_400)
        #expect(try count(".part") == 1 && count(".state") == 0)
        withExtendedLifetime(running) {}
    }

    /// Downloads so many bytes, and is cancelled then.
    private static func leavePart(
        of count: Int, in file: URL, _ server: FileServer,
        _ change: (inout FileServer.State) -> Void = { _ in }, keeping: KeptPart = .part
    ) async throws {
        let number = server.state.withLock { state in
            change(&state)
            let number = state.asked.count + 1
            state.change = { if $0 == number { $1.cut = count } }
            return number
        }
        await #expect(throws: GetModel.TaskError.self) {
            try await server.client.download(GetModel(), to: file, keeping: keeping)
        }
        server.state.withLock { state in
            #expect(state.asked.count == number)
            let initial = FileServer.State()
            (state.tag, state.fields) = (initial.tag, initial.fields)
            state.change = { _, _ in }
        }
    }

    private static func error<Failure: Error>(
        _ work: () async throws(Failure) -> Void
    ) async -> Failure? {
        do throws(Failure) { try await work() } catch { return error }
        return nil
    }
}

extension FileServer {
    var client: EndpointClient<ServerEnvironment> { EndpointClient(self, in: .production) }
}

extension FileServer.State {
    mutating func change(to content: Data) {
        (self.content, tag) = (content, "\"2\"")
    }

    mutating func hasOnlyDate(_ date: String) {
        tag = nil
        fields = ["Last-Modified": "Fri, 01 Jan 2021 00:00:00 GMT", "Date": date]
    }
}

extension FileServer.Response {
    mutating func range(_ range: String?) { fields["Content-Range"] = range }

    mutating func refuse(_ range: String) {
        self = .init(status: 416, fields: ["ETag": "\"1\"", "Content-Range": range], body: Data())
    }
}
