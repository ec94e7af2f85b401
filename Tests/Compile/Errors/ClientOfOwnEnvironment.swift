// expect: type 'ServerEnvironment' has no member 'production'

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
    static let production = Shop(baseUrl: URL(fileURLWithPath: "/"))
}

func client(_ transport: any Transport) -> EndpointClient<Shop> {
    #if WRONG
        let api = EndpointClient(transport, in: .production)
    #else
        let api = EndpointClient(transport, in: Shop.production)
    #endif
    return api
}
