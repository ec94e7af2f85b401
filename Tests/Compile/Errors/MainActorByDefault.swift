// expect: `nonisolated` in a module whose code is on the main actor by default
// settings: -default-isolation MainActor

import Endpoints

#if WRONG
    struct Shirt: Decodable { let color: Int }
#else
    nonisolated struct Shirt: Decodable { let color: Int }
#endif

struct GetShirt: RequestType {
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Shirt
}
