// expect: cannot find type 'AccessToken' in scope

import Endpoints

#if !WRONG
    import EndpointsMiddleware
#endif

func show(_ token: AccessToken) {}
