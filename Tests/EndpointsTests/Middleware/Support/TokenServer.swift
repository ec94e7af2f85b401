import Endpoints
import EndpointsMiddleware
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that accepts one token at a time, `t0`, `t1`, `t2` …, and gives out the next one for
/// the newest, once. It is the source of its tokens, too.
struct TokenServer: CredentialSource, Transport {
    struct State {
        var newest = 0
        var isRevoked = false
        /// The token that the source returns.
        var stored: Int? = 0
        var expires: Date?
        var refreshes = 0
        var running = 0
        /// What a careful client never does.
        var faults: [String] = []
    }

    struct Refused: Error, Equatable {}

    let state = Guarded(State())
    let baseUrl = url("https://api.example.com/v1")
    /// What happens between the beginning and the end of each of these.
    var reading: @Sendable () async -> Void = {}
    var sending: @Sendable () async -> Void = {}
    var refreshing: @Sendable () async throws -> Void = {}

    func token() async throws -> AccessToken? {
        let token = state.withLock { state in
            state.stored.map { AccessToken(.bearer("t\($0)"), expires: state.expires) }
        }
        await reading()
        return token
    }

    func refresh(after refused: AccessToken) async throws -> AccessToken {
        let number = state.withLock { state in
            state.refreshes += 1
            state.running += 1
            if state.running > 1 { state.faults.append("two refreshes at a time") }
            if refused.credentials != .bearer("t\(state.newest)") {
                state.faults.append("a refresh for a token that was refreshed before")
            }
            return state.newest + 1
        }
        defer { state.withLock { $0.running -= 1 } }
        try await refreshing()
        state.withLock { state in
            (state.newest, state.stored) = (number, number)
            (state.isRevoked, state.expires) = (false, nil)
        }
        return AccessToken(.bearer("t\(number)"))
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        await sending()
        let header = request.urlRequest.value(forHTTPHeaderField: "Authorization")
        let isValid = state.withLock { !$0.isRevoked && header == "Bearer t\($0.newest)" }
        await sending()
        try Task.checkCancellation()
        return isValid ? try Self.accepted.get() : try Self.refused.get()
    }

    private static let accepted = Result { try TransportResponse.stub(200) }
    private static let refused = Result { try TransportResponse.stub(401) }
}

/// A value that is only touched while a lock is held.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// A URL that is known to be one.
func url(_ address: String) -> URL {
    URL(string: address) ?? URL(fileURLWithPath: "/")
}
