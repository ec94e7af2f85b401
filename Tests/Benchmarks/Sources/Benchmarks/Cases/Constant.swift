import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Status: RequestType {
    static let endpoint = Endpoint<Status>(method: .get, path: "status/current")
    typealias Response = Void
}

extension Case {
    static var constant: Case {
        Case(
            "1 constant GET", goal: (limit: 1.25, hand: 0.36),
            inputs: [Status](repeating: Status(), count: 64),
            hand: { _, environment in
                var components = URLComponents(
                    url: environment.baseUrl, resolvingAgainstBaseURL: false)!
                components.path += "/status/current"
                var request = URLRequest(url: components.url!)
                request.httpMethod = "GET"
                return request
            },
            limit: { try least(Limit.self, $0, $1) }, floor: { try least(Floor.self, $0, $1) })
    }

    private static func least<Way: Least>(
        _ way: Way.Type, _: Status, _ environment: ServerEnvironment
    ) throws -> URLRequest {
        try Way.request(environment.baseUrl, capacity: 16) { $0.literal("/status/current") }
    }
}
