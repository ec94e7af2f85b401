import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite struct ProblemTests {
    typealias Row = (endpoint: Endpoint<Probe>, problems: [String])

    static let none: [Endpoint<Probe>] = [
        Endpoint(method: .get, path: "a/\(path: \.a)"),
        Endpoint(
            method: .post, path: "", parameters: [.form("a", path: \.a), .query("a", path: \.a)]),
        Endpoint(method: .delete, path: "a/", parameters: [.query("a", path: \.list)]),
        Endpoint(
            method: "QUERY", path: "/",
            headers: ["X-A": .field(path: \.x), "X-B": .field(path: \.x)]),
        Endpoint(
            method: .get, path: "a", parameters: [.query("a", path: \.a), .query("A", path: \.a)]),
        // One `String`, and two names on the wire.
        Endpoint(
            method: .post, path: "a",
            parameters: [
                .query("é", path: \.a), .query("e\u{301}", path: \.a), .form("é", path: \.a),
                .form("e\u{301}", path: \.a),
            ]),
    ]

    @Test("A correct declaration has no problems", arguments: none)
    func sound(_ endpoint: Endpoint<Probe>) {
        #expect(endpoint.problems.map(\.description) == [])
    }

    static let hop = "has no effect, as the transport manages the connection; remove it"
    static let twice = "is declared twice; remove one, or declare one that sends an array"
    static let header =
        "has an invalid name; use letters, digits and `-`"
    static let question = "has a `?` or a `#`; remove it, and declare query items as parameters"
    static let unset = "is set by the transport; remove it"

    /// Warnings; requests can still be made.
    static let suspicions: [Row] = [
        (
            Endpoint(
                method: .get, path: "a",
                parameters: [.query("q", path: \.a), .queryValue("q", value: 1)]),
            [#"Probe: the query item "q" \#(twice)"#]
        ),
        (
            Endpoint(
                method: .get, path: "a",
                parameters: ["b", "a", "b", "a", "a"].map { .queryValue($0, value: 1) }.list),
            [#"Probe: the query item "b" \#(twice)"#, #"Probe: the query item "a" \#(twice)"#]
        ),
        (
            Endpoint(
                method: .post, path: "a",
                parameters: [.form("f", path: \.a), .form("f", path: \.b)]),
            [#"Probe: the form field "f" \#(twice)"#]
        ),
        (
            Endpoint(method: .get, path: "a", parameters: [.form("f", path: \.a)]),
            ["Probe: the body is not sent with GET by URLSession; use POST, PUT or PATCH"]
        ),
        (
            Endpoint(method: .head, path: "a", parameters: [.form("f", path: \.a)]),
            ["Probe: the body is not sent with HEAD by URLSession; use POST, PUT or PATCH"]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["Host": .field(path: \.x)]),
            [#"Probe: the header "Host" \#(unset)"#]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["CONNECTION": .field(path: \.x)]),
            [#"Probe: the header "CONNECTION" \#(unset)"#]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["upgrade": .field(path: \.x)]),
            [#"Probe: the header "upgrade" \#(hop)"#]
        ),
        (
            Endpoint(
                method: .get, path: "a",
                headers: ["TE": "trailers", "Keep-Alive": "timeout=5", "Trailer": "X-A"]),
            ["TE", "Keep-Alive", "Trailer"].map { #"Probe: the header "\#($0)" \#(hop)"# }
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["Proxy-Connection": "close"]),
            [#"Probe: the header "Proxy-Connection" \#(hop)"#]
        ),
        (
            Endpoint(method: .post, path: "a", headers: ["Expect": "100-continue"]),
            [
                #"Probe: the header "Expect" is for the transport, which decides when it sends the body; remove it"#
            ]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["Proxy-Authorization": .field(path: \.x)]),
            [
                #"Probe: the header "Proxy-Authorization" is for a proxy, but is sent to the server; "#
                    + "remove it, and give the proxy's password to the session"
            ]
        ),
    ]

    @Test(
        "A suspicious declaration has problems, and requests can still be made",
        arguments: suspicions)
    func suspicion(_ row: Row) throws {
        let problems = row.endpoint.problems.map(\.description)
        #expect(problems == row.problems)
        #expect(throws: Never.self) { try Probe().urlRequest(of: row.endpoint) }
    }

    /// Errors; no request can be made.
    static let refusals: [Row] = [
        (
            Endpoint(method: "G T", path: "a"),
            ["Probe: the method is not valid; use letters"]
        ),
        (
            Endpoint(method: .get, path: "a?b"),
            ["Probe: the path \(question)"]
        ),
        (
            Endpoint(method: .get, path: "a/../\(path: \.a)"),
            [#"Probe: the path has a segment that is ".", ".." or an empty value; remove it"#]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["X A": .field(path: \.x)]),
            [#"Probe: the header "X A" \#(header)"#]
        ),
        (
            Endpoint(
                method: .get, path: "a",
                headers: ["X-A": .field(path: \.x), "x-a": .field(path: \.y)]),
            [#"Probe: the header "x-a" is declared twice; remove one"#]
        ),
        (
            Endpoint(
                method: .get, path: "a", headers: ["X-A": .field(path: \.x), "X-A": "1"]),
            [#"Probe: the header "X-A" is declared twice; remove one"#]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["X-A": .fieldValue(value: "s3cr3t\n")]),
            [#"Probe: the header "X-A" has a control character, such as a line break; remove it"#]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["X-A": .fieldValue(value: Double.nan)]),
            [
                #"Probe: the header "X-A" can't be written as text: the number is not finite; use a finite one, or nil"#
            ]
        ),
        (
            Endpoint(method: .get, path: "a", headers: ["content-length": .field(path: \.x)]),
            [
                #"Probe: the header "content-length" is set by the transport; "#
                    + "remove it, as a wrong value breaks the connection"
            ]
        ),
        (
            Endpoint(method: .get, path: "a", parameters: [.queryValue("q", value: Double.nan)]),
            [
                #"Probe: the query item "q" can't be written as text: the number is not finite; use a finite one, or nil"#
            ]
        ),
        (
            Endpoint(
                method: .get, path: "a",
                parameters: [.queryValue("q", value: ["a|b", "c"], style: .pipeSeparated)]),
            [
                #"Probe: the query item "q" can't be written as text: a value has a "|", which also separates values; use another style"#
            ]
        ),
        (
            Endpoint(
                method: .post, path: "a",
                parameters: [.partValue("p", value: ["a,b", "c"], style: .commaSeparated)]),
            [
                #"Probe: the part "p" can't be written as text: a value has a ",", which also separates values; use another style"#
            ]
        ),
        (
            Endpoint(
                method: .post, path: "a", parameters: [.formValue("f", value: Float.infinity)]),
            [
                #"Probe: the form field "f" can't be written as text: the number is not finite; use a finite one, or nil"#
            ]
        ),
        (
            Endpoint(
                method: "", path: "../#",
                parameters: [.form("f", path: \.a), .form("f", path: \.a)],
                headers: ["": .field(path: \.x), "Host": .field(path: \.x)]),
            [
                "Probe: the method is not valid; use letters",
                "Probe: the path \(question)",
                #"Probe: the path has a segment that is ".", ".." or an empty value; remove it"#,
                #"Probe: the header "" \#(header)"#, #"Probe: the header "Host" \#(unset)"#,
                #"Probe: the form field "f" \#(twice)"#,
            ]
        ),
    ]

    @Test(
        "A wrong declaration has problems, and making a request throws the first",
        arguments: refusals)
    func refusal(_ row: Row) throws {
        let problems = row.endpoint.problems.map(\.description)
        #expect(problems == row.problems)
        let error = #expect(throws: EndpointError.self) { try Probe().urlRequest(of: row.endpoint) }
        #expect(error?.description == row.problems.first)
    }

    struct Post: FlatRequest {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Post>(method: .post, path: "p")
        var body: [Int]? = [1]
        var title = ""
    }

    @Test("A form beside a Body is refused, and a Body with GET is a problem")
    func beside() throws {
        let form = Endpoint<Post>(method: .post, path: "p", parameters: [.form("t", path: \.title)])
        let text = """
            Post: the form field "t" can't be sent together with a Body; remove the one or the \
            other
            """
        #expect(form.problems.map(\.description) == [text])
        let error = Post.$endpoint.withValue(form) {
            #expect(throws: EndpointError.self) { try Post(body: nil).urlRequest(in: .production) }
        }
        #expect(error?.description == text)
        #expect(error?.field == .form("t"))

        let get = Endpoint<Post>(method: .get, path: "p")
        #expect(
            get.problems.map(\.description) == [
                "Post: the body is not sent with GET by URLSession; use POST, PUT or PATCH"
            ])
        let request = try Post.$endpoint.withValue(get) { try Post().urlRequest(in: .production) }
        #expect(request.httpBody == Data("[1]".utf8))
    }
}

extension [Parameter<Probe>] {
    fileprivate var list: ParameterList<Probe> { ParameterList(self) }
}
