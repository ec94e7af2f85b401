import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirects", .needsServers, .timeLimit(.minutes(5)))
struct RedirectTests {
    @Test(
        "After a redirect, the async loader's request arrives with the right bytes",
        arguments: Redirect.table + Redirect.uploads)
    func async(redirect: Redirect) async throws {
        let actual = try await redirect.actual(OutcomeTests.AsyncLoader())
        #expect(actual == redirect.expected)
    }

    @Test(
        "After a redirect, the callback loader's request arrives with the right bytes",
        arguments: Redirect.table + Redirect.uploads)
    func callback(redirect: Redirect) async throws {
        let actual = try await redirect.actual(OutcomeTests.CallbackLoader())
        #expect(actual == redirect.expected)
    }

    @Test(
        "After a redirect, a stream's request arrives with the right bytes",
        arguments: Redirect.table + Redirect.uploads)
    func stream(redirect: Redirect) async throws {
        let actual = try await redirect.actual(OutcomeTests.StreamLoader())
        #expect(actual == redirect.expected)
    }

    @Test("A redirect back to the first origin doesn't restore a credential or a body")
    func home() async throws {
        let origins = try Origins()
        let key = UUID().uuidString
        let home = origins.first.absoluteString + "/-/echo?key=\(key)"
        let away = try Origins.redirect(at: origins.other, 307, to: home, key: key)
        var request = URLRequest(
            url: try Origins.redirect(
                at: origins.first, 303, to: away.absoluteString, key: key))
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        request.allHTTPHeaderFields = ["Authorization": "s", "Content-Type": "a/b", "X-Trace": "7"]
        _ = try await URLSession(configuration: .ephemeral).load(request, .default)
        let arrivals = try await origins.arrivals(key)
        #expect(
            arrivals == [
                """
                first: PUT /-/redirect
                authorization: s
                content-length: 1
                content-type: a/b
                host: first
                x-trace: 7

                x
                """,
                "first: GET /-/echo\nhost: first\nx-trace: 7\n\n",
                "other: GET /-/redirect\nhost: other\nx-trace: 7\n\n",
            ])
    }

    @Test("At another origin, the session's additional headers are sent unless sensitive")
    func additionalHeaders() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [
            "authorization": "s", "X-Api-Key": "s", "X-App": "a",
        ]
        let arrivals = try await arrivals(
            in: URLSession(configuration: configuration),
            LoadPolicy(sensitiveHeaders: ["x-api-key"]))
        #expect(
            arrivals == [
                "first: GET /-/redirect\nauthorization: s\nhost: first\nx-api-key: s\nx-app: a\n\n",
                "other: GET /-/echo\nhost: other\nx-app: a\n\n",
            ])
    }

    @Test("After a redirect, the cookies that the session stores for the host are sent")
    func storedCookies() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let cookie = try #require(
            HTTPCookie(properties: [
                .name: "stored", .value: "yes", .domain: "127.0.0.1", .path: "/",
            ]))
        let stranger = try #require(
            HTTPCookie(properties: [
                .name: "stranger", .value: "yes", .domain: "example.com", .path: "/",
            ]))
        let storage = try #require(configuration.httpCookieStorage)
        storage.setCookie(cookie)
        storage.setCookie(stranger)
        let arrivals = try await arrivals(
            in: URLSession(configuration: configuration), .default)
        #expect(
            arrivals == [
                "first: GET /-/redirect\ncookie: stored=yes\nhost: first\n\n",
                "other: GET /-/echo\ncookie: stored=yes\nhost: other\n\n",
            ])
    }

    @Test("After a redirect, the cookies that it sets are sent")
    func setCookies() async throws {
        let url = try Server.httpbin.environment.baseUrl
            .appendingPathComponent("cookies/set/flavour/oat")
        let (data, response) = try await URLSession(configuration: .ephemeral)
            .load(URLRequest(url: url), .default)
        #expect(response.url?.path == "/cookies")
        struct Jar: Decodable { let cookies: [String: String] }
        #expect(try JSONDecoder().decode(Jar.self, from: data).cookies == ["flavour": "oat"])
    }

    @Test("The time limit covers the load before and after a redirect")
    func timeLimit() async throws {
        let origins = try Origins()
        let endless = try Server.faults.environment.baseUrl.absoluteString + "/endless-body"
        let url = try Origins.redirect(at: origins.first, to: endless, key: "")
        let start = ContinuousClock.now
        let error = await #expect(throws: URLError.self) {
            try await URLSession.shared.load(URLRequest(url: url), LoadPolicy(timeLimit: 0.3))
        }
        #expect(error?.code == .timedOut)
        #expect(start.duration(to: .now) < .seconds(30), "the server goes on for two minutes")
    }

    /// What arrives of a GET that the first origin redirects to the other.
    private func arrivals(
        in session: URLSession, _ policy: LoadPolicy
    ) async throws -> [String] {
        let origins = try Origins()
        let key = UUID().uuidString
        let echo = origins.other.absoluteString + "/-/echo?key=\(key)"
        let url = try Origins.redirect(at: origins.first, to: echo, key: key)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.load(URLRequest(url: url), policy)
        return try await origins.arrivals(key)
    }
}
