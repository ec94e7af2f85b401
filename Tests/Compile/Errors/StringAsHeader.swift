// expect: cannot convert value of type 'String' to expected dictionary value type

import Endpoints

struct GetShirt: FlatRequest {
    static let type = "image/png"
    #if WRONG
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.accept: type])
    #else
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.accept: .fieldValue(value: type)])
    #endif
    typealias Response = Void
}
