import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What the session's delegate decides", .needsServers, .timeLimit(.minutes(5)))
struct DelegateRequestTests {
    /// A delegate that returns a request for a redirect, on a queue of its own.
    private final class Delegate: NSObject, URLSessionTaskDelegate {
        private let change: @Sendable (URLRequest, _ first: URLRequest) -> URLRequest?

        init(change: @escaping @Sendable (URLRequest, _ first: URLRequest) -> URLRequest?) {
            self.change = change
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            let changed = change(request, task.originalRequest ?? request)
            DispatchQueue.global().async { completionHandler(changed) }
        }
    }

    private struct Get: RequestType {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "-/redirect",
            parameters: [.query("to", path: \.to), .query("key", path: \.key)],
            headers: [.authorization: .fieldValue(value: Credentials.bearer("s3cr3t"))])
        struct Parameters: Sendable {
            let to: String
            let key: String
        }
        let parameters: Parameters
        typealias Response = WithHTTPResponse<Void>
    }

    /// A redirect from the first origin to the other, and what becomes of it.
    private struct Load {
        let origins: Origins
        let key = UUID().uuidString
        let session: URLSession
        let queue = OperationQueue()

        init(
            change: @escaping @Sendable (URLRequest, _ first: URLRequest) -> URLRequest?
        ) throws {
            origins = try Origins()
            session = URLSession(
                configuration: .ephemeral, delegate: Delegate(change: change), delegateQueue: queue)
        }

        var request: Get {
            Get(
                parameters: .init(to: origins.other.absoluteString + "/-/echo?key=\(key)", key: key)
            )
        }

        func response() async throws -> Int {
            defer { session.finishTasksAndInvalidate() }
            let environment = ServerEnvironment(baseUrl: origins.first)
            return try await session.response(in: environment, with: request)
                .httpResponse.statusCode
        }
    }

    private typealias Row = (
        name: String, change: @Sendable (inout URLRequest) -> Void, reason: String
    )

    private static let rows: [Row] = [
        (
            "a line break in a header", { $0.allHTTPHeaderFields = ["X-A": "a\r\nX-B: b"] },
            #"Get: the header "X-A" (set by the session's delegate at a redirect) has a control character, such as a line break; remove it"#
        ),
        (
            "a line break in a header's name", { $0.allHTTPHeaderFields = ["X-A: a\r\nX-B": "b"] },
            #"Get: the header "X-A: a\r\nX-B" (set by the session's delegate at a redirect) has an invalid name; use letters, digits and `-`"#
        ),
        (
            "a line break in the method", { $0.httpMethod = "GET / HTTP/1.1\r\nX-A: a\r\n\r\nGET" },
            "Get: the method (set by the session's delegate at a redirect) is not valid; use letters"
        ),
        (
            "a second Content-Length", { $0.allHTTPHeaderFields = ["Content-Length": "5"] },
            #"Get: the header "Content-Length" (set by the session's delegate at a redirect) is set by the transport; "#
                + "remove it, as a wrong value breaks the connection"
        ),
        (
            "a body with GET", { $0.httpBody = Data("x".utf8) },
            "Get: the body (set by the session's delegate at a redirect) is not sent with GET by URLSession; use POST, PUT or PATCH"
        ),
    ]

    @Test("A request that the delegate returns is checked as a first one is", arguments: 0..<5)
    func refusal(_ index: Int) async throws {
        let row = Self.rows[index]
        let load = try Load { request, _ in
            var request = request
            row.change(&request)
            return request
        }
        let error = await #expect(throws: Get.TaskError.self) { try await load.response() }
        #expect(
            error?.description == row.reason,
            "\(row.name)")
        #expect(try await load.origins.arrivals(load.key).count == 1)
    }

    @Test("A first request that the delegate sends to another origin goes without its credentials")
    func stripped() async throws {
        let load = try Load { request, first in
            var changed = first
            changed.url = request.url
            changed.setValue("7", forHTTPHeaderField: "X-Trace")
            return changed
        }
        #expect(try await load.response() == 200)
        let arrivals = try await load.origins.arrivals(load.key)
        #expect(
            arrivals == [
                "first: GET /-/redirect\nauthorization: Bearer s3cr3t\nhost: first\n\n",
                "other: GET /-/echo\nhost: other\nx-trace: 7\n\n",
            ])
    }

    @Test("A request that the delegate changes within the origin keeps its credentials")
    func kept() async throws {
        let home = try Origins().first.appendingPathComponent("-/echo")
        let load = try Load { _, first in
            var changed = first
            changed.url = home
            return changed
        }
        #expect(try await load.response() == 200)
    }

    @Test(
        "A delegate that replies on its own queue still has the callback on the session's queue",
        arguments: [true, false])
    func queue(isRefused: Bool) async throws {
        let load = try Load { request, _ in
            var request = request
            request.httpMethod = "G T"
            return isRefused ? request : nil
        }
        let environment = ServerEnvironment(baseUrl: load.origins.first)
        let (queues, calls) = AsyncStream.makeStream(of: OperationQueue?.self)
        let task = try load.session.endpointTask(in: environment, with: load.request) { _ in
            calls.yield(OperationQueue.current)
        }
        task.resume()
        var iterator = queues.makeAsyncIterator()
        let current = try #require(await iterator.next())
        #expect(current === load.queue)
        load.session.finishTasksAndInvalidate()
    }

    /// A delegate that responds to a challenge without a credential.
    private final class Empty: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, nil)
        }
    }

    @Test("A challenge to which the delegate gives no credential ends with the 401")
    func noCredential() async throws {
        let session = URLSession(configuration: .ephemeral, delegate: Empty(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = try Server.httpbin.environment.baseUrl.appendingPathComponent("basic-auth/u/p")
        #expect(try await session.load(URLRequest(url: url), .default).1.statusCode == 401)
    }
}
