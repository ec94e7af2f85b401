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
            limit: { _, environment in
                try Limit.request(environment.baseUrl, capacity: 16) {
                    $0.literal("/status/current")
                }
            })
    }
}
