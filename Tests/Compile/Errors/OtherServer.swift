// expect: cannot convert value of type 'Depot' to expected argument type

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
    static func test(_ baseUrl: URL) -> Shop { Shop(baseUrl: baseUrl) }
}

struct Depot: EnvironmentType {
    let baseUrl: URL
    static func test(_ baseUrl: URL) -> Depot { Depot(baseUrl: baseUrl) }
}

struct GetShirt: RequestType {
    typealias Environment = Shop
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
}

func load(from url: URL, _ transport: some Transport) async throws {
    #if WRONG
        try await transport.response(in: Depot.test(url), with: GetShirt())
    #else
        try await transport.response(in: .test(url), with: GetShirt())
    #endif
}
