// expect: expects 2 arguments, but 1 was used in closure body

import Endpoints
import EndpointsMiddleware

func patient(_ transport: any Transport) -> any Transport {
    #if WRONG
        transport.retrying(RetryPolicy(retries: { outcome in outcome.status == 403 }))
    #else
        transport.retrying(RetryPolicy(retries: { _, outcome in outcome.status == 403 }))
    #endif
}
