// expect: covariant 'Self' type cannot be referenced from a stored property initializer

import Endpoints

final class GetShirt: FlatRequest {
    #if WRONG
        static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    #endif
    typealias Response = Void
}
