import Endpoints
import Foundation

/// The second case with its values in three structs of their own.
struct NestedSearch: RequestType {
    struct PathComponents {
        let owner: String
        let repository: String
    }
    struct Parameters {
        let text: String
        let page: Int
        let state: String?
    }
    struct HeaderValues {
        let traceId: String
    }
    let pathComponents: PathComponents
    let parameters: Parameters
    let headerValues: HeaderValues
    let search: Search

    static let endpoint = Endpoint<NestedSearch>(
        method: .get,
        path: "repos/\(path: \.owner)/\(path: \.repository)/issues",
        parameters: [
            .query("q", path: \.text), .query("page", path: \.page),
            .query("state", path: \.state),
        ],
        headers: [
            "Accept": .fieldValue(value: MIMEType.json), "X-Trace-Id": .field(path: \.traceId),
        ])
    typealias Response = Void

    init(_ search: Search) {
        pathComponents = PathComponents(owner: search.owner, repository: search.repository)
        parameters = Parameters(text: search.text, page: search.page, state: search.state)
        headerValues = HeaderValues(traceId: search.traceId)
        self.search = search
    }
}

/// The second case as a generic type, which can't have a stored static.
struct GenericSearch<Item>: FlatRequest {
    let search: Search

    static var endpoint: Endpoint<Self> {
        .once(
            Endpoint(
                method: .get,
                path: "repos/\(path: \.search.owner)/\(path: \.search.repository)/issues",
                parameters: [
                    .query("q", path: \.search.text), .query("page", path: \.search.page),
                    .query("state", path: \.search.state),
                ],
                headers: [
                    "Accept": .fieldValue(value: MIMEType.json),
                    "X-Trace-Id": .field(path: \.search.traceId),
                ]))
    }
    typealias Response = Void
}

extension Case {
    static var nestedSearch: Case {
        Case(
            "2 with nested structs", goal: (limit: 1.25, hand: 0.27), mostAllocations: 8,
            inputs: Search.inputs.map { NestedSearch($0) },
            hand: { try Search.hand($0.search, $1) },
            limit: { try Search.least(Limit.self, $0.search, $1) },
            floor: { try Search.least(Floor.self, $0.search, $1) })
    }

    static var genericSearch: Case {
        Case(
            "2 as a generic type", goal: (limit: .infinity, hand: 1), mostAllocations: 8,
            inputs: Search.inputs.map { GenericSearch<Int>(search: $0) },
            hand: { try Search.hand($0.search, $1) },
            limit: { try Search.least(Limit.self, $0.search, $1) },
            floor: { try Search.least(Floor.self, $0.search, $1) })
    }
}
