import Endpoints
import Foundation
import Testing

@Suite struct SeveralValuesTests {
    struct Lists: FlatRequest, Sendable {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Lists>(method: .post, path: "q")

        var texts: [String] = []
        var numbers: [Int] = []
        var gaps: [Int?] = []
        var maybe: [Int]?
        var filter: [String: String] = [:]
        var counts: [Int: Int?] = [:]
        var maybeFilter: [String: Bool]?
    }

    typealias Row = (parameter: Parameter<Lists>, values: Lists, query: String)

    static let repeated: [Row] = [
        (.query("n", path: \.numbers), Lists(), ""),
        (.query("n", path: \.numbers), Lists(numbers: [1]), "?n=1"),
        (.query("n", path: \.numbers), Lists(numbers: [2, 1, 2]), "?n=2&n=1&n=2"),
        (.query("n", path: \.texts), Lists(texts: ["", "a,b"]), "?n=&n=a%2Cb"),
        (.query("n", path: \.gaps), Lists(gaps: [nil, 1, nil]), "?n=1"),
        (.query("n", path: \.gaps), Lists(gaps: [nil]), ""),
        (.query("n", path: \.maybe), Lists(), ""),
        (.query("n", path: \.maybe), Lists(maybe: []), ""),
        (.query("n", path: \.maybe), Lists(maybe: [1, 2]), "?n=1&n=2"),
        (.query("n", path: \.numbers, style: .repeated), Lists(numbers: [1, 2]), "?n=1&n=2"),
        (.query("a b", path: \.numbers), Lists(numbers: [1, 2]), "?a%20b=1&a%20b=2"),
        (.queryValue("n", value: ["a", "b"]), Lists(), "?n=a&n=b"),
        (.queryValue("n", value: [Int]()), Lists(), ""),
    ]

    static let commas: [Row] = [
        (.query("n", path: \.numbers, style: .commaSeparated), Lists(), ""),
        (.query("n", path: \.numbers, style: .commaSeparated), Lists(numbers: [1]), "?n=1"),
        (.query("n", path: \.numbers, style: .commaSeparated), Lists(numbers: [1, 2]), "?n=1,2"),
        (.query("n", path: \.texts, style: .commaSeparated), Lists(texts: [""]), "?n="),
        (.query("n", path: \.texts, style: .commaSeparated), Lists(texts: ["", ""]), "?n=,"),
        (
            .query("n", path: \.texts, style: .commaSeparated),
            Lists(texts: ["a,b", "c d", "e&f"]),
            "?n=a%2Cb,c%20d,e%26f"
        ),
        (
            .query("n", path: \.gaps, style: .commaSeparated), Lists(gaps: [nil, 1, nil, 2]),
            "?n=1,2"
        ),
        (.query("n", path: \.maybe, style: .commaSeparated), Lists(), ""),
        (.query("n,", path: \.numbers, style: .commaSeparated), Lists(numbers: [1]), "?n%2C=1"),
        (.queryValue("n", value: [true, false], style: .commaSeparated), Lists(), "?n=true,false"),
    ]

    static let brackets: [Row] = [
        (.query("n", path: \.numbers, style: .brackets), Lists(), ""),
        (.query("n", path: \.numbers, style: .brackets), Lists(numbers: [1]), "?n%5B%5D=1"),
        (
            .query("n", path: \.numbers, style: .brackets), Lists(numbers: [1, 2]),
            "?n%5B%5D=1&n%5B%5D=2"
        ),
        (.query("n", path: \.gaps, style: .brackets), Lists(gaps: [nil, 3]), "?n%5B%5D=3"),
        (.query("n", path: \.maybe, style: .brackets), Lists(maybe: nil), ""),
        (.queryValue("n", value: ["x"], style: .brackets), Lists(), "?n%5B%5D=x"),
    ]

