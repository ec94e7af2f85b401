// expect: extraneous argument label 'attempts:' in call

import Endpoints
import EndpointsMiddleware

func patient(_ transport: any Transport) -> any Transport {
    #if WRONG
        transport.retrying(attempts: 3)
    #else
        transport.retrying(RetryPolicy(attempts: 3))
    #endif
}
