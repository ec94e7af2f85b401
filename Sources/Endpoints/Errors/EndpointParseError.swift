import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why the content of an answer did not become the value that its request type promises.
///
/// Its text names the request type and where the content went wrong, such as
/// “GetUser: the value at items[0].id is missing”; it holds nothing that was received.
public struct EndpointParseError: Error {
    /// The name of the request type.
    public let requestType: String
    /// What the decoder or your own conversion threw, such as a `DecodingError`.
    public let cause: any Error

    /// A failure to read an answer of a request type.
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

    /// The same with the status of the answer.
    func description(of response: String, _ httpResponse: HTTPURLResponse) -> String {
        let status = httpResponse.statusCode
        return "\(requestType): \(response) with status \(status) can't be read: "
            + cause.safeReason
    }
}
