import Foundation
import Testing

@testable import Endpoints

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Session delegate", .needsServers, .timeLimit(.minutes(5)))
struct RedirectDelegateTests {
    /// A delegate that records redirects and decides by functions.
    final class Delegate: NSObject, URLSessionTaskDelegate {
        typealias Change = @Sendable (URLRequest) -> URLRequest?
        typealias Challenge =
            @Sendable (Int) -> (URLSession.AuthChallengeDisposition, URLCredential?)

        let asked = Locked<[String]>([])
        private let change: Change
        private let challenge: Challenge

        init(change: @escaping Change, challenge: @escaping Challenge) {
            (self.change, self.challenge) = (change, challenge)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let words = Redirection.Step.follow(request).words
            asked.withLock { $0.append("\(response.statusCode) \(words)") }
            completionHandler(change(request))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let (disposition, credential) = self.challenge(challenge.previousFailureCount)
            completionHandler(disposition, credential)
        }
    }

    /// A load by a session with a delegate, starting at the first origin.
    private struct Load {
        let origins: Origins
        let key = UUID().uuidString
        let delegate: Delegate
        var policy = LoadPolicy.default
        /// Whether the responses arrive in chunks.
        let inChunks: Bool

        init(
            _ inChunks: Bool,
            change: @escaping Delegate.Change = { $0 },
            challenge: @escaping Delegate.Challenge = { _ in (.performDefaultHandling, nil) }
        ) throws {
            self.inChunks = inChunks
            origins = try Origins()
            delegate = Delegate(change: change, challenge: challenge)
        }

        var echo: String { origins.other.absoluteString + "/-/echo?key=\(key)" }

        func status(
            of url: URL, _ method: String = "GET", _ headers: [String: String] = [:]
        ) async throws -> Int {
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.allHTTPHeaderFields = headers
            if method == "POST" { request.httpBody = Data("x".utf8) }
            let session = URLSession(
                configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            let transport: any Transport = inChunks ? InChunks(session) : session
            return try await transport.load(request, policy).1.statusCode
        }

        func redirected(
            to address: String, _ status: Int = 302, _ method: String = "GET",
            _ headers: [String: String] = [:]
        ) async throws -> Int {
            let url = try Origins.redirect(at: origins.first, status, to: address, key: key)
            return try await self.status(of: url, method, headers)
        }
    }

    @Test(
        "The session's delegate sees the corrected request, and each redirect once",
        arguments: [false, true])
    func corrected(inChunks: Bool) async throws {
        let load = try Load(inChunks)
        let headers = ["Authorization": "s", "X-Trace": "7", "Content-Type": "text/plain"]
        let next = try Origins.redirect(at: load.origins.other, 307, to: load.echo, key: load.key)
        let status = try await load.redirected(to: next.absoluteString, 303, "POST", headers)
        #expect(status == 200)
        let asked = load.delegate.asked.withLock { $0 }
        #expect(
            asked == [
                "303 GET \(next.absoluteString) [x-trace: 7]", "307 GET \(load.echo) [x-trace: 7]",
            ])
    }

    @Test(
        "The session's delegate can refuse a redirect, which is then the response",
        arguments: [false, true])
    func refuses(inChunks: Bool) async throws {
        let load = try Load(inChunks, change: { _ in nil })
        #expect(try await load.redirected(to: load.echo) == 302)
        let arrivals = try await load.origins.arrivals(load.key)
        #expect(arrivals.count == 1)
        #expect(load.delegate.asked.withLock { $0.count } == 1)
    }

    @Test(
        "The session's delegate can change a redirected request and add a credential",
        arguments: [false, true])
    func changes(inChunks: Bool) async throws {
        let load = try Load(
            inChunks,
            change: { request in
                var request = request
                request.setValue("mine", forHTTPHeaderField: "Authorization")
                return request
            })
        #expect(try await load.redirected(to: load.echo, 302, "GET", ["Authorization": "s"]) == 200)
        let arrivals = try await load.origins.arrivals(load.key)
        #expect(
            arrivals == [
                "first: GET /-/redirect\nauthorization: s\nhost: first\n\n",
                "other: GET /-/echo\nauthorization: mine\nhost: other\n\n",
            ])
    }

    @Test(
        "The session's delegate can't redirect to a URL that the policy forbids",
        arguments: [false, true])
    func forbidden(inChunks: Bool) async throws {
        let load = try Load(
            inChunks, change: { _ in URLRequest(url: URL(fileURLWithPath: "/etc/passwd")) })
        let error = await #expect(throws: URLError.self) {
            try await load.redirected(to: load.echo)
        }
        #expect(error?.code == .unsupportedURL)
    }

    @Test(
        "The session's delegate can't leave the origin where the policy stays in it",
        arguments: [false, true])
    func stays(inChunks: Bool) async throws {
        let other = try #require(URL(string: try Load(inChunks).echo))
        var load = try Load(inChunks, change: { _ in URLRequest(url: other) })
        load.policy = LoadPolicy(redirects: .followSameOrigin)
        let home = load.origins.first.absoluteString + "/-/echo?key=\(load.key)"
        #expect(try await load.redirected(to: home) == 302)
        #expect(load.delegate.asked.withLock { $0.count } == 1)
    }

    @Test(
        "The session's delegate isn't asked about a redirect that the policy forbids",
        arguments: [false, true])
    func notAsked(inChunks: Bool) async throws {
        let load = try Load(inChunks)
        await #expect(throws: URLError.self) { try await load.redirected(to: "ftp://h/x") }
        #expect(load.delegate.asked.withLock { $0 } == [])
    }

    @Test(
        "The session's delegate can respond to a challenge, also after a redirect",
        arguments: [false, true], [false, true])
    func credential(isRedirected: Bool, inChunks: Bool) async throws {
        let load = try Load(
            inChunks,
            challenge: { failures in
                failures > 0
                    ? (.cancelAuthenticationChallenge, nil)
                    : (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
            })
        let url = try Server.httpbin.environment.baseUrl.appendingPathComponent("basic-auth/u/p")
        let status =
            if isRedirected {
                try await load.redirected(to: url.absoluteString)
            } else {
                try await load.status(of: url)
            }
        #expect(status == 200)
    }

    @Test(
        "The 401 is the response where the session's delegate gives no credential",
        arguments: [.performDefaultHandling, .rejectProtectionSpace]
            as [URLSession.AuthChallengeDisposition], ["", "hidden-"])
    func noCredential(
        disposition: URLSession.AuthChallengeDisposition, prefix: String
    ) async throws {
        let url = try Server.httpbin.environment.baseUrl
            .appendingPathComponent("\(prefix)basic-auth/u/p")
        for inChunks in [false, true] {
            let load = try Load(inChunks, challenge: { _ in (disposition, nil) })
            let status = prefix.isEmpty ? 401 : 404
            #expect(try await load.status(of: url) == status)
            #expect(try await load.redirected(to: url.absoluteString) == status)
        }
    }

    @Test(
        "The session's delegate cancels the load by cancelling a challenge",
        arguments: [false, true])
    func cancelled(inChunks: Bool) async throws {
        let load = try Load(inChunks, challenge: { _ in (.cancelAuthenticationChallenge, nil) })
        let url = try Server.httpbin.environment.baseUrl.appendingPathComponent("basic-auth/u/p")
        let error = await #expect(throws: URLError.self) { try await load.status(of: url) }
        #expect(error?.code == .cancelled)
    }
}
