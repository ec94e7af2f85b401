// expect: protocol requires function 'exclusively'

import EndpointsAuth

actor Store: OAuthStore {
    var tokens: OAuthTokens?

    func load() -> OAuthTokens? { tokens }
    func save(_ tokens: OAuthTokens?) { self.tokens = tokens }

    func replace(_ old: OAuthTokens?, with new: OAuthTokens?) -> Bool {
        guard tokens == old else { return false }
        tokens = new
        return true
    }

    #if WRONG
        func exclusively<Value: Sendable>(
            _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            try await Task { try await body() }.value
        }
    #else
        func exclusively<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            try await body()
        }
    #endif
}
