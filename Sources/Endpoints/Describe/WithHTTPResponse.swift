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
///     // let head = try await session.response(in: .production, with: Head())
///     // head.httpResponse.value(forHTTPHeaderField: "ETag")
///
/// The value may be `Void`, `Data`, `String`, a `Decodable` type or an optional of these, or it may
/// be a stream. It is read in the same way as a ``RequestType/Response`` of that type.
public struct WithHTTPResponse<Value> {
    /// The decoded value.
    public var value: Value
    /// The status and the headers.
    public var httpResponse: HTTPURLResponse

    /// Makes a response from a value, and from the status and the headers.
    public init(value: Value, httpResponse: HTTPURLResponse) {
        self.value = value
        self.httpResponse = httpResponse
    }
}

extension WithHTTPResponse: Sendable where Value: Sendable {}
