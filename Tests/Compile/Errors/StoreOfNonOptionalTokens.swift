// expect: candidate has non-matching type '(OAuthTokens, OAuthTokens) -> Bool'

import EndpointsAuth

actor Store: OAuthStore {
    var tokens: OAuthTokens?

    func load() -> OAuthTokens? { tokens }
    func save(_ tokens: OAuthTokens?) { self.tokens = tokens }

    #if WRONG
        func replace(_ old: OAuthTokens, with new: OAuthTokens) -> Bool {
            guard tokens == old else { return false }
            tokens = new
            return true
        }
    #else
        func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool {
            guard tokens == old else { return false }
            tokens = new
            return true
        }
    #endif

    func exclusively<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await body()
    }
}
