// expect: requires that 'AddShirt' conform to 'OutboxRequest'

import Endpoints
import EndpointsDurable

#if WRONG
    struct AddShirt: FlatRequest, Codable, Sendable {
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

func add(to outbox: Outbox) async throws {
    try await outbox.send(AddShirt())
}
