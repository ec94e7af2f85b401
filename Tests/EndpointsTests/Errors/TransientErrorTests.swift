import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsMiddleware

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Errors after which a stream may connect again")
struct TransientErrorTests {
    static func signIn(_ cause: (any Error)?) -> StreamError {
        .transportError(TransportError(cause: SignInError(cause: cause)))
    }

    @Test(
        "An error is transient if its code is, and a sign-in error if its cause is",
        arguments: [
            (StreamError.urlLoadError(URLError(.timedOut)), true),
            (.urlLoadError(URLError(.networkConnectionLost)), true),
            (.urlLoadError(URLError(.unknown)), true),
            (.urlLoadError(URLError(.secureConnectionFailed)), false),
            (.urlLoadError(URLError(.badURL)), false),
            (.internetConnectionOffline(URLError(.notConnectedToInternet)), true),
            (.cancelled(URLError(.cancelled)), false),
            (.transportError(TransportError(cause: CocoaError(.coderInvalidValue))), true),
            (signIn(nil), false), (signIn(CocoaError(.coderInvalidValue)), false),
            (signIn(URLError(.timedOut)), true), (signIn(URLError(.badURL)), false),
            (signIn(URLError(.notConnectedToInternet)), true),
            (signIn(URLError(.dataNotAllowed)), true),
            (signIn(StreamError.urlLoadError(URLError(.timedOut))), true),
            (signIn(StreamError.urlLoadError(URLError(.badURL))), false),
        ])
    func transient(error: StreamError, isTransient: Bool) {
        #expect(error.isTransient == isTransient)
    }
}
