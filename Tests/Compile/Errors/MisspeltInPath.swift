// expect: value of type 'GetShirts' has no member 'colour'

import Endpoints

struct GetShirts: FlatRequest {
    let color: Int

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts/\(path: \.colour)")
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts/\(path: \.color)")
    #endif
    typealias Response = Void
}
