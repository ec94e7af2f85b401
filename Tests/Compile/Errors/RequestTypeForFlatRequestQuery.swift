// expect: is unavailable: declare the request as FlatRequest, or add a struct Parameters

import Endpoints

#if WRONG
    struct GetShirts: RequestType {
        let page: Int
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
        typealias Response = Void
    }
#else
    struct GetShirts: FlatRequest {
        let page: Int
        static let endpoint = Endpoint<Self>(
            method: .get, path: "shirts", parameters: [.query("page", path: \.page)])
        typealias Response = Void
    }
#endif
