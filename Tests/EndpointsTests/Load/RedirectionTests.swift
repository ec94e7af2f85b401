import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirection")
struct RedirectionTests {
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]
    /// The next method for each of the methods.
    static let becomes: [(status: Int, methods: String)] = [
        (301, "GET HEAD GET PUT PATCH DELETE OPTIONS QUERY"),
        (302, "GET HEAD GET PUT PATCH DELETE OPTIONS QUERY"),
        (303, "GET HEAD GET GET GET GET GET GET"),
        (307, "GET HEAD POST PUT PATCH DELETE OPTIONS QUERY"),
        (308, "GET HEAD POST PUT PATCH DELETE OPTIONS QUERY"),
    ]

    @Test(
        "A redirect changes the method by its status, and a changed method drops the body",
        arguments: becomes)
    func method(row: (status: Int, methods: String)) throws {
        for (method, next) in zip(Self.methods, row.methods.split(separator: " ")) {
            let start = try Start(method, body: "x", ["Content-Type": "text/plain", "X-A": "1"])
            let kept = method == next ? "content-type: text/plain, x-a: 1, body: x" : "x-a: 1"
            #expect(start.step(row.status, "/b") == "\(next) https://h/b [\(kept)]")
        }
    }

    @Test("A redirect that drops the body drops the headers that describe it")
    func contentHeaders() throws {
        let headers = [
            "content-type": "a/b", "Content-Language": "en", "CONTENT-ENCODING": "gzip",
            "Content-Location": "/x", "Content-Disposition": "inline", "Digest": "sha=1",
            "Last-Modified": "now", "X-Content-Type": "kept", "Accept": "kept",
        ]
        let start = try Start("POST", body: "x", headers)
        #expect(start.step(303, "/b") == "GET https://h/b [accept: kept, x-content-type: kept]")
    }

    @Test(
        "A status that isn't a redirect is the response, even with a Location",
        arguments: [200, 300, 304, 305, 306, 309, 400, 500])
    func otherStatus(status: Int) throws {
        #expect(try Start().step(status, "https://evil/b") == "response")
    }

    @Test("A redirect without a Location is the response", arguments: [nil, "", " ", "\t "])
    func nowhere(location: String?) throws {
        #expect(try Start().step(302, location) == "response")
    }

    @Test("A Location is read without the blanks around it, whatever the header's case")
    func blanks() throws {
        #expect(try Start().step(302, " \t/b ") == "GET https://h/b []")
        #expect(try Start().step(302, "/b", name: "lOCATION") == "GET https://h/b []")
    }

    @Test("A redirect without a Location follows the URL that the platform proposes")
    func proposed() throws {
        let start = try Start("GET", at: "http://h/a", ["Authorization": "s"])
        let proposed = URL(string: "https://h/a")
        #expect(start.step(307, nil, proposed: proposed) == "GET https://h/a []")
        #expect(start.step(307, "/b", proposed: proposed) == "GET http://h/b [authorization: s]")
    }

    @Test(
        "A redirect to a URL that no client should follow ends the load",
        arguments: [
            ("ftp://h/x", -1002), ("file:///x", -1002), ("data:,x", -1002), ("http:///x", -1010),
            ("https://u:p@h/x", -1010), ("/a\u{1}b", -1010), ("https://[", -1010),
        ])
    func refused(location: String, code: Int) throws {
        #expect(try Start().step(302, location) == "fail \(code)")
    }

    @Test("A redirect that would send a body stream again ends the load")
    func stream() throws {
        for (status, method, expected) in [
            (307, "POST", "fail -1021"), (308, "PUT", "fail -1021"), (301, "PUT", "fail -1021"),
            (303, "PUT", "GET https://h/b []"), (302, "POST", "GET https://h/b []"),
        ] {
            var start = try Start(method)
            start.request.httpBodyStream = InputStream(data: Data("x".utf8))
            #expect(start.step(status, "/b") == expected)
        }
    }

    @Test("A redirect keeps the request's timeout, cache policy and network settings")
    func rest() throws {
        var start = try Start("POST", body: "x")
        start.request.timeoutInterval = 7
        start.request.cachePolicy = .reloadIgnoringLocalCacheData
        start.request.allowsCellularAccess = false
        let step = Redirection(of: start.request, under: .default)
            .step(after: try start.response(303, "/b"))
        guard case .follow(let next) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(next.timeoutInterval == 7)
        #expect(next.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(!next.allowsCellularAccess)
    }
}

/// A request that is going to be redirected.
struct Start {
    var request: URLRequest
    var policy = LoadPolicy.default

    init(
        _ method: String = "GET", at address: String = "https://h/a", body: String? = nil,
        _ headers: [String: String] = [:], _ policy: LoadPolicy = .default
    ) throws {
        request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        self.policy = policy
    }

    /// The step after a response, as text.
    func step(
        _ status: Int, _ location: String?, name: String = "Location", proposed: URL? = nil
    ) -> String {
        do {
            let response = try response(status, location, name: name)
            return Redirection(of: request, under: policy)
                .step(after: response, proposed: proposed).words
        } catch {
            return "\(error)"
        }
    }

    /// The steps after the responses of a chain of redirects, as text.
    func steps(_ status: Int, _ locations: [String]) throws -> [String] {
        var redirection = Redirection(of: request, under: policy)
        return try locations.map { location in
            let step = redirection.step(after: try response(status, location))
            if case .follow(let next) = step { redirection.follow(next) }
            return step.words
        }
    }

    func response(
        _ status: Int, _ location: String?, name: String = "Location"
    ) throws -> HTTPURLResponse {
        let url = try #require(request.url)
        return try #require(
            HTTPURLResponse(
                url: url, statusCode: status, httpVersion: "HTTP/1.1",
                headerFields: location.map { [name: $0] }))
    }
}

extension Redirection.Step {
    /// The step and all that is sent: the method, the URL, headers sorted by name, and the body.
    var words: String {
        switch self {
        case .useResponse: return "response"
        case .fail(let error): return "fail \(error.code.rawValue)"
        case .follow(let request):
            let headers = (request.allHTTPHeaderFields ?? [:])
                .map { "\($0.key.lowercased()): \($0.value)" }.sorted()
            let body = request.httpBody.map { "body: " + String(decoding: $0, as: UTF8.self) }
            let stream = request.httpBodyStream.map { _ in "stream" }
            let content = (headers + [body, stream].compactMap(\.self)).joined(separator: ", ")
            let method = request.httpMethod ?? "none"
            return "\(method) \(request.url?.absoluteString ?? "nowhere") [\(content)]"
        }
    }
}
