// expect: cannot convert value of type 'GetUser' to expected argument type 'any RequestType.Type'

import Endpoints
import EndpointsTesting

struct User: Codable, Sendable { let id: Int }

struct GetUser: FlatRequest {
    let id: Int
    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = User
}

func check() -> Bool {
    #if WRONG
        problems(of: GetUser(id: 1)).isEmpty
    #else
        problems(of: GetUser.self).isEmpty
    #endif
}
