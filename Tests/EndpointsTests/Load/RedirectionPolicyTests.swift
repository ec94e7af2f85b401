import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirect policy")
struct RedirectionPolicyTests {
    private let credentials = [
        "Authorization": "s", "cookie": "s", "PROXY-Authorization": "s", "x-api-key": "s",
        "Host": "h", "X-Trace": "7",
    ]
    private let declared = LoadPolicy(
        allowsInsecureRedirects: true, sensitiveHeaders: ["X-API-Key"])

    @Test(
        "A redirect within the origin keeps credentials",
        arguments: [
            ("https://h/a", "/b"), ("https://h/a", "https://h:443/b"), ("https://h:443", "//h/b"),
            ("https://h/a", "HTTPS://H/b"), ("http://h:80/a", "http://h/b"),
            ("http://h:8080/a", "http://h:8080"), ("http://[::1]:1/a", "http://[::1]:1/b"),
        ])
    func sameOrigin(address: String, location: String) throws {
        let step = try Start("GET", at: address, credentials, declared).step(308, location)
        #expect(
            step.hasSuffix(
                "[authorization: s, cookie: s, host: h, proxy-authorization: s, x-api-key: s, "
                    + "x-trace: 7]"))
    }

    @Test(
        "A redirect to another scheme, host or port drops credentials",
        arguments: [
            ("https://h/a", "http://h/a"), ("http://h/a", "https://h/a"),
            ("https://h/a", "http://h:443/a"), ("https://h/a", "https://h:8443/a"),
            ("http://h:8080/a", "http://h:8081/a"), ("http://h:8080/a", "http://h/a"),
            ("https://h/a", "https://www.h/a"), ("https://www.h/a", "https://h/a"),
            ("https://h/a", "//h.evil/a"), ("https://h/a", "//evil"),
            ("http://127.0.0.1/a", "http://localhost/a"),
        ], [301, 302, 303, 307, 308])
    func otherOrigin(row: (address: String, location: String), status: Int) throws {
        let step = try Start("GET", at: row.address, credentials, declared)
            .step(status, row.location)
        #expect(step.hasPrefix("GET "))
        #expect(step.hasSuffix(" [x-trace: 7]"))
    }

    @Test(
        "A redirect to another origin keeps headers that aren't sensitive by their names",
        arguments: [
            ("X-Api-Key", SecretNames?.none, false), ("X-Auth-Token", nil, false),
            ("apikey", nil, false), ("X-Amz-Security-Token", nil, false), ("DPoP", nil, false),
            ("X-CSRF-Token", nil, false), ("X-Shop", SecretNames(arrayLiteral: "shop"), false),
            ("X-Api-Key", SecretNames().subtracting(["api-key"]), true),
            ("X-Shop", nil, true), ("Accept", nil, true), ("Accept-Language", nil, true),
            ("Idempotency-Key", nil, true), ("X-Request-ID", nil, true), ("If-Match", nil, true),
            ("X-Token-Count", nil, true), ("User-Agent", nil, true),
        ])
    func undeclared(name: String, names: SecretNames?, isKept: Bool) throws {
        let policy = LoadPolicy(secretNames: names)
        let step = try Start("GET", [name: "s", "X-Trace": "7"], policy).step(302, "https://other")
        let kept = [isKept ? "\(name.lowercased()): s" : nil, "x-trace: 7"].compactMap(\.self)
        #expect(step == "GET https://other [\(kept.sorted().joined(separator: ", "))]")
    }

    @Test(
        "A sensitive header is dropped whatever its case",
        arguments: [
            ("X-Api-Key", "x-api-key"), ("x-api-key", "X-API-KEY"), ("X-aPI-kEY", "X-Api-Key"),
        ])
    func anyCase(declared: String, sent: String) throws {
        let policy = LoadPolicy(sensitiveHeaders: [Headers(name: declared)])
        let start = try Start("GET", [sent: "s", "x-api-key-hint": "kept"], policy)
        #expect(start.step(302, "https://other") == "GET https://other [x-api-key-hint: kept]")
        #expect(Redirection(of: start.request, under: policy).isSensitive(sent))
    }

    @Test("A credential that a redirect dropped isn't sent again, even to the first origin")
    func home() throws {
        let start = try Start("POST", body: "x", credentials, declared)
        let steps = try start.steps(307, ["https://other", "https://h/b", "/c"])
        #expect(
            steps == [
                "POST https://other [x-trace: 7, body: x]",
                "POST https://h/b [x-trace: 7, body: x]", "POST https://h/c [x-trace: 7, body: x]",
            ])
        var redirection = Redirection(of: start.request, under: declared)
        #expect(!redirection.hasLeftOrigin)
        for (address, hasLeft) in [
            ("https://h/b", false), ("https://o", true), ("https://o/b", true),
        ] {
            redirection.follow(URLRequest(url: try #require(URL(string: address))))
            #expect(redirection.hasLeftOrigin == hasLeft)
        }
        #expect(redirection.count == 3)
    }

    @Test("After a redirect to GET, a later redirect with 307 stays GET without a body")
    func getStays() throws {
        let start = try Start("POST", body: "x")
        var redirection = Redirection(of: start.request, under: .default)
        for status in [302, 307] {
            let step = redirection.step(after: try start.response(status, "/b"))
            #expect(step.words == "GET https://h/b []")
            if case .follow(let next) = step { redirection.follow(next) }
        }
    }

    @Test(
        "Redirects are followed up to the policy's limit, by default 20 times",
        arguments: [20, 3, 1, 0])
    func maximum(count: Int) throws {
        let policy = count == 20 ? LoadPolicy.default : LoadPolicy(redirectLimit: count)
        let steps = try Start("GET", [:], policy)
            .steps(302, Array(repeating: "/a", count: count + 1))
        let follows = Array(repeating: "GET https://h/a []", count: count)
        #expect(steps == follows + ["fail -1007"])
    }

    @Test(
        "A redirect from https to http is followed only if the policy allows it",
        arguments: [
            ("https://h/a", "http://h/b", false, "fail -1022"),
            ("https://h/a", "http://h:443/b", false, "fail -1022"),
            ("https://h/a", "http://h/b", true, "GET http://h/b []"),
            ("http://h/a", "https://h/b", false, "GET https://h/b []"),
            ("http://h/a", "http://other/b", false, "GET http://other/b []"),
            ("https://h/a", "https://other/b", false, "GET https://other/b []"),
        ])
    func insecure(address: String, location: String, isAllowed: Bool, expected: String) throws {
        let policy = LoadPolicy(allowsInsecureRedirects: isAllowed)
        #expect(try Start("GET", at: address, [:], policy).step(302, location) == expected)
    }

    @Test("A redirect from http to https and back to http is refused")
    func insecureLater() throws {
        let steps = try Start("GET", at: "http://h/a").steps(302, ["https://h/b", "http://h/c"])
        #expect(steps == ["GET https://h/b []", "fail -1022"])
    }

    @Test(
        "With .followSameOrigin, a redirect to another origin isn't followed",
        arguments: [
            ("/b", "GET https://h/b []"), ("https://H:443/b", "GET https://h/b []"),
            ("https://h:8443/b", "response"), ("http://h/b", "response"), ("//other/b", "response"),
            ("ftp://h/b", "response"), ("app:done?code=1", "response"),
            ("https://u:p@h/b", "response"), ("https://h:x/b", "response"),
            ("/b\u{1}", "response"),
        ])
    func followSameOrigin(location: String, expected: String) throws {
        let start = try Start("GET", [:], LoadPolicy(redirects: .followSameOrigin))
        let step = start.step(302, location).replacingOccurrences(of: "H:443", with: "h")
        #expect(step == expected)
    }

    @Test("With .followSameOrigin, a body stream is needed again only within the origin")
    func bodyStream() throws {
        var start = try Start("POST", [:], LoadPolicy(redirects: .followSameOrigin))
        start.request.httpBodyStream = InputStream(data: Data("x".utf8))
        for status in [307, 308] {
            #expect(start.step(status, "https://other/b") == "response")
            #expect(start.step(status, "/b") == "fail -1021")
        }
    }

    @Test(
        "With .doNotFollow, no redirect is followed", arguments: [301, 302, 303, 307, 308],
        ["/b", "https://other", "ftp://h", "\u{1}"])
    func doNotFollow(status: Int, location: String) throws {
        let start = try Start("GET", [:], LoadPolicy(redirects: .doNotFollow))
        #expect(start.step(status, location) == "response")
    }

    @Test(
        "The policy also checks a redirect that the session's delegate has changed",
        arguments: [
            ("https://other/b", LoadPolicy.Redirects.follow, "GET https://other/b []"),
            ("https://other/b", .followSameOrigin, "response"),
            ("http://h/b", .follow, "fail -1022"),
            ("file:///etc/passwd", .follow, "fail -1002"), ("/b", .follow, "fail -1002"),
            ("file:///etc/passwd", .followSameOrigin, "response"),
        ])
    func changed(address: String, redirects: LoadPolicy.Redirects, expected: String) throws {
        let policy = LoadPolicy(redirects: redirects)
        let redirection = Redirection(of: try Start().request, under: policy)
        let next = URLRequest(url: try #require(URL(string: address)))
        #expect(redirection.step(to: next).words == expected)
    }
}
