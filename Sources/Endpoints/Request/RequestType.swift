import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request, declared once as a type.
///
///     struct GetUser: RequestType {
///         static let endpoint = Endpoint<Self>(method: .get, path: "users/\(path: \.id)")
///         struct PathComponents { let id: Int }
///         let pathComponents: PathComponents
///         typealias Response = User
///     }
///     // GetUser(pathComponents: .init(id: 42))  ->  GET /users/42
///
/// Only `Response` and `endpoint` are required. A request and an environment make a `URLRequest`
/// (``urlRequest(in:)``), which `URLSession` or another ``Transport`` loads. In a ``FlatRequest``,
/// the values are properties of the request itself.
public protocol RequestType<Response>: SendableMetatype {
    /// The type of the servers that the request can be sent to.
    associatedtype Environment: EnvironmentType = ServerEnvironment
    /// The type of a successful response: `Void`, `Data`, `String`, a `Decodable` type, an optional
    /// of these, a ``StreamedResponse``, ``WithHTTPResponse`` of these, or any type if you write
    /// ``response(data:httpResponse:)``.
    associatedtype Response = UndeclaredResponse
    /// The type of an error response.
    associatedtype ErrorResponse: Decodable & Sendable = EmptyResponse
    /// The type of the body. With ``EmptyResponse``, no body is sent. `Data`, `String` and ``File``
    /// are sent as they are, and ``Multipart`` as a form. A value of any other `Encodable` type is
    /// encoded by `bodyEncoder`. A value in an optional is sent like a value of its own type.
    ///
    /// An ``Endpoint`` can't be made for a body that is not `Encodable`. (With a constraint here,
    /// Swift would ignore a `body` of another type, and no body would be sent.)
    associatedtype Body = EmptyResponse
    /// The type of the values that the path refers to.
    associatedtype PathComponents = Void
    /// The type of the values that query items, form fields and parts refer to.
    associatedtype Parameters = Void
    /// The type of the values that headers refer to.
    associatedtype HeaderValues = Void
    // The types of the coders and headers below have no constraints. If they had, Swift
    // would ignore a member of a wrong type and use the default. `checkedHooks` has the
    // constraints, so a request with such a member doesn't compile.

    /// The type that encodes the body, an ``EncoderType``.
    associatedtype BodyEncoder = JSONEncoder
    /// The type that decodes a successful response, a ``DecoderType``.
    associatedtype ResponseDecoder = JSONDecoder
    /// The type that decodes an error response, a ``DecoderType``.
    associatedtype ErrorDecoder = JSONDecoder
    /// The type of ``commonHeaders``, which conforms to ``HeaderFields``.
    associatedtype CommonHeaders = NoValues

    /// The error that ends a failed load of this request.
    typealias TaskError = EndpointTaskError<ErrorResponse>

    /// The request's method, path, parameters and headers.
    static var endpoint: Endpoint<Self> { get }

    /// The body; an optional that is `nil` sends no body.
    var body: Body { get }
    /// The values that the path refers to.
    var pathComponents: PathComponents { get }
    /// The values that query items, form fields and parts refer to.
    var parameters: Parameters { get }
    /// The values that headers refer to.
    var headerValues: HeaderValues { get }

    /// Encodes the body.
    static var bodyEncoder: BodyEncoder { get }
    /// Encodes the body of this request; by default with the static
    /// ``bodyEncoder-swift.type.property``.
    var bodyEncoder: BodyEncoder { get }
    /// Decodes a successful response.
    static var responseDecoder: ResponseDecoder { get }
    /// Decodes an error response. The default is ``responseDecoder`` if it is a `JSONDecoder`. If
    /// it is a ``NestedDecoder`` of a `JSONDecoder`, the default is that `JSONDecoder`. In any
    /// other case, the default is a new `JSONDecoder`.
    ///
    ///     static var errorDecoder: PropertyListDecoder { PropertyListDecoder() }
    static var errorDecoder: ErrorDecoder { get }

