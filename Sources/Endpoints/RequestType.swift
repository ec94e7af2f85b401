import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request, declared once as a type.
///
///     struct GetUser: RequestType {
///         static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
///         struct PathComponents { let id: Int }
///         let pathComponents: PathComponents
///         typealias Response = User
///     }
///     // GetUser(pathComponents: .init(id: 42))  ->  GET /users/42
///
/// Only `Response` and `endpoint` are required. A value and an environment make a `URLRequest`
/// (``urlRequest(in:)``); `URLSession`, or any other ``Transport``, loads it. ``FlatRequest`` is
/// the same with the values as the request's own properties.
public protocol RequestType<Response>: SendableMetatype {
    /// The kind of server that the request is for.
    associatedtype Environment: EnvironmentType = ServerEnvironment
    /// What a successful answer becomes: `Void`, `Data`, `String`, a `Decodable` type, an optional
    /// of these, ``WithHTTPResponse`` of these, or anything with a ``response(data:httpResponse:)``
    /// of yours.
    associatedtype Response
    /// What an error answer becomes.
    associatedtype ErrorResponse: Decodable & Sendable = EmptyResponse
    /// What is sent in the body: `Data` and `String` as they are, any other `Encodable` type
    /// through `bodyEncoder`.
    ///
    /// An ``Endpoint`` can't be made for a body that is not `Encodable`. (A constraint here would
    /// let such a `body` pass as a property of another meaning, and send none.)
    associatedtype Body = EmptyResponse
    /// The values that the path refers to.
    associatedtype PathComponents = Void
    /// The values that query items and form fields refer to.
    associatedtype Parameters = Void
    /// The values that headers refer to.
    associatedtype HeaderValues = Void
    /// What turns the body into bytes.
    associatedtype BodyEncoder: EncoderType = JSONEncoder
    /// What reads a successful answer.
    associatedtype ResponseDecoder: DecoderType = JSONDecoder
    /// What reads an error answer.
    associatedtype ErrorDecoder: DecoderType = JSONDecoder

    /// Every way in which a load of this request can end without a response.
    typealias TaskError = EndpointTaskError<ErrorResponse>

    /// How the pieces of the request fit together.
    static var endpoint: Endpoint<Self> { get }

    /// The body; `nil` of an optional sends none.
    var body: Body { get }
    /// The values that the path refers to.
    var pathComponents: PathComponents { get }
    /// The values that query items and form fields refer to.
    var parameters: Parameters { get }
    /// The values that headers refer to.
    var headerValues: HeaderValues { get }

    /// What turns the body into bytes.
    static var bodyEncoder: BodyEncoder { get }
    /// What reads a successful answer.
    static var responseDecoder: ResponseDecoder { get }
    /// What reads an error answer.
    static var errorDecoder: ErrorDecoder { get }

    /// Query items that are known only at run time; they come after the declared ones.
    ///
    /// They are escaped like declared ones; an item whose value is `nil` is left out.
    var additionalQueryItems: [URLQueryItem] { get }
    /// Headers that are known only at run time; they replace declared ones of the same name.
    ///
    /// They are checked like declared ones. A protocol of yours that refines this one can give all
    /// of its requests their common headers here.
    var additionalHeaders: [Headers: String] { get }

    /// Changes the finished `URLRequest`, before the environment's `requestProcessor` does.
    ///
    ///     func prepare(_ request: inout URLRequest) { request.timeoutInterval = 5 }   // seconds
    ///
    /// What it throws is kept as the cause of an ``EndpointError``.
    func prepare(_ request: inout URLRequest) throws

    /// The media type that the answer is asked for in, where the endpoint has no `Accept` header.
    ///
    /// The default is the response decoder's for a response that goes through it, and `nil`, no
    /// header, for `Void`, `Data`, `String` and a conversion of your own.
    static var acceptedType: MIMEType? { get }
    /// How redirects are followed and how much is read.
    static var loadPolicy: LoadPolicy { get }
    /// Whether an answer is a success; the default is a status from 200 to 299.
    ///
    ///     static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
    ///         httpResponse.statusCode == 304 || (200..<300).contains(httpResponse.statusCode)
    ///     }
    static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool
    /// Turns a successful answer into a response.
    ///
    /// There are defaults for all that ``Response`` lists. Write one to read anything else:
    ///
    ///     static func response(data: Data, httpResponse: HTTPURLResponse) throws -> UIImage {
    ///         guard let image = UIImage(data: data) else { throw ImageError() }
    ///         return image
    ///     }
    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response
}

extension RequestType {
    /// None.
    @inlinable public var additionalQueryItems: [URLQueryItem] { [] }
    /// None.
    @inlinable public var additionalHeaders: [Headers: String] { [:] }
    /// No change.
    @inlinable public func prepare(_ request: inout URLRequest) throws {}
    /// Redirects are followed; see ``LoadPolicy/default``.
    public static var loadPolicy: LoadPolicy { .default }
    /// The media type that the response decoder reads; `nil` for a response that doesn't go through
    /// it.
    public static var acceptedType: MIMEType? {
        ResponseContent.isDecoded(Response.self) ? responseDecoder.contentType : nil
    }
    /// A status from 200 to 299.
    public static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
        (200..<300).contains(httpResponse.statusCode)
    }
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

extension RequestType where BodyEncoder == JSONEncoder {
    /// A JSON encoder with its default strategies.
    public static var bodyEncoder: JSONEncoder { JSONEncoder() }
}

extension RequestType where ResponseDecoder == JSONDecoder {
    /// A JSON decoder with its default strategies.
    public static var responseDecoder: JSONDecoder { JSONDecoder() }
}

extension RequestType where ErrorDecoder == JSONDecoder {
    /// A JSON decoder with its default strategies.
    public static var errorDecoder: JSONDecoder { JSONDecoder() }
}
