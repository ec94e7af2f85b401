// expect: type 'Shop' does not conform to protocol 'EnvironmentType'

import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Shop: EnvironmentType {
    let baseUrl: URL
    #if WRONG
        let requestProcessor: @Sendable (URLRequest) -> URLRequest
    #else
        let requestProcessor: @Sendable (inout URLRequest) throws -> Void
    #endif
}
