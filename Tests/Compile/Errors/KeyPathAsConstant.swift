// expect: requires that 'KeyPath<Root, Value>' conform to 'PathRepresentable'

import Endpoints

struct GetShirt: FlatRequest {
    let id: Int

    #if WRONG
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(value: \.id)")
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(path: \.id)")
    #endif
    typealias Response = Void
}
