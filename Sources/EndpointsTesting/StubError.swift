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
    /// The text. On Linux, an `NSError` has no other.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    static func noStub(for request: TransportRequest, among names: [String]) -> StubError {
        let method = request.urlRequest.httpMethod ?? "GET"
        let url = request.urlRequest.url?.absoluteString ?? ""
        let stubs = names.isEmpty ? "none at all" : names.joined(separator: ", ")
        return StubError(
            description: """
                \(request.requestType) has no stub, for \(method) \(url); there are stubs for \
                \(stubs). Add stub.on(\(request.requestType).self, …)
                """)
    }

    static func valueMissing(_ type: any RequestType.Type) -> StubError {
        StubError(
            description: """
                \(type) was sent without its value; load it with response(in:with:), or stub it \
                with responses in place of a function
                """)
    }

    static func notEncodable(by decoder: Any) -> StubError {
        StubError(
            description: """
                no encoder is known for this \(type(of: decoder)); pass the encoder, as in \
                .value(user, encoder: MyEncoder()), or the bytes, as in .data(bytes)
                """)
    }
}
