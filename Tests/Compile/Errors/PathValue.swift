// expect: requires that 'Color' conform to 'PathRepresentable'

import Endpoints

struct Color { let red: Int }

struct GetShirt: FlatRequest {
    let color: Color

    #if WRONG
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(path: \.color)")
    #else
        static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirts/\(path: \.color.red)")
    #endif
    typealias Response = Void
}
