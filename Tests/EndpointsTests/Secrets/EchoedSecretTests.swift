import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every part of a request has a secret, and servers echo them; no text of the library shows one.
///
/// `dump` shows the values of an error (the response, the data, the cause, a `URLError`), and only
/// `debugDescription` shows the URL and the beginning of the body, where what has the name of a
/// secret or was sent as one is hidden.
@Suite(.needsServers) struct EchoedSecretTests {
    /// The beginning of every secret, which no other text contains.
    static let secret = "s3cr3t"

    struct SignIn<Value: Decodable, Failure: Decodable & Sendable>: FlatRequest {
        typealias Response = Value
        typealias ErrorResponse = Failure

        var path = "-/echo"
        var status = 200
        var to: String?
        /// The only part of the request that the server echoes, so that the text of an error shows
        /// it whole.
        var only: String?
        var key = "s3cr3t-query"
        var apiKey = "s3cr3t-header"
        var credentials = Credentials.basic(username: "s3cr3t-user", password: "s3cr3t-password")
        var password = "s3cr3t-form"
        var number = 0.0

        static var endpoint: Endpoint<Self> {
            .once(
                Endpoint(
                    method: .post, path: "\(segments: \.path)",
                    parameters: [
                        .query("status", path: \.status), .query("to", path: \.to),
                        .query("only", path: \.only),
                        .query("key", path: \.key), .form("password", path: \.password),
                        .form("number", path: \.number),
                        .queryValue("app", value: "s3cr3t-constant"),
                        .query(contentsOf: \.moreItems),
                    ],
                    headers: HeaderList(
                        [
                            .authorization: .field(path: \.credentials),
                            "X-Api-Key": .field(path: \.apiKey),
                            .cookie: .fieldValue(value: "session=s3cr3t-cookie"),
                        ], contentsOf: \.moreHeaders)))
        }

        var moreItems: [URLQueryItem] { [URLQueryItem(name: "a", value: "s3cr3t-item")] }
        var moreHeaders: [Headers: String] { ["X-More": "s3cr3t-more"] }
        static var loadPolicy: LoadPolicy {
            LoadPolicy(bodyLimit: 100_000, errorBodyLimit: 50_000)
        }
    }

    typealias Failing = SignIn<[String: Int], [String: Int]>

    /// An environment with user info in its base URL.
    static func environment(
        _ server: Server = .recorder, _ change: (inout URLComponents) -> Void = { _ in }
    ) throws -> ServerEnvironment {
        let base = try server.environment.baseUrl
        var parts = try #require(URLComponents(url: base, resolvingAgainstBaseURL: true))
        (parts.user, parts.password) = ("s3cr3t-name", "s3cr3t-word")
        parts.queryItems = [URLQueryItem(name: "base", value: "s3cr3t-base")]
        change(&parts)
        return ServerEnvironment(baseUrl: try #require(parts.url))
    }

    /// What happens, the code of the error that a load then ends with, and the error's texts.
    typealias Attempt = (
        what: String, code: Int, texts: @Sendable () async throws -> (code: Int, [String])
    )

    static let attempts: [Attempt] = [
        (
            "a response of another type", 100_200,
            { try await texts(of: Failing(), in: environment()) }
        ),
        (
            "a text as a number", 100_200,
            { try await texts(of: SignIn<Int, String>(), in: environment()) }
        ),
        (
            "an error of another type", 90_500,
            { try await texts(of: Failing(status: 500), in: environment()) }
        ),
        (
            "an error that is read", 80_401,
            { try await texts(of: SignIn<Int, String>(status: 401), in: environment()) }
        ),
        (
            "an unexpected status", 70_304,
            { try await texts(of: Failing(status: 304), in: environment()) }
        ),
        (
            "a charset that nobody knows", 100_200,
            {
                let path = "response-headers"
                let type = "text/plain;charset=s3cr3t-charset"
                let server = try environment(.httpbin) {
                    $0.queryItems = [URLQueryItem(name: "Content-Type", value: type)]
                }
                return try await texts(of: SignIn<String, String>(path: path), in: server)
            }
        ),
        (
            "a host that refuses", 21_004,
            { try await texts(of: Failing(), in: environment { $0.port = 1 }) }
        ),
        (
            "no host", 21_003,
            { try await texts(of: Failing(), in: environment { $0.host = "s.invalid" }) }
        ),
        (
            "a body that is too large", 21_103,
            {
                let request = Failing(
                    password: "s3cr3t" + String(repeating: "x", count: 200_000))
                return try await texts(of: request, in: environment())
            }
        ),
    ]

    static let redirects: [Attempt] = [
        ("http://s3cr3t-u@h/", 21_010), ("ftp://s3cr3t/", 21_002), ("http://h:s3cr3t/", 21_010),
        ("http://[s3cr3t", 21_010),
    ].map { (location: String, code: Int) in
        ("a redirect", code, { try await texts(of: redirect(location), in: environment()) })
    }

    /// Each part of the request that has a secret, echoed alone.
    static let echoes: [Attempt] = ["target", "body", "Authorization", "X-Api-Key", "Cookie"]
        .flatMap { (part: String) -> [Attempt] in
            [
                (
                    "\(part) in a response of another type", 100_200,
                    { try await texts(of: Failing(only: part), in: environment()) }
                ),
                (
                    "\(part) in an error of another type", 90_500,
                    { try await texts(of: Failing(status: 500, only: part), in: environment()) }
                ),
                (
                    "\(part) in an error that is read", 80_401,
                    {
                        let request = SignIn<Int, String>(status: 401, only: part)
                        return try await texts(of: request, in: environment())
                    }
                ),
            ]
        }

    private static func redirect(_ location: String) -> Failing {
        Failing(path: "-/redirect", status: 307, to: location)
    }

    /// Every text of the error that a load ends with.
    private static func texts<Value, Failure>(
        of request: SignIn<Value, Failure>, in environment: ServerEnvironment
    ) async throws -> (code: Int, [String]) where Value: Sendable {
        typealias Request = SignIn<Value, Failure>
        var texts = Request.endpoint.problems.flatMap(Self.texts) + ["\(Request.endpoint)"]
        let awaited = await #expect(throws: Request.TaskError.self) {
            _ = try await URLSession.shared.response(in: environment, with: request)
        }
        let error = try #require(awaited)
        // Without a secret in what the server sent, the test would find none anywhere.
        switch error {
        case .errorResponse(_, let response as String):
            #expect(hasSecret(response))
        case .errorResponseParseError(_, let data, _), .responseParseError(_, let data, _):
            guard request.path == "-/echo" else { break }
            #expect(hasSecret(String(decoding: data, as: UTF8.self)))
        default: break
        }
        texts += self.texts(of: error)
        return (error.errorCode, texts)
    }

