// expect: protocol requires property 'baseUrl' with type 'URL'

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    #if WRONG
        let baseURL: URL
    #else
        let baseUrl: URL
    #endif
}
