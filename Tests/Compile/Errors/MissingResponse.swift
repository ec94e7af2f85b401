// expect: protocol requires nested type 'Response'

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #if !WRONG
        typealias Response = Void
    #endif
}
