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
/// ``ByteStream``, ``Lines``, ``JSONLines`` and ``EventStream`` conform; conform your own type for
/// another format. Wrap one in ``WithHTTPResponse`` to get the status and headers as well.
///
/// An error response is thrown before the stream is returned, with its typed `ErrorResponse`. After
/// that, the stream throws a ``StreamError``. It can be read once. Leaving the loop, cancelling the
/// task or dropping the iterator ends the connection.
///
/// Only async functions can return one; `endpointTask` and `endpointPublisher` throw an
/// ``EndpointError``.
public protocol StreamedResponse<Element>: AsyncSequence, Sendable {
    /// The media type of the default `Accept` header; `nil`, unless you write it, sends none.
    static var acceptedType: MIMEType? { get }

    /// The stream of a response that has succeeded.
    ///
    /// - Throws: An error if it can't be read, such as a wrong `Content-Type`; the loader makes an
    ///   ``EndpointTaskError/responseParseError(httpResponse:data:error:)`` of it.
    init(_ response: ArrivingResponse) throws
}

extension StreamedResponse {
    /// None.
    public static var acceptedType: MIMEType? { nil }
}

extension RequestType where Response: StreamedResponse {
    /// The stream of a body in memory, as ``decode(_:_:)`` returns it in tests.
    ///
    /// It isn't called for a response from a server, which is read while it arrives.
    public static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
        let response = TransportResponse(data, httpResponse)
        return try Response(ArrivingResponse(response, to: Self.self, from: nil))
    }
}

extension RequestType {
    /// The stream of a body that is in memory, with the head of its response.
    public static func response<Value: StreamedResponse>(
        data: Data, httpResponse: HTTPURLResponse
    ) throws -> Response where Response == WithHTTPResponse<Value> {
        let response = TransportResponse(data, httpResponse)
        let value = try Value(ArrivingResponse(response, to: Self.self, from: nil))
        return WithHTTPResponse(value: value, httpResponse: httpResponse)
    }
}
