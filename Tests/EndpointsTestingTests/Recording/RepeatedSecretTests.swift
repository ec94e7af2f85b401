import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server repeats one of the secrets that a request has in one place.
@Suite("Secrets that a server repeats one by one")
struct RepeatedSecretTests {
    private static let secret = "zzsecret1"

    struct Values: Sendable {
        var keys = [Secret("abcdefgh"), Secret(secret)]
        var optional: [Secret]? = [Secret("abcdefgh"), Secret(secret)]
        var some: [Secret?] = [nil, Secret("abcdefgh"), Secret(secret)]
        var quoted = [Secret("\"a,b\""), Secret("a<b"), Secret(secret)]
        var pairs = [Secret("a=bcdefgh"), Secret("b=\(secret)")]
        var credentials = [Credentials.bearer("abcdefgh"), .bearer(secret)]
        var basic = [
            Credentials.bearer("abcdefgh"), .basic(username: "a", password: secret),
        ]
        var mixed = [Credentials.scheme("Digest", "username=\"ann\""), .bearer(secret)]
        var texts = ["abcdefgh", secret]
        var commas = ["abcdefgh", "zz,secret1"]
        var map = ["a": "abcdefgh", "b": secret]
        var text = secret
        var data = Data(secret.utf8)
        var filter = Filter()
        var user: String? = "ann"
    }

    struct Filter: Encodable, Sendable {
        var token = ["abcdefgh", secret]
    }

    struct Send: RequestType {
        @TaskLocal static var endpoint = Endpoint<Send>(method: .post, path: "a")
        typealias Response = [String: Int]
        typealias PathComponents = Values
        typealias Parameters = Values
        typealias HeaderValues = Values
        var pathComponents = Values()
        var parameters = Values()
        var headerValues = Values()
    }

    struct Upload<Body: Encodable & Sendable>: FlatRequest, Sendable {
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
        typealias Response = [String: Int]
    }

    private static func header(_ field: HeaderField<Values>) -> Endpoint<Send> {
        Endpoint(method: .post, path: "a", headers: ["X-V": field])
    }

    private static func parameter(_ parameter: Parameter<Values>) -> Endpoint<Send> {
        Endpoint(method: .post, path: "a", parameters: [parameter])
    }

    static let endpoints: [(what: String, Endpoint<Send>)] = headers + styles + others

    private static let headers: [(what: String, Endpoint<Send>)] = [
        ("secrets", header(.field(path: \.keys))),
        ("optional secrets", header(.field(path: \.optional))),
        ("secrets that may be nil", header(.field(path: \.some))),
        ("secrets with commas and signs", header(.field(path: \.quoted))),
        ("secrets with an equals sign", header(.field(path: \.pairs))),
        ("bearer tokens", header(.field(path: \.credentials))),
        ("a token and a password", header(.field(path: \.basic))),
        ("a digest and a token", header(.field(path: \.mixed))),
        (
            "texts under a secret header's name",
            Endpoint(method: .post, path: "a", headers: ["X-Api-Key": .field(path: \.texts)])
        ),
    ]

    private static let styles: [(what: String, Endpoint<Send>)] =
        [ParameterStyle.repeated, .commaSeparated, .brackets, .pipeSeparated, .spaceSeparated]
        .flatMap { style in
            [
                ("query \(style)", parameter(.query("token", path: \.texts, style: style))),
                ("form \(style)", parameter(.form("password", path: \.texts, style: style))),
                ("part \(style)", parameter(.part("password", path: \.texts, style: style))),
            ]
        }

    private static let others: [(what: String, Endpoint<Send>)] = [
        ("a comma in a query", parameter(.query("token", path: \.commas, style: .commaSeparated))),
        ("a comma in a form", parameter(.form("token", path: \.commas, style: .commaSeparated))),
        ("keys in a query", parameter(.query("token", path: \.map))),
        ("JSON in a query", parameter(.query("token", path: \.texts, encoding: .json))),
        ("JSON in a form", parameter(.form("token", path: \.filter, encoding: .json))),
        ("JSON in a part", parameter(.part("token", path: \.texts, encoding: .json))),
        ("JSON with the name", parameter(.part("a", path: \.filter, encoding: .json))),
        ("a part with a text", parameter(.part("password", path: \.text))),
        ("a part with data", parameter(.part("token", path: \.data))),
    ]

