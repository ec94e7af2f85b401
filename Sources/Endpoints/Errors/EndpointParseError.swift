import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error in decoding a response.
///
/// Its text names the request type and, if a decoder threw the cause, the place in the content. It
/// shows nothing that was received, unless the text of your own error does:
///
/// ```text
/// GetUser: the value at `items[0].id` is missing
/// ```
public struct EndpointParseError: Error {
    /// The name of the request type.
    public let requestType: String
    /// The error that the decoder or your own conversion threw, such as a `DecodingError`.
    public let cause: any Error

    /// Makes the error of a request type from the error that its decoder or conversion threw.
    init(_ requestType: Any.Type, cause: any Error) {
        self.requestType = "\(requestType)"
        self.cause = cause
    }
}

extension EndpointParseError: CustomStringConvertible, LocalizedError {
    /// One sentence: the request type and what is wrong.
    public var description: String { "\(requestType): \(cause.safeReason)" }
    /// The `description`.
    public var errorDescription: String? { description }

    /// The sentence with the status: `GetUser: the response with status 200 can't be read: …`.
    /// `name` is `the response` or `the error response`.
    func description(naming name: String, _ httpResponse: HTTPURLResponse) -> String {
        let status = httpResponse.statusCode
        return "\(requestType): \(name) with status \(status) can't be read: \(cause.safeReason)"
    }
}
