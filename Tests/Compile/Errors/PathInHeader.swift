// expect: extraneous argument label 'path:' in call

import Endpoints

struct GetShirt: FlatRequest {
    #if WRONG
        let token: String
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.authorization: "Bearer \(path: \.token)"])
    #else
        let credentials: Credentials
        static let endpoint = Endpoint<GetShirt>(
            method: .get, path: "shirt", headers: [.authorization: .field(path: \.credentials)])
    #endif
    typealias Response = Void
}
