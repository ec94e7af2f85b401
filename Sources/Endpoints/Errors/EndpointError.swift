import Foundation

/// An error in a request: its declaration, its values or its environment.
///
/// Its text names the request type and the field and says what to change. It never shows a value:
///
/// ```text
/// GetUser: the header "X-Token" has a control character, such as a line break; remove it
/// ```
public struct EndpointError: Error, Sendable {
    /// The part of a request that an error is about.
    public enum Field: Hashable, Sendable {
        /// The method.
        case method
        /// The literal text of the path.
        case path
        /// A value in the path, by its property's name, or by its position such as `#2`.
        case pathValue(String)
        /// A query item, by its name.
        case query(String)
        /// A form field, by its name.
        case form(String)
        /// A part of a multipart form, by its name.
        case part(String)
        /// A header, by its name.
        case header(String)
        /// The body.
        case body
        /// The type of the response.
        case response
        /// A property of the request, by its name.
        case property(String)
        /// The environment's base URL.
        case baseUrl
        /// The URL that the request is to be sent to instead of its own.
        case url
        /// The request's own ``RequestType/prepare(_:)``.
        case prepare
        /// The environment's `requestProcessor`.
        case requestProcessor
    }

    /// The name of the request type.
    public let requestType: String
    /// The part of the request that is wrong.
    public let field: Field
    /// What is wrong and what to do, without the request type and the field.
    public let reason: String
    /// The underlying error: an encoder's, a hook's, or that of a value that can't be written.
    public let cause: (any Error)?

    /// Makes an error; for your own ``Transport`` that can't send a request.
    public init(
        requestType: String, field: Field, reason: String, cause: (any Error)? = nil
    ) {
        self.requestType = requestType
        self.field = field
        self.reason = reason
        self.cause = cause
    }
}

extension EndpointError: CustomStringConvertible, LocalizedError {
    /// One sentence: the request type, the field, what is wrong and what to do.
    public var description: String { "\(requestType): \(field) \(reason)" }
    /// The same sentence.
    public var errorDescription: String? { description }
}

extension EndpointError.Field: CustomStringConvertible {
    /// The field in words, such as `the query item "page"`.
    public var description: String {
        switch self {
        case .method: "the method"
        case .path: "the path"
        case .pathValue(let name): "the path value \(name.quoted)"
        case .query(let name): "the query item \(name.quoted)"
        case .form(let name): "the form field \(name.quoted)"
        case .part(let name): "the part \(name.quoted)"
        case .header(let name): "the header \(name.quoted)"
        case .body: "the body"
        case .response: "the response"
        case .property(let name): "the property \(name.quoted)"
        case .baseUrl: "the environment's base URL"
        case .url: "the URL"
        case .prepare: "prepare(_:)"
        case .requestProcessor: "the environment's requestProcessor"
        }
    }
}

extension String {
    /// The text in quotes, with control characters escaped, for a message.
    var quoted: String { debugDescription }
}
