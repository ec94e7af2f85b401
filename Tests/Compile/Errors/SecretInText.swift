// expect: to send it, declare the Secret itself, as in `.field(path:)`
// settings: -warnings-as-errors

import Endpoints

struct GetUser: FlatRequest {
    let key: Secret
    #if WRONG
        var header: String { "Token \(key)" }
    #else
        var header: Credentials { .scheme("Token", key.pathRepresentation ?? "") }
    #endif
    static let endpoint = Endpoint<Self>(
        method: .get, path: "user", headers: [.authorization: .field(path: \.header)])
    typealias Response = String
}
