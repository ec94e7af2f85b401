import Endpoints
import EndpointsCache
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsDurable

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct S3Tests {
    let server = S3Server()
    let waits = Waits()
    var api: EndpointClient<ServerEnvironment> { EndpointClient(server, in: .uploads) }

    func upload(_ place: Place) -> ResumableUpload<PutObject> {
        api.upload(
            PutObject(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
    }

    @Test func `A file is sent in parts, and the object has the declared headers`() async throws {
        let place = try Place()
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(
            server.seen == ["create", "part 1", "part 2", "part 3", "part 4", "complete"])
        let requests = server.state.withLock(\.requests)
        #expect(
            requests.map { $0.value(forHTTPHeaderField: "x-amz-meta-a") }
                == ["b", nil, nil, nil, nil, nil])
        #expect(
            requests.map { $0.value(forHTTPHeaderField: "Cache-Control") }
                == ["no-cache", nil, nil, nil, nil, nil])
        #expect(
            requests.allSatisfy {
                $0.value(forHTTPHeaderField: "x-amz-request-payer") == "requester"
            })
        #expect(requests[0].value(forHTTPHeaderField: "Content-Type") == "video/mp4")
        #expect(requests[0].url?.query == "uploads=")
        #expect(requests[1].url?.query == "partNumber=1&uploadId=id%2B%2F1")
        #expect(place.stateFiles == [])
    }

    @Test(arguments: [(0, 1), (1, 1), (999, 1), (1000, 1), (1001, 2), (3000, 3)])
    func `A file of any size has at least one part`(_ size: Int, _ count: Int) async throws {
        let place = try Place(Data(repeating: 7, count: size))
        try await upload(place).response()
        #expect(server.object == Data(repeating: 7, count: size))
        #expect(server.seen.filter { $0.hasPrefix("part") }.count == count)
    }

    @Test(
        arguments: [
            ("create", .cut), ("create", .loseResponse), ("create", .status(503)),
            ("part 2", .cut), ("part 2", .loseResponse), ("part 4", .status(500)),
            ("complete", .cut), ("complete", .status(503)),
            ("complete", .body(200, "<Error><Code>InternalError</Code></Error>")),
        ] as [(String, S3Server.Fault)])
    func `After a fault the request is sent again`(
        _ kind: String, _ fault: S3Server.Fault
    ) async throws {
        let place = try Place()
        server.fail(kind, fault)
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.count == 7)
        #expect(waits.seconds.withLock(\.self) == [1])
    }

    @Test func `If the response to the end is lost, the object's tag shows that it is whole`()
        async throws
    {
        let place = try Place()
        server.fail("complete", .loseResponse)
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.suffix(3) == ["complete", "complete", "head"])
        #expect(server.seen.filter { $0 == "create" }.count == 1)
    }

    @Test func `If the process ended after the end, the next one asks for the object`()
        async throws
    {
        let place = try Place()
        server.fail("complete", .loseResponse, .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        let count = server.seen.count
        try await upload(place).response()
        #expect(server.seen[count...] == ["list", "head"])
        #expect(place.stateFiles == [])
    }

    @Test func `An object that is another one isn't taken for the upload's`() async throws {
        let place = try Place()
        server.fail("complete", .loseResponse, .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        server.state.withLock { $0.objects["/bucket/a b"] = (Data("other".utf8), "0-4") }
        try await upload(place).response()
        #expect(server.object == Place.bytes)
    }

    @Test(arguments: [1, 2, 1000])
    func `The next call sends only the parts that the server hasn't`(_ page: Int) async throws {
        let place = try Place()
        server.state.withLock { $0.pageSize = page }
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        let count = server.seen.count
        // A part that isn't whole counts as none.
        server.state.withLock { $0.uploads["id+/1"]?[2] = Data(count: 999) }
        try await upload(place).response()
        #expect(server.seen[count...].filter { $0 != "list" } == ["part 2", "part 4", "complete"])
        #expect(server.object == Place.bytes)
    }

    @Test(arguments: [
        "", "<html><body>Not found</body></html>", "<Error><Code>NoSuchBucket</Code>",
    ])
    func `A 404 that isn't about the upload doesn't lose it`(_ body: String) async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        server.fail("list", .body(404, body))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        let count = server.seen.count
        try await upload(place).response()
        #expect(server.seen[count...] == ["list", "part 4", "complete"])
    }

    @Test(arguments: [nil, 0, -1, 3501, 1 << 62, .max, .min] as [Int64?])
    func `A state whose parts can't be those of an upload counts as none`(
        _ size: Int64?
    ) async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        let url = place.states.appendingPathComponent(try #require(place.stateFiles.first))
        var state = try #require(UploadState(Data(contentsOf: url)))
        state.partSize = size
        try state.data.write(to: url)
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.filter { $0 == "create" }.count == 2)
    }

    @Test func `A list of parts that never ends is left`() async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        for number in [3, 4, 5, 6] {
            server.fail(
                "list",
                .body(
                    200,
                    """
                    <L><IsTruncated>true</IsTruncated><Part><PartNumber>\(number)</PartNumber></Part></L>
                    """))
        }
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.filter { $0 == "list" }.count == 2)
    }

    @Test func `A list of parts that is too long isn't read`() async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        server.fail("list", .body(200, String(repeating: "</a>", count: 1_100_000)))
        await #expect {
            try await upload(place).response()
        } throws: { "\($0)".contains("more than 4194304 bytes") }
        #expect(place.stateFiles.count == 1)
    }

    @Test(arguments: [200, 400])
    func `Parts that are too small for the server are an error, and are removed`(
        _ status: Int
    ) async throws {
        let place = try Place()
        server.fail("complete", .body(status, "<Error><Code>EntityTooSmall</Code></Error>"))
        await #expect {
            try await upload(place).response()
        } throws: {
            "\($0)".contains("has parts of 1000 bytes, which is less than the server takes")
        }
        #expect(server.seen.last == "abort")
        #expect(place.stateFiles == [])
    }

    /// Parts of 6 GiB.
    struct PutHuge: FlatRequest, ResumableRequest {
        let body: File
        static let endpoint = Endpoint<Self>(method: .put, path: "a")
        static let uploading = Resumable.s3(partSize: 6 << 30)
        typealias Response = Void
    }

    @Test(arguments: [
        ("bucket.s3.eu-west-1.amazonaws.com", 1001, false), ("s3.amazonaws.com", 1000, true),
        ("s3.cn-north-1.amazonaws.com.cn", 3500, false), ("S3.AmazonAWS.com", 3500, false),
        ("amazonaws.com.example.com", 3500, true), ("myamazonaws.com", 3500, true),
    ])
    func `Parts that Amazon S3 would refuse at the end aren't sent`(
        _ host: String, _ size: Int, _ isSent: Bool
    ) async throws {
        let place = try Place(Data(count: size))
        let environment = ServerEnvironment(baseUrl: try #require(URL(string: "https://\(host)")))
        let client = EndpointClient(server, in: environment)
        let upload = client.upload(
            PutObject(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        let text = await upload.errorText
        if isSent {
            #expect(text == nil)
        } else {
            #expect(text?.contains("for Amazon S3 at least `5 << 20`") == true)
            #expect(server.seen == [] && place.stateFiles == [])
        }
    }

    @Test func `Parts of more than 5 GiB aren't sent to Amazon S3`() async throws {
        let place = try Place()
        try #require(truncate(place.file.path, 7 << 30) == 0)
        let environment = ServerEnvironment(
            baseUrl: try #require(URL(string: "https://b.s3.amazonaws.com")))
        let upload = EndpointClient(server, in: environment).upload(
            PutHuge(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        #expect(await upload.errorText?.contains("write a `partSize` of at most `5 << 30`") == true)
        #expect(server.seen == [])
    }

    @Test func `If the response to the end is lost, the condition that it must not exist is met`()
        async throws
    {
        let place = try Place()
        server.fail("complete", .loseResponse, .status(412))
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.suffix(3) == ["complete", "complete", "head"])
    }

    @Test func `A condition that isn't met is an error`() async throws {
        let place = try Place()
        server.fail("complete", .status(412))
        #expect(await upload(place).errorText?.contains("412") == true)
        #expect(server.seen.last == "complete")
    }

    @Test func `A server that says in a 200 that it has no such upload gets the file anew`()
        async throws
    {
        let place = try Place()
        server.fail("complete", .body(200, "<Error><Code>NoSuchUpload</Code></Error>"))
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.filter { $0 == "create" }.count == 2)
        #expect(waits.seconds.withLock(\.self) == [])
    }

    @Test func `An upload whose file is gone can be discarded`() async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        #expect(await upload(place).errorText != nil)
        try FileManager.default.removeItem(at: place.file)
        try await upload(place).discard()
        #expect(server.seen.last == "abort")
        #expect(place.stateFiles == [])
    }

    @Test(arguments: [-1, .min] as [Int64])
    func `A state of a file that can't be one isn't read`(_ size: Int64) async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        #expect(await upload(place).errorText != nil)
        let url = place.states.appendingPathComponent(try #require(place.stateFiles.first))
        var state = try #require(UploadState(try Data(contentsOf: url)))
        (state.file.size, state.partSize) = (size, 1)
        try state.data.write(to: url)
        chmod(url.path, 0o600)
        let count = server.seen.count
        try await upload(place).discard()
        #expect(server.seen.count == count)
    }

    @Test func `A file that was changed before the server knew of it is no error`() async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        #expect(await upload(place).errorText != nil)
        // What a process leaves that is killed while it creates the upload.
        let url = place.states.appendingPathComponent(try #require(place.stateFiles.first))
        var state = try #require(UploadState(try Data(contentsOf: url)))
        (state.id, state.partSize) = (nil, nil)
        try state.data.write(to: url)
        chmod(url.path, 0o600)
        try Data("new".utf8).write(to: place.file)
        try await upload(place).response()
        #expect(server.object == Data("new".utf8))
    }

    @Test func `Tags that aren't those of their parts' bytes aren't kept`() async throws {
        let place = try Place()
        server.state.withLock { $0.headers = ["ETag": String(repeating: "a", count: 200)] }
        server.fail("complete", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        let url = place.states.appendingPathComponent(try #require(place.stateFiles.first))
        #expect(UploadState(try Data(contentsOf: url))?.tags == nil)
    }

    @Test func `A condition goes with the request that makes the object, a key with the first one`()
        async throws
    {
        let place = try Place()
        let environment = ServerEnvironment(
            baseUrl: ServerEnvironment.uploads.baseUrl,
            headers: [
                "If-None-Match": "*", "Idempotency-Key": "1", "Content-MD5": "a",
                "Content-Encoding": "gzip",
            ])
        server.fail("complete", .loseResponse)
        try await EndpointClient(server, in: environment).upload(
            PutObject(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        let state = server.state.withLock(\.self)
        for (kind, request) in zip(state.seen, state.requests) {
            func has(_ name: String) -> Bool { request.value(forHTTPHeaderField: name) != nil }
            #expect(has("If-None-Match") == (kind == "complete"), "\(kind)")
            #expect(has("Idempotency-Key") == (kind == "create"), "\(kind)")
            #expect(has("Content-Encoding") == (kind == "create"), "\(kind)")
            #expect(!has("Content-MD5"), "\(kind)")
        }
    }

    @Test func `A cache stores nothing of what the server says of an upload`() async throws {
        let place = try Place()
        server.state.withLock { $0.headers = ["Cache-Control": "max-age=60"] }
        let cached = EndpointClient(server.cached(in: .memory(megabytes: 1)), in: .uploads)
        for number in [2, 3] {
            server.fail("part \(number)", .status(400))
            await #expect(throws: PutObject.TaskError.self) {
                try await cached.upload(
                    PutObject(body: File(place.file)), keepingStateIn: place.states
                ).response()
            }
        }
        try await cached.upload(
            PutObject(body: File(place.file)), keepingStateIn: place.states
        ).response()
        #expect(server.object == Place.bytes)
        #expect(server.seen.filter { $0 == "list" }.count == 2)
        #expect(server.seen.filter { $0 == "part 2" }.count == 2)
    }

    @Test func `An upload that the server has removed begins anew`() async throws {
        let place = try Place()
        server.fail("part 4", .status(400))
        await #expect(throws: PutObject.TaskError.self) { try await upload(place).response() }
        server.state.withLock { $0.uploads = [:] }
        try await upload(place).response()
        #expect(server.object == Place.bytes)
        let other = try Place()
        let file = server
        server.fail("part 3", .run { file.state.withLock { $0.uploads = [:] } })
        try await upload(other).response()
        #expect(server.object == Place.bytes)
    }

    @Test func `A file that changes while it is sent is an error, and the parts are removed`()
        async throws
    {
        let place = try Place()
        server.fail("part 3", .run { try Data(count: 3500).write(to: place.file) })
        let error = await #expect(throws: PutObject.TaskError.self) {
            try await upload(place).response()
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("the file was changed since"))
        #expect(server.seen.last == "abort")
        #expect(server.state.withLock(\.uploads).isEmpty)
        #expect(place.stateFiles == [])
        try await upload(place).response()
        #expect(server.object == Data(count: 3500))
    }

    @Test func `An upload ends although its state can't be written any more`() async throws {
        let place = try Place()
        server.fail(
            "part 4",
            .run {
                // As on a full disk, no file can take the place of the state.
                let url = place.states.appendingPathComponent(try #require(place.stateFiles.first))
                try FileManager.default.removeItem(at: url)
                try FileManager.default.createDirectory(
                    at: url.appendingPathComponent("a"), withIntermediateDirectories: true)
            })
        try await upload(place).response()
        #expect(server.object == Place.bytes)
    }

    @Test func `Several parts are sent at a time, and never more than the lanes`() async throws {
        let place = try Place()
        try await api.upload(
            PutFast(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
        ).response()
        #expect(server.object == Place.bytes)
        #expect((2...3).contains(server.state.withLock(\.mostRunning)))
        #expect(Set(server.seen).count == 37)
        #expect(server.seen.count == 37)
    }

    @Test func `A part that is refused ends the others`() async throws {
        let place = try Place()
        server.fail("part 1", .hang)
        server.fail("part 2", .hang)
        server.fail("part 3", .status(403))
        let error = await #expect(throws: PutFast.TaskError.self) {
            try await api.upload(
                PutFast(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock
            ).response()
        }
        #expect(error?.httpResponse?.statusCode == 403)
        #expect(server.seen.count == 4)
        #expect(place.stateFiles.count == 1)
    }

    @Test(arguments: ["", "<a", "<UploadId></UploadId>", "{}", "<a><UploadId/></a>"])
    func `A response without the upload's name is an error`(_ body: String) async throws {
        let place = try Place()
        server.fail("create", .body(200, body))
        await #expect {
            try await upload(place).response()
        } throws: { "\($0)".contains("doesn't take uploads of this version of the protocol") }
    }

    @Test func `Progress grows with each part, and ends with the whole file`() async throws {
        let place = try Place(Data(count: 1_000_000))
        struct PutLarge: FlatRequest, ResumableRequest {
            let body: File
            static let endpoint = Endpoint<Self>(method: .put, path: "bucket/a b")
            static let uploading = Resumable.s3(partSize: 100_000, lanes: 4)
            typealias Response = Void
        }
        server.fail("part 5", .cut)
        var steps: [Int64] = []
        let upload = api.upload(
            PutLarge(body: File(place.file)), keepingStateIn: place.states, clock: waits.clock)
        for try await step in upload { steps.append(step.completed) }
        #expect(steps == steps.sorted())
        #expect(steps.last == 1_000_000)
    }

    @Test func `The largest files have at most 10,000 parts`() {
        for (size, part) in [
            (0, 1), (5, 5), (1000, 1000), (10_000_000, 1000), (10_000_001, 1 << 20),
            (5 << 40, 525 << 20),
        ] as [(Int64, Int64)] {
            let found = PartedUpload<PutObject>.partSize(for: size)
            #expect(found == part, "\(size)")
        }
        #expect(.max / PartedUpload<PutObject>.partSize(for: .max) < 10_000)
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `MD5 is that of RFC 1321`(_ text: String, _ digest: String) {
        #expect(MD5.hash(Array(text.utf8)).hex == digest)
    }

    @Test(
        arguments: [
            ("<a>1</a>", "1"), ("<?xml?><x:a b=\"c\"> 1 </x:a>", " 1 "), ("<a/>", ""),
            ("<a></a>", ""),
            ("<b><a>&lt;&amp;&quot;&#34;</a></b>", "<&\"\""), ("<a><b>1</b></a>", nil),
            ("<a>1", nil),
            ("a", nil), ("<", nil), ("<>", nil), ("</a>", nil), ("<a>1</b></a>", nil),
            ("<!-- x --><a>2</a>", "2"),
        ] as [(String, String?)])
    func `The text of an element of XML is found`(_ xml: String, _ text: String?) {
        #expect(XMLTexts(Data(xml.utf8))["a"] == text)
    }
}

extension ResumableUpload {
    /// The text of the error with which the upload ends; `nil` if it succeeds.
    var errorText: String? {
        get async {
            do { try await response() } catch { return "\(error)" }
            return nil
        }
    }
}
