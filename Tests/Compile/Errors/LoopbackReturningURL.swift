// expect: cannot convert value of type '()' to closure result type 'URL'

import EndpointsAuth
import Foundation

func flow(_ redirect: URL, _ open: @escaping @Sendable (URL) async throws -> URL) -> OAuthFlow {
    #if WRONG
        return .browser(redirect: redirect) { page in print(page) }
    #else
        return .browser(redirect: redirect) { page in try await open(page) }
    #endif
}
