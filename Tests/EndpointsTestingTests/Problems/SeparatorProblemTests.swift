import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite("Problems of separators")
struct SeparatorProblemTests {
    struct Route: FlatRequest {
        var points = ["1", "2"]
        @TaskLocal static var endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    static let empty = "has an empty separator, so a server couldn't tell the elements; write one"
    static let other = "has a separator with a `/`, a `?` or a `#`; use another, or `segments:`"

    static let rows: [(path: PathTemplate<Route>, reason: String?)] = [
        ("a/\(list: \.points, separator: "")", empty),
        ("a/\(list: \.points, separator: "/")", other),
        ("a/\(list: \.points, separator: "a?")", other),
        ("a/\(list: \.points, separator: "#")", other),
        ("a/\(list: \.points, separator: ";")", nil),
        ("a/\(commaSeparated: \.points)", nil),
    ]

    @Test("A separator that a server can't tell is a problem, and an error", arguments: rows)
    func separator(row: (path: PathTemplate<Route>, reason: String?)) {
        let endpoint = Endpoint<Route>(method: .get, path: row.path)
        #expect(endpoint.problems.map(\.reason) == [row.reason].compactMap(\.self))
        Route.$endpoint.withValue(endpoint) {
            let error = row.reason.flatMap { _ in
                #expect(throws: EndpointError.self) { try Route().urlRequest(in: server) }
            }
            #expect(error?.reason == row.reason)
            #expect(error?.field == row.reason.map { _ in .pathValue("points") })
        }
    }
}
