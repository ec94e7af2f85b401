// expect: requires that 'Set<String>' conform to 'ParameterRepresentable'

import Endpoints

struct GetShirts: FlatRequest {
    #if WRONG
        let sizes: Set<String>
    #else
        let sizes: [String]
    #endif

    static let endpoint = Endpoint<GetShirts>(
        method: .get, path: "shirts", parameters: [.query("size", path: \.sizes)])
    typealias Response = Void
}
