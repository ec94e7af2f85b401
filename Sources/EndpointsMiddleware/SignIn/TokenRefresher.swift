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

/// A token that was given to a request.
struct IssuedToken: Sendable {
    let token: AccessToken
    /// The number of the token. Each new token has the next number.
    let generation: Int
    /// How many refreshes had ended when the request got the token.
    let endedRefreshes: Int
}

/// The newest token, and the requests that wait for a new token.
struct RefreshState {
    /// Whether a request needs a new token. With `newIfPossible`, the old token is still valid, and
    /// is used if the refresh fails.
    enum Need {
        case none, newIfPossible, new
    }

    private(set) var generation = 0
    private var token: AccessToken?
    private var firstSeen = Date.distantPast
    /// The token that the last refresh replaced. If the source still returns it, it is ignored.
    private var replaced: AccessToken?
    private var isRefused = false
    /// The token with this number couldn't be refreshed. It is used until it expires or is refused.
    private var failedGeneration: Int?
    /// The number of the token that a running refresh replaces; `nil` if no refresh runs.
    private var refreshingGeneration: Int?
    /// Whether the running refresh began while its token was still valid.
    private var isEarly = false
    private var endedRefreshes = 0
    /// Why the last refresh failed; `nil` if it didn't, or if the token has changed since.
    private var failure: SignInError?
    private var waiters: [Waiter<IssuedToken>] = []

    var issued: IssuedToken? {
        token.map { IssuedToken(token: $0, generation: generation, endedRefreshes: endedRefreshes) }
    }

    /// Takes the token that the source has returned, unless a newer one has come meanwhile.
    mutating func adopt(_ token: AccessToken?, asOf generation: Int, _ now: Date) {
        guard generation == self.generation, token != self.token,
            token == nil || token != replaced
        else { return }
        set(token, now)
    }

    private mutating func set(_ token: AccessToken?, _ now: Date) {
        replaced = nil
        self.token = token
        firstSeen = now
        generation += 1
        isRefused = false
        failure = nil
    }

    /// What a request needs; the first of these that applies:
    /// - `.new` if the token has expired or was refused (see ``refuse(_:)``).
    /// - While a refresh runs, the need with which it began, so that all requests wait for it.
    /// - `.newIfPossible` in the last tenth of the token's life (at most 30 seconds), unless a
    ///   refresh of this token has failed.
    /// - `.none`.
    func need(_ now: Date) -> Need {
        if isRefused { return .new }
        if let expires = token?.expires, now >= expires { return .new }
        if refreshingGeneration != nil { return isEarly ? .newIfPossible : .new }
        guard let expires = token?.expires else { return .none }
        let margin = min(30, max(0, expires.timeIntervalSince(firstSeen) / 10))
        return now >= expires - margin && failedGeneration != generation ? .newIfPossible : .none
    }

    /// Records that the server has refused a token in a request that can't be sent again. After any
    /// other 401 a refresh begins at once; if that fails, the token is used again.
    mutating func refuse(_ refused: IssuedToken) {
        if refused.generation == generation { isRefused = true }
    }

    /// Resumes a waiter that need not wait. Otherwise, keeps it until ``finish(_:_:)``, and returns
    /// the token to refresh if no refresh runs.
    mutating func join(
        _ waiter: Waiter<IssuedToken>, after old: IssuedToken, isEarly: Bool
    ) -> AccessToken? {
        if generation > old.generation {
            waiter.resume(with: issued.map { .success($0) } ?? .failure(SignInError()))
            return nil
        }
        // A refresh has failed since this request got its token. Don't try again for each request.
        if refreshingGeneration == nil, endedRefreshes > old.endedRefreshes, let failure {
            waiter.resume(with: .failure(failure))
            return nil
        }
        waiters.append(waiter)
        guard refreshingGeneration == nil else { return nil }
        (refreshingGeneration, self.isEarly) = (generation, isEarly)
        return old.token
    }

    mutating func finish(
        _ result: Result<AccessToken, SignInError>, _ now: Date
    ) -> (waiters: [Waiter<IssuedToken>], result: Result<IssuedToken, any Error>) {
        defer { waiters = [] }
        let isCurrent = refreshingGeneration == generation
        refreshingGeneration = nil
        endedRefreshes += 1
        switch result {
        case .success(let new):
            if isCurrent {
                let old = token
                set(new, now)
                replaced = old
            }
        case .failure(let error):
            if isCurrent {
                (failure, failedGeneration) = (error, generation)
                return (waiters, .failure(error))
            }
        }
        return (waiters, issued.map { .success($0) } ?? .failure(SignInError()))
    }
}
