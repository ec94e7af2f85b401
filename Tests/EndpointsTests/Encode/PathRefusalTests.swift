import Endpoints
import Foundation
import Testing

@Suite struct PathRefusalTests {
    typealias Row = (path: PathTemplate<Probe>, values: Probe, field: String)

    static let rows: [Row] = [
        ("\(path: \.a)", Probe(), "a"),
        ("\(path: \.a)", Probe(a: "."), "a"),
        ("\(path: \.a)", Probe(a: ".."), "a"),
        ("users/\(path: \.a)", Probe(), "a"),
        ("users/\(path: \.a)/", Probe(), "a"),
        ("users/\(path: \.a)/posts", Probe(a: ".."), "a"),
        ("users\(path: \.a)/posts", Probe(), "a"),
        ("\(path: \.a)/posts", Probe(), "a"),
        ("\(path: \.a)\(path: \.b)", Probe(a: ".", b: "x"), "a"),
        ("\(path: \.a)\(path: \.b)", Probe(a: "", b: "x"), "a"),
        ("\(path: \.a)\(path: \.b)", Probe(a: "x", b: "."), "b"),
        ("\(path: \.a)\(path: \.b)", Probe(a: "x", b: ""), "b"),
        ("\(path: \.a)\(path: \.b)", Probe(), "a"),
        ("\(path: \.a)/\(path: \.b)/c", Probe(a: "x", b: ".."), "b"),
        ("\(path: \.a)/\(path: \.b)/c", Probe(a: "..", b: "x"), "a"),
        ("\(path: \.a, includesSlash: false)", Probe(), "a"),
        ("a/\(path: \.a, includesSlash: false)/b", Probe(), "a"),
        (".\(path: \.a, includesSlash: false)", Probe(a: "."), "a"),
        ("a/.\(path: \.a, includesSlash: false)", Probe(), "a"),
        ("a/.\(path: \.x, includesSlash: false)", Probe(), "x"),
        ("%2e\(path: \.a, includesSlash: false)", Probe(), "a"),
        ("%2E\(path: \.a, includesSlash: false)", Probe(a: "."), "a"),
        ("\(path: \.a)%2e", Probe(a: "."), "a"),
        ("\(path: \.a).", Probe(), "a"),
        ("\(path: \.a)..", Probe(), "a"),
        ("\(path: \.x).", Probe(), "x"),
        ("/\(path: \.x)..", Probe(), "x"),
        ("\(path: \.x)./\(path: \.a)", Probe(a: "v"), "x"),
        (
            "\(path: \.a, includesSlash: false)\(path: \.b, includesSlash: false)",
            Probe(a: ".", b: "."), "a"
        ),
        (
            "\(path: \.a, includesSlash: false)\(path: \.b, includesSlash: false)",
            Probe(), "a"
        ),
        (
            "a/\(path: \.x, includesSlash: false)\(path: \.b, includesSlash: false)/c",
            Probe(b: ".."), "b"
        ),
        ("a/\(path: \.a)\(path: \.x)/b", Probe(), "a"),
        ("a/\(path: \.a)\(path: \.x)", Probe(), "a"),
        ("a/\(path: \.x)\(path: \.a)", Probe(), "a"),
    ]

    @Test("A path value that makes a segment empty, . or .. is refused by name", arguments: rows)
    func segment(_ row: Row) throws {
        let rule = """
            makes a segment that is empty, "." or "..", so servers would read another path
            """
        // `x` is optional, and nil in these rows.
        let reason =
            row.field == "x"
            ? "is nil or empty, and leaving it out \(rule); give it a value"
            : "\(rule); change the value"
        let text = #"Probe: the path value "\#(row.field)" \#(reason)"#
        let refusal = try row.values.refusal(row.path)
        #expect(refusal == text)
        let refusalBelow = try row.values.refusal(row.path, at: "https://h/v1/")
        #expect(refusalBelow == text)
    }

    @Test(
        "A path value with dots and other characters is sent",
        arguments: [
            ("...", "..."), ("a.", "a."), (".a", ".a"), ("..a", "..a"), ("%2e", "%252e"),
            ("%2e%2e", "%252e%252e"), (". ", ".%20"), (".\u{0}", ".%00"), (".\u{301}", ".%CC%81"),
            ("\u{2024}", "%E2%80%A4"), ("．．", "%EF%BC%8E%EF%BC%8E"), ("./..", ".%2F.."),
        ])
    func dots(_ value: String, _ segment: String) throws {
        #expect(try Probe(a: value).url("\(path: \.a)/x") == "https://h/\(segment)/x")
    }

    @Test("An empty path value is refused where nil is left out")
    func emptyIsNotNil() throws {
        #expect(try Probe(x: nil).url("a/\(path: \.x)/b") == "https://h/a/b")
        #expect(try Probe(x: "").refusal("a/\(path: \.x)/b") != nil)
    }

    static let needed: [(PathTemplate<Probe>, HTTPMethod, field: String?)] = [
        ("a/\(path: \.x)", .delete, "x"), ("a/\(path: \.x)", .put, "x"),
        ("a/\(path: \.x)", .patch, "x"), ("a/\(path: \.x)/b", .delete, "x"),
        ("a/\(path: \.a)/\(path: \.x)", .delete, "x"), ("a/\(segments: \.list)", .delete, "list"),
        ("a/\(segments: \.empty)", .put, "#1"), ("a/\(segments: \.empties)", .put, "#1"),
        ("a/\(segments: \.empties)\(path: \.x, mayBeLeftOut: true)", .patch, "#1"),
        ("a/\(commaSeparated: \.list)", .delete, "list"),
        ("a/\(path: \.x, includesSlash: false)", .delete, "x"),
        ("a/\(path: \.x)", .get, nil), ("a/\(path: \.x)", .post, nil),
        ("a/\(path: \.x, mayBeLeftOut: true)", .delete, nil),
        ("a/\(path: \.x, mayBeLeftOut: false)", .delete, "x"),
        ("a/\(segments: \.list, mayBeLeftOut: true)", .put, nil),
        ("a/\(commaSeparated: \.list, mayBeLeftOut: true)", .put, nil),
        ("a/\(path: \.a)", .delete, nil), ("a", .delete, nil),
    ]

    @Test("PUT, PATCH and DELETE need each value of the path", arguments: needed)
    func neededValue(_ path: PathTemplate<Probe>, _ method: HTTPMethod, _ field: String?) throws {
        let text = field.map {
            """
            Probe: the path value "\($0)" is nil or empty, and a PUT, PATCH or DELETE without it \
            would change another resource; give it a value, or declare it with `mayBeLeftOut: true`
            """
        }
        let refusal = try Probe(a: "1").refusal(path, method: method)
        #expect(refusal == text)
    }

    @Test("An optional path value is listed in `problems` unless it may be left out")
    func optionalValue() {
        func problems(_ path: PathTemplate<Probe>, _ method: HTTPMethod = .get) -> [String] {
            Endpoint<Probe>(method: method, path: path).problems.map { "\($0.field)" }
        }
        #expect(problems("a/\(path: \.x)") == [#"the path value "x""#])
        #expect(problems("a/\(path: \.x, mayBeLeftOut: true)").isEmpty)
        #expect(problems("a/\(path: \.x)", .delete).isEmpty)
        #expect(problems("a/\(path: \.a)").isEmpty)
    }
}

extension Probe {
    fileprivate var empty: String { "" }
    fileprivate var empties: [String] { [""] }
}
