// expect: of type '[String : Any]' to expected argument type 'ParameterList<GetShirts>'

import Endpoints

struct GetShirts: FlatRequest {
    #if WRONG
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts", parameters: ["page": 2, "sort": "price"])
    #else
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts",
            parameters: [.queryValue("page", value: 2), .queryValue("sort", value: "price")])
    #endif
    typealias Response = Void
}
