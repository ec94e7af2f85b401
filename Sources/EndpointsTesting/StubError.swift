import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a ``StubTransport`` has no response to a request.
///
/// It reaches a test as ``EndpointTaskError/transportError(_:)``, and its text names the request,
/// its URL and the stubs there are.
public struct StubError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// `EndpointsTesting.StubError`.
    public static var errorDomain: String { "EndpointsTesting.StubError" }

    /// What is wrong and what to do.
    public let description: String
    /// The same text.
    public var errorDescription: String? { description }
    /// The text. On Linux, an `NSError` has only what this property returns.
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
                the stub of \(type) is a function of the request, but only a URLRequest was sent; \
                load it with response(in:with:), or stub it with responses
                """)
    }

    static func notEncodable(by decoder: Any) -> StubError {
        StubError(
            description: """
                the stub's value can't be encoded for the request's \(type(of: decoder)); pass an \
                encoder, as in .value(user, encoder: MyEncoder()), or the bytes, as in .data(bytes)
                """)
    }
}
