import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The head (status and headers) of a response that a cache had stored.
///
/// The class is `@unchecked` because its superclass is; its own property is a constant.
package final class StoredHead: HTTPURLResponse, @unchecked Sendable {
    /// Whether the server has just said that the response is still valid (a 304).
    package let isValidated: Bool

    package init?(_ url: URL, _ status: Int, _ fields: [String: String], isValidated: Bool) {
        self.isValidated = isValidated
        super.init(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    package required init?(coder: NSCoder) {
        isValidated = false
        super.init(coder: coder)
    }
}

extension HTTPURLResponse {
    /// The head that a cache has made; `nil` for a response of a server.
    package var stored: StoredHead? { untraced as? StoredHead }

    /// Whether no server has sent this response or a 304 for it just now. What it says of the
    /// server, such as how many requests are left, is of an earlier time.
    package var isOfEarlierTime: Bool { stored?.isValidated == false }
}

/// A transport that has responses stored.
package protocol StoredResponses: Transport {
    /// The stored response for a request that can't be sent, fresh or as stale as the request and
    /// the response allow then; `nil` if there is none.
    func stored(insteadOf request: TransportRequest) async -> TransportResponse?
}

extension Transport {
    /// What a cache among this transport and those inside of it has for a request that failed
    /// outside of the cache, such as because its time was over; `nil` if no stored response may be
    /// used after the error.
    package func stored(
        insteadOf request: TransportRequest, after error: any Error
    ) async -> TransportResponse? {
        guard error.isLossOfServer, layers.contains(where: { $0 is any StoredResponses })
        else { return nil }
        var copy = TransportRequest(
            request.urlRequest, policy: request.policy, requestType: request.requestType
        ).continuing(request)
        copy.streamsResponse = request.streamsResponse
        copy.distinction = request.distinction
        // The request's time may be over. Asking a sign-in for its account mustn't take long.
        copy.policy.timeLimit = copy.policy.timeLimit.map { _ in 1 }
        for layer in layers {
            if let cache = layer as? any StoredResponses {
                if let response = await cache.stored(insteadOf: copy) { return response }
            } else if let signIn = layer as? any AccountNaming, copy.account == nil {
                do { copy.account = try await signIn.account(of: copy) } catch { return nil }
            }
        }
        return nil
    }
}

extension Error {
    /// Whether this is the error of a server that can't be reached, after which a stale response
    /// may be used. The errors of the caller, and of a server that isn't trusted, are none.
    package var isLossOfServer: Bool {
        if let code = asURLError?.code { return !URLError.Code.notOfServer.contains(code) }
        return (self as? any TransientError)?.isTransient ?? false
    }
}

extension URLError.Code {
    fileprivate static let notOfServer: Set<URLError.Code> = [
        .cancelled, .badURL, .unsupportedURL, .dataLengthExceedsMaximum,
        .userCancelledAuthentication, .userAuthenticationRequired,
        .appTransportSecurityRequiresSecureConnection, .secureConnectionFailed,
        .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
    ]
}
