import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a ``StubTransport`` has no response to a request.
///
/// A load throws this error as ``EndpointTaskError/transportError(_:)``. If the stub is missing,
/// the text names the request type, the URL and the stubs there are.
public struct StubError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.StubError`.
    public static var errorDomain: String { "EndpointsTesting.StubError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text as `description`.
    public var errorDescription: String? { description }
    /// The `description`, for an `NSError` made from this error. On Linux, such an `NSError` gets
    /// its texts only from this property.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    static func noStub(for request: TransportRequest, among names: [String]) -> StubError {
        let method = request.urlRequest.httpMethod ?? "GET"
        let url = SecretNames.usual.masked(request.urlRequest.url)
        let stubs = names.isEmpty ? "no stubs" : "stubs for \(names.joined(separator: ", "))"
        return StubError(
            description: """
                \(request.requestType) has no stub, so there is no response to \(method) \(url). \
                There are \(stubs). Add stub.on(\(request.requestType).self, …)
                """)
    }

    static func valueMissing(_ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                the stub of \(type) is a closure that takes a \(type), but the \
                TransportRequest has only a URLRequest. Send the \(type) with \
                response(in:with:). In a Transport of your own, send a changed copy of the \
                TransportRequest, not a new one. Or stub a fixed response, as in \
                stub.on(\(type).self, .status(503))
                """)
    }

    static func notEncodable(_ type: any RequestType.Type, by decoder: Any) -> StubError {
        StubError(
            description: """
                the stub's value can't be encoded, because no encoder is known for this \
                \(Swift.type(of: decoder)) of \(type); pass one, as in \
                .value(user, encoder: MyEncoder()), or pass the bytes, as in \
                .data(bytes, status: 200). A PropertyListDecoder has a known encoder, and so has \
                a JSONDecoder without custom strategies and date formatters
                """)
    }
}
