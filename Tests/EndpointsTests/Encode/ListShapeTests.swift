import Endpoints
import EndpointsFormats
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Shapes of lists and names")
struct ListShapeTests {
    typealias URLRow = (path: PathTemplate<Probe>, parameters: ParameterList<Probe>, url: String?)

    static let urls: [(list: [String], row: URLRow)] = [
        (["a", "b c"], ("u\(commaSeparated: \.list)", [], "/u/a,b%20c")),
        (["a,b", "/", "é;"], ("u/\(commaSeparated: \.list)/x", [], "/u/a%2Cb,%2F,%C3%A9%3B/x")),
        (["a"], ("u/\(commaSeparated: \.list)", [], "/u/a")),
        ([], ("u/\(commaSeparated: \.list)", [], "/u")),
        (["a", "b"], ("f-\(commaSeparated: \.list, includesSlash: false).x", [], "/f-a,b.x")),
        ([], ("f-\(commaSeparated: \.list, includesSlash: false).x", [], "/f-.x")),
        ([".", ""], ("u/\(commaSeparated: \.list)", [], "/u/.,")),
        (["a", "b c"], ("", [.query("n", path: \.list, style: .pipeSeparated)], "?n=a%7Cb%20c")),
        (["a", "b|c"], ("", [.query("n", path: \.list, style: .pipeSeparated)], nil)),
        ([], ("", [.query("n", path: \.list, style: .pipeSeparated)], "")),
        (["a", "b|c"], ("", [.query("n", path: \.list, style: .spaceSeparated)], "?n=a%20b%7Cc")),
        (["a", "b c"], ("", [.query("n", path: \.list, style: .spaceSeparated)], nil)),
        ([""], ("", [.query("n", path: \.list, style: .spaceSeparated)], "?n=")),
        ([], ("", [.queryFlag("pong"), .query("a", path: \.a)], "?pong&a=")),
        ([], ("", [.queryFlag("a b", path: \.list.isEmpty)], "?a%20b")),
        (["x"], ("", [.queryFlag("a b", path: \.list.isEmpty)], "")),
    ]

    @Test(
        "Lists in a path, with other separators, and names without a value make this URL",
        arguments: urls)
    func hasURL(_ list: [String], _ row: URLRow) throws {
        let probe = Probe(list: list)
        guard let expected = row.url else {
            let refusal = try probe.refusal(row.path, row.parameters)
            #expect(refusal?.contains("also separates values; use another style") == true)
            return
        }
        #expect(try probe.url(row.path, row.parameters) == "https://h" + expected)
    }

    @Test(
        "A list in a path that makes a forbidden segment is refused",
        arguments: [["."], [".."], [""]])
    func forbidden(_ list: [String]) throws {
        #expect(try Probe(list: list).refusal("u/\(commaSeparated: \.list)/x") != nil)
    }

    static let headers: [(list: [String], text: String?)] = [
        (["a"], "a"), (["a", "b"], "a, b"), ([#""a,b""#, #"W/"c""#], #""a,b", W/"c""#),
        ([#""a\",b""#], #""a\",b""#), ([], nil),
    ]

    @Test("A list in a header has commas between its elements", arguments: headers)
    func isOneHeader(_ list: [String], _ text: String?) throws {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p", headers: ["X-List": .field(path: \.list)])
        let request = try Probe(list: list).urlRequest(of: endpoint)
        #expect(request.value(forHTTPHeaderField: "X-List") == text)
    }

    @Test(
        "An element of a header's list that a reader would split is refused",
        arguments: ["a,b", "", #"a"b,c"#, #""a\\",b"#])
    func ambiguous(_ element: String) throws {
        let refusal = try Probe(list: ["a", element])
            .refusal(headers: ["X-List": .field(path: \.list)])
        let reason = """
            an element of the list is empty, or has a comma outside quotes or an unclosed quote; \
            leave out empty elements, put commas in quotes, and close each quote
            """
        #expect(refusal?.hasSuffix(reason) == true)
    }

    struct Sign: FlatRequest, Sendable {
        var bytes = Data([0xFB, 0xFF])
        @TaskLocal static var endpoint = Endpoint<Sign>(method: .get, path: "p")
        typealias Response = Void
    }

    static let encodings: [(Endpoint<Sign>, String)] = [
        (
            Endpoint(
                method: .get, path: "p",
                parameters: [.query("s", path: \.bytes, format: .base64)]), "/p?s=%2B/8%3D"
        ),
        (
            Endpoint(
                method: .get, path: "p",
                parameters: [.query("s", path: \.bytes, format: .base64URL)]), "/p?s=-_8"
        ),
        (Endpoint(method: .get, path: "\(path: \.bytes, format: .base64)"), "/+%2F8="),
    ]

    @Test("Data are base64 where a declaration says so", arguments: encodings)
    func isBase64(_ endpoint: Endpoint<Sign>, _ target: String) throws {
        let request = try Sign.$endpoint.withValue(endpoint) {
            try Sign().urlRequest(in: ServerEnvironment(at: "https://h"))
        }
        #expect(request.url?.absoluteString == "https://h" + target)
    }
}
