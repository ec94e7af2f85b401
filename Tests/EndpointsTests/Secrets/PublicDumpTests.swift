import EndpointsCache
import EndpointsFormats
import EndpointsMiddleware
import EndpointsOpenAPI
import EndpointsTesting
import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `dump(_:)` of every public type, each with a secret in it.
@Suite("Dumps of public types")
struct PublicDumpTests {
    static let secret = "s3cr3t"

    struct Page: FlatRequest, PagedRequest {
        var url = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.url)])
        static let paging = Paging<Self>.link()
        typealias Response = [String]
        static func items(of response: [String]) -> [String] { response }
    }

    struct GetBytes: FlatRequest {
        var token = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.token)])
        typealias Response = ByteStream
    }

    struct GetLines: FlatRequest {
        var token = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.token)])
        typealias Response = Lines
    }

    struct GetJSONLines: FlatRequest {
        var token = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.token)])
        typealias Response = JSONLines<String>
    }

    struct GetEvents: FlatRequest {
        var token = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.token)])
        typealias Response = EventStream<String>
    }

    struct GetText: FlatRequest {
        var token = "s3cr3t"
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", parameters: [.query("token", path: \.token)])
        typealias Response = String
    }

    struct GetKeyed: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .post, path: "a",
            parameters: [
                .queryValue("key", value: "s3cr3t"), .formValue("password", value: "s3cr3t"),
            ],
            headers: [
                "X-Api-Key": .fieldValue(value: "s3cr3t"),
                .cookie: .fieldValue(value: "a=s3cr3t"),
            ])
        typealias Response = String
    }

    struct Storable: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let head = HTTPURLResponse(
                url: url("https://u:s3cr3t@h/?token=s3cr3t"), statusCode: 200, httpVersion: nil,
                headerFields: ["Cache-Control": "public, max-age=60", "X-A": "s3cr3t"])
            return TransportResponse(Data("s3cr3t".utf8), try #require(head))
        }
    }

    struct Cause: Error { let value = "s3cr3t" }

    struct Answer: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(Data("s3cr3t".utf8), try PublicDumpTests.head())
        }
    }

    static func head() throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: url("https://u:s3cr3t@h/?token=s3cr3t"), statusCode: 200, httpVersion: nil,
                headerFields: ["Set-Cookie": "a=s3cr3t", "Content-Type": "text/event-stream"]))
    }

    static func request() -> TransportRequest {
        var urlRequest = URLRequest(url: url("https://u:s3cr3t@h/?token=s3cr3t"))
        urlRequest.setValue("s3cr3t", forHTTPHeaderField: "Authorization")
        urlRequest.httpBody = Data("s3cr3t".utf8)
        return TransportRequest(urlRequest, requestType: Page.self)
    }

    /// Values of the types that hold what is sent or received, with a secret.
    static func values() async throws -> [(types: String, value: Any)] {
        let server = ServerEnvironment(
            baseUrl: url("https://u:s3cr3t@h?token=s3cr3t"), headers: ["Authorization": "s3cr3t"],
            loadPolicy: LoadPolicy())
        let tokens = MemoryCredentials(
            for: server, AccessToken(.bearer("s3cr3t"), refreshToken: "s3cr3t")
        ) { $0 }
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("\(UUID().uuidString).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = try Recorder(Answer(), to: file)
        let stub = StubTransport()
        stub.on(Page.self, .json(#"["s3cr3t"]"#, headers: ["X-A": "s3cr3t"]))
        let client = EndpointClient(Answer(), in: server)
        let events = Locked<[LogEvent]>([])
        let logged = Answer().logged { event in events.withLock { $0.append(event) } }
        _ = try? await logged.response(in: server, with: Page())
        let steps = Locked<[LoadEvent]>([])
        let monitored = Answer().monitored { event in steps.withLock { $0.append(event) } }
        _ = try? await monitored.response(in: server, with: Page())
        _ = try await recorder.response(in: server, with: GetLines())
        let bytes = try await Answer().response(in: server, with: GetBytes())
        let lines = try await Answer().response(in: server, with: GetLines())
        let json = try await Answer().response(in: server, with: GetJSONLines())
        let stream = try await Answer().response(in: server, with: GetEvents())
        let outcomes = Locked<[AttemptOutcome]>([])
        let asking = RetryPolicy(retries: { _, outcome in
            outcomes.withLock { $0.append(outcome) }
            return false
        })
        _ = try? await Answer().retrying(asking).response(in: server, with: Page())
        let outcome = try #require(outcomes.withLock { $0.first })
        let storage = CacheStorage.memory(megabytes: 1)
        let cached = EndpointClient(Storable().cached(in: storage), in: server)
        let updates = cached.updates(of: GetText())
        var iterator = updates.makeAsyncIterator()
        _ = try await iterator.next()
        let download: FileDownload = client.download(GetBytes(), to: file)
        let saved = DownloadedFile(
            url: file, byteCount: 1, resumedByteCount: 0, httpResponse: try head())
        typealias Failure = EndpointTaskError<String>
        let lost = URLError(
            .timedOut, userInfo: ["NSErrorFailingURLStringKey": "https://h/?token=s3cr3t"])
        let endpoint = EndpointError(
            requestType: "Q", field: .body, reason: "is bad", cause: Cause())
        let policy = {
            var policy = LoadPolicy()
            policy.pathSecrets = [Secret("s3cr3t")]
            return policy
        }()
        return [
            ("TransportRequest", request()),
            ("TransportResponse", TransportResponse(Data("s3cr3t".utf8), try head())),
            ("ResponseBody", ResponseBody(Data("s3cr3t".utf8))),
            ("ResponseBody.AsyncIterator", ResponseBody(Data("s3cr3t".utf8)).makeAsyncIterator()),
            ("Redirection", Redirection(of: request())), ("LoadPolicy", policy),
            ("Credentials", Credentials.bearer("s3cr3t")), ("Secret", Secret("s3cr3t")),
            ("AccessToken", AccessToken(.bearer("s3cr3t"), refreshToken: "s3cr3t")),
            ("MemoryCredentials", tokens), ("ServerEnvironment", server),
            ("EndpointClient", client), ("EndpointError", endpoint),
            (
                "EndpointTaskError",
                Failure.errorResponse(httpResponse: try head(), response: "s3cr3t")
            ),
            ("EndpointTaskError", Failure.transportError(TransportError(cause: Cause()))),
            ("TransportError", TransportError(cause: Cause())),
            ("SignInError", SignInError(cause: Cause())),
            ("LogEvent", events.withLock { $0 }), ("AttemptOutcome", outcome),
            ("LoadEvent", steps.withLock { $0 }),
            ("LoadEvent.Kind", LoadEvent.Kind.failed(lost)),
            ("LogEvent.Kind", LogEvent.Kind.failure(lost)),
            ("TransportStep", TransportStep.sent(request().urlRequest)),
            ("TransportStep", TransportStep.responded(try head())),
            ("ByteStream", bytes),
            ("ByteStream.AsyncIterator", bytes.makeAsyncIterator()),
            ("FileSaving", bytes.saving(to: file)),
            ("FileSaving.AsyncIterator", bytes.saving(to: file).makeAsyncIterator()),
            ("FileDownload", download),
            ("FileDownload.AsyncIterator", download.makeAsyncIterator()),
            ("DownloadedFile", saved),
            ("Lines", lines), ("Lines.AsyncIterator", lines.makeAsyncIterator()),
            ("JSONLines", json), ("JSONLines.AsyncIterator", json.makeAsyncIterator()),
            ("EventStream", stream), ("EventStream.AsyncIterator", stream.makeAsyncIterator()),
            ("Recorder", recorder), ("Replay", try Replay(file)), ("StubTransport", stub),
            ("Pages", client.pages(of: Page())), ("PageItems", client.items(of: Page())),
            ("Pages.AsyncIterator", client.pages(of: Page()).makeAsyncIterator()),
            ("PageItems.AsyncIterator", client.items(of: Page()).makeAsyncIterator()),
            ("CacheStorage", storage), ("ResponseUpdates", updates),
            ("ResponseUpdates.AsyncIterator", iterator),
            (
                "OpenAPIDocument",
                OpenAPIDocument(of: GetKeyed.self, servers: [server])
            ),
            ("a layer", Answer().cached(in: storage)),
            (
                "a layer",
                Answer().authorized(by: tokens).retrying().coalesced().limited(perOrigin: 1)
            ),
            ("a layer", Answer().monitored { _ in }.retrying()),
            ("a layer", Answer().logged { _ in }.paced().authorized(by: tokens)),
            ("a layer", Answer().authorized(by: tokens)),
        ]
    }

    @Test("dump of no value of a public type shows what was sent or received")
    func dumps() async throws {
        for (types, value) in try await Self.values() {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!dumped.contains(Self.secret), "\(types): \(dumped.prefix(500))")
            #expect(!String(reflecting: value).contains(Self.secret), "\(types)")
        }
    }

    /// Types that hold nothing that was sent or received, or only a value that a user reads or
    /// writes there, as in a `String`.
    static let others: Set<String> = [
        "CheckedHooks", "EmptyResponse", "Endpoint", "EndpointError.Field", "EndpointPublisher",
        "EndpointParseError", "File", "FileError.Kind", "FileError", "HTTPMethod", "HeaderField",
        "HeaderList", "Headers", "LoadPolicy.Redirects", "LoadPolicy.Repetition", "MIMEType",
        "Multipart.Part", "Multipart", "NoValues", "Parameter", "ParameterEncoding",
        "ParameterList", "ParameterStyle", "ParameterTexts", "PathTemplate.StringInterpolation",
        "PathTemplate", "SecretNames.Place", "SecretNames", "TransportClock", "TransportConnection",
        "UndeclaredResponse", "UnrepresentableValue", "Upload.Chunks.AsyncIterator",
        "Upload.Chunks", "Upload.Piece", "Upload", "WithHTTPResponse", "ArrivingResponse",
        "Base64Format", "Change", "FormEncoder.ArrayEncodingStrategy",
        "FormEncoder.BoolEncodingStrategy", "FormEncoder.DataEncodingStrategy",
        "FormEncoder.DateEncodingStrategy", "FormEncoder.KeyEncodingStrategy", "FormEncoder",
        "HeaderDictionary", "HTTPDateFormat", "JSONValue", "NestedDecoder", "ProblemDetails",
        "UnixTimeFormat",
        "CachePolicy", "NotStoredError", "ResponseSource", "OpenAPIDifference",
        "OpenAPIDocumentError", "RateLimit", "RateLimitHeaders",
        "RateLimitHeaders.Unit", "RetryBudget", "RetryPolicy",
        "ByteStream.ExistingFile", "FileDigest", "KeptPart", "WrongDigestError",
        "Paging", "RepeatedPageError", "ServerSentEvent",
        "TransferProgress", "UploadProgress", "WebLink", "RecordingError", "StubError",
        "StubResponse",
    ]

    @Test("Each public type is one of those whose dump is tried, or that hold no secret")
    func all() async throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var types: Set<String> = []
        for product in ["", "Streams", "Formats", "Middleware", "Cache", "OpenAPI", "Testing"] {
            let file = root.appendingPathComponent("API/Endpoints\(product).txt")
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                let kinds = [
                    "struct ", "enum ", "indirect enum ", "final class ", "class ", "actor ",
                ]
                guard parts.count == 2, kinds.contains(where: parts[1].hasPrefix) else { continue }
                types.insert(String(parts[0]))
            }
        }
        let tried = Set(try await Self.values().map(\.types)).subtracting(["a layer"])
        #expect(types.count > 80)
        #expect(types.subtracting(tried).symmetricDifference(Self.others).sorted() == [])
        #expect(tried.subtracting(types).sorted() == [])
    }
}
