// expect: cannot find type 'OAuthCredentials' in scope

import Endpoints

#if !WRONG
    import EndpointsAuth
#endif

func show(_ tokens: OAuthCredentials) {}
