// expect: requires the types 'Shop' and 'ServerEnvironment' be equivalent

import Endpoints
import EndpointsDurable
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
}

struct AddShirt: FlatRequest, OutboxRequest {
    #if !WRONG
        typealias Environment = Shop
    #endif
    var outboxKey: String? { nil }
    static let endpoint = Endpoint<Self>(method: .post, path: "shirts")
    typealias Response = Void
}

let types: [OutboxType<Shop>] = [.type(AddShirt.self)]