    /// The headers that several requests have in common, written in a protocol of yours.
    ///
    ///     protocol APIRequest: RequestType {}
    ///     extension APIRequest {
    ///         var commonHeaders: HeaderDictionary<String> { [.userAgent: "tool/1.0"] }
    ///     }
    ///
    /// A common header replaces a header of the same name in the environment's
    /// ``EnvironmentType/headers``. A declared header replaces a common one.
    var commonHeaders: CommonHeaders { get }
    /// Changes the finished `URLRequest`; the environment's `requestProcessor` runs after it.
    ///
    ///     func prepare(_ request: inout URLRequest) { request.timeoutInterval = 5 }   // seconds
    ///
    /// An error that it throws is kept as the cause of an ``EndpointError``.
    func prepare(_ request: inout URLRequest) throws
    /// Changes the finished `URLRequest`; this function runs before ``prepare(_:)``.
    ///
    /// It is for requests that were written for another library and have this function already. In
    /// any other request, write ``prepare(_:)``.
    func prepare(request: inout URLRequest) throws

    /// How several types of requests are loaded, written in a protocol of yours.
    ///
    ///     extension APIRequest {
    ///         static var commonLoadPolicy: LoadPolicy {
    ///             LoadPolicy(sensitiveHeaders: ["X-User-Token"])
    ///         }
    ///     }
    ///
    /// It replaces what the environment's ``EnvironmentType/loadPolicy`` sets, and a request's
    /// `loadPolicy` replaces what it sets.
    static var commonLoadPolicy: LoadPolicy { get }
    /// How several types of requests are loaded, if that depends on the request. It replaces what
    /// the static policy of this name sets.
    var commonLoadPolicy: LoadPolicy { get }
    /// How requests of this type are loaded: their redirects, limits and retries.
    static var loadPolicy: LoadPolicy { get }
    /// How this request is loaded. It replaces what the static policy sets.
    var loadPolicy: LoadPolicy { get }
    /// Whether a response is a success, by its status and headers. Any other response ends the load
    /// with an error. By default, a status from 200 to 299 is a success.
    ///
    ///     static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool {
    ///         httpResponse.statusCode == 304 || (200..<300).contains(httpResponse.statusCode)
    ///     }
    static func succeeded(_ httpResponse: HTTPURLResponse) -> Bool
    /// Whether a response is a success, by its content too. By default, `succeeded(_:)` decides.
    ///
    /// In a load of a ``StreamedResponse``, `data` is empty, as the body hasn't arrived yet.
    ///
    ///     static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
    ///         httpResponse.statusCode == 200 && !data.starts(with: Data("error".utf8))
    ///     }
    static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool
    /// Converts a successful response to a value.
    ///
    /// There is a default for the types that the documentation of ``Response`` names. Write this
    /// function for any other type:
    ///
    ///     static func response(data: Data, httpResponse: HTTPURLResponse) throws -> UIImage {
    ///         guard let image = UIImage(data: data) else { throw ImageError() }
    ///         return image
    ///     }
    ///
    /// This function is called for every success, including a 204, whose `data` is empty. A load
    /// doesn't call it for a ``StreamedResponse``.
    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response

    /// Checks that the types of the body, the coders, and the items and headers above are valid.
    /// Don't write this property: it has a default if all are valid. If one isn't, the request
    /// doesn't compile, and the compiler says which conformance is missing.
    static var checkedHooks: CheckedHooks<Self> { get }
}

extension RequestType where Body == EmptyResponse {
    /// No body.
    public var body: EmptyResponse { EmptyResponse() }
}

extension RequestType where PathComponents == Void {
    /// No values.
    public var pathComponents: Void { () }
}

extension RequestType where Parameters == Void {
    /// No values.
    public var parameters: Void { () }
}

extension RequestType where HeaderValues == Void {
    /// No values.
    public var headerValues: Void { () }
}

extension RequestType where CommonHeaders == NoValues {
    /// No headers.
    @inlinable public var commonHeaders: NoValues { NoValues() }
}

extension RequestType where BodyEncoder == JSONEncoder {
    /// A JSON encoder with its default strategies.
    public static var bodyEncoder: JSONEncoder { JSONEncoder() }
}
