import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error in decoding a response.
///
/// The text shows nothing that was received, unless the ``cause`` is an error of yours whose text
/// does. It names the request type and, if the cause is a `DecodingError` that has a place in the
/// content, that place:
///
/// ```text
/// GetUser: the value at `items[0].id` is missing
/// ```
public struct EndpointParseError: Error {
    /// The name of the request type.
    public let requestType: String
    /// Why decoding failed: a `DecodingError`, an error that your own code threw, or one of the
    /// library's own, such as for an empty body or an unreadable line of ``JSONLines``.
    public let cause: any Error

    package init(_ requestType: Any.Type, cause: any Error) {
        self.requestType = "\(requestType)"
        self.cause = cause
    }
}

extension EndpointParseError: CustomStringConvertible, LocalizedError {
    /// One sentence: the request type and what is wrong.
    public var description: String { "\(requestType): \(cause.safeReason)" }
    /// The same text as `description`.
    public var errorDescription: String? { description }

    /// A sentence with the status: `GetUser: the response with status 200 can't be read: …`.
    /// `name` is `the response` or `the error response`.
    func description(naming name: String, _ httpResponse: HTTPURLResponse) -> String {
        let status = httpResponse.statusCode
        return "\(requestType): \(name) with status \(status) can't be read: \(cause.safeReason)"
    }
}
