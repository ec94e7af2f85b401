// expect: requires that 'AWSSigner' conform to 'CredentialSource'

import Endpoints
import EndpointsAuth
import EndpointsMiddleware

func transport(_ base: some Transport, _ signer: AWSSigner) -> any Transport {
    #if WRONG
        return base.authorized(by: signer)
    #else
        return base.signed(by: signer)
    #endif
}
