import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a user sends, and the words for what the user gets.
struct Row: Sendable {
    let name: String
    let run: @Sendable (Site) async -> [String]

    init(_ name: String, _ run: @escaping @Sendable (Site) async -> [String]) {
        self.name = name
        self.run = run
    }

    /// A row of one request.
    init(_ name: String, _ load: @escaping @Sendable (Site) async -> String) {
        self.init(name) { [await load($0)] }
    }

    static let all = kept + bodies + heads + codings + ranges + redirects + limits + secure + caches

    /// Runs rows, each with a transport of its own, and prints a line for each that ends.
    /// - Parameter arguments: For each row its name and the server's URL: `head=http://host:8080`.
    static func run(
        _ arguments: some Sequence<String>,
        with transport: @escaping @Sendable () -> any Transport
    ) async {
        await withDiscardingTaskGroup { group in
            for argument in arguments {
                let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
                guard let row = all.first(where: { $0.name == parts.first }), parts.count == 2,
                    let url = URL(string: parts[1])
                else {
                    print("\(argument)\tis not a row and a URL")
                    continue
                }
                group.addTask {
                    let site = Site(url: url, transport: transport())
                    let words = await row.run(site)
                    FileHandle.standardOutput.write(
                        Data("\(row.name)\t\(words.joined(separator: ", "))\n".utf8))
                }
            }
        }
    }
}

/// A server, and the transport that a row's requests go by.
struct Site: Sendable {
    let url: URL
    let transport: any Transport

    private var environment: ServerEnvironment {
        ServerEnvironment(baseUrl: url, loadPolicy: LoadPolicy(timeLimit: 20))
    }

    /// Loads a response; how `words` describes it, or how the load fails.
    func load<Request: RequestType>(
        _ request: Request, _ words: (Request.Response) async throws -> String
    ) async -> String where Request.Environment == ServerEnvironment {
        do {
            return try await words(
                EndpointClient(transport, in: environment).response(to: request))
        } catch let error as Request.TaskError {
            return error.words
        } catch let error as StreamError {
            return error.words
        } catch {
            return "\(error)"
        }
    }

    func load(_ request: Get) async -> String {
        await load(request) { "\($0.httpResponse.statusCode) \($0.value.count) bytes" }
    }

    func load(_ request: some TextRequest) async -> String {
        await load(request) { "\($0.httpResponse.statusCode) \"\($0.value)\"" }
    }

    /// The same site by another transport.
    func by(_ transport: some Transport) -> Site { Site(url: url, transport: transport) }
}

extension EndpointTaskError {
    /// The case, with the status or the name of the code.
    var words: String {
        switch self {
        case .urlLoadError(let error): "urlLoadError(\(error.code.name))"
        case .errorResponse(let response, _): "errorResponse \(response.statusCode)"
        case .errorResponseParseError(let response, _, _):
            "errorResponseParseError \(response.statusCode)"
        case .responseParseError(let response, _, _): "responseParseError \(response.statusCode)"
        case .cancelled: "cancelled"
        case .unexpectedResponse(let response): "unexpectedResponse \(response.statusCode)"
        default: "\(self)"
        }
    }
}

extension URLError.Code {
    fileprivate var name: String {
        switch self {
        case .cannotConnectToHost: "cannotConnectToHost"
        case .cannotParseResponse: "cannotParseResponse"
        case .badServerResponse: "badServerResponse"
        case .dataLengthExceedsMaximum: "dataLengthExceedsMaximum"
        case .httpTooManyRedirects: "httpTooManyRedirects"
        case .networkConnectionLost: "networkConnectionLost"
        case .cannotDecodeContentData: "cannotDecodeContentData"
        case .cannotDecodeRawData: "cannotDecodeRawData"
        case .requestBodyStreamExhausted: "requestBodyStreamExhausted"
        case .secureConnectionFailed: "secureConnectionFailed"
        case .serverCertificateUntrusted: "serverCertificateUntrusted"
        case .serverCertificateHasUnknownRoot: "serverCertificateHasUnknownRoot"
        case .serverCertificateHasBadDate: "serverCertificateHasBadDate"
        case .clientCertificateRequired: "clientCertificateRequired"
        case .clientCertificateRejected: "clientCertificateRejected"
        case .timedOut: "timedOut"
        case .unknown: "unknown"
        default: "\(rawValue)"
        }
    }
}
