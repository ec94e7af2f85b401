import Endpoints
import EndpointsAuth
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Signs in at the server of oauth.py, and says on standard output what has become of it:
//
//     OAuthCheck http://127.0.0.1:8000 tokens.json device
//
// The last line is `ok`, `sign in again`, or `error` with the error's text.

struct GetItem: FlatRequest {
    let scope: String
    static let endpoint = Endpoint<Self>(method: .get, path: "\(path: \.scope)")
    typealias Response = String
}

struct GetUserInfo: FlatRequest {
    static let endpoint = Endpoint<Self>(method: .get, path: "userinfo")
    typealias Response = UserInfo
    struct UserInfo: Decodable { let sub: String }
}

struct Sign: FlatRequest {
    let body: Data
    static let endpoint = Endpoint<Self>(method: .post, path: "sign")
    typealias Response = String
}

/// The places at which a refresh can be interrupted.
enum Step: String, CaseIterable {
    case beforeBegun, afterBegun, beforeRequest, afterResponse, beforeStored, afterStored
}

struct Killer: Sendable {
    let step: Step?

    func reach(_ step: Step) {
        if step == self.step { kill(getpid(), SIGKILL) }
    }
}

struct KillingStore: OAuthStore {
    let base: FileOAuthStore
    let killer: Killer

    func load() throws -> OAuthTokens? { try base.load() }
    func save(_ tokens: OAuthTokens?) throws { try base.save(tokens) }

    func replace(_ old: OAuthTokens?, with new: OAuthTokens?) throws -> Bool {
        let begins = new?.isRefreshUnfinished == true
        killer.reach(begins ? .beforeBegun : .beforeStored)
        let isDone = try base.replace(old, with: new)
        killer.reach(begins ? .afterBegun : .afterStored)
        return isDone
    }

    func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await base.exclusively(body)
    }
}

struct KillingTransport: Transport {
    let killer: Killer

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        killer.reach(.beforeRequest)
        let response = try await URLSession.shared.send(request)
        killer.reach(.afterResponse)
        return response
    }
}

struct WrongUse: Error {}

@main struct OAuthCheck {
    let root: URL
    let server: OAuthServer
    let resource: OAuthResource
    let store: KillingStore
    var resources: [URL] = []

    /// The system's clock, wrong by so many seconds as `OAUTH_SKEW` says.
    static var clock: TransportClock {
        let skew = TimeInterval(ProcessInfo.processInfo.environment["OAUTH_SKEW"] ?? "") ?? 0
        var clock = TransportClock.system
        clock.date = { Date() + skew }
        return clock
    }

    private var environment: ServerEnvironment { ServerEnvironment(baseUrl: resource.url) }

    private func tokens(
        _ client: OAuthClient = OAuthClient("tool"), _ transport: (any Transport)? = nil
    ) -> OAuthCredentials {
        OAuthCredentials(
            for: environment, server: server, client: client, store: store,
            resources: resources,
            transport: transport ?? KillingTransport(killer: store.killer), clock: Self.clock)
    }

