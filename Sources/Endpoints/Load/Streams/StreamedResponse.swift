import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A ``RequestType/Response`` that is handed over while it arrives, element by element.
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
/// ``ByteStream``, ``Lines``, ``JSONLines`` and ``EventStream`` are there; conform a type of yours
/// for another format. ``WithHTTPResponse`` of one has the status and headers as well.
///
/// An error response is thrown before there is a stream, with its typed `ErrorResponse`. After
/// that, a stream throws a ``StreamError``. It is read once. Leaving the loop, cancelling the task
/// and dropping the iterator end the connection.
///
/// Only async functions can hand one over: `endpointTask` and `endpointPublisher` refuse it with an
/// ``EndpointError``.
public protocol StreamedResponse<Element>: AsyncSequence, Sendable {
    /// The media type that the response is asked for in; `nil`, the default, asks for none.
    static var acceptedType: MIMEType? { get }

    /// The stream of a response that has succeeded.
    ///
    /// - Throws: Why it can't be read, such as another `Content-Type`; the loader makes an
    ///   ``EndpointTaskError/responseParseError(httpResponse:data:error:)`` of it.
    init(_ response: ArrivingResponse) throws
}

extension StreamedResponse {
    /// None.
    public static var acceptedType: MIMEType? { nil }
}

extension RequestType where Response: StreamedResponse {
    /// The stream of a body that is in memory, as ``decode(_:_:)`` has it for tests.
    ///
    /// A response that arrives is not read by it.
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
