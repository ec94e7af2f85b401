/// A ``RequestType/Response`` type that says which media types its requests accept.
///
///     struct Picture: AcceptingResponse {
///         static var acceptedType: MIMEType? { "image/png, image/jpeg" }
///     }
///     // typealias Response = Picture   ->   Accept: image/png, image/jpeg
///
/// Write it for a type of your own that a `response(data:httpResponse:)` of yours makes. A
/// ``StreamedResponse`` refines this protocol.
public protocol AcceptingResponse {
    /// The `Accept` header, unless the environment or the request sets one. With `nil`, the library
    /// adds none, and `URLSession` sends `*/*`.
    static var acceptedType: MIMEType? { get }
}

extension AcceptingResponse {
    /// `nil`: the library adds no `Accept`.
    public static var acceptedType: MIMEType? { nil }
}
