import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Statuses from a server", .needsServers)
struct ServerStatusTests {
    /// Gets a response with a status from httpbin, mostly without a body.
    struct GetStatus: FlatRequest {
        let status: Int
        static let endpoint = Endpoint<GetStatus>(method: .get, path: "status/\(path: \.status)")
        typealias Response = WithHTTPResponse<Void>
        static let loadPolicy = LoadPolicy(redirects: .doNotFollow)
    }

    /// Gets a response with a status and a body from the recorder.
    struct GetEcho: FlatRequest {
        let status: Int
        static let endpoint = Endpoint<GetEcho>(
            method: .get, path: "-/echo", parameters: [.query("status", path: \.status)])
        typealias Response = WithHTTPResponse<EmptyResponse>
        struct ErrorResponse: Decodable { let target: String }
        static let loadPolicy = LoadPolicy(redirects: .doNotFollow)
    }

    /// Statuses in groups, so that few requests are sent at a time.
    static let groups = stride(from: 200, to: 600, by: 25).map { $0..<($0 + 25) }

    @Test(
        "Each status from 200 to 599 without a body is a success, unexpected or an error",
        arguments: groups)
    func httpbin(statuses: Range<Int>) async throws {
        for status in statuses {
            let outcome = try await outcome(GetStatus(status: status), at: .httpbin) {
                $0.statusCode
            }
            switch status {
            case 200..<300: #expect(outcome == "success \(status)")
            case 300..<400: #expect(outcome == "unexpected \(status)")
            default: #expect(outcome == "error \(status) EmptyResponse()")
            }
        }
    }

    @Test(
        "Each status from 200 to 599 with a body is a success, unexpected or an error",
        arguments: groups)
    func recorder(statuses: Range<Int>) async throws {
        for status in statuses where status != 204 && status != 304 {
            let outcome = try await outcome(GetEcho(status: status), at: .recorder) {
                $0.statusCode
            }
            switch status {
            case 200..<300: #expect(outcome == "success \(status)")
            case 300..<400: #expect(outcome == "unexpected \(status)")
            default:
                let response = GetEcho.ErrorResponse(target: "/-/echo?status=\(status)")
                #expect(outcome == "error \(status) \(response)")
            }
        }
    }

    private func outcome<Request: RequestType, Value>(
        _ request: Request, at server: Server, _ status: (HTTPURLResponse) -> Int
    ) async throws -> String
    where Request.Environment == ServerEnvironment, Request.Response == WithHTTPResponse<Value> {
        do {
            let response = try await server.response(to: request)
            return "success \(status(response.httpResponse))"
        } catch let error as Request.TaskError {
            switch error {
            case .unexpectedResponse(let httpResponse): return "unexpected \(status(httpResponse))"
            case .errorResponse(let httpResponse, let response):
                return "error \(status(httpResponse)) \(response)"
            default: throw error
            }
        }
    }
}

@Suite("Redirects, cookies and delays", .needsServers)
struct TurnTests {
    struct Redirect: FlatRequest {
        let path: String
        let count: Int
        static let endpoint = Endpoint<Redirect>(
            method: .get, path: "\(path: \.path)/\(path: \.count)")
        struct Response: Decodable { let url: String }
    }

    @Test(
        "Redirects of httpbin are followed",
        arguments: ["redirect", "relative-redirect", "absolute-redirect"], [1, 5])
    func redirects(path: String, count: Int) async throws {
        let response = try await Server.httpbin.response(to: Redirect(path: path, count: count))
        #expect(response.url.hasSuffix("/get"))
    }

    @Test(
        "A cookie that a server sets is sent with the session's next request",
        .notReplayed(as: "it loads with a session of its own"))
    func cookies() async throws {
        struct SetCookie: FlatRequest {
            let value: String
            static let endpoint = Endpoint<SetCookie>(
                method: .get, path: "cookies/set", parameters: [.query("flavour", path: \.value)])
            struct Response: Decodable { let cookies: [String: String] }
        }
        struct GetCookies: RequestType {
            static let endpoint = Endpoint<GetCookies>(method: .get, path: "cookies")
            typealias Response = SetCookie.Response
        }
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let environment = try Server.httpbin.environment
        let first = try await session.response(in: environment, with: SetCookie(value: "oat-1"))
        #expect(first.cookies["flavour"] == "oat-1")
        let second = try await session.response(in: environment, with: GetCookies())
        #expect(second.cookies["flavour"] == "oat-1")
    }

    @Test("A request can send a cookie of its own")
    func ownCookie() async throws {
        struct GetCookies: FlatRequest {
            let cookie: String
            static let endpoint = Endpoint<GetCookies>(
                method: .get, path: "cookies", headers: [.cookie: .field(path: \.cookie)])
            struct Response: Decodable { let cookies: [String: String] }
        }
        let response = try await Server.httpbin.response(to: GetCookies(cookie: "a=1; b=2"))
        #expect(response.cookies == ["a": "1", "b": "2"])
    }

    @Test("A response that takes longer than the request's timeout is an error")
    func delay() async throws {
        struct GetSlowly: FlatRequest {
            let seconds: Double
            let timeout: TimeInterval
            static let endpoint = Endpoint<GetSlowly>(
                method: .get, path: "delay/\(path: \.seconds)")
            struct Response: Decodable { let url: String }
            func prepare(_ request: inout URLRequest) { request.timeoutInterval = timeout }
        }
        let response = try await Server.httpbin.response(to: GetSlowly(seconds: 0.1, timeout: 30))
        #expect(response.url.hasSuffix("/delay/0.1"))
        do {
            _ = try await Server.httpbin.response(to: GetSlowly(seconds: 9, timeout: 1))
            Issue.record("no timeout")
        } catch let GetSlowly.TaskError.urlLoadError(error) {
            #expect(error.code == .timedOut)
        }
    }
}
