import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Search: FlatRequest {
    let owner: String
    let repository: String
    let text: String
    let page: Int
    let state: String?
    let traceId: String

    static let endpoint = makeEndpoint()

    static func makeEndpoint() -> Endpoint<Search> {
        Endpoint(
            method: .get,
            path: "repos/\(path: \.owner)/\(path: \.repository)/issues",
            parameters: [
                .query("q", path: \.text), .query("page", path: \.page),
                .query("state", path: \.state),
            ],
            headers: [
                "Accept": .fieldValue(value: MIMEType.json), "X-Trace-Id": .field(path: \.traceId),
            ])
    }
    typealias Response = Void

    static let inputs = (0..<64).map { number in
        Search(
            owner: "owner-\(number)",
            repository: number % 4 == 0 ? "café \(number)" : "swift-\(number)",
            text: "is open \(number) & new", page: number, state: number % 8 == 0 ? nil : "open",
            traceId: "4bf92f3577b34da6a3ce929d0e0e\(1000 + number)")
    }

    /// As people write it.
    static func hand(_ search: Search, _ environment: ServerEnvironment) throws -> URLRequest {
        var components = URLComponents(url: environment.baseUrl, resolvingAgainstBaseURL: false)!
        components.path += "/repos/\(search.owner)/\(search.repository)/issues"
        components.queryItems = [
            URLQueryItem(name: "q", value: search.text),
            URLQueryItem(name: "page", value: String(search.page)),
        ]
        if let state = search.state {
            components.queryItems?.append(URLQueryItem(name: "state", value: state))
        }
        var request = URLRequest(url: components.url!)
        request.httpMethod = "GET"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(search.traceId, forHTTPHeaderField: "X-Trace-Id")
        return request
    }

    static func least<Way: Least>(
        _ way: Way.Type, _ search: Search, _ environment: ServerEnvironment
    ) throws -> URLRequest {
        let values =
            search.owner.utf8.count + search.repository.utf8.count + search.text.utf8.count
            + (search.state?.utf8.count ?? 0)
        var request = try Way.request(environment.baseUrl, capacity: 3 * values + 64) {
            $0.literal("/repos/")
            $0.segment(search.owner)
            $0.literal("/")
            $0.segment(search.repository)
            $0.literal("/issues?q=")
            $0.query(search.text)
            $0.literal("&page=")
            $0.number(search.page)
            guard let state = search.state else { return }
            $0.literal("&state=")
            $0.query(state)
        }
        request.allHTTPHeaderFields = ["Accept": "application/json", "X-Trace-Id": search.traceId]
        return request
    }
}

extension Case {
    static var search: Case {
        Case(
            "2 GET, 2 path, 3 query, 2 headers", goal: (limit: 1.25, hand: 0.27),
            mostAllocations: 8,
            inputs: Search.inputs, hand: Search.hand,
            limit: { try Search.least(Limit.self, $0, $1) },
            floor: { try Search.least(Floor.self, $0, $1) })
    }
}
