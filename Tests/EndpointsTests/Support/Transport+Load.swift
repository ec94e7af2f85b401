import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// Sends a `URLRequest` that no request type has made, and reads the response whole.
    func load(
        _ urlRequest: URLRequest, _ policy: LoadPolicy
    ) async throws -> (Data, HTTPURLResponse) {
        let response = try await send(
            TransportRequest(urlRequest, policy: policy, requestType: AnyURLRequest.self))
        return (try await response.body.data(upTo: .max), response.httpResponse)
    }
}

/// A request type that stands for no declaration.
private struct AnyURLRequest: RequestType {
    static let endpoint = Endpoint<Self>(method: .get, path: "")
    typealias Response = Data
}
