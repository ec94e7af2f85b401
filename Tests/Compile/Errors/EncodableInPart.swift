// expect: add `encoding: .json` to .part

import Endpoints

struct Size: Encodable { var width = 2 }

struct SendShirt: FlatRequest {
    let size: Size

    #if WRONG
        static let endpoint = Endpoint<SendShirt>(
            method: .post, path: "shirts", parameters: [.part("size", path: \.size)])
    #else
        static let endpoint = Endpoint<SendShirt>(
            method: .post, path: "shirts",
            parameters: [.part("size", path: \.size, encoding: .json)])
    #endif
    typealias Response = Void
}
