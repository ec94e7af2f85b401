// expect: value of type 'GetShirt' has no member 'problems'

import Endpoints

#if !WRONG
    import EndpointsTesting
#endif

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
}

let isSound = GetShirt().problems.isEmpty
