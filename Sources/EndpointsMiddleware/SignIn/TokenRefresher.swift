import Endpoints
import Foundation

/// Gets tokens from a source. However many requests need a new token, only one refresh runs.
final class TokenRefresher: Sendable {
    private let source: any CredentialSource
    private let clock: TransportClock
    private let state: Locked<RefreshState>

    /// The refreshers whose sources are being called in the current task.
    @TaskLocal private static var calling: [ObjectIdentifier] = []

    init(_ source: any CredentialSource, _ clock: TransportClock) {
        self.source = source
        self.clock = clock
        state = Locked(RefreshState())
    }

    /// Whether the source is being called in the current task. A request that the source sends must
    /// not wait for a token, because the source can return the token only after the response.
    var isCallingSource: Bool { Self.calling.contains(ObjectIdentifier(self)) }

    static var isCallingAnySource: Bool { !calling.isEmpty }

    /// The token for a request's first attempt; `nil` if nobody has signed in. A token that has
    /// expired, or was passed to ``refuse(_:)``, is refreshed first. So is a token that expires
    /// soon; but if that refresh fails, the token is returned as it is, and not refreshed again
    /// before it expires or is refused. A token whose refresh after a 401 failed is returned too. A
    /// refresh that fails with a ``SignInError`` without a cause is always an error.
    func token() async throws -> IssuedToken? {
        let generation = state.withLock { $0.generation }
        let token: AccessToken?
        do {
            token = try await withoutCredentials { try await self.source.token() }
        } catch {
            try Task.checkCancellation()
            throw error.asSignInError
        }
        let now = clock.date()
        let (issued, need) = state.withLock { state in
            state.adopt(token, asOf: generation, now)
            return (state.issued, state.need(now))
        }
        guard let issued else { return nil }
        switch need {
        case .none:
            return issued
        case .new:
            return try await self.token(after: issued)
        case .newIfPossible:
            do { return try await self.token(after: issued, isEarly: true) } catch {
                // A `SignInError` with a cause means that the refresh has failed, and the old token
                // is still used. Without one, there are no credentials any more: somebody has
                // signed out meanwhile, or the source has thrown it itself. Any other error is a
                // `CancellationError`.
                guard (error as? SignInError)?.cause != nil else { throw error }
                return issued
            }
        }
    }

    /// A new token in place of one that was refused, has expired or, if `isEarly`, expires soon.
    func token(after old: IssuedToken, isEarly: Bool = false) async throws -> IssuedToken {
        try Task.checkCancellation()
        let waiter = Waiter<IssuedToken>()
        let token = state.withLock { $0.join(waiter, after: old, isEarly: isEarly) }
        if let token { refresh(token) }
        return try await waiter.value()
    }

    /// Records that the server has refused a token, without waiting for a new one.
    func refuse(_ issued: IssuedToken) {
        state.withLock { $0.refuse(issued) }
    }

    /// Calls a function of the source. Requests that it sends get no credentials from this source.
    private func withoutCredentials<Value: Sendable>(
        _ call: @Sendable () async throws -> Value
    ) async throws -> Value {
        let calling = Self.calling + [ObjectIdentifier(self)]
        return try await Self.$calling.withValue(calling) { try await call() }
    }

    /// Gets a new token in a task of its own: cancelling a request must not end the refresh.
    private func refresh(_ token: AccessToken) {
        Task {
            let result: Result<AccessToken, SignInError>
            do {
                result = .success(
                    try await withoutCredentials { try await self.source.refresh(after: token) })
            } catch {
                result = .failure(error.asSignInError)
            }
            let (waiters, issued) = state.withLock { $0.finish(result, clock.date()) }
            for waiter in waiters { waiter.resume(with: issued) }
        }
    }
}

extension Error {
    fileprivate var asSignInError: SignInError {
        self as? SignInError ?? SignInError(cause: self)
    }
}
