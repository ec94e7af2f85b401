import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Redirect choice", .needsServers)
struct RedirectChoiceTests {
    /// A request for a redirect; each type that conforms chooses what to do with it.
    private protocol Choice: FlatRequest, Sendable where Environment == ServerEnvironment {
        var status: Int { get }
        var to: String { get }
        var key: String { get }
        init(status: Int, to: String, key: String)
    }

    private struct Follow: Choice {
        let status: Int, to: String, key: String
        static let endpoint = RedirectChoiceTests.endpoint(Follow.self)
        typealias Response = WithHTTPResponse<Data>
    }

    private struct Stay: Choice {
        let status: Int, to: String, key: String
        static let endpoint = RedirectChoiceTests.endpoint(Stay.self)
        static let loadPolicy = LoadPolicy(redirects: .followSameOrigin)
        typealias Response = WithHTTPResponse<Data>
    }

    private struct DoNotFollow: Choice {
        let status: Int, to: String, key: String
        static let endpoint = RedirectChoiceTests.endpoint(DoNotFollow.self)
        static let loadPolicy = LoadPolicy(redirects: .doNotFollow)
        typealias Response = WithHTTPResponse<Data>
    }

    private struct Where: Choice {
        let status: Int, to: String, key: String
        static let endpoint = RedirectChoiceTests.endpoint(Where.self)
        static let loadPolicy = LoadPolicy(redirects: .doNotFollow)

        static func succeeded(_ httpResponse: HTTPURLResponse, data: Data) -> Bool {
            (300..<400).contains(httpResponse.statusCode)
        }

        typealias Response = WithHTTPResponse<Data>
    }

    private static func endpoint<Request: Choice>(
        _ type: Request.Type
    ) -> Endpoint<Request> where Request.Body: Encodable {
        Endpoint(
            method: .get, path: "-/redirect",
            parameters: [
                .query("status", path: \.status), .query("to", path: \.to),
                .query("key", path: \.key),
            ])
    }

    @Test(
        "A request type can follow every redirect, those within its origin, or none",
        arguments: [301, 302, 303, 307, 308])
    func choice(status: Int) async throws {
        #expect(try await end(of: Follow.self, status) == "200 at other, 2 requests")
        #expect(
            try await end(of: Follow.self, status, toOther: false) == "200 at first, 2 requests")
        #expect(try await end(of: Stay.self, status) == "unexpected \(status), 1 requests")
        #expect(try await end(of: Stay.self, status, toOther: false) == "200 at first, 2 requests")
        #expect(try await end(of: DoNotFollow.self, status) == "unexpected \(status), 1 requests")
        #expect(
            try await end(of: DoNotFollow.self, status, toOther: false)
                == "unexpected \(status), 1 requests")
    }

    @Test(
        "A request type can make a redirect that it doesn't follow its success",
        arguments: [301, 302, 303, 307, 308])
    func success(status: Int) async throws {
        #expect(try await end(of: Where.self, status) == "\(status) at first, 1 requests")
        let origins = try Origins()
        let request = Where(status: status, to: "/b?c#d", key: "")
        let response = try await URLSession.shared.response(
            in: ServerEnvironment(baseUrl: origins.first), with: request)
        #expect(response.httpResponse.value(forHTTPHeaderField: "Location") == "/b?c#d")
    }

    @Test(
        "A request type that stays in its origin gets a 3xx whose URL could not be followed",
        arguments: ["ftp://h/x", "app:done", "https://u:p@h/x", "https://h:x/"])
    func unfollowable(location: String) async throws {
        let environment = ServerEnvironment(baseUrl: try Origins().first)
        let error = await #expect(throws: Stay.TaskError.self) {
            try await URLSession.shared.response(
                in: environment, with: Stay(status: 302, to: location, key: ""))
        }
        #expect(error?.errorCode == 70302)
    }

    private func end<Request: Choice>(
        of type: Request.Type, _ status: Int, toOther: Bool = true
    ) async throws -> String where Request.Response == WithHTTPResponse<Data> {
        let origins = try Origins()
        let key = UUID().uuidString
        let target = toOther ? origins.other : origins.first
        let request = Request(
            status: status, to: target.absoluteString + "/-/echo?key=\(key)", key: key)
        var end: String
        do throws(Request.TaskError) {
            let response = try await URLSession.shared.response(
                in: ServerEnvironment(baseUrl: origins.first), with: request
            ).httpResponse
            let isOther = response.url?.port == origins.other.port
            end = "\(response.statusCode) at \(isOther ? "other" : "first")"
        } catch .unexpectedResponse(let response) {
            end = "unexpected \(response.statusCode)"
        } catch {
            end = "\(error)"
        }
        return "\(end), \(try await origins.arrivals(key).count) requests"
    }
}
