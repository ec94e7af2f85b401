// expect: cannot convert value of type 'KeyPath<GetShirts, Optional<Bool>>'

import Endpoints

struct GetShirts: FlatRequest {
    #if WRONG
        let all: Bool?
    #else
        let all: Bool
    #endif

    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts", parameters: [.queryFlag("all", path: \.all)])
    typealias Response = Void
}
