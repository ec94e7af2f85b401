// expect: cannot convert value of type 'GetUser' to expected argument type 'Request.Type'

import Endpoints
import EndpointsTesting

struct User: Codable, Sendable { let id: Int }

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

func stub(_ stub: StubTransport) {
    #if WRONG
        stub.on(GetUser(id: 1), .value(User(id: 1)))
    #else
        stub.on(GetUser.self, .value(User(id: 1)))
    #endif
}
