import Endpoints
import Foundation
import Testing

@Suite struct BaseURLTests {
    typealias Row = (base: String, url: String, bare: String)

    static let rows: [Row] = [
        ("https://h", "https://h/users?k=v", "https://h"),
        ("https://h/", "https://h/users?k=v", "https://h/"),
        ("http://h", "http://h/users?k=v", "http://h"),
        ("HTTPS://h", "https://h/users?k=v", "https://h"),
        ("HtTp://H.Example/V1", "http://H.Example/V1/users?k=v", "http://H.Example/V1"),
        ("https://h/v1", "https://h/v1/users?k=v", "https://h/v1"),
        ("https://h/v1/", "https://h/v1/users?k=v", "https://h/v1/"),
        ("https://h/a%20b/c%2Fd", "https://h/a%20b/c%2Fd/users?k=v", "https://h/a%20b/c%2Fd"),
        ("https://h/caf%C3%A9/", "https://h/caf%C3%A9/users?k=v", "https://h/caf%C3%A9/"),
        ("https://h//a//b//", "https://h//a//b//users?k=v", "https://h//a//b//"),
        ("https://h/...", "https://h/.../users?k=v", "https://h/..."),
        ("https://h:8443", "https://h:8443/users?k=v", "https://h:8443"),
        ("https://h:8443/v1", "https://h:8443/v1/users?k=v", "https://h:8443/v1"),
        ("https://user:pw@h/v1", "https://user:pw@h/v1/users?k=v", "https://user:pw@h/v1"),
        ("https://u%40d:p%3Aw@h", "https://u%40d:p%3Aw@h/users?k=v", "https://u%40d:p%3Aw@h"),
        ("https://user@h", "https://user@h/users?k=v", "https://user@h"),
        ("https://:pw@h", "https://:pw@h/users?k=v", "https://:pw@h"),
        ("https://@h", "https://@h/users?k=v", "https://@h"),
        ("http://127.0.0.1:80", "http://127.0.0.1:80/users?k=v", "http://127.0.0.1:80"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/users?k=v", "http://[::1]:8080/v1"),
        (
            "http://[fe80::1%25en0]/v1", "http://[fe80::1%25en0]/v1/users?k=v",
            "http://[fe80::1%25en0]/v1"
        ),
        ("https://a%40b@c", "https://a%40b@c/users?k=v", "https://a%40b@c"),
        ("https://h:", "https://h:/users?k=v", "https://h:"),
        ("https://h.", "https://h./users?k=v", "https://h."),
        ("https://a_b", "https://a_b/users?k=v", "https://a_b"),
        ("http://[::1]", "http://[::1]/users?k=v", "http://[::1]"),
        (
            "https://xn--bcher-kva.example", "https://xn--bcher-kva.example/users?k=v",
            "https://xn--bcher-kva.example"
        ),
        ("https://h?t=1", "https://h/users?t=1&k=v", "https://h?t=1"),
        ("https://h/?t=1", "https://h/users?t=1&k=v", "https://h/?t=1"),
        ("https://h/v1?t=1", "https://h/v1/users?t=1&k=v", "https://h/v1?t=1"),
        ("https://h/v1/?t=1", "https://h/v1/users?t=1&k=v", "https://h/v1/?t=1"),
        ("https://h/v1?t=1&u=2", "https://h/v1/users?t=1&u=2&k=v", "https://h/v1?t=1&u=2"),
        ("https://h/v1?t=1&", "https://h/v1/users?t=1&k=v", "https://h/v1?t=1"),
        ("https://h/v1?t=1&&", "https://h/v1/users?t=1&k=v", "https://h/v1?t=1"),
        ("https://h/v1?&", "https://h/v1/users?k=v", "https://h/v1"),
        ("https://h/v1?", "https://h/v1/users?k=v", "https://h/v1"),
        ("https://h?", "https://h/users?k=v", "https://h"),
        ("https://h/v1?t", "https://h/v1/users?t&k=v", "https://h/v1?t"),
        ("https://h/v1?t=a%26b+c", "https://h/v1/users?t=a%26b+c&k=v", "https://h/v1?t=a%26b+c"),
        ("https://h/v1?t=a?b/../c", "https://h/v1/users?t=a?b/../c&k=v", "https://h/v1?t=a?b/../c"),
        ("https://h/v1#top", "https://h/v1/users?k=v", "https://h/v1"),
        ("https://h/v1/#/a/../b", "https://h/v1/users?k=v", "https://h/v1/"),
        ("https://h#top", "https://h/users?k=v", "https://h"),
        ("https://h/v1?t=1#top", "https://h/v1/users?t=1&k=v", "https://h/v1?t=1"),
        ("https://h/v1#a?b=1", "https://h/v1/users?k=v", "https://h/v1"),
        ("https://h/v1?t=u@x", "https://h/v1/users?t=u@x&k=v", "https://h/v1?t=u@x"),
        ("https://h?@", "https://h/users?@&k=v", "https://h?@"),
    ]

    @Test("A base URL keeps its path and its query, and its query comes first", arguments: rows)
    func joined(_ row: Row) throws {
        let parameters: ParameterList<Probe> = [.query("k", path: \.a)]
        #expect(try Probe(a: "v").url("users", parameters, at: row.base) == row.url)
        #expect(try Probe(a: "v").url("/users", parameters, at: row.base) == row.url)
        #expect(try Probe().url("", at: row.base) == row.bare)
        #expect(try Probe().url("\(path: \.x)", [.query("x", path: \.x)], at: row.base) == row.bare)
    }

    @Test("A host in another script is kept as `URL` writes it")
    func internationalHost() throws {
        let base = try #require(URL(string: "https://bücher.example/v1"))
        let url = try Probe().url("users", at: "https://bücher.example/v1")
        #expect(url == base.absoluteString + "/users")
    }

    @Test("A relative base URL is resolved against its own base first")
    func relative() throws {
        let base = try #require(URL(string: "https://h/api/v1"))
        let relative = try #require(URL(string: "v2/", relativeTo: base))
        let request = try Probe().urlRequest(in: ServerEnvironment(baseUrl: relative))
        #expect(request.url?.absoluteString == "https://h/api/v2/probe")
    }

    @Test(
        "A base URL that is not absolute http or https is refused",
        arguments: [
            "h/v1", "/v1", "//h/v1", "file:///v1", "ftp://h", "ws://h", "httpss://h", "ttps://h",
            "https:h", "https:/h", "https:", "mailto:a@h", "data:,x", "?a", "#a", "localhost:8080",
        ])
    func notAbsolute(_ base: String) throws {
        let text = """
            Probe: the environment's base URL must begin with `https://` or `http://` and a host
            """
        #expect(try Probe().refusal(at: base) == text)
    }

    @Test(
        "A base URL without a host is refused",
        arguments: [
            "https://", "https:///v1", "https://?a=1", "https://#a", "http://:8080", "http://u@",
            "http://u@:80", "http://u:pw@:80/v1",
        ])
    func noHost(_ base: String) throws {
        let text =
            "Probe: the environment's base URL has no host; add one, as in `https://example.com`"
        #expect(try Probe().refusal(at: base) == text)
    }

    @Test(
        "A base URL with a dot segment is refused",
        arguments: [
            "https://h/.", "https://h/..", "https://h/a/../b", "https://h/a/./b", "https://h/%2e",
            "https://h/%2E%2e/b", "https://h/.%2e/", "https://h/a/%2e./b?q",
        ])
    func dotSegment(_ base: String) throws {
        let text = """
            Probe: the environment's base URL has a path segment "." or ".."; write the resolved path
            """
        #expect(try Probe().refusal(at: base) == text)
    }

    @Test("A base URL that makes no valid URL is refused")
    func noURL() throws {
        let data = Data("https://h:port/".utf8)
        let base = try #require(URL(dataRepresentation: data, relativeTo: nil))
        let error = #expect(throws: EndpointError.self) {
            try Probe().urlRequest(in: ServerEnvironment(baseUrl: base))
        }
        #expect(
            error?.description
                == "Probe: the environment's base URL is not a valid URL; check its host and port"
        )
    }
}
