// expect: protocol requires property 'endpoint' with type 'Endpoint<GetShirt>'

import Endpoints

struct GetShirt: RequestType {
    #if !WRONG
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #endif
    typealias Response = Void
}
