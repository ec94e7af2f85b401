import Foundation

/// An error in a request: its declaration, its values, its environment, or the URL to be loaded.
///
/// The text shows no value of the request, unless an error that your code threw shows one. It names
/// the request type and the field, says what is wrong and, in most cases, what to change:
///
/// ```text
/// GetUser: the header "X-Token" has a control character, such as a line break; remove it
/// ```
public struct EndpointError: Error, Sendable {
    /// The part of a request that an error is about.
    public enum Field: Hashable, Sendable {
        /// The method.
        case method
        /// The path as a whole, or its text between the values.
        case path
        /// A value in the path, by its property's name. A value without a name, such as a constant,
        /// has its number among the path's values instead: in `"a/\(value: 7)"`, the 7 is `#1`.
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
        /// The response, or the request's `Response` type.
        case response
        /// A property of the request, by its name.
        case property(String)
        /// The environment's base URL.
        case baseUrl
        /// The environment's ``EnvironmentType/headers``.
        case environmentHeaders
        /// The URL to load in place of the declared one: the URL of a next page, or one that you
        /// pass to a function such as ``RequestType/urlRequest(in:at:)``.
        case url
        /// The request's own ``RequestType/prepare(_:)`` or ``RequestType/prepare(request:)``.
        case prepare
        /// The environment's `requestProcessor`.
        case requestProcessor
        /// The ``Transport`` that sends the request, such as one with an impossible setting.
        case transport
        /// The ``LoadPolicy``, such as one with a limit below zero.
        case loadPolicy
        /// The call that loads the request, such as one that lets no request be in flight.
        case call
    }

    // A class makes an error the size of one pointer, so each call needs less code to pass it on.
    private final class Content: Sendable {
        let requestType: String
        let field: Field
        let reason: String
        let cause: (any Error)?
        let trace: LoadTrace.Text?

        init(
            _ requestType: String, _ field: Field, _ reason: String, _ cause: (any Error)?,
            _ trace: LoadTrace.Text? = nil
        ) {
            self.requestType = requestType
            self.field = field
            self.reason = reason
            self.cause = cause
            self.trace = trace
        }
    }

    private var content: Content

    /// The name of the request type.
    public var requestType: String { content.requestType }
    /// The part of the request that is wrong.
    public var field: Field { content.field }
    /// What is wrong and, in most cases, what to do, without the request type and the field.
    public var reason: String { content.reason }
    /// The error that an encoder, a value's `pathRepresentation` or your code threw; else `nil`.
    public var cause: (any Error)? { content.cause }

    /// The load's method, URL (with `…` for secrets), status and time, as far as they are known.
    var trace: LoadTrace.Text? {
        get { content.trace }
        set { content = Content(requestType, field, reason, cause, newValue) }
    }

    /// Makes an error that your own ``Transport`` can throw for a request that it can't send.
    public init(
        requestType: String, field: Field, reason: String, cause: (any Error)? = nil
    ) {
        content = Content(requestType, field, reason, cause)
    }
}

extension EndpointError: CustomStringConvertible, LocalizedError {
    /// The request type, the field, what is wrong and, in most cases, what to do.
    public var description: String { "\(requestType): \(field) \(reason)" }
    /// The same text as `description`.
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
        case .environmentHeaders: "the environment's headers"
        case .url: "the URL to be loaded"
        case .prepare: "the prepare function"
        case .requestProcessor: "the environment's requestProcessor"
        case .transport: "the transport"
        case .loadPolicy: "the load policy"
        case .call: "the call"
        }
    }
}

/// An ``EndpointError`` without the name of its request type.
///
/// It is a class, because throwing one reference takes less machine code than several values.
final class FieldError: Error {
    let field: EndpointError.Field
    let reason: String
    let cause: (any Error)?

    init(_ field: EndpointError.Field, _ reason: String, cause: (any Error)? = nil) {
        self.field = field
        self.reason = reason
        self.cause = cause
    }

    convenience init(
        _ field: EndpointError.Field, unrepresentableBecauseOf error: any Error
    ) {
        self.init(field, "can't be written as text: \(error.safeReason)", cause: error)
    }

    static func bodyNotSent(with method: String) -> FieldError {
        FieldError(.body, "is not sent with \(method) by URLSession; use POST, PUT or PATCH")
    }
}

/// What is wrong with a declaration, in the order in which it is found. Making a request throws the
/// first error, and the `problems` of EndpointsTesting list all.
struct DeclarationErrors {
    private(set) var list: [FieldError] = []

    /// Adds the error that a check throws.
    @inline(never)
    mutating func check(_ check: () throws(FieldError) -> Void) {
        do throws(FieldError) { try check() } catch { list.append(error) }
    }

    mutating func add(_ field: EndpointError.Field, _ reason: String) {
        list.append(FieldError(field, reason))
    }
}

extension EndpointError {
    init(requestType: String, _ error: FieldError) {
        self.init(
            requestType: requestType, field: error.field, reason: error.reason,
            cause: error.cause)
    }
}

extension EndpointError {
    /// The field, what is wrong and, in most cases, what to do, without the request type.
    public var failureReason: String? { "\(field) \(reason)" }
    /// The `recoverySuggestion` of the ``cause``, if it has one, such as `Sign in.`; else a text
    /// that says that the program must change, as trying again doesn't help.
    public var recoverySuggestion: String? {
        (cause as? any LocalizedError)?.recoverySuggestion
            ?? "Correct the request or its environment in the program; trying again doesn't help."
    }
}

extension EndpointError: CustomNSError {
    /// `Endpoints.EndpointError`.
    public static var errorDomain: String { "Endpoints.EndpointError" }

    /// A number for the kind of field. The numbers are the same in each version of the library.
    public var errorCode: Int {
        switch field {
        case .method: 1
        case .path: 2
        case .pathValue: 3
        case .query: 4
        case .form: 5
        case .header: 6
        case .body: 7
        case .response: 8
        case .property: 9
        case .baseUrl: 10
        case .url: 11
        case .prepare: 12
        case .requestProcessor: 13
        case .part: 14
        case .environmentHeaders: 15
        case .transport: 16
        case .loadPolicy: 17
        case .call: 18
        }
    }

    /// The texts of an `NSError` made from this error.
    public var errorUserInfo: [String: Any] { localizedTexts }
}
