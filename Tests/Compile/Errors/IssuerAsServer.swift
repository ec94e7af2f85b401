// expect: cannot convert value of type 'String' to expected argument type 'OAuthServer'

import Endpoints
import EndpointsAuth

func tokens(for api: ServerEnvironment) async throws -> OAuthCredentials {
    #if WRONG
        OAuthCredentials(
            for: api, server: "https://login.example.com", client: OAuthClient("tool"))
    #else
        OAuthCredentials(
            for: api, server: try await .discover("https://login.example.com"),
            client: OAuthClient("tool"))
    #endif
}