    /// The texts about a load that fails: those of its error, and a recording.
    private func texts<Request: RequestType & Sendable>(
        of request: Request, in environment: ServerEnvironment? = nil, _ message: String
    ) async throws -> (error: String, recording: String)
    where Request.Environment == ServerEnvironment {
        let disk = try ArchiveOnDisk("")
        let stub = StubTransport()
        stub.on(Request.self, .json(#"{"message": "we got \#(message) here"}"#))
        let recorder = try Recorder(stub, to: disk.file)
        let environment = environment ?? server
        let error = await #expect(throws: Request.TaskError.self) {
            _ = try await recorder.response(in: environment, with: request)
        }
        let archive = try String(contentsOf: disk.file, encoding: .utf8)
        return (try #require(error).debugDescription, archive)
    }

    private func check(
        _ texts: (error: String, recording: String), _ what: String,
        _ secret: String = Self.secret
    ) {
        #expect(texts.error.contains("we got … here"), "\(what): \(texts.error)")
        #expect(!texts.recording.contains(secret), "\(what): \(texts.recording)")
        #expect(texts.recording.contains("we got masked"), "\(what): \(texts.recording)")
    }

    @Test(
        "Each value of a list is known, in a header and under a secret name", arguments: endpoints)
    func elements(_ what: String, _ endpoint: Endpoint<Send>) async throws {
        let secret =
            what.contains("a comma in")
            ? "zz,secret1"
            : what.contains("equals") ? "b=zzsecret1" : Self.secret
        try await Send.$endpoint.withValue(endpoint) {
            check(try await texts(of: Send(), secret), what, secret)
        }
    }

    @Test("Each value of a list in a header of the environment, or of all requests, is known")
    func shared() async throws {
        let environment = ServerEnvironment(
            baseUrl: server.baseUrl, headers: ["X-Api-Key": "abcdefgh, zzsecret1"])
        let texts = try await texts(of: Send(), in: environment, Self.secret)
        check(texts, "an environment")
    }

    @Test("What a body that is an upload has under a secret name is known")
    func uploads() async throws {
        let json = Data(#"{"password": "zzsecret1"}"#.utf8)
        let long = Data(repeating: 0x61, count: 100_000)
        let form = MIMEType(rawValue: "application/x-www-form-urlencoded")
        func check(_ body: some Encodable & Sendable, _ what: String) async throws {
            self.check(try await texts(of: Upload(body: body), Self.secret), what)
        }
        try await check(Multipart([.text("password", Self.secret)]), "a text")
        try await check(Multipart([.value("password", Self.secret)]), "a value")
        try await check(Multipart([.value("user", ["token": Self.secret])]), "JSON of a value")
        try await check(
            Multipart([.file("a", File(long, name: "a")), .text("password", Self.secret)]),
            "a text after a long file")
        try await check(
            Multipart([.file("a", File(json, name: "a.json"))]), "a file of JSON in a part")
        try await check(File(json, name: "a.json"), "a file of JSON")
        try await check(
            File(Data("password=zzsecret1&a=b".utf8), name: "a", contentType: form), "a form")
    }

    @Test("What has no secret name, or is an ordinary word between blanks, is shown")
    func ordinary() async throws {
        let message = "ordinary words, e.g. password, ann"
        let texts = try await texts(
            of: Upload(
                body: Multipart([
                    .text("note", "ordinary, words"),
                    .text("password", "password of ordinary words"),
                ])), message)
        #expect(texts.error.contains(message), "\(texts.error)")
        #expect(texts.recording.contains(message), "\(texts.recording)")
    }
}
