// expect: cannot convert value of type 'String' to expected argument type 'PathTemplate<GetShirt>'

import Endpoints

struct GetShirt: FlatRequest {
    static let folder = "shirts"
    #if WRONG
        static let endpoint = Endpoint<GetShirt>(method: .get, path: folder)
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "\(value: folder)")
    #endif
    typealias Response = Void
}
