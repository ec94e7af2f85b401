// expect: value of type 'GetShirts' has no member 'colour'

import Endpoints

struct GetShirts: FlatRequest {
    let color: Int

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query("color", path: \.colour)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query("color", path: \.color)])
    #endif
    typealias Response = Void
}
