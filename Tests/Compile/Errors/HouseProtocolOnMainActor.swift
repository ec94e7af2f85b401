// expect: type 'KeyPath<GetShirt, Int>' does not conform to the 'Sendable' protocol
// settings: -default-isolation MainActor

import Endpoints

#if WRONG
    protocol ShopRequest: FlatRequest {}
#else
    nonisolated protocol ShopRequest: FlatRequest {}
#endif

struct GetShirt: ShopRequest {
    let id: Int
    static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(path: \.id)")
    typealias Response = Void
}
