import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way to load a request. The package in Tests/Combine has links to this file and runs its own.
protocol OutcomeLoader: Sendable {
    func load<Request: RequestType>(
        _ request: Request, in environment: Request.Environment, by session: URLSession
    ) async -> Result<Request.Response, Request.TaskError>
    where Request: Sendable, Request.Response: Sendable
}

/// A kind of load and how it must end with every loader.
struct Outcome: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The response; or the error's case, values and text.
    let expected: String
    /// How it ends with a loader.
    let actual: @Sendable (any OutcomeLoader) async throws -> String

    /// - Parameters:
    ///   - server: The variable that holds its address, or the address.
    ///   - text: An error's text. If it begins with `The`, the name of the request comes first.
    init<Request: RequestType & Sendable>(
        _ name: String, _ request: Request, at server: String, _ expected: String,
        _ text: String? = nil
    ) where Request.Environment == ServerEnvironment, Request.Response: Sendable {
        testDescription = name
        let name = "\(Request.self): the "
        self.expected =
            text.map { text in
                let named = text.hasPrefix("The ") ? name + text.dropFirst(4) : text
                return "\(expected): \(named)"
            } ?? expected
        actual = { loader in
            let isAddress = server.contains("://")
            let environment = ServerEnvironment(
                baseUrl: isAddress
                    ? try #require(URL(string: server)) : try TestServers.address(server))
            let session = isAddress ? FailingProtocol.session : .shared
            switch await loader.load(request, in: environment, by: session) {
            case .success(let response): return "\(response)"
            case .failure(let error): return "\(Self.evidence(error)): \(error)"
            }
        }
    }

    private static func evidence<Problem>(_ error: EndpointTaskError<Problem>) -> String {
        switch error {
        case .endpointError(let error): "endpointError \(error.field)"
        case .urlLoadError(let error): "urlLoadError \(error.code.rawValue)"
        case .transportError(let error): "transportError \(type(of: error.cause))"
        case .internetConnectionOffline(let error): "offline \(error.code.rawValue)"
        case .fileError(let error): "fileError \(error.kind)"
        case .cancelled: "cancelled"
        case .unexpectedResponse(let head): "unexpectedResponse \(head.statusCode)"
        case .errorResponse(let head, let response): "errorResponse \(head.statusCode) \(response)"
        case .errorResponseParseError(let head, let data, let error):
            "errorResponseParseError \(head.statusCode) \(data.count) \(type(of: error.cause))"
        case .responseParseError(let head, let data, let error):
            "responseParseError \(head.statusCode) \(data.count) \(type(of: error.cause))"
        }
    }
}

/// A request whose response is `{"ok": …}` and whose error response is `{"error": …}`.
struct Ask: FlatRequest, Sendable {
    var path: String
    var status: Int?
    var token: String?
    var timeout: TimeInterval = 60
    var refusal: Refusal?

    static let endpoint = Endpoint<Ask>(
        method: .get, path: "\(segments: \.path)", parameters: [.query("status", path: \.status)],
        headers: ["X-Token": .field(path: \.token)])
    struct Response: Decodable, Sendable { let ok: Bool }
    struct ErrorResponse: Decodable, Sendable { let error: String }
    struct Refusal: Error {}
    static let loadPolicy = LoadPolicy(bodyLimit: 100_000, errorBodyLimit: 10)

    func prepare(_ request: inout URLRequest) throws {
        if let refusal { throw refusal }
        request.timeoutInterval = timeout
    }
}

/// A request whose error response is a document of the recorder, and whose response isn't read.
struct Tell: FlatRequest, Sendable {
    let status: Int
    static let endpoint = Endpoint<Tell>(
        method: .post, path: "-/echo", parameters: [.query("status", path: \.status)])
    typealias Response = EmptyResponse
    struct ErrorResponse: Decodable, Sendable { let target: String }
}

/// A HEAD request whose response type needs content.
struct Peek204: FlatRequest, Sendable {
    static let endpoint = Endpoint<Peek204>(method: .head, path: "status/204")
    struct Response: Decodable, Sendable { let ok: Bool }
}

/// A GET with a body, which a session can't send.
struct AskWithBody: RequestType, Sendable {
    let body = "body"
    static let endpoint = Endpoint<AskWithBody>(method: .get, path: "-/fine")
    typealias Response = EmptyResponse
}

/// A request with a body that can't be encoded.
struct Unencodable: RequestType, Sendable {
    let body = Double.nan
    static let endpoint = Endpoint<Unencodable>(method: .post, path: "-/fine")
    typealias Response = EmptyResponse
}

/// A request with a short time limit, for a response that arrives slowly.
struct Hurry: FlatRequest, Sendable {
    static let endpoint = Endpoint<Hurry>(
        method: .get, path: "dripped-body", parameters: [.queryValue("ms", value: 60_000)])
    typealias Response = EmptyResponse
    static let loadPolicy = LoadPolicy(timeLimit: 0.5)
}

/// Fails each load with the URLError whose code is at the end of the URL.
final class FailingProtocol: URLProtocol {
    static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [FailingProtocol.self]
        return URLSession(configuration: configuration)
    }()

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "fails" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}
    override func startLoading() {
        let code = (request.url?.lastPathComponent).flatMap(Int.init).flatMap(URLError.Code.init)
        client?.urlProtocol(self, didFailWithError: URLError(code ?? .unknown))
    }
}
