// expect: has no member 'number'

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
        stub.on(GetUser.self) { request in .value(User(id: request.number)) }
    #else
        stub.on(GetUser.self) { request in .value(User(id: request.id)) }
    #endif
}
