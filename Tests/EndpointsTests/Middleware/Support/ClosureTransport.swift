import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a row of middleware ends with in tests: a closure instead of a network.
struct ClosureTransport: Transport {
    let respond: @Sendable (TransportRequest) async throws -> TransportResponse

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await respond(request)
    }
}

extension TransportResponse {
    /// A response made by hand.
    static func stub(
        _ status: Int, _ fields: [String: String] = [:], _ text: String = "",
        at address: String = "https://api.example.com/v1/items"
    ) throws -> TransportResponse {
        TransportResponse(Data(text.utf8), try HTTPURLResponse.stub(status, fields, at: address))
    }
}

extension HTTPURLResponse {
    /// The head of a response made by hand.
    static func stub(
        _ status: Int, _ fields: [String: String] = [:],
        at address: String = "https://api.example.com/v1/items"
    ) throws -> HTTPURLResponse {
        guard let url = URL(string: address),
            let httpResponse = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw URLError(.badURL) }
        return httpResponse
    }
}

/// A request that has any method, body and headers.
struct Item: RequestType {
    static let endpoint = Endpoint<Item>(method: .get, path: "items")
    typealias Response = String

    /// What is sent when an item is.
    static func request(
        _ method: String = "GET", policy: LoadPolicy = .default,
        headers: [String: String] = [:], at address: String = "https://api.example.com/v1/items"
    ) throws -> TransportRequest {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        return TransportRequest(request, policy: policy, requestType: Item.self)
    }
}

/// Calls a closure when nothing holds it any more.
final class Released: Sendable {
    private let whenReleased: @Sendable () -> Void

    init(_ whenReleased: @escaping @Sendable () -> Void) {
        self.whenReleased = whenReleased
    }

    deinit { whenReleased() }
}
