// expect: type 'EnvironmentType' has no member 'production'

import Endpoints
import EndpointsAuth
import Foundation

extension ServerEnvironment {
    static let production = ServerEnvironment(baseUrl: URL(fileURLWithPath: "/"))
}

func tokens(_ server: OAuthServer) -> OAuthCredentials {
    #if WRONG
        OAuthCredentials(for: .production, server: server, client: OAuthClient("tool"))
    #else
        OAuthCredentials(
            for: ServerEnvironment.production, server: server, client: OAuthClient("tool"))
    #endif
}
