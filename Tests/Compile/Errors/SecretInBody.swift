// expect: because 'Secret' does not conform to 'Encodable'

import Endpoints

struct AddHook: FlatRequest {
    struct Content: Encodable {
        #if WRONG
            let token: Secret
        #else
            let token: String
        #endif
    }

    let body: Content
    static let endpoint = Endpoint<Self>(method: .post, path: "hooks")
    typealias Response = Void
}
