// expect: of type '[String : Any]' to expected argument type 'ParameterList<GetShirts>'

import Endpoints

struct GetShirts: FlatRequest {
    let page: Int

    #if WRONG
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts", parameters: ["page": \.page])
    #else
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
    #endif
    typealias Response = Void
}