    static let dictionaries: [Row] = [
        (.query("f", path: \.filter), Lists(), ""),
        (.query("f", path: \.filter), Lists(filter: ["a": "1"]), "?f%5Ba%5D=1"),
        (
            .query("f", path: \.filter), Lists(filter: ["b": "2", "a": "1", "B": "", "aa": "x y"]),
            "?f%5BB%5D=&f%5Ba%5D=1&f%5Baa%5D=x%20y&f%5Bb%5D=2"
        ),
        (.query("f", path: \.filter), Lists(filter: ["a&b]=": "1"]), "?f%5Ba%26b%5D%3D%5D=1"),
        (.query("f", path: \.filter), Lists(filter: ["": "1"]), "?f%5B%5D=1"),
        (
            .query("f", path: \.counts), Lists(counts: [2: 1, 10: nil, 1: 3]),
            "?f%5B1%5D=3&f%5B2%5D=1"
        ),
        (.query("f", path: \.maybeFilter), Lists(), ""),
        (.query("f", path: \.maybeFilter), Lists(maybeFilter: ["on": true]), "?f%5Bon%5D=true"),
        (.queryValue("f", value: ["a": 1]), Lists(), "?f%5Ba%5D=1"),
        (
            .query("f", path: \.filter, style: .commaSeparated),
            Lists(filter: ["a": "1", "b": "2"]),
            "?f%5Ba%5D=1&f%5Bb%5D=2"
        ),
    ]

    @Test(
        "A query list is written in its style, and a dictionary with sorted keys",
        arguments: repeated + commas + brackets + dictionaries)
    func query(_ row: Row) throws {
        let endpoint = Endpoint<Lists>(method: .get, path: "q", parameters: [row.parameter])
        let request = try Lists.$endpoint.withValue(endpoint) {
            try row.values.urlRequest(in: .production)
        }
        let url = request.url?.absoluteString
        #expect(url == "https://api.example.com/v1/q" + row.query)
    }

    static let forms: [Row] = [
        (.form("n", path: \.numbers), Lists(), ""),
        (.form("n", path: \.numbers), Lists(numbers: [1, 2]), "n=1&n=2"),
        (.form("n", path: \.texts), Lists(texts: ["a b", ""]), "n=a+b&n="),
        (
            .form("n", path: \.texts, style: .commaSeparated), Lists(texts: ["a,b", "c"]),
            "n=a%2Cb,c"
        ),
        (
            .form("n", path: \.numbers, style: .brackets), Lists(numbers: [1, 2]),
            "n%5B%5D=1&n%5B%5D=2"
        ),
        (
            .form("f", path: \.filter), Lists(filter: ["b": "2", "a ~": "1"]),
            "f%5Ba+%7E%5D=1&f%5Bb%5D=2"
        ),
        (.form("n", path: \.maybe), Lists(), ""),
        (.formValue("n", value: [1, 2], style: .commaSeparated), Lists(), "n=1,2"),
    ]

    @Test(
        "A form's list is written in its style, and a dictionary with sorted keys", arguments: forms
    )
    func form(_ row: Row) throws {
        let endpoint = Endpoint<Lists>(method: .post, path: "q", parameters: [row.parameter])
        let request = try Lists.$endpoint.withValue(endpoint) {
            try row.values.urlRequest(in: .production)
        }
        let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
        #expect(body == row.query)
    }

    struct Span: ParameterRepresentable, PathRepresentable {
        var texts: ParameterTexts
        var parameterRepresentation: ParameterTexts { texts }
        var pathRepresentation: String? { "path" }
    }

    static let own: [(texts: ParameterTexts, query: String)] = [
        (.one(nil), ""), (.one("a"), "?s=a"), (.several([]), ""),
        (.several(["a", "b"]), "?s=a&s=b"),
        (.keyed([]), ""),
        (
            .keyed([(["z"], "1"), (["a"], "2"), (["z"], "3")]),
            "?s%5Bz%5D=1&s%5Ba%5D=2&s%5Bz%5D=3"
        ),
        (.keyed([([], "1"), (["a", "b"], "2")]), "?s=1&s%5Ba%5D%5Bb%5D=2"),
    ]

    @Test("A custom type's texts are written in the order that it gives", arguments: own)
    func ownTexts(_ texts: ParameterTexts, _ query: String) throws {
        let url = try Probe().url("q", [.queryValue("s", value: Span(texts: texts))])
        #expect(url == "https://h/q" + query)
        let missing = try Probe().url("q", [.queryValue("s", value: Span?.none)])
        #expect(missing == "https://h/q")
    }
}
