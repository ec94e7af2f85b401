import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

let server = ServerEnvironment(baseUrl: URL(string: "https://api.example.com")!)

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(
        method: .get, path: "users/\(path: \.id)",
        parameters: [.queryValue("token", value: "t0k3n")])
    typealias Response = String
}

struct AddUser: FlatRequest {
    let body: String
    static let endpoint = Endpoint<Self>(method: .post, path: "users")
    typealias Response = String
}

struct Lock: FlatRequest {
    static let endpoint = Endpoint<Self>(method: "LOCK", path: "file")
    typealias Response = String
}

struct Hook: FlatRequest {
    let token: Secret
    static let endpoint = Endpoint<Self>(method: .get, path: "hooks/\(secret: \.token)")
    typealias Response = String
}

struct GetBytes: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "bytes")
    typealias Response = String
}

/// A transport that is a function.
struct Answer: Transport {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await respond(request)
    }

    static func head(
        _ request: TransportRequest, _ status: Int = 200, _ headers: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        let url = try #require(request.urlRequest.url)
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: headers))
    }

    init(
        _ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) { self.respond = respond }

    /// Answers each request with a status and a body in memory.
    init(_ status: Int = 200, _ body: String = "", _ headers: [String: String] = [:]) {
        respond = { request in
            TransportResponse(Data(body.utf8), try Self.head(request, status, headers))
        }
    }

    /// Answers each request with an error.
    init(throwing error: any Error) { respond = { _ in throw error } }

    /// Answers with a body that arrives in chunks, and may fail at its end.
    init(_ chunks: [String], then error: (any Error)? = nil) {
        respond = { request in
            let rest = Chunks(chunks, error)
            return TransportResponse(
                body: ResponseBody { try await rest.next() }, try Self.head(request))
        }
    }
}

actor Chunks {
    private var rest: ArraySlice<String>
    private let error: (any Error)?
    init(_ chunks: [String], _ error: (any Error)?) {
        rest = chunks[...]
        self.error = error
    }

    func next() throws -> Data? {
        if rest.isEmpty, let error { throw error }
        return rest.popFirst().map { Data($0.utf8) }
    }
}

struct OwnError: LocalizedError {
    let token: String
    var errorDescription: String? { "no \(token)" }
}
