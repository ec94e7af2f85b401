// expect: requires that 'URL' conform to 'EnvironmentType'

import Endpoints
import Foundation

func client(_ transport: any Transport, _ url: URL) {
    #if WRONG
        _ = EndpointClient(transport, in: url)
    #else
        _ = EndpointClient(transport, in: ServerEnvironment(baseUrl: url))
    #endif
}
