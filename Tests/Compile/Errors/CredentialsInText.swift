// expect: to send it, declare the Credentials themselves, as in `.field(path:)`
// settings: -warnings-as-errors

import Endpoints

struct GetUser: FlatRequest {
    let credentials: Credentials
    #if WRONG
        var header: String { "\(credentials)" }
    #else
        var header: Credentials { credentials }
    #endif
    static let endpoint = Endpoint<Self>(
        method: .get, path: "user", headers: [.authorization: .field(path: \.header)])
    typealias Response = String
}
