// expect: a stream can't be optional

import Endpoints
import EndpointsStreams

struct User: Decodable, Sendable { let id: Int }

struct Watch: FlatRequest {
    static let endpoint = Endpoint<Watch>(method: .get, path: "users")
    #if WRONG
        typealias Response = EventStream<User>?
    #else
        typealias Response = EventStream<User>
    #endif
}
