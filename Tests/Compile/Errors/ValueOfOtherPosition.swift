// expect: value of type 'GetShirt.PathComponents' has no member 'page'

import Endpoints

struct GetShirt: RequestType {
    #if WRONG
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(path: \.page)")
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(path: \.id)")
    #endif
    typealias Response = Void

    struct PathComponents { let id: Int }
    struct Parameters { let page: Int }
    let pathComponents: PathComponents
    let parameters: Parameters
}
