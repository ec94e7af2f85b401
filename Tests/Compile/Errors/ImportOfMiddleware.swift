// expect: value of type 'any Transport' has no member 'retrying'

import Endpoints

#if !WRONG
    import EndpointsMiddleware
#endif

func patient(_ transport: any Transport) -> any Transport {
    transport.retrying()
}
