// expect: type 'GetUser' does not conform to the 'Sendable' protocol

import Endpoints
import EndpointsTesting

final class Cache { var users: [Int] = [] }

struct GetUser: FlatRequest {
    let id: Int
    let cache = Cache()
    static let endpoint = Endpoint<GetUser>(method: .get, path: "users/\(path: \.id)")
    typealias Response = Void
}

func stub(_ stub: StubTransport) -> Int {
    #if WRONG
        stub.sent(GetUser.self).count
    #else
        stub.sent.count
    #endif
}
