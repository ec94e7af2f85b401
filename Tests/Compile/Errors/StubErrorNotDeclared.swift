// expect: cannot convert value of type 'ServerError' to expected argument type

import Endpoints
import EndpointsTesting

struct User: Codable, Sendable { let id: Int }

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

struct ServerError: Codable, Sendable { let message: String }

func stub(_ stub: StubTransport) {
    #if WRONG
        stub.on(GetUser.self, .error(409, ServerError(message: "taken")))
    #else
        stub.on(GetUser.self, .status(409))
    #endif
}
