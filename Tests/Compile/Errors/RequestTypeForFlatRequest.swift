// expect: is unavailable: declare the request as FlatRequest, or add a struct PathComponents

import Endpoints

#if WRONG
    struct GetShirt: RequestType {
        let id: Int
        static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(path: \.id)")
        typealias Response = Void
    }
#else
    struct GetShirt: FlatRequest {
        let id: Int
        static let endpoint = Endpoint<Self>(method: .get, path: "shirts/\(path: \.id)")
        typealias Response = Void
    }
#endif
