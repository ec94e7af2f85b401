import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests and returns their responses. `URLSession` is a transport.
///
///     struct Timed<Base: Transport>: Transport {
///         let base: Base
///         func send(_ request: TransportRequest) async throws -> TransportResponse {
///             let start = Date()
///             let response = try await base.send(request)
///             print(request.requestType, -start.timeIntervalSinceNow)
///             return response
///         }
///     }
///
/// Another HTTP client, a stub in a test and a middleware that changes requests can be transports.
public protocol Transport: Sendable {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Throws: Any error. ``Transport/response(in:with:)`` makes an ``EndpointTaskError`` of it.
    ///   That type has cases for a `URLError` (or an `NSError` in the domain of `URLError`), a
    ///   `CancellationError`, an ``EndpointError`` and a ``FileError``. Any other error becomes a
    ///   `transportError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request on its way to a server.
public struct TransportRequest: Sendable {
    /// The request as it is sent.
    public var urlRequest: URLRequest
    /// How the request is loaded: its redirects, its limits, and whether it may be sent again.
    public var policy: LoadPolicy
    /// Whether the response's body is read while it arrives.
    ///
    /// If so, a transport should return before the body has arrived.
    public var streamsResponse = false
    /// The type that declares the request, for logs, stubs and middleware that treat types
    /// differently.
    public let requestType: any RequestType.Type
    /// The number of this attempt, counted from 1. A middleware that sends a request again adds 1.
    public var attempt = 1
    /// Whether a server has named the URL, and its origin isn't the environment's. A `URLSession`
    /// then doesn't add its own sensitive headers, as after a redirect.
    package private(set) var leavesOrigin = false
    /// What a middleware keeps of the request for its later attempts. All copies of the request,
    /// such as one for each attempt, share it.
    package let memory = Locked<[ObjectIdentifier: any Sendable]>([:])
    /// When the call began that sends this request, before any wait.
    package let begun = DispatchTime.now()
    private let declared: DeclaredRequest?

    /// Whether the declaration leaves a header out: `headers: [.authorization: nil]`.
    package func leavesOut(_ header: Headers) -> Bool { requestType.leavesOut(header) }

    /// Makes a transport request from a `URLRequest` and the type that declares the request.
    public init(
        _ urlRequest: URLRequest, policy: LoadPolicy = .default,
        requestType: any RequestType.Type
    ) {
        self.urlRequest = urlRequest
        self.policy = policy
        self.requestType = requestType
        declared = nil
    }

    /// Makes a transport request from a request value and the `URLRequest` made of it.
    package init<Request: RequestType>(
        _ urlRequest: URLRequest, of request: Request, in environment: Request.Environment
    ) {
        self.urlRequest = urlRequest
        policy = request.policy(in: environment)
        requestType = Request.self
        streamsResponse = DeclaredStream(Request.Response.self) != nil
        declared = DeclaredRequest(value: request)
    }

    /// Makes a transport request from a request value, at a URL that a server has named if there is
    /// one.
    package init<Request: RequestType>(
        of request: Request, in environment: Request.Environment, at url: URL?,
        addingQuery addsQuery: Bool = true
    ) throws(EndpointError) {
        let urlRequest =
            if let url {
                try request.urlRequest(in: environment, at: url, addingQuery: addsQuery)
            } else {
                try request.urlRequest(in: environment)
            }
        self.init(urlRequest, of: request, in: environment)
        leavesOrigin =
            url != nil
            && urlRequest.url.flatMap(Origin.init) != Origin(of: environment.baseUrl)
    }

    /// The request's body, if it is an ``Upload``, such as a file, which is read while it is sent.
    ///
    /// A transport that can't send `urlRequest.httpBodyStream` must send the ``Upload/chunks()``.
    public var upload: Upload? {
        get { urlRequest.upload }
        set { urlRequest.upload = newValue }
    }

    /// Throws if the request can't be sent as it is.
    ///
    /// A request that the library makes is already checked, but ``RequestType/prepare(_:)``, an
    /// environment's `requestProcessor` and middleware may have changed it. A transport of your own
    /// should call this before it sends.
    /// - Throws: An ``EndpointError`` about the method, a header, or a body with GET or HEAD.
    public func check() throws(EndpointError) {
        guard let refusal = urlRequest.refusal else { return }
        throw EndpointError(requestType: "\(requestType)", refusal)
    }

    /// The request as the caller made it, such as `GetUser(id: 42)`, for a stub that reads its
    /// properties; `nil` if the request is of another type, or if only a `URLRequest` was given.
    public func request<Request: RequestType & Sendable>(as type: Request.Type) -> Request? {
        declared?.value as? Request
    }
}

extension RequestType {
    fileprivate static func leavesOut(_ header: Headers) -> Bool {
        endpoint.plan.headers.leavesOut(header)
    }
}

/// Holds a request that need not be `Sendable`.
///
/// `@unchecked` is safe because the value is returned only as a `Sendable` type.
private struct DeclaredRequest: @unchecked Sendable {
    let value: any RequestType
}

/// A response from a server: status, headers, and the body, whole or in chunks.
public struct TransportResponse: Sendable {
    /// The status and headers.
    public var httpResponse: HTTPURLResponse
    /// The body of the response.
    public var body: ResponseBody

    /// A response whose body is in memory.
    public init(_ data: Data, _ httpResponse: HTTPURLResponse) {
        self.init(body: ResponseBody(data), httpResponse)
    }

    /// A response whose body may still be arriving.
    public init(body: ResponseBody, _ httpResponse: HTTPURLResponse) {
        self.body = body
        self.httpResponse = httpResponse
    }
}
