import Endpoints
import EndpointsAuth
import EndpointsFormats
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of tools for AI agents: https://modelcontextprotocol.io/specification
///
/// It says itself who issues tokens for it, and which scopes a call needs. Make one call at a time,
/// so that only one page is opened.
actor ToolServer {
    private let environment: ServerEnvironment
    private let flow: OAuthFlow
    private let client: @Sendable (_ issuer: String) throws -> OAuthClient
    private let transport: any Transport
    /// The tokens; `nil` until the server has asked for some.
    private var tokens: OAuthCredentials?
    /// Sends requests with the tokens.
    private var session: any Transport

    /// - Parameters:
    ///   - url: Where the server is called.
    ///   - flow: How a person signs in.
    ///   - client: The program, as an authorization server knows it.
    init(
        _ url: URL, signingIn flow: OAuthFlow, transport: any Transport = URLSession.shared,
        client: @escaping @Sendable (_ issuer: String) throws -> OAuthClient
    ) {
        environment = ServerEnvironment(baseUrl: url)
        self.flow = flow
        self.client = client
        self.transport = transport
        session = transport
    }

    /// Lists the tools, of at most 100 pages.
    func tools() async throws -> [ListTools.Tool] {
        var request = ListTools()
        var tools: [ListTools.Tool] = []
        for _ in 0..<100 {
            let page = try await reply(to: request).get()
            tools += page.tools
            request.cursor = page.nextCursor
            if request.cursor == nil { break }
        }
        return tools
    }

    /// Calls a tool, and returns its texts.
    func call(_ name: String, _ arguments: [String: JSONValue] = [:]) async throws -> [String] {
        try await reply(to: CallTool(name: name, arguments: arguments)).get()
            .content.compactMap(\.text)
    }

    /// Sends a request, and again after each thing that the server asks for, each once.
    private func reply<Request: ToolRequest>(to request: Request) async throws -> Request.Response {
        var asked: Set<Int> = []
        while true {
            do { return try await session.response(in: environment, with: request) } catch {
                if case .transportError(let lost) = error, lost.cause is SignInError,
                    tokens != nil
                {
                    // Without a token, the server says who issues them now.
                    (tokens, session) = (nil, transport)
                    continue
                }
                guard let response = error.httpResponse, [401, 403].contains(response.statusCode),
                    asked.insert(response.statusCode).inserted
                else { throw error }
                let challenge = OAuthChallenge(response)
                if response.statusCode == 401 {
                    try await signIn(challenge)
                } else if let challenge, challenge.needsMoreScopes, let tokens {
                    try await tokens.signIn(flow, for: challenge)
                } else {
                    throw error
                }
            }
        }
    }

    /// Asks who issues tokens, and signs in there: for the scopes of the challenge, or else for
    /// those that the server lists, or else for none.
    private func signIn(_ challenge: OAuthChallenge?) async throws {
        let resource = try await OAuthResource.discover(
            environment.baseUrl, challenge: challenge, transport: transport)
        let issuer = resource.servers[0]
        let new = OAuthCredentials(
            for: environment, server: try await .discover(issuer, transport: transport),
            client: try client(issuer), resources: [resource.url], transport: transport)
        let scopes = challenge?.scopes ?? []
        try await new.signIn(flow, scopes: scopes.isEmpty ? resource.scopes : scopes)
        (tokens, session) = (new, transport.authorized(by: new))
    }
}

// MARK: - The requests

/// A message of JSON-RPC, https://www.jsonrpc.org/specification
struct Message<Parameters: Encodable & Sendable>: Encodable, Sendable {
    let jsonrpc = "2.0"
    let id = 1
    let method: String
    let params: Parameters
}

/// What a server replies to a message: a result or an error.
struct Reply<Result: Codable & Sendable>: Codable, Sendable {
    var result: Result?
    var error: ToolError?

    func get() throws -> Result {
        guard let result else { throw error ?? ToolError(code: 0, message: "no result") }
        return result
    }
}

struct ToolError: Codable, Sendable, LocalizedError {
    let code: Int
    let message: String
    var errorDescription: String? { message }
}

/// What all requests share.
protocol ToolRequest: FlatRequest, Sendable
where Environment == ServerEnvironment, ErrorResponse == EmptyResponse, Response: Sendable {}

extension ToolRequest {
    var commonHeaders: HeaderDictionary<String> {
        [.accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"]
    }

    static var responseDecoder: ReplyDecoder { ReplyDecoder() }
}

/// Lists the tools, page by page.
struct ListTools: ToolRequest {
    var cursor: String?
    var body: Message<[String: String]> {
        Message(method: "tools/list", params: cursor.map { ["cursor": $0] } ?? [:])
    }

    static let endpoint = Endpoint<ListTools>(method: .post, path: "")
    typealias Response = Reply<Page>

    struct Page: Codable, Sendable {
        let tools: [Tool]
        var nextCursor: String?
    }

    struct Tool: Codable, Sendable, Equatable {
        let name: String
        var description: String?
    }
}

struct CallTool: ToolRequest {
    let name: String
    let arguments: [String: JSONValue]
    var body: Message<[String: JSONValue]> {
        Message(
            method: "tools/call",
            params: ["name": .string(name), "arguments": .object(arguments)])
    }

    static let endpoint = Endpoint<CallTool>(method: .post, path: "")
    typealias Response = Reply<Output>

    struct Output: Codable, Sendable {
        let content: [Content]
        var isError: Bool?
    }

    struct Content: Codable, Sendable {
        let type: String
        var text: String?
    }
}

/// Reads JSON, and the last event of a stream, which is how a server may send its reply.
struct ReplyDecoder: DecoderType {
    let contentType: MIMEType? = .json

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let lines = data.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        let event = lines.last { $0.starts(with: "data:".utf8) }
        return try JSONDecoder().decode(type, from: event.map { $0.dropFirst(5) } ?? data)
    }
}
