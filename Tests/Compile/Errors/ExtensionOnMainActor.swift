// expect: crosses into main actor-isolated code and can cause data races
// settings: -default-isolation MainActor

import Endpoints

nonisolated protocol ShopRequest: FlatRequest {}

#if WRONG
    extension ShopRequest {
        var commonHeaders: [Headers: String] { [.userAgent: "shop/1.0"] }
    }
#else
    nonisolated extension ShopRequest {
        var commonHeaders: [Headers: String] { [.userAgent: "shop/1.0"] }
    }
#endif

struct GetShirt: ShopRequest {
    let id: Int
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(path: \.id)")
    typealias Response = Void
}
