// expect: requires that 'Color' conform to 'ParameterRepresentable'

import Endpoints

struct Color { let red: Int }

struct GetShirts: FlatRequest {
    let color: Color

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query("color", path: \.color)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.query("red", path: \.color.red)])
    #endif
    typealias Response = Void
}