    private static func texts<Failure>(of error: EndpointTaskError<Failure>) -> [String] {
        // The values of names that aren't secret.
        let debugging = error.debugDescription
            .replacing(/s3cr3t-(item|constant|base|more|charset)/, with: "")
            .replacing(/\bto=[^&;\s]*|\/\/s3cr3t\//, with: "")
        var texts = self.texts(error) + [debugging]
        switch error {
        case .endpointError(let error):
            texts += self.texts(error) + ["\(error.field)", error.reason]
        case .urlLoadError(let error), .internetConnectionOffline(let error):
            texts += [error.localizedDescription]
        case .errorResponseParseError(_, _, let error), .responseParseError(_, _, let error):
            texts += self.texts(error)
        default: break
        }
        return texts
    }

    private static func texts(_ error: some LocalizedError & CustomStringConvertible) -> [String] {
        [
            error.description, "\(error)", error.localizedDescription, error.errorDescription ?? "",
            error.failureReason ?? "", error.recoverySuggestion ?? "", error.helpAnchor ?? "",
            (error as NSError).localizedDescription, "\(error as NSError)", "\(error as any Error)",
        ]
    }

    @Test(
        "No text of a load's error shows a secret that the server echoes",
        arguments: (attempts + redirects + echoes).indices)
    func noSecret(_ index: Int) async throws {
        let attempt = (Self.attempts + Self.redirects + Self.echoes)[index]
        let (code, texts) = try await attempt.texts()
        #expect(code == attempt.code, "\(attempt.what)")
        for text in texts {
            #expect(!Self.hasSecret(text), "\(attempt.what): \(text)")
        }
    }

    private static func hasSecret(_ text: String) -> Bool {
        let encoded = Data("s3cr3t-user:s3cr3t-password".utf8).base64EncodedString()
        return text.contains(secret) || text.contains(encoded)
    }

    @Test("Descriptions and dumps of credentials and environments show no secret")
    func descriptions() throws {
        let environment = try Self.environment()
        for credentials in [
            Credentials.bearer("s3cr3t"), .basic(username: "s3cr3t", password: "s3cr3t"),
        ] {
            var dumped = ""
            dump(credentials, to: &dumped)
            let texts = [
                String(describing: credentials), String(reflecting: credentials), dumped,
                "\([credentials])",
            ]
            #expect(!texts.joined().contains(Self.secret))
        }
        let address = try Server.recorder.environment.baseUrl.absoluteString
        #expect("\(environment)" == address)
        #expect(String(reflecting: environment) == address)
        var dumped = ""
        dump(environment, to: &dumped)
        #expect(dumped == "- \(address)\n")
    }
}
