import Endpoints
import EndpointsShared
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AWSSignerTests {
    private static let keys = AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    private static let bucketKeys = AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

    private static func signer(
        _ service: String = "s3", _ region: String = "us-east-1",
        _ credentials: some AWSCredentialSource = bucketKeys, _ payload: AWSSigner.Payload = .signed
    ) -> AWSSigner {
        AWSSigner(service: service, region: region, credentials: credentials, payload: payload)
    }

    private static func clock(_ seconds: TimeInterval) -> TransportClock {
        TransportClock(
            date: { Date(timeIntervalSince1970: seconds) }, uptime: { 0 }, sleep: { _ in },
            random: { 0 })
    }

    private static func request(
        _ method: String, _ url: String, _ headers: [String: String] = [:], _ body: String = ""
    ) throws -> TransportRequest {
        var urlRequest = URLRequest(url: try #require(URL(string: url)))
        urlRequest.httpMethod = method
        urlRequest.allHTTPHeaderFields = headers
        urlRequest.httpBody = body.isEmpty ? nil : Data(body.utf8)
        return TransportRequest(urlRequest, requestType: Get.self)
    }

    /// An example of AWS's documentation, with its signature.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let signer: AWSSigner
        let seconds: TimeInterval
        let method: String
        let url: String
        var headers: [String: String] = [:]
        var body = ""
        let signature: String
    }

    /// “Examples of how to sign requests” of the IAM User Guide, and “Authenticating Requests:
    /// Using the Authorization Header” of the S3 API Reference.
    static let examples: [Example] = [
        Example(
            testDescription: "ListUsers", signer: signer("iam", "us-east-1", keys),
            seconds: 1_440_938_160, method: "GET",
            url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
            signature: "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"),
        Example(
            testDescription: "GET Object", signer: signer(), seconds: 1_369_353_600, method: "GET",
            url: "https://examplebucket.s3.amazonaws.com/test.txt",
            headers: ["Range": "bytes=0-9"],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "PUT Object", signer: signer(), seconds: 1_369_353_600, method: "PUT",
            url: "https://examplebucket.s3.amazonaws.com/test$file.text",
            headers: [
                "Date": "Fri, 24 May 2013 00:00:00 GMT",
                "x-amz-storage-class": "REDUCED_REDUNDANCY",
            ],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "GET Bucket Lifecycle", signer: signer(), seconds: 1_369_353_600,
            method: "GET", url: "https://examplebucket.s3.amazonaws.com/?lifecycle",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "Get Bucket (List Objects)", signer: signer(), seconds: 1_369_353_600,
            method: "GET", url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: examples)
    func `The signature of AWS's examples`(_ example: Example) async throws {
        let server = SigningServer()
        let transport = server.signed(by: example.signer, clock: Self.clock(example.seconds))
        _ = try await transport.send(
            try Self.request(example.method, example.url, example.headers, example.body))
        let value = try #require(server.received.first?.fields["Authorization"])
        #expect(value.hasSuffix("Signature=\(example.signature)"), "\(value)")
    }

    struct GetFile: FlatRequest {
        typealias Response = Data
        static let endpoint: Endpoint<GetFile> = Endpoint(method: .get, path: "\(path: \.key)")
        var key = "test.txt"
    }

    private static let bucket = ServerEnvironment(
        baseUrl: URL(string: "https://examplebucket.s3.amazonaws.com")!)

    @Test func `The presigned URL of AWS's example`() async throws {
        let url = try await Self.signer().presignedURL(
            of: GetFile(), in: Self.bucket, expires: 86_400,
            at: Date(timeIntervalSince1970: 1_369_353_600))
        #expect(
            url.absoluteString == """
                https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
                &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
                &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
                &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
                """)
    }

    @Test func `A presigned URL has no user info of the environment`() async throws {
        func url(_ base: String) async throws -> URL {
            try await Self.signer().presignedURL(
                of: GetFile(), in: ServerEnvironment(baseUrl: #require(URL(string: base))),
                expires: 60, at: Date(timeIntervalSince1970: 1_369_353_600))
        }
        let plain = try await url("https://examplebucket.s3.amazonaws.com")
        for info in ["ann:s3cr3t@", "ann@", ":s3cr3t@"] {
            #expect(try await url("https://\(info)examplebucket.s3.amazonaws.com") == plain)
        }
    }

    @Test(arguments: [0, -1, 604_801])
    func `A presigned URL expires within a week`(seconds: Int) async throws {
        let error = await #expect(throws: EndpointError.self) {
            try await Self.signer().presignedURL(of: GetFile(), in: Self.bucket, expires: seconds)
        }
        #expect("\(try #require(error))".contains("write 1 to 604,800 s"))
    }

    /// A key of S3 as one value of the path, and the path that is sent.
    static let paths: [(key: String, sent: String)] = [
        ("a/b", "/a/b"), ("x//y", "/x//y"), ("/lead", "//lead"), ("end/", "/end/"),
        ("a b+c", "/a%20b%2Bc"), ("ü", "/%C3%BC"), ("dir/./dot", "/dir/%2E/dot"),
        ("up/../x", "/up/%2E%2E/x"), ("a%2Fb", "/a%252Fb"), ("!*'()", "/%21%2A%27%28%29"),
        ("?a=b#c", "/%3Fa%3Db%23c"), ("-._~", "/-._~"), (".a/..b", "/.a/..b"),
    ]

    @Test(arguments: paths)
    func `A key of S3 is one value of the path`(key: String, sent: String) async throws {
        let url = try await Self.signer().presignedURL(
            of: GetFile(key: key), in: Self.bucket, expires: 60)
        let path = url.absoluteString.dropFirst("https://examplebucket.s3.amazonaws.com".count)
        #expect(path.prefix { $0 != "?" } == sent)
    }

    /// The example of a body in chunks in the S3 API Reference: 66,560 bytes of the letter a.
    @Test func `A body in chunks has the signatures of AWS's example`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: UInt8(ascii: "a"), count: 66_560).write(to: file)
        var request = try Self.request("PUT", "https://s3.amazonaws.com/examplebucket/c.txt")
        request.upload = Upload([.file(file)])
        let signature = try #require(
            AWSSignature(
                Self.bucketKeys, at: Date(timeIntervalSince1970: 1_369_353_600),
                region: "us-east-1", service: "s3"))
        let seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
        let chunked = try await AWSChunkedFile(
            of: request, signature, seed: seed, addsChecksum: false)
        let text = try String(contentsOf: chunked.url, encoding: .utf8)
        let heads = text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("a") && $0 != "" }
        #expect(
            heads == [
                "10000;chunk-signature="
                    + "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
                "400;chunk-signature="
                    + "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
                "0;chunk-signature="
                    + "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
            ])
        #expect(text.utf8.count == 66_824)
    }

    @Test func `The file of the chunks is removed with its request`() async throws {
        var request: TransportRequest? = try Self.request("PUT", "https://a.test/x", [:], "b0dy")
        let signer = Self.signer("s3", "us-east-1", Self.keys, .chunked(addsChecksum: true))
        try await signer.sign(&request!, at: Date(timeIntervalSince1970: 0))
        guard case .file(let url)? = request?.upload?.pieces.first else {
            return #expect(Bool(false), "no file")
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.hasPrefix("4;chunk-signature="))
        #expect(text.contains("\r\nx-amz-checksum-sha256:"))
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(
            request?.urlRequest.value(forHTTPHeaderField: "X-Amz-Decoded-Content-Length") == "4")
        request = nil
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    /// What is wrong, and what the error says.
    static let mistakes: [(AWSSigner, [String: String], String)] = [
        (signer("S3"), [:], #"has `AWSSigner(service: "S3")`; write it in lower-case letters"#),
        (signer("s3", ""), [:], #"has `AWSSigner(region: "")`; write it in lower-case letters"#),
        (signer("s3", "eu/a"), [:], #"has `AWSSigner(region: "eu/a")`"#),
        (
            signer(), ["Authorization": "Bearer t0k3n"],
            "is set already, and the signature of `AWSSigner` needs it"
        ),
        (
            signer("dynamodb", "us-east-1", keys, .unsigned), [:],
            "has `AWSSigner(payload: .unsigned)`, which only S3 takes; write `.signed`"
        ),
        (
            signer("iam", "us-east-1", keys, .chunked()), [:],
            "has `AWSSigner(payload: .chunked(addsChecksum: false))`, which only S3 takes"
        ),
        (
            signer("s3", "us-east-1", AWSCredentials(accessKeyID: "", secretAccessKey: "s")), [:],
            "has a signer without an access key"
        ),
    ]

    @Test(arguments: mistakes)
    func `A wrong setting is an error of each request`(
        signer: AWSSigner, headers: [String: String], text: String
    ) async throws {
        let server = SigningServer()
        let request = try Self.request("GET", "https://a.test/x", headers)
        let error = await #expect(throws: EndpointError.self) {
            try await server.signed(by: signer).send(request)
        }
        let shown = "\(try #require(error))"
        #expect(shown.contains(text), "\(shown)")
        #expect(!shown.contains("t0k3n") && server.asked.isEmpty)
    }

    /// By how many seconds the server's clock is ahead, its status, and how many requests it gets.
    static let skews: [(TimeInterval, status: Int, count: Int)] = [
        (0, 403, 1), (200, 403, 1), (300, 403, 2), (-300, 403, 2), (86_400, 400, 2),
        (86_400, 401, 2), (86_400, 404, 1), (86_400, 200, 1), (86_400, 503, 1),
    ]

    @Test(arguments: skews)
    func `A wrong clock is corrected once by the server's date`(
        seconds: TimeInterval, status: Int, count: Int
    ) async throws {
        let now: TimeInterval = 1_700_000_000
        let date = try #require(HTTPDate.text(Date(timeIntervalSince1970: now + seconds)))
        let server = SigningServer([
            "/x": [SigningServer.Reply(status: status, fields: ["Date": date])]
        ])
        let signer = Self.signer()
        let transport = server.signed(by: signer, clock: Self.clock(now))
        _ = try await transport.send(try Self.request("POST", "https://a.test/x", [:], "b"))
        #expect(server.asked.count == count)
        guard count == 2 else { return }
        let dates = server.received.compactMap { $0.fields["X-Amz-Date"] }
        let corrected = try #require(
            AWSSignature(
                Self.keys, at: Date(timeIntervalSince1970: now + seconds), region: "", service: ""))
        #expect(dates.first != dates.last && dates.last == corrected.timestamp)
        // The next request is signed with the server's time at once, and isn't sent again.
        _ = try await transport.send(try Self.request("GET", "https://a.test/x"))
        #expect(server.asked.count == 3)
        #expect(server.received.last?.fields["X-Amz-Date"] == corrected.timestamp)
    }

    /// The date of a 403 that isn't a reason to sign once more, and its other headers.
    static let unusableDates: [[String: String]] = [
        ["Date": "Fri, 31 Dec 9999 23:59:59 GMT"], ["Date": "Sun, 01 Jan 1950 00:00:00 GMT"],
        ["Date": "Tue, 14 Nov 2023 20:13:20 GMT", "Age": "7200"], ["Date": "yesterday"], [:],
    ]

    @Test(arguments: unusableDates)
    func `A date that no clock has, and that of a cache, corrects nothing`(
        fields: [String: String]
    ) async throws {
        let server = SigningServer(["/x": [SigningServer.Reply(status: 403, fields: fields)]])
        let transport = server.signed(by: Self.signer(), clock: Self.clock(1_700_000_000))
        for _ in 0..<2 {
            _ = try await transport.send(try Self.request("GET", "https://a.test/x"))
        }
        #expect(
            server.received.map { $0.fields["X-Amz-Date"] } == [
                "20231114T221320Z", "20231114T221320Z",
            ])
    }

    @Test func `Requests that were signed before the clock was corrected are signed again, too`()
        async throws
    {
        let signer = Self.signer()
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let head = try #require(
            HTTPURLResponse(
                url: URL(filePath: "/"), statusCode: 403, httpVersion: nil,
                headerFields: ["Date": HTTPDate.text(now + 7200) ?? ""]))
        var (first, second) = (
            try Self.request("GET", "https://a.test/x"), try Self.request("GET", "https://a.test/y")
        )
        for request in [first, second] { request.signatureReaders = SignatureReaders() }
        try await signer.sign(&first, at: now)
        try await signer.sign(&second, at: now)
        func isCorrected(_ request: TransportRequest) async throws -> Bool {
            try await request.signatureReaders?.isCorrected(by: head, at: now) ?? false
        }
        #expect(try await isCorrected(first))
        #expect(try await isCorrected(second))
        var third = try Self.request("GET", "https://a.test/z")
        try await signer.sign(&third, at: now)
        #expect(try await !isCorrected(third))
    }

    @Test func `The wrong date of one server changes no signature for another one`() async throws {
        let date = "Sat, 01 Jan 2050 00:00:00 GMT"
        let server = SigningServer([
            "/x": [SigningServer.Reply(status: 403, fields: ["Date": date])]
        ])
        let signer = Self.signer()
        let b = try #require(URL(string: "https://b.test"))
        let transport = server.signed(
            by: signer, trusting: [b], clock: Self.clock(1_700_000_000))
        let urls = ["https://a.test/x", "https://b.test/x", "https://a.test:444/x"]
        for url in urls {
            _ = try await transport.send(try Self.request("GET", url))
        }
        _ = try await transport.send(try Self.request("GET", "https://a.test/y"))
        let now = "20231114T221320Z"
        #expect(
            server.received.map { $0.fields["X-Amz-Date"] } == [
                now, "20500101T000000Z", now, now, "20500101T000000Z", "20500101T000000Z",
            ])
        let link = try await signer.presignedURL(
            of: Get(), in: ServerEnvironment(baseUrl: b), expires: 60,
            at: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(link.absoluteString.contains("X-Amz-Date=\(now)"))
    }

    @Test func `A source that returns the same keys isn't asked at each request`() async throws {
        let source = Counted { _ in Self.keys(1, expires: 1000) }
        let kept = KeptCredentials(source)
        for now in [0, 800, 810, 829, 830, 999] as [TimeInterval] {
            _ = try await kept.credentials(at: Date(timeIntervalSince1970: now))
        }
        #expect(source.count.withLock { $0 } == 4)
    }

    /// A source that counts its calls.
    @Test func `A function is a source of keys, and its error is the cause`() async throws {
        let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "k")
        let signer = AWSSigner(service: "s3", region: "eu-central-1") { keys }
        #expect(try await signer.account() == "AKIDEXAMPLE")
        let failing = AWSSigner(service: "s3", region: "eu-central-1") {
            throw URLError(.cannotConnectToHost)
        }
        await #expect(throws: URLError.self) { try await failing.account() }
        // A name is known without the keys, as while there is no network.
        let named = AWSSigner(service: "s3", region: "eu-central-1", account: "backup") {
            throw URLError(.cannotConnectToHost)
        }
        #expect(try await named.account() == "backup")
    }

    private final class Counted: AWSCredentialSource {
        let count = Locked(0)
        let result: @Sendable (Int) throws -> AWSCredentials
        let gate: Waiter<Void>?

        init(
            gate: Waiter<Void>? = nil, _ result: @escaping @Sendable (Int) throws -> AWSCredentials
        ) {
            (self.gate, self.result) = (gate, result)
        }

        func credentials() async throws -> AWSCredentials {
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await gate?.value()
            return try result(number)
        }
    }

    private static func keys(_ number: Int, expires: TimeInterval?) -> AWSCredentials {
        AWSCredentials(
            accessKeyID: "AK\(number)", secretAccessKey: "s", sessionToken: "t0k3n",
            expires: expires.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func `However many requests need credentials, the source is asked once`() async throws {
        let gate = Waiter<Void>()
        let source = Counted(gate: gate) { Self.keys($0, expires: 10_000) }
        let kept = KeptCredentials(source)
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await kept.credentials(at: Date(timeIntervalSince1970: 0)).accessKeyID
                }
            }
            gate.resume(with: .success(()))
            var ids: Set<String> = []
            for try await id in group { ids.insert(id) }
            return ids
        }
        #expect(ids == ["AK1"])
        #expect(source.count.withLock { $0 } == 1)
    }

    /// When credentials that expire at 1,000 s are needed, and whether new ones are asked for.
    static let moments: [(TimeInterval, expires: TimeInterval?, isRenewed: Bool)] = [
        (0, 1000, false), (699, 1000, false), (700, 1000, true), (2000, 1000, true),
        (1e9, nil, false),
    ]

    @Test(arguments: moments)
    func `Credentials are renewed five minutes before they expire`(
        now: TimeInterval, expires: TimeInterval?, isRenewed: Bool
    ) async throws {
        let source = Counted { Self.keys($0, expires: $0 == 1 ? expires : 1e10) }
        let kept = KeptCredentials(source)
        _ = try await kept.credentials(at: Date(timeIntervalSince1970: 0))
        let id = try await kept.credentials(at: Date(timeIntervalSince1970: now)).accessKeyID
        #expect(id == (isRenewed ? "AK2" : "AK1"))
    }

    @Test func `Credentials that can't be renewed are used until they expire`() async throws {
        let source = Counted { number in
            guard number == 1 else { throw URLError(.timedOut) }
            return Self.keys(number, expires: 1000)
        }
        let kept = KeptCredentials(source)
        _ = try await kept.credentials(at: Date(timeIntervalSince1970: 0))
        let id = try await kept.credentials(at: Date(timeIntervalSince1970: 900)).accessKeyID
        #expect(id == "AK1")
        await #expect(throws: URLError.self) {
            try await kept.credentials(at: Date(timeIntervalSince1970: 1000))
        }
    }

    @Test func `The session's token is sent and signed, and neither is shown`() async throws {
        let server = SigningServer(["/x": [SigningServer.Reply(status: 403)]])
        let keys = Self.keys(1, expires: nil)
        let signer = Self.signer("s3", "us-east-1", keys)
        let error = await #expect(throws: Get.TaskError.self) {
            try await server.signed(by: signer).response(in: .a, with: Get())
        }
        let fields = try #require(server.received.first?.fields)
        #expect(fields["X-Amz-Security-Token"] == "t0k3n")
        #expect(fields["Authorization"]?.contains(";x-amz-security-token,") == true)
        var text = (try #require(error)).debugDescription + "\(keys) \(String(reflecting: keys))"
        dump(keys, to: &text)
        dump(signer, to: &text)
        #expect(!text.contains("t0k3n") && !text.contains("Signature="), "\(text)")
    }
}
