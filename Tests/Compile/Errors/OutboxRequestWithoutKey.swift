// expect: protocol requires property 'outboxKey'

import Endpoints
import EndpointsDurable

#if WRONG
    struct AddShirt: FlatRequest, OutboxRequest {
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#else
    struct AddShirt: FlatRequest, OutboxRequest {
        var outboxKey: String? { nil }
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#endif