    private func client(_ name: String) throws -> OAuthClient {
        let secret = ProcessInfo.processInfo.environment["OAUTH_SECRET"] ?? ""
        switch name {
        case "basic": return OAuthClient("basic é:", .basic(secret: secret))
        case "post": return OAuthClient("post", .post(secret: secret))
        case "jwt":
            let environment = ServerEnvironment(baseUrl: root)
            return OAuthClient(
                "jwt",
                .signedJWT(algorithm: "HS256") { bytes in
                    let text = try await URLSession.shared.response(
                        in: environment, with: Sign(body: bytes))
                    let base64 = text.replacingOccurrences(of: "-", with: "+")
                        .replacingOccurrences(of: "_", with: "/")
                    guard let data = Data(base64Encoded: base64 + "=") else { throw WrongUse() }
                    return data
                })
        default: throw WrongUse()
        }
    }

    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
            say("ok")
        } catch {
            var cause: any Error = error
            if let failure = error as? EndpointTaskError<EmptyResponse>,
                case .transportError(let error) = failure
            {
                cause = error.cause
            }
            if let failure = cause as? SignInError {
                let code = (failure.cause as? OAuthError)?.code
                let ends: [OAuthError.Code?] = [.invalidGrant, .invalidClient, .signInNeeded]
                let isEnd =
                    failure.cause == nil
                    || ends.contains(code) && "\(failure)".hasSuffix("sign in again")
                say(isEnd ? "sign in again: \(failure)" : "error: \(failure)")
            } else {
                say("error: \(cause)")
            }
        }
    }

    static func run(_ arguments: [String]) async throws {
        guard arguments.count >= 3, let root = URL(string: arguments[0]) else { throw WrongUse() }
        if arguments[2] == "origin" {
            return try await origin(root, FileOAuthStore(URL(fileURLWithPath: arguments[1])))
        }
        if arguments[2] == "openid" {
            return try await openID(root, FileOAuthStore(URL(fileURLWithPath: arguments[1])))
        }
        let step = arguments.count > 3 ? Step(rawValue: arguments[3]) : nil
        let resource = try await OAuthResource.discover(root.appendingPathComponent("api"))
        var check = OAuthCheck(
            root: root, server: try await OAuthServer.discover(resource.servers[0]),
            resource: resource,
            store: KillingStore(
                base: FileOAuthStore(URL(fileURLWithPath: arguments[1])), killer: Killer(step: step)
            ))
        if arguments[2] == "identity" { check.resources = [resource.url] }
        try await check.run(arguments[2], Array(arguments.dropFirst(3)))
    }

    /// Signs in at a server of OpenID Connect, and refreshes the tokens once.
    private static func openID(_ root: URL, _ store: FileOAuthStore) async throws {
        let environment = ServerEnvironment(baseUrl: root)
        let tokens = OAuthCredentials(
            for: environment, server: try await OAuthServer.discover(root.absoluteString),
            client: OAuthClient("tool", .basic(secret: "s3cret")), store: store)
        try await tokens.signIn(
            .loopback(within: 20) { say("open \($0)") }, scopes: ["openid", "email"])
        let api = EndpointClient(URLSession.shared.authorized(by: tokens), in: environment)
        guard try await api(GetUserInfo()).sub == "ann", let token = try await tokens.token(),
            try await tokens.tokens?.idToken != nil
        else { throw WrongUse() }
        let new = try await tokens.refresh(after: token)
        guard new.credentials != token.credentials, try await api(GetUserInfo()).sub == "ann"
        else { throw WrongUse() }
    }

    /// Signs in at a server that has no metadata, and neither has its API.
    private static func origin(_ root: URL, _ store: FileOAuthStore) async throws {
        let url = root.appendingPathComponent("api")
        let found = try? await OAuthResource.discover(url)
        guard found == nil else { throw WrongUse() }
        let environment = ServerEnvironment(baseUrl: url)
        let tokens = OAuthCredentials(
            for: environment, server: try await OAuthServer.discover(atOriginOf: url),
            client: .registered(as: "Check"), store: store)
        try await tokens.signIn(.loopback(within: 20) { say("open \($0)") }, scopes: ["read"])
        let api = EndpointClient(URLSession.shared.authorized(by: tokens), in: environment)
        _ = try await api(GetItem(scope: "read"))
    }

    /// Signs in as a client that registers itself, unless it has done so, and calls the API.
    private func register(_ document: String?) async throws {
        let tokens = tokens(.registered(as: "Check", orBy: document.flatMap(URL.init(string:))))
        if try await !tokens.isSignedIn {
            try await tokens.signIn(
                .loopback(within: 20) { Self.say("open \($0)") },
                scopes: ["read"] + server.offlineScopes)
        }
        let api = EndpointClient(
            URLSession.shared.authorized(by: tokens, clock: Self.clock), in: environment)
        _ = try await api(GetItem(scope: "read"))
    }

    /// Signs in and calls the API with proofs of a key.
    private func prove(_ command: String) async throws {
        let signer = DPoPSigner(try ProofKey().key)
        let transport = URLSession.shared.signed(by: signer)
        let tokens = tokens(OAuthClient("tool"), transport)
        switch command {
        case "sign-in":
            try await tokens.signIn(
                .loopback(within: 20) { Self.say("open \($0)") }, scopes: ["read"])
        case "call":
            let api = EndpointClient(transport.authorized(by: tokens), in: environment)
            for _ in 0..<3 { _ = try await api(GetItem(scope: "read")) }
        case "replay":
            let replaying = Replaying().signed(by: signer)
            let api = EndpointClient(replaying.authorized(by: tokens), in: environment)
            _ = try await api(GetItem(scope: "read"))
        default: throw WrongUse()
        }
    }

    private func run(_ command: String, _ arguments: [String]) async throws {
        switch command {
        case "device":
            try await tokens().signIn(
                .device { code in Self.say("code \(code.userCode) \(code.verificationURI)") },
                scopes: ["read"])
        case "loopback":
            try await tokens().signIn(
                .loopback(within: 20) { Self.say("open \($0)") }, scopes: ["read"])
        case "client":
            try await tokens(client(arguments[0])).signIn(.clientCredentials, scopes: ["read"])
        case "exchange":
            let old = try await tokens().tokens?.accessToken ?? ""
            try await tokens(client("basic")).signIn(.exchange { old }, scopes: ["read"])
        case "call":
            try await call(arguments[0], Int(arguments[1]) ?? 1)
        case "register":
            try await register(arguments.first)
        case "dpop":
            try await prove(arguments[0])
        case "identity":
            let company = OAuthServer(tokenURL: root.appendingPathComponent("company/token"))
            try await tokens().signIn(
                .identity(from: company, as: OAuthClient("tool")) { arguments[0] },
                scopes: ["read"])
        case "step-up":
            try await stepUp(arguments[0])
        case "refresh":
            let tokens = tokens()
            guard let token = try await tokens.token() else { throw SignInError() }
            _ = try await tokens.refresh(after: token)
        case "sign-out":
            try await tokens().signOut()
        default:
            throw WrongUse()
        }
    }

    /// Sends so many requests at once.
    private func call(_ scope: String, _ count: Int) async throws {
        let api = EndpointClient(
            URLSession.shared.authorized(by: tokens(), clock: Self.clock), in: environment)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { _ = try await api(GetItem(scope: scope)) }
            }
            try await group.waitForAll()
        }
    }

    private func stepUp(_ scope: String) async throws {
        do { try await call(scope, 1) } catch let error as EndpointTaskError<EmptyResponse> {
            guard let response = error.httpResponse, let challenge = OAuthChallenge(response)
            else { throw error }
            Self.say(
                "asked \(challenge.error ?? "nothing") \(challenge.scopes.joined(separator: " "))")
            try await tokens().signIn(.loopback { Self.say("open \($0)") }, for: challenge)
            try await call(scope, 1)
        }
    }
}
