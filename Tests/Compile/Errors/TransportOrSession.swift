// expect: candidate requires that 'any Transport' conform to 'Transport'

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func client(
    _ own: (any Transport)?, in server: ServerEnvironment
) -> EndpointClient<ServerEnvironment> {
    #if WRONG
        return EndpointClient(own ?? URLSession.shared, in: server)
    #else
        let transport: any Transport = own ?? URLSession.shared
        return EndpointClient(transport, in: server)
    #endif
}
