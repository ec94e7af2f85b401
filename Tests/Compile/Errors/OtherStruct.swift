// expect: cannot convert value of type 'KeyPath<GetShirts.PathComponents, Int>'

import Endpoints

struct GetShirts: RequestType {
    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [.query("id", path: \GetShirts.PathComponents.id)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts",
            parameters: [.query("page", path: \GetShirts.Parameters.page)])
    #endif
    typealias Response = Void

    struct PathComponents { let id: Int }
    struct Parameters { let page: Int }
    let pathComponents: PathComponents
    let parameters: Parameters
}
