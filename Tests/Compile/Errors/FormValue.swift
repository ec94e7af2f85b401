// expect: requires that 'Color' conform to 'ParameterRepresentable'

import Endpoints

struct Color { let red: Int }

struct GetShirts: FlatRequest {
    let color: Color

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .post, path: "shirts", parameters: [.form("color", path: \.color)])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .post, path: "shirts", parameters: [.form("red", path: \.color.red)])
    #endif
    typealias Response = Void
}
