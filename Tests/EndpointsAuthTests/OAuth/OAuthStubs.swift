import Endpoints
import EndpointsMiddleware
import EndpointsShared
import EndpointsTesting
import Foundation

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A clock whose waits take no time, but are counted.
final class CountingClock: Sendable {
    private let state = Locked<(now: TimeInterval, waits: [TimeInterval])>((0, []))

    var waits: [TimeInterval] { state.withLock { $0.waits } }

    func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

    var clock: TransportClock {
        TransportClock(
            date: { self.state.withLock { Date(timeIntervalSince1970: 1_700_000_000 + $0.now) } },
            uptime: { self.state.withLock { $0.now } },
            sleep: { seconds in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.now += seconds
                    state.waits.append(seconds)
                }
            }, random: { 0 })
    }
}

extension OAuthServer {
    /// The server of the examples of RFC 6749.
    static let example = OAuthServer(
        issuer: "https://server.example.com",
        authorizationURL: URL(string: "https://server.example.com/authorize"),
        tokenURL: URL(string: "https://server.example.com/token"),
        deviceAuthorizationURL: URL(string: "https://server.example.com/device_authorization"),
        revocationURL: URL(string: "https://server.example.com/revoke"))
}

extension ServerEnvironment {
    static let api = ServerEnvironment(baseUrl: URL(fileURLWithPath: "/")).with(
        "https://api.example.com")

    private func with(_ text: String) -> ServerEnvironment {
        URL(string: text).map { ServerEnvironment(baseUrl: $0) } ?? self
    }
}

/// A sign-in at a stub of the server.
struct Fixture {
    let stub = StubTransport()
    let time = CountingClock()
    var server = OAuthServer.example
    var client = OAuthClient("s6BhdRkqt3")
    var store: any OAuthStore = MemoryOAuthStore()

    var credentials: OAuthCredentials { credentials(store) }

    private func credentials(_ store: some OAuthStore) -> OAuthCredentials {
        OAuthCredentials(
            for: ServerEnvironment.api, server: server, client: client, store: store,
            transport: stub, clock: time.clock)
    }

    /// The form fields of the requests at the token URL.
    var forms: [[String: String]] {
        stub.sent(TokenRequest.self).map { request in
            Dictionary(request.fields.map { ($0.name, $0.value ?? "") }) { $0 + " " + $1 }
        }
    }

    static let signedIn = OAuthTokens(
        accessToken: "2YotnFZFEjr1zCsicMWpAA",
        expires: Date(timeIntervalSince1970: 1_700_000_000 + 3600),
        refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA", account: "ann")
}

struct GetItem: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "items")
    typealias Response = Void
}

/// A new empty folder.
func temporaryFolder() throws -> URL {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("oauth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
}
