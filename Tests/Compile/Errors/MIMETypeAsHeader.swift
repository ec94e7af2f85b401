// expect: type 'HeaderField<GetShirt>' has no member 'json'

import Endpoints

struct GetShirt: FlatRequest {
    #if WRONG
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.accept: .json])
    #else
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.accept: .fieldValue(value: MIMEType.json)])
    #endif
    typealias Response = Void
}
