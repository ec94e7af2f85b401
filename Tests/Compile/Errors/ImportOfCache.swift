// expect: value of type 'any Transport' has no member 'cached'

import Endpoints

#if !WRONG
    import EndpointsCache
#endif

func storing(_ transport: any Transport) -> any Transport {
    transport.cached(in: .memory(megabytes: 20))
}
