// expect: contextual type for closure argument list expects

import Endpoints
import EndpointsTesting

struct GetUser: FlatRequest {
    static let endpoint = Endpoint<GetUser>(method: .get, path: "user")
    typealias Response = Void
}

func stub(_ stub: StubTransport) {
    #if WRONG
        stub.on(GetUser.self) { .status(404) }
    #else
        stub.on(GetUser.self, .status(404))
        stub.on(GetUser.self) { _ in .status(404) }
    #endif
}
