// expect: '[URL]?' conformed to 'Sequence'

import Endpoints
import EndpointsMiddleware
import Foundation

struct Keychain: CredentialSource {
    let baseUrl: URL
    #if WRONG
        let trustedUrls: [URL]?
    #else
        let trustedUrls: Set<URL>
    #endif

    func token() -> AccessToken? { nil }
    func refresh(after refused: AccessToken) -> AccessToken { refused }
}
