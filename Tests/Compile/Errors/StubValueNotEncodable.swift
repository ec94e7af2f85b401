// expect: conform to 'Encodable'

import Endpoints
import EndpointsTesting

struct User: Decodable, Sendable { let id: Int }

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

func stub(_ stub: StubTransport) {
    #if WRONG
        stub.on(GetUser.self, .value(User(id: 1)))
    #else
        stub.on(GetUser.self, .json("{}"))
    #endif
}
