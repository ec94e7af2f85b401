// expect: declare a Response, which is Void if nothing is read

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #if !WRONG
        typealias Response = Void
    #endif
}
