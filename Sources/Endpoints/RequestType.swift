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
/// (``urlRequest(in:)``), which `URLSession` or another ``Transport`` loads. A ``FlatRequest`` has
/// the values as its own properties.
public protocol RequestType<Response>: SendableMetatype {
    /// The kind of server that the request is for.
    associatedtype Environment: EnvironmentType = ServerEnvironment
    /// The type of a successful response: `Void`, `Data`, `String`, a `Decodable` type, an optional
    /// of these, a ``StreamedResponse``, ``WithHTTPResponse`` of these, or any type if you write
    /// ``response(data:httpResponse:)``.
    associatedtype Response
    /// The type of an error response.
    associatedtype ErrorResponse: Decodable & Sendable = EmptyResponse
    /// The type of the body: `Data` and `String` are sent as they are, any other `Encodable` type
    /// is encoded by `bodyEncoder`.
    ///
    /// An ``Endpoint`` can't be made for a body that is not `Encodable`. (With a constraint here,
    /// such a `body` would be taken for another property, and no body would be sent.)
    associatedtype Body = EmptyResponse
    /// The values that the path refers to.
    associatedtype PathComponents = Void
    /// The values that query items and form fields refer to.
    associatedtype Parameters = Void
    /// The values that headers refer to.
    associatedtype HeaderValues = Void
    /// The type that encodes the body.
    associatedtype BodyEncoder: EncoderType = JSONEncoder
    /// The type that decodes a successful response.
    associatedtype ResponseDecoder: DecoderType = JSONDecoder
    /// The type that decodes an error response.
    associatedtype ErrorDecoder: DecoderType = JSONDecoder

    /// The error of a load of this request.
    typealias TaskError = EndpointTaskError<ErrorResponse>

    /// The request's method, path, parameters and headers.
    static var endpoint: Endpoint<Self> { get }

    /// The body; a `nil` optional sends none.
    var body: Body { get }
    /// The values that the path refers to.
    var pathComponents: PathComponents { get }
    /// The values that query items and form fields refer to.
    var parameters: Parameters { get }
    /// The values that headers refer to.
    var headerValues: HeaderValues { get }

    /// Encodes the body.
    static var bodyEncoder: BodyEncoder { get }
    /// Decodes a successful response.
    static var responseDecoder: ResponseDecoder { get }
    /// Decodes an error response; by default a `JSONDecoder`, whatever decodes a success.
    ///
    ///     static var errorDecoder: PropertyListDecoder { PropertyListDecoder() }
    static var errorDecoder: ErrorDecoder { get }

    /// Query items that are known only at run time; they follow the declared ones.
    ///
    /// They are escaped like declared ones. An item with a `nil` value is left out.
    var additionalQueryItems: [URLQueryItem] { get }
    /// Headers that are known only at run time; they replace declared ones of the same name.
    ///
    /// They are checked like declared ones. Your own protocol that refines this one can implement
    /// this property to give its requests common headers.
    var additionalHeaders: [Headers: String] { get }

    /// Changes the finished `URLRequest`; the environment's `requestProcessor` runs after it.
    ///
    ///     func prepare(_ request: inout URLRequest) { request.timeoutInterval = 5 }   // seconds
    ///
    /// An error that it throws is kept as the cause of an ``EndpointError``.
    func prepare(_ request: inout URLRequest) throws

    /// The media type that is sent as `Accept` if the endpoint declares no such header.
    ///
    /// The default is the response decoder's media type if the response is decoded, and `nil` for
    /// `Void`, `Data`, `String` and types with your own conversion. With `nil`, none is sent.
    static var acceptedType: MIMEType? { get }
    /// How redirects are followed, and the limits of a load.
    static var loadPolicy: LoadPolicy { get }
    /// Whether a response is a success; by default if its status is from 200 to 299.
    ///
    /// The data of a ``StreamedResponse``, which has not arrived, are empty.
    ///
    ///     static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
    ///         httpResponse.statusCode == 304 || (200..<300).contains(httpResponse.statusCode)
    ///     }
    static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool
    /// Converts a successful response to a value.
    ///
    /// The types that ``Response`` lists have a default. Write this function for any other type:
    ///
    ///     static func response(data: Data, httpResponse: HTTPURLResponse) throws -> UIImage {
    ///         guard let image = UIImage(data: data) else { throw ImageError() }
    ///         return image
    ///     }
    ///
    /// It is called for every success, so also for a 204, whose data are empty: look at
    /// `httpResponse.statusCode` or `data.isEmpty` where that is not an error.
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
    /// The media type that the response decoder reads, or the media type of a stream; `nil` if the
    /// response is neither decoded nor a stream.
    public static var acceptedType: MIMEType? {
        if let stream = StreamType(Response.self) { return stream.acceptedType }
        return ResponseContent.isDecoded(Response.self) ? responseDecoder.contentType : nil
    }
    /// Whether the status is from 200 to 299.
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
