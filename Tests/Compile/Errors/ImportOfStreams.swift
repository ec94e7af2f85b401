// expect: cannot find type 'Lines' in scope

import Endpoints

#if !WRONG
    import EndpointsStreams
#endif

struct GetLog: RequestType {
    static let endpoint = Endpoint<GetLog>(method: .get, path: "log")
    typealias Response = Lines
}
