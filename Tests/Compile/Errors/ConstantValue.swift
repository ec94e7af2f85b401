// expect: requires that 'Color' conform to 'ParameterRepresentable'

import Endpoints

struct Color { let red: Int }

struct GetShirts: FlatRequest {
    let color = Color(red: 1)

    #if WRONG
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.queryValue("c", value: Color(red: 1))])
    #else
        static let endpoint = Endpoint<GetShirts>(
            method: .get, path: "shirts", parameters: [.queryValue("c", value: 1)])
    #endif
    typealias Response = Void
}
