import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension CurlTable {
    /// Every table of the rules that has requests which can be sent.
    static let all = urls + headers + bodies

    /// What the rules say of paths, queries, base URLs and the text of values.
    private static let urls = [
        CurlTable("methods") {
            // CONNECT is for proxies.
            HTTPMethodTests.methods.filter { $0.method != .connect }.map { row in
                CurlRow("\(row.method)", method: row.method)
            }
        },
        CurlTable("path values") {
            PathValueTests.values.map { CurlRow("\($0)", Probe(a: $0.value), "a/\(path: \.a)/b") }
        },
        CurlTable("literal text of paths") {
            PathLiteralTests.literals.map { row in
                CurlRow("\(row)", Probe(), PathTemplate(stringLiteral: row.text))
            } + PathLiteralTests.seams.map { CurlRow($0.url, $0.values, $0.path) }
        },
        CurlTable("paths that are joined") {
            (PathJoinTests.slashes + PathJoinTests.missing + PathJoinTests.empty).map { row in
                CurlRow(row.url, row.values, row.path)
            } + ConstantPathTests.sound.map { CurlRow($0.url, Probe(a: "x"), $0.path) }
        },
        CurlTable("several segments") {
            PathSegmentsTests.lists.map { row in
                CurlRow("\(row)", Probe(list: row.list), "files/\(segments: \.list)/raw")
            }
                + PathSegmentsTests.trailing.map { row in
                    CurlRow("\(row)", Probe(a: row.text), "files/\(segments: \.a)")
                }
        },
        CurlTable("base URLs") { BaseURLTests.rows.map { baseURL($0.base) } },
        CurlTable("query names and values") {
            QueryTests.values.map { row in
                CurlRow(
                    "\(row)",
                    Probe(
                        a: row.value,
                        moreItems: [URLQueryItem(name: row.value, value: row.value)]),
                    "q",
                    [
                        .query("k", path: \.a), .query(row.value, path: \.a),
                        .query(contentsOf: \.moreItems),
                    ])
            }
        },
        CurlTable("query items") {
            QueryTests.items.map { CurlRow($0.query, $0.values, "q", $0.parameters) }
        },
        CurlTable("queries of several values") {
            let rows =
                SeveralValuesTests.repeated + SeveralValuesTests.commas
                + SeveralValuesTests.brackets + SeveralValuesTests.dictionaries
            return rows.map { several($0, .get) }
        },
        CurlTable("numbers") {
            NumberTests.rows.map { CurlRow($0.text, Probe(), "n", [$0.value.query]) }
        },
        CurlTable("dates") {
            DateTests.python.map { row in
                let date = Date(timeIntervalSince1970: Double(row.milliseconds) / 1000)
                return CurlRow(
                    row.text, Probe(), "d/\(value: date)", [.queryValue("d", value: date)])
            }
        },
        CurlTable("formats") {
            FormatTests.rows.map { row in
                CurlRow(row.url, row.values, FormatTests.Days.$endpoint, row.endpoint)
            }
        },
        CurlTable("hostile values") {
            // A longer URL is not an argument of a command.
            HostileValueTests.values.filter { $0.utf8.count < 5_000 }.map(hostile)
        },
    ]

    /// A base URL with the recorder's host and port.
    private static func baseURL(_ address: String) -> CurlRow {
        CurlRow(
            address, Probe(a: "v"), Probe.$endpoint,
            Endpoint(method: .get, path: "users", parameters: [.query("k", path: \.a)])
        ) { recorder in
            var server = recorder
            var base = URLComponents(string: address)
            base?.scheme = recorder.baseUrl.scheme
            base?.host = recorder.baseUrl.host
            base?.port = recorder.baseUrl.port
            server.baseUrl = base?.url ?? recorder.baseUrl
            return server
        }
    }

    static func several(_ row: SeveralValuesTests.Row, _ method: HTTPMethod) -> CurlRow {
        CurlRow(
            "\(method) \(row.query)", row.values, SeveralValuesTests.Lists.$endpoint,
            Endpoint(method: method, path: "q", parameters: [row.parameter]))
    }

    /// A value wherever it is not refused.
    private static func hostile(_ value: String) -> CurlRow {
        let isSegment = !["", ".", ".."].contains(value)
        let isHeader = !value.utf8.contains { ($0 < 32 && $0 != 9) || $0 == 127 }
        return CurlRow(
            value.debugDescription, Probe(a: value, x: isSegment ? value : nil),
            "p/\(path: \.x, mayBeLeftOut: true)/q",
            [
                .query(value, path: \.a), .queryValue("d", value: [value: value]),
                .form(value, path: \.a),
            ], headers: isHeader ? ["X-A": .field(path: \.a)] : [:], method: .put)
    }
}

extension PathRepresentable where Self: Sendable {
    fileprivate var query: Parameter<Probe> { .queryValue("v", value: self) }
}
