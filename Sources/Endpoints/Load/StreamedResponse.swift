import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A ``RequestType/Response`` that is read while it arrives, element by element.
///
///     struct Watch: FlatRequest {
///         static let endpoint = Endpoint<Self>(method: .get, path: "prices")
///         typealias Response = JSONLines<Price>
///     }
///
///     for try await price in try await session.response(in: .production, with: Watch()) {
///         print(price)
///     }
///
/// ``ByteStream``, ``Lines``, ``JSONLines`` and ``EventStream`` conform. For another format,
/// conform a type of your own. Wrap a stream in ``WithHTTPResponse`` to get the status and headers
/// as well.
///
/// An error response is thrown, with its typed `ErrorResponse`, before a stream is returned. Any
/// later error of these four streams is a ``StreamError``. A stream can be read once. Leaving the
/// loop, cancelling the task or dropping the iterator ends the load.
///
/// Only async functions can return a stream; `endpointTask` and `endpointPublisher` fail with an
/// ``EndpointError``.
public protocol StreamedResponse<Element>: AcceptingResponse, AsyncSequence, Sendable {
    /// Makes the stream of a response that has succeeded.
    ///
    /// - Throws: An error if the response can't be read, such as for a wrong `Content-Type`. The
    ///   caller gets it as ``EndpointTaskError/responseParseError(httpResponse:data:error:)``.
    init(_ response: ArrivingResponse) throws
}

extension RequestType where Response: StreamedResponse {
    /// The stream of a body in memory, as ``decode(_:_:)`` returns it in tests.
    ///
    /// This function isn't called for a server's response, which is read while it arrives.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        let response = TransportResponse(data, httpResponse)
        return try Response(ArrivingResponse(response, to: Self.self, from: nil))
    }
}

extension RequestType {
    /// The stream of a body in memory, with the status and headers of its response.
    public static func response<Value: StreamedResponse>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == WithHTTPResponse<Value> {
        let response = TransportResponse(data, httpResponse)
        let value = try Value(ArrivingResponse(response, to: Self.self, from: nil))
        return WithHTTPResponse(value: value, httpResponse: httpResponse)
    }
}

/// The type of a ``RequestType/Response`` that is a stream, or a ``WithHTTPResponse`` of a stream.
struct DeclaredStream {
    private let stream: any StreamedResponse.Type
    private let carrier: (any HTTPResponseCarrier.Type)?

    /// `nil` if the type isn't that of a stream, so that the response is read whole.
    init?(_ type: Any.Type) {
        carrier = type as? any HTTPResponseCarrier.Type
        guard let stream = (carrier?.valueType ?? type) as? any StreamedResponse.Type
        else { return nil }
        self.stream = stream
    }

    /// The stream of a response, as a value of the request's ``RequestType/Response`` type.
    func value(_ response: ArrivingResponse) throws -> Any {
        let value: Any = try stream.init(response)
        return carrier?.carrying(value, response.httpResponse) ?? value
    }
}

extension Transport {
    /// Sends a request and returns the response's stream. Throws if the response isn't a success.
    func stream<Request: RequestType>(
        _ request: TransportRequest, as type: Request.Type
    ) async throws(Request.TaskError) -> sending Request.Response {
        let sent = request.startingNow()
        let response: TransportResponse
        var errorData: Data?
        do {
            response = try await send(request)
            if !Request.succeeded(response.httpResponse, data: Data()) {
                errorData = try await response.body.data(upTo: request.policy.partLimit)
            }
        } catch { throw Request.TaskError(loading: error, type).traced(sent.trace()) }
        if let errorData {
            throw Request.failure(from: errorData, response.httpResponse, under: request.policy)
                .traced(sent.trace(errorData, of: response.httpResponse))
        }
        let source = (request: sent, transport: self as any Transport)
        do {
            return try Request.stream(ArrivingResponse(response, to: type, from: source))
        } catch {
            let body = await response.body.beginning()
            throw .responseParseError(
                httpResponse: response.httpResponse, data: body,
                error: EndpointParseError(type, cause: error)
            ).traced(sent.trace(body, of: response.httpResponse))
        }
    }
}

extension RequestType {
    fileprivate static func stream(_ response: ArrivingResponse) throws -> Response {
        let value = try DeclaredStream(Response.self)?.value(response)
        guard let value = value as? Response else { throw UnreadableContent.none }
        return value
    }
}

/// A response whose body is still arriving, for a ``StreamedResponse`` to read.
///
/// It keeps its request and transport, so that a stream whose connection was lost can request the
/// rest of the body: see `requestAgain(_:)` in `EndpointsStreams`.
public struct ArrivingResponse: Sendable {
    /// The status and headers.
    public let httpResponse: HTTPURLResponse
    /// The body, which can be read once.
    public let body: ResponseBody
    /// The type that declares the request.
    public let requestType: any RequestType.Type
    /// The request with which the load began, and its transport, also in the response to a later
    /// request for the same stream; `nil` if the response was made of data in memory.
    package let source: (request: TransportRequest, transport: any Transport)?
    /// The request that this is the response to; `nil` if the response was made of data in memory.
    package let urlRequest: URLRequest?
    private let makeDecoder: @Sendable () -> any DecoderType

    init<Request: RequestType>(
        _ response: TransportResponse, to requestType: Request.Type,
        from source: (request: TransportRequest, transport: any Transport)?
    ) {
        httpResponse = response.httpResponse
        body = response.body.readOnce
        self.requestType = requestType
        self.source = source
        urlRequest = source?.request.urlRequest
        makeDecoder = Request.checkedHooks.responseDecoder
    }

    /// The response to a later request for the same stream as another response.
    package init(
        _ response: TransportResponse, to urlRequest: URLRequest, like other: ArrivingResponse
    ) {
        httpResponse = response.httpResponse
        body = response.body.readOnce
        requestType = other.requestType
        source = other.source
        self.urlRequest = urlRequest
        makeDecoder = other.makeDecoder
    }

    /// The decoder for the elements: the request's ``RequestType/responseDecoder``.
    public var decoder: any DecoderType { makeDecoder() }
}

extension RequestType {
    /// Whether the response is a stream, or a ``WithHTTPResponse`` of a stream.
    package static var streamsResponse: Bool { DeclaredStream(Response.self) != nil }
}

// As in CommonMistakes.swift: the compiler shows the message, which says what to write instead.
extension RequestType {
    /// An optional stream doesn't compile: a response without content is a stream of no elements.
    @available(
        *, unavailable,
        message: "a stream can't be optional; write it without `?`, as it is empty without a body"
    )
    public static func response<Stream: StreamedResponse>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == Stream? { nil }

    /// A stream that isn't a ``StreamedResponse`` doesn't compile.
    @available(
        *, unavailable,
        message: """
            write Lines, JSONLines, EventStream or a StreamedResponse of your own; the first three \
            need `import EndpointsStreams`
            """
    )
    public static func response<Element>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { nil }
    }

    /// A stream that isn't a ``StreamedResponse`` doesn't compile.
    @available(
        *, unavailable,
        message: """
            write Lines, JSONLines, EventStream or a StreamedResponse of your own; the first three \
            need `import EndpointsStreams`
            """
    )
    public static func response<Element>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == AsyncStream<Element> {
        AsyncStream { nil }
    }
}
