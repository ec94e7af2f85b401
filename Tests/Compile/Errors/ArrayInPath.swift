// expect: requires that 'Array<Int>' conform to 'PathRepresentable'

import Endpoints

struct GetShirts: FlatRequest {
    let ids: [Int]

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts/\(path: \.ids)")
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts/\(segments: \.ids)")
    #endif
    typealias Response = Void
}
