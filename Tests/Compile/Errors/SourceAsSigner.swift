// expect: requires that 'OAuthCredentials' conform to 'RequestSigner'

import Endpoints
import EndpointsAuth
import EndpointsMiddleware

func transport(_ base: some Transport, _ tokens: OAuthCredentials) -> any Transport {
    #if WRONG
        return base.signed(by: tokens)
    #else
        return base.authorized(by: tokens)
    #endif
}
