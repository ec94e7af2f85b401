// expect: write \(path: \.id), or \(value: constant)

import Endpoints

let version = 2

struct GetShirts: FlatRequest {
    let color: Int

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "\(version)/shirts/\(path: \.color)")
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "\(value: version)/shirts/\(path: \.color)")
    #endif
    typealias Response = Void
}
