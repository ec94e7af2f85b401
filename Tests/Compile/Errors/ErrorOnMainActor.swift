// expect: main actor-isolated conformance of 'ShopError' to 'Decodable' cannot satisfy
// settings: -default-isolation MainActor

import Endpoints

#if WRONG
    struct ShopError: Decodable { let message: String }
#else
    nonisolated struct ShopError: Decodable { let message: String }
#endif

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "shirt")
    typealias Response = Void
    typealias ErrorResponse = ShopError
}
