// expect: main actor-isolated default value in a nonisolated context
// settings: -default-isolation MainActor

import Endpoints

#if WRONG
    let version = 2
#else
    nonisolated let version = 2
#endif

struct GetShirt: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "\(value: version)/shirt")
    typealias Response = Void
}
