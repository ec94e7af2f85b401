// expect: 'LoadPolicy?' was the same type as 'LoadPolicy'

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
    #if WRONG
        let loadPolicy: LoadPolicy?
    #else
        let loadPolicy: LoadPolicy
    #endif
}
