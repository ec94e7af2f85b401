import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
    package let source: Source?
    /// The request that this is the response to; `nil` if the response was made of data in memory.
    package let urlRequest: URLRequest?
    private let makeDecoder: @Sendable () -> any DecoderType

    package struct Source: Sendable {
        package let request: TransportRequest
        package let transport: any Transport
        package let sent: SentRequest
    }

    init<Request: RequestType>(
        _ response: TransportResponse, to requestType: Request.Type, from source: Source?
    ) {
        httpResponse = response.httpResponse
        body = response.body
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
        body = response.body
        requestType = other.requestType
        source = other.source
        self.urlRequest = urlRequest
        makeDecoder = other.makeDecoder
    }

    /// The decoder for the elements: the request's ``RequestType/responseDecoder``.
    public var decoder: any DecoderType { makeDecoder() }
}
