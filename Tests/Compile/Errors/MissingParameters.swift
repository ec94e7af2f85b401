// expect: protocol requires property 'parameters' with type 'GetShirts.Parameters'

import Endpoints

struct GetShirts: RequestType {
    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
    typealias Response = Void
    struct Parameters { let page: Int }

    #if !WRONG
        let parameters: Parameters
    #endif
}
