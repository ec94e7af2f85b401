// expect: write Lines, JSONLines, EventStream or a StreamedResponse

import Endpoints
import EndpointsStreams

struct User: Decodable, Sendable { let id: Int }

struct Watch: FlatRequest {
    static let endpoint = Endpoint<Watch>(method: .get, path: "users")
    #if WRONG
        typealias Response = AsyncStream<User>
    #else
        typealias Response = JSONLines<User>
    #endif
}
