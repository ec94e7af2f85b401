// expect: (aka 'Shop') has no member 'staging'

import Endpoints
import Foundation

struct Shop: EnvironmentType {
    let baseUrl: URL
    static func production(_ baseUrl: URL) -> Shop { Shop(baseUrl: baseUrl) }
}

extension ServerEnvironment {
    static func staging(_ baseUrl: URL) -> ServerEnvironment { .init(baseUrl: baseUrl) }
}

struct GetShirt: RequestType {
    typealias Environment = Shop
    static let endpoint = Endpoint<GetShirt>(method: .get, path: "shirt")
    typealias Response = Void
}

func load(from url: URL) throws -> String? {
    #if WRONG
        try GetShirt().urlRequest(in: .staging(url)).httpMethod
    #else
        try GetShirt().urlRequest(in: .production(url)).httpMethod
    #endif
}
