import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response together with the head of the answer it came in: its status and headers.
///
///     struct Head: RequestType {
///         static let endpoint = Endpoint<Head>(method: .head, path: "file")
///         typealias Response = WithHTTPResponse<Void>
///     }
///     // httpResponse.value(forHTTPHeaderField: "ETag")
public struct WithHTTPResponse<Value> {
    /// The response itself.
    public var value: Value
    /// The status and headers of the answer.
    public var httpResponse: HTTPURLResponse

    /// A response and the head of its answer.
    public init(value: Value, httpResponse: HTTPURLResponse) {
        self.value = value
        self.httpResponse = httpResponse
    }
}

extension WithHTTPResponse: Sendable where Value: Sendable {}
