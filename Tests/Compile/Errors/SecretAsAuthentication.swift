// expect: extraneous argument label 'secret:' in call

import EndpointsAuth

func client(_ secret: String) -> OAuthClient {
    #if WRONG
        OAuthClient("service", secret: secret)
    #else
        OAuthClient("service", .basic(secret: secret))
    #endif
}
