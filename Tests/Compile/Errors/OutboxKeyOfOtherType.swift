// expect: candidate has non-matching type 'String'

import Endpoints
import EndpointsDurable

#if WRONG
    struct AddShirt: FlatRequest, OutboxRequest {
        let outboxKey: String
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#else
    struct AddShirt: FlatRequest, OutboxRequest {
        let outboxKey: String?
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#endif
