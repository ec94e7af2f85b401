// expect: requires that 'Color' conform to 'PathRepresentable'

import Endpoints

struct Color { let red: Int }

struct GetShirts: FlatRequest {
    let color: Color

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", headers: ["X-Color": .field(path: \.color)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", headers: ["X-Red": .field(path: \.color.red)])
    #endif
    typealias Response = Void
}
