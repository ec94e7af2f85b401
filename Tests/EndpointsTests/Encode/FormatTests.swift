import Endpoints
import Foundation
import Testing

@Suite struct FormatTests {
    struct Days: FlatRequest {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Days>(method: .post, path: "d")
        var day = Date(timeIntervalSince1970: 1_772_323_200)
        var maybe: Date?
        var days: [Date] = []
        var maybeDays: [Date]?
        var ratio = 0.5
    }

    /// Writes the number between characters that need escaping.
    struct Marked: FormatStyle {
        func format(_ value: Double) -> String { "<\(value)&/ >" }
    }

    private func request(_ endpoint: Endpoint<Days>, _ values: Days) throws -> (
        url: String?, form: String?, header: String?
    ) {
        let request = try Days.$endpoint.withValue(endpoint) {
            try values.urlRequest(in: ServerEnvironment(at: "https://h"))
        }
        return (
            request.url?.absoluteString,
            request.httpBody.map { String(decoding: $0, as: UTF8.self) },
            request.value(forHTTPHeaderField: "X-D")
        )
    }

    static let later = Date(timeIntervalSince1970: 1_775_088_000)

    typealias Row = (
        endpoint: Endpoint<Days>, values: Days, url: String, form: String?, header: String?
    )

    static let rows: [Row] = [
        (
            Endpoint(method: .get, path: "d/\(path: \.day, format: .iso8601.year().month().day())"),
            Days(), "/d/2026-03-01", nil, nil
        ),
        (
            Endpoint(
                method: .get,
                path: "d-\(path: \.day, format: .iso8601.year(), includesSlash: false).csv"),
            Days(), "/d-2026.csv", nil, nil
        ),
        (
            Endpoint(method: .get, path: "d/\(path: \.maybe, format: .iso8601.year())/x"), Days(),
            "/d/x", nil, nil
        ),
        (
            Endpoint(method: .get, path: "d/\(path: \.maybe, format: .iso8601.year())/x"),
            Days(maybe: later), "/d/2026/x", nil, nil
        ),
        (
            Endpoint(
                method: .post, path: "d",
                parameters: [
                    .query("q", path: \.day, format: .iso8601.year().month().day()),
                    .form("f", path: \.day, format: .iso8601.year().month().day()),
                ], headers: ["X-D": .field(path: \.day, format: .iso8601.year().month().day())]),
            Days(), "/d?q=2026-03-01", "f=2026-03-01", "2026-03-01"
        ),
        (
            Endpoint(
                method: .post, path: "d",
                parameters: [
                    .query("q", path: \.maybe, format: .iso8601.year()),
                    .form("f", path: \.maybe, format: .iso8601.year()),
                ], headers: ["X-D": .field(path: \.maybe, format: .iso8601.year())]),
            Days(), "/d", "", nil
        ),
        (
            Endpoint(
                method: .post, path: "d",
                parameters: [
                    .query("q", path: \.maybe, format: .iso8601.year().month()),
                    .form("f", path: \.maybe, format: .iso8601.year().month()),
                ], headers: ["X-D": .field(path: \.maybe, format: .iso8601.year().month())]),
            Days(maybe: later), "/d?q=2026-04", "f=2026-04", "2026-04"
        ),
        (
            Endpoint(
                method: .post, path: "d",
                parameters: [
                    .query("q", path: \.days, format: .iso8601.year().month().day()),
                    .form(
                        "f", path: \.days, format: .iso8601.year().month().day(),
                        style: .commaSeparated),
                ]),
            Days(days: [later, Days().day]), "/d?q=2026-04-02&q=2026-03-01",
            "f=2026-04-02,2026-03-01", nil
        ),
        (
            Endpoint(
                method: .post, path: "d",
                parameters: [
                    .query("q", path: \.days, format: .iso8601.year(), style: .brackets),
                    .form("f", path: \.days, format: .iso8601.year()),
                ]),
            Days(), "/d", "", nil
        ),
        (
            Endpoint(
                method: .post, path: "d/\(path: \.ratio, format: Marked())",
                parameters: [
                    .query("q", path: \.ratio, format: Marked()),
                    .form("f", path: \.ratio, format: Marked()),
                ], headers: ["X-D": .field(path: \.ratio, format: Marked())]),
            Days(), "/d/%3C0.5&%2F%20%3E?q=%3C0.5%26/%20%3E", "f=%3C0.5%26%2F+%3E", "<0.5&/ >"
        ),
    ]

    @Test("A format style writes a value, an optional or the elements of a list", arguments: rows)
    func format(_ row: Row) throws {
        let request = try request(row.endpoint, row.values)
        #expect(request.url == "https://h" + row.url)
        #expect(request.form == row.form)
        #expect(request.header == row.header)
    }

    @Test("An optional list with a format is left out, or written like a list")
    func optionalList() throws {
        let parameters: ParameterList<Days> = [
            .query("q", path: \.maybeDays, format: .iso8601.year()),
            .form("f", path: \.maybeDays, format: .iso8601.year(), style: .commaSeparated),
        ]
        let endpoint = Endpoint<Days>(method: .post, path: "d", parameters: parameters)
        let empty = try request(endpoint, Days())
        #expect(empty.url == "https://h/d")
        #expect(empty.form == "")
        let full = try request(endpoint, Days(maybeDays: [Self.later, Self.later]))
        #expect(full.url == "https://h/d?q=2026&q=2026")
        #expect(full.form == "f=2026,2026")
    }
}
