// expect: cannot convert value of type 'KeyPath<Notify, String>'

import Endpoints

struct Notify: FlatRequest {
    #if WRONG
        let token: String
    #else
        let token: Secret
    #endif

    static let endpoint = Endpoint<Self>(method: .post, path: "hooks/\(secret: \.token)")
    typealias Response = Void
}
