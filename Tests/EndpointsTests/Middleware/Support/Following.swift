import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Follows the redirects of a transport, as a session does.
struct Following: Transport {
    let base: ClosureTransport

    init(base: ClosureTransport) { self.base = base }

    /// - Parameter respond: The status and the headers of the response to a request.
    init(_ respond: @escaping @Sendable (URLRequest) throws -> (Int, [String: String])) {
        base = ClosureTransport { request in
            let (status, fields) = try respond(request.urlRequest)
            return try .stub(
                status, fields, at: request.urlRequest.url?.absoluteString ?? "https://no.example")
        }
    }

    func send(_ first: TransportRequest) async throws -> TransportResponse {
        var (request, redirection) = (first, Redirection(of: first))
        while true {
            let response = try await base.send(request)
            guard let next = try redirection.next(after: response.httpResponse, to: request)
            else { return response }
            request = next
        }
    }
}
