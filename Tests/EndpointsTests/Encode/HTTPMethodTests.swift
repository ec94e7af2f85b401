import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite struct HTTPMethodTests {
    static let methods: [(method: HTTPMethod, text: String)] = [
        (HTTPMethod.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"),
        (.delete, "DELETE"), (.connect, "CONNECT"), (.options, "OPTIONS"), (.trace, "TRACE"),
        (.patch, "PATCH"), (.query, "QUERY"), ("PROPFIND", "PROPFIND"),
        ("M-SEARCH", "M-SEARCH"),
        ("!#$%&'*+-.^_`|~", "!#$%&'*+-.^_`|~"), ("Purge", "Purge"), ("get1", "get1"),
    ]

    @Test(
        "A method is sent as it is declared",
        arguments: methods)
    func method(_ method: HTTPMethod, _ text: String) throws {
        let endpoint = Endpoint<Probe>(method: method, path: "m")
        #expect(endpoint.method == method)
        #expect(endpoint.problems.isEmpty)
        #expect(try Probe().urlRequest(of: endpoint).httpMethod == text)
    }

    @Test(
        "A method that isn't a token is refused",
        arguments: [
            "", " ", "GET ", "GET /x HTTP/1.1\r\nX: y", "GE\u{0}T", "PÖST", "GET\u{301}", "A/B",
            "A:B",
        ])
    func noToken(_ name: String) throws {
        let text = "Probe: the method is not valid; use letters"
        #expect(try Probe().refusal(method: HTTPMethod(rawValue: name)) == text)
    }

    @Test(
        "A registered method that isn't in upper case is refused",
        arguments: [
            "get", "Get", "post", "pOST", "put", "delete", "head", "connect", "patch", "Patch",
            "options", "trace", "query", "propfind", "report", "Search", "version-control",
        ])
    func notUpperCase(_ name: String) throws {
        let text = """
            Probe: the method is not in upper case, so servers don't know it; write \
            \(name.uppercased())
            """
        let method = HTTPMethod(rawValue: name)
        #expect(try Probe().refusal(method: method) == text)
        #expect(Endpoint<Probe>(method: method, path: "m").problems.map(\.description) == [text])
    }
}
