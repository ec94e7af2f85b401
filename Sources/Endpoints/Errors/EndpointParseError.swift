import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error in decoding a response.
///
/// Its text names the request type and the place in the content. It never shows what was received:
///
/// ```text
/// GetUser: the value at `items[0].id` is missing
/// ```
public struct EndpointParseError: Error {
    /// The name of the request type.
    public let requestType: String
    /// The error that the decoder or your own conversion threw, such as a `DecodingError`.
    public let cause: any Error

    /// Makes the error of a request type.
    init(_ requestType: Any.Type, cause: any Error) {
        self.requestType = "\(requestType)"
        self.cause = cause
    }
}

extension EndpointParseError: CustomStringConvertible, LocalizedError {
    /// One sentence: the request type and what is wrong.
    public var description: String { "\(requestType): \(cause.safeReason)" }
    /// The same sentence.
    public var errorDescription: String? { description }

    /// The same sentence with the status of the response.
    func description(of response: String, _ httpResponse: HTTPURLResponse) -> String {
        let status = httpResponse.statusCode
        return "\(requestType): \(response) with status \(status) can't be read: "
            + cause.safeReason
    }
}
