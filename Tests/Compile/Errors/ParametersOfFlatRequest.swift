// expect: requires the types 'GetShirts' and '[String : Int]' be equivalent

import Endpoints

struct GetShirts: FlatRequest {
    #if WRONG
        let parameters: [String: Int]
        static let endpoint = Endpoint<GetShirts>(method: .get, path: "shirts")
    #else
        let items: [String: Int]
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query(contentsOf: \.items)])
    #endif
    typealias Response = Void
}
