import Endpoints
import EndpointsShared
import Foundation

/// Where the tokens of one sign-in are kept, such as a file or the keychain.
///
/// ``MemoryOAuthStore`` keeps them as long as the process runs, and ``FileOAuthStore`` in a file
/// that several processes may use. Each function may throw; the requests that need the tokens then
/// end with a ``SignInError`` with that cause.
public protocol OAuthStore: Sendable {
    /// The tokens; `nil` if nobody has signed in.
    func load() async throws -> OAuthTokens?

    /// Keeps tokens in place of those that are there; `nil` removes them. It must return only when
    /// they would survive a crash.
    func save(_ tokens: OAuthTokens?) async throws

    /// Keeps tokens if those that are there are still `old`, and says whether they were. Nobody
    /// else may change them in between, so it isn't enough to call ``load()`` and ``save(_:)``
    /// unless an actor or a lock keeps the two together. `nil` stands for no tokens.
    func replace(_ old: OAuthTokens?, with new: OAuthTokens?) async throws -> Bool

    /// Runs a function while no other call of this function runs for the same tokens, in this or
    /// another process. Meanwhile, the other functions may be called by all. If only one process
    /// uses the store, and one ``OAuthCredentials``, `try await body()` is enough, as that makes
    /// one call at a time.
    func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value
}

/// Keeps tokens as long as the process runs.
public final class MemoryOAuthStore: OAuthStore, CustomReflectable {
    private let tokens: Locked<OAuthTokens?>
    private let turn = Turn()

    /// Makes a store.
    /// - Parameter tokens: The tokens to begin with.
    public init(_ tokens: OAuthTokens? = nil) { self.tokens = Locked(tokens) }

    /// The tokens; `nil` if nobody has signed in.
    public func load() -> OAuthTokens? { tokens.withLock { $0 } }

    /// Keeps tokens; `nil` removes them.
    public func save(_ tokens: OAuthTokens?) { self.tokens.withLock { $0 = tokens } }

    /// Keeps tokens if those that are there are still `old`.
    public func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool {
        tokens.withLock { tokens in
            guard tokens == old else { return false }
            tokens = new
            return true
        }
    }

    /// Runs a function while no other call of this function runs.
    public func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await turn.run(body)
    }

    /// No children, because `dump(_:)` would print the tokens.
    public var customMirror: Mirror { .hidden(self) }
}
