import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response's value together with its status and headers.
///
///     struct Head: RequestType {
///         static let endpoint = Endpoint<Self>(method: .head, path: "file")
///         typealias Response = WithHTTPResponse<Void>
///     }
///     // httpResponse.value(forHTTPHeaderField: "ETag")
///
/// The value is anything that a ``RequestType/Response`` may be without your own conversion, and is
/// decoded in the same way.
public struct WithHTTPResponse<Value> {
    /// The decoded value.
    public var value: Value
    /// The status and the headers.
    public var httpResponse: HTTPURLResponse

    /// Makes a response from a value and its head.
    public init(value: Value, httpResponse: HTTPURLResponse) {
        self.value = value
        self.httpResponse = httpResponse
    }
}

extension WithHTTPResponse: Sendable where Value: Sendable {}
