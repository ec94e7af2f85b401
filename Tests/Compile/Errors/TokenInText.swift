// expect: use `authorized(by:)` or its `credentials`
// settings: -warnings-as-errors

import Endpoints
import EndpointsMiddleware

func header(of token: AccessToken) throws -> String? {
    #if WRONG
        "\(token)"
    #else
        try token.credentials.pathRepresentation
    #endif
}
