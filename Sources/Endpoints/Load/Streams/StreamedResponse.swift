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
