// expect: declare a Response; write Void if the body isn't read

import Endpoints

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #if !WRONG
        typealias Response = Void
    #endif
}
