// expect: candidate has non-matching type 'Endpoint<GetHat>'

import Endpoints

struct GetHat: RequestType {
    static let endpoint = Endpoint<GetHat>(method: .get, path: "hat")
    typealias Response = Void
}

struct GetShirt: RequestType {
    #if WRONG
        static let endpoint = Endpoint<GetHat>(method: .get, path: "shirt")
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #endif
    typealias Response = Void
}
