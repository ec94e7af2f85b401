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
                the stub of \(type) is a closure that takes a \(type), but this \
                TransportRequest was made of a URLRequest alone. Send the \(type) with \
                response(in:with:). If a Transport of yours made the TransportRequest, let it \
                change a copy of the one that it got. Or stub a fixed response, as in \
                stub.on(\(type).self, .status(503))
                """)
    }

    static func notEncodable(_ type: any RequestType.Type, by decoder: Any) -> StubError {
        StubError(
            description: """
                the stub's value can't be encoded: \(type) decodes with its own \
                \(Swift.type(of: decoder)), and the stub doesn't know what encoder writes for \
                it. Pass the encoder, as in .value(user, encoder: MyEncoder()), or the bytes, as \
                in .data(bytes, status: 200). Only a PropertyListDecoder, and a JSONDecoder \
                without custom strategies and date formatters, need no encoder
                """)
    }
}
