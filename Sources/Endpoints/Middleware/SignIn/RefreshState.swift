import Foundation

/// A token as one request got it.
struct IssuedToken: Sendable {
    let token: AccessToken
    /// The number of the token. Each new token has the next number.
    let generation: Int
    /// How many refreshes had ended when the request got it.
    let refreshes: Int
}

/// The newest token, and the requests that wait for the next one.
struct RefreshState {
    typealias Continuation = CheckedContinuation<IssuedToken, any Error>

    /// Whether a request should get a new token before it is sent.
    enum Need {
        case none, newIfPossible, new
    }

    /// What a request that needs a new token does next.
    enum Step {
        case resume(Result<IssuedToken, any Error>)
        case refresh(AccessToken)
        case wait
    }

    private(set) var generation = 0
    private var token: AccessToken?
    private var firstSeen = Date.distantPast
    /// The token that the newest one has replaced. If the source still returns it, it is ignored.
    private var replaced: AccessToken?
    private var isRefused = false
    /// The generation whose refresh failed. It is refreshed again only if it expires or is refused.
    private var failedEarly: Int?
    /// The generation that a running refresh replaces; `nil` if none runs.
    private var refreshing: Int?
    private var refreshes = 0
    /// Why the last refresh failed, if it did.
    private var failure: SignInError?
    var waiters: [Int: Continuation] = [:]
    private var waiterCount = 0

    /// The newest token.
    var issued: IssuedToken? {
        token.map { IssuedToken(token: $0, generation: generation, refreshes: refreshes) }
    }

    mutating func nextWaiter() -> Int {
        waiterCount += 1
        return waiterCount
    }

    /// Takes the token that the source has returned, unless there has been a newer one since then.
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

    /// A token should be replaced in the last tenth of its life, at most 30 seconds before its end.
    func need(_ now: Date) -> Need {
        if refreshing != nil || isRefused { return .new }
        guard let expires = token?.expires else { return .none }
        if now >= expires { return .new }
        let margin = min(30, max(0, expires.timeIntervalSince(firstSeen) / 10))
        return now >= expires - margin && failedEarly != generation ? .newIfPossible : .none
    }

    mutating func refuse(_ refused: IssuedToken) {
        if refused.generation == generation { isRefused = true }
    }

    /// What a request does next if its token should be replaced.
    mutating func join(
        _ number: Int, after refused: IssuedToken, _ continuation: Continuation
    ) -> Step {
        if generation > refused.generation {
            return .resume(issued.map { .success($0) } ?? .failure(SignInError()))
        }
        // A refresh has failed since this request got its token. Don't repeat it for each request.
        if refreshing == nil, refreshes > refused.refreshes, let failure {
            return .resume(.failure(failure))
        }
        waiters[number] = continuation
        guard refreshing == nil else { return .wait }
        refreshing = generation
        return .refresh(refused.token)
    }

    /// Ends a refresh; returns the requests that wait for it, and their result.
    mutating func finish(
        _ result: Result<AccessToken, SignInError>, _ now: Date
    ) -> (waiters: [Continuation], result: Result<IssuedToken, any Error>) {
        defer { waiters = [:] }
        let isCurrent = refreshing == generation
        refreshing = nil
        refreshes += 1
        switch result {
        case .success(let new):
            if isCurrent {
                let old = token
                set(new, now)
                replaced = old
            }
        case .failure(let error):
            failure = error
            failedEarly = generation
            if isCurrent { return (Array(waiters.values), .failure(error)) }
        }
        return (Array(waiters.values), issued.map { .success($0) } ?? .failure(SignInError()))
    }
}
