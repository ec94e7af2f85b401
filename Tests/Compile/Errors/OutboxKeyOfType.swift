// expect: candidate operates on a type, not an instance

import Endpoints
import EndpointsDurable

#if WRONG
    struct AddShirt: FlatRequest, OutboxRequest {
        static let outboxKey: String? = "shirts"
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#else
    struct AddShirt: FlatRequest, OutboxRequest {
        var outboxKey: String? { "shirts" }
        static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
        typealias Response = Void
    }
#endif
