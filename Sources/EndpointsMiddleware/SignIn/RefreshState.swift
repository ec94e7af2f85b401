import Endpoints
import EndpointsShared
import Foundation

/// A token that was given to a request.
struct IssuedToken: Sendable {
    let token: AccessToken
    /// The number of the token. Each new token has the next number.
    let generation: Int
    /// How many refreshes had ended when the request got the token.
    let endedRefreshes: Int
    /// What tells the token's account from others.
    let accountID: String
}

/// A request that waits for a token in place of the token with the number `generation`.
struct TokenWaiter {
    let waiter: Waiter<IssuedToken>
    let generation: Int
}

/// The newest token, and the requests that wait for a new token.
///
/// A request belongs to the account whose token it got first. A refresh keeps the account. A token
/// that the source returns otherwise begins another account, unless its credentials or its
/// ``AccessToken/account`` are the same.
struct RefreshState {
    /// Whether a request needs a new token. With `newIfPossible`, the old token is still valid, and
    /// is used while the refresh runs, or if it fails.
    enum Need {
        case none, newIfPossible, new
    }

    private(set) var generation = 0
    private var token: AccessToken?
    private var firstSeen = Date.distantPast
    /// The token that the last refresh replaced. If the source still returns it, it is ignored.
    private var replaced: AccessToken?
    private var isRefused = false

    /// The name of the account, if its tokens have one.
    private var account: String?
    /// What tells the account from others: a digest of its name or, without one, of its first token
    /// that the source has returned; `nil` if nobody is signed in.
    private(set) var accountID: String?
    private var endedAccounts: [String] = []
    /// The number of the first token of the account.
    private var accountStart = 0
    /// The ``accountStart`` before the source has returned another token during a refresh. Only the
    /// end of the refresh shows whether it has made that token, or somebody has signed in.
    private var undecidedStart: Int?

    /// The token with this number had expired already when a refresh gave it. So its date is wrong,
    /// or a clock is, and the token is used until it is refused.
    private var misdatedGeneration: Int?
    /// The token with this number couldn't be refreshed. It is used until it expires or is refused.
    private var failedGeneration: Int?
    /// The number of the token that a running refresh replaces; `nil` if no refresh runs.
    private var refreshingGeneration: Int?
    /// Whether the token of the running refresh may still be used.
    private var isEarly = false
    private var endedRefreshes = 0
    /// Why the last refresh failed; `nil` if it didn't, or if the token has changed since.
    private var failure: SignInError?
    private var outage = RefreshOutage()
    private var refusedTokens = RefusedTokens()
    private(set) var waiters: [TokenWaiter] = []

    var isRefreshing: Bool { refreshingGeneration != nil }

    var issued: IssuedToken? {
        token.map {
            IssuedToken(
                token: $0, generation: generation, endedRefreshes: endedRefreshes,
                accountID: accountID ?? $0.accountID)
        }
    }

    /// Whether a request that began with a token belongs to the present account.
    func isOfAccount(_ first: IssuedToken) -> Bool { first.generation >= accountStart }

    /// Returns the accounts that have ended since the last call.
    mutating func takeEndedAccounts() -> [String] {
        defer { endedAccounts = [] }
        return endedAccounts
    }

    /// Takes the token that the source has returned, unless a newer one has come meanwhile. It is
    /// no new token if only its date has changed, which a source may compute at each call.
    /// - Parameter mayBeOld: Whether the source may still return the token that was replaced.
    mutating func adopt(
        _ token: AccessToken?, asOf generation: Int, _ now: Date, mayBeOld: Bool = true
    ) {
        guard generation == self.generation, token != self.token,
            token == nil || token != replaced || !mayBeOld
        else { return }
        if let token, token.hasSecrets(of: self.token) {
            self.token = token
            account = token.account ?? account
            return
        }
        let isOfAccount = token.map { $0.isOfAccount(of: self.token, named: account) } ?? true
        if isRefreshing { undecidedStart = undecidedStart ?? accountStart }
        set(token, now, isOfAccount: isOfAccount)
        if !isRefreshing { refusedTokens = RefusedTokens() }
    }

    private mutating func set(_ token: AccessToken?, _ now: Date, isOfAccount: Bool) {
        replaced = nil
        self.token = token
        firstSeen = now
        generation += 1
        isRefused = false
        failure = nil
        outage = RefreshOutage()
        if !isOfAccount { (account, accountStart) = (nil, generation) }
        account = token?.account ?? account
        let id = isOfAccount && token != nil ? accountID ?? token?.accountID : token?.accountID
        if let accountID, accountID != id { endedAccounts.append(accountID) }
        accountID = id
    }

    /// What a request needs; the first of these that applies:
    /// - `.new` if the token has expired or was refused (see ``refuse(_:)``), or if a refresh runs
    ///   because it was.
    /// - `.none` while any other refresh runs.
    /// - `.newIfPossible` in the last tenth of the token's life (at most 30 seconds), unless a
    ///   refresh of this token has failed.
    /// - `.none`.
    func need(_ now: Date) -> Need {
        if isRefused { return .new }
        let expires = misdatedGeneration == generation ? nil : token?.expires
        if let expires, now >= expires { return .new }
        if isRefreshing { return refreshingGeneration == generation && !isEarly ? .new : .none }
        guard let expires else { return .none }
        let margin = min(30, max(0, expires.timeIntervalSince(firstSeen) / 10))
        return now >= expires - margin && failedGeneration != generation ? .newIfPossible : .none
    }

    /// Records that the server has refused a token. Says when that may be refreshed; `nil` if it
    /// may be at once.
    ///
    /// If the request can't be sent again, the token is refreshed before the next request. After
    /// any other 401 a refresh begins at once; if that fails, the token is used again.
    mutating func refuse(
        _ refused: IssuedToken, canBeSentAgain: Bool = false, _ now: Date
    ) -> Date? {
        guard refused.generation == generation else { return nil }
        refusedTokens.add(generation)
        let end = firstSeen + refusedTokens.leastAge(of: generation)
        // Before it was first seen, this device's clock was set back.
        if firstSeen <= now, now < end { return end }
        if !canBeSentAgain { isRefused = true }
        return nil
    }

    /// Records that a request that was sent again with a token wasn't refused.
    mutating func accept(_ accepted: IssuedToken) {
        refusedTokens.remove(accepted.generation)
    }

    /// Records that a refresh begins while the token is valid. Returns the token to refresh; `nil`
    /// if a refresh runs already.
    mutating func beginEarly() -> AccessToken? {
        guard !isRefreshing, let token else { return nil }
        (refreshingGeneration, isEarly) = (generation, true)
        return token
    }

    /// Resumes a waiter that need not wait. Otherwise, keeps it until ``finish(_:_:)``, and returns
    /// the token to refresh if no refresh runs.
    mutating func join(
        _ waiter: Waiter<IssuedToken>, after old: IssuedToken, _ now: Date
    ) -> AccessToken? {
        if old.generation < generation, token == nil || undecidedStart == nil {
            waiter.resume(with: result(after: old.generation))
            return nil
        }
        // A refresh has failed since this request got its token, or has failed because a server is
        // down. Don't try again for each request.
        if !isRefreshing, let failure,
            endedRefreshes > old.endedRefreshes || failure.isHeld(now)
        {
            waiter.resume(with: .failure(failure))
            return nil
        }
        waiters.append(TokenWaiter(waiter: waiter, generation: old.generation))
        if refreshingGeneration == old.generation { isEarly = false }
        guard !isRefreshing else { return nil }
        (refreshingGeneration, isEarly) = (generation, false)
        return token ?? old.token
    }

    /// Forgets a request that has ended while it waited. The refresh may take long.
    mutating func forget(_ waiter: Waiter<IssuedToken>) {
        waiters.removeAll { $0.waiter === waiter }
    }

    /// The present token for a request whose token had the number `generation`. An error if nobody
    /// is signed in, or if that token was of another account.
    func result(after generation: Int) -> Result<IssuedToken, any Error> {
        guard let issued else { return .failure(SignInError()) }
        return generation >= accountStart
            ? .success(issued) : .failure(SignInError(accountHasChanged: true))
    }

    /// Ends a refresh. Returns the requests that wait for it with what each of them gets, and the
    /// token to refresh next, which some of them still wait for: the server has refused it, and it
    /// isn't the one that was refreshed.
    mutating func finish(
        _ result: Result<AccessToken, SignInError>, _ now: Date
    ) -> (
        ended: [(waiter: Waiter<IssuedToken>, Result<IssuedToken, any Error>)], next: AccessToken?
    ) {
        let refreshed = refreshingGeneration
        let start = undecidedStart
        (refreshingGeneration, undecidedStart) = (nil, nil)
        endedRefreshes += 1
        let waited = waiters
        waiters = []
        switch result {
        case .success(let new) where refreshed == generation:
            let old = token
            let isOfAccount = new.account == nil || account == nil || new.account == account
            set(new, now, isOfAccount: isOfAccount)
            replaced = old
            refusedTokens.replace(refreshed, by: generation)
            if let expires = new.expires, expires <= now { misdatedGeneration = generation }
        case .success(let new):
            // The source has returned the new token already.
            if let start, new.credentials == token?.credentials { accountStart = start }
            refusedTokens.replace(refreshed, by: generation)
        case .failure(let failure) where refreshed == generation:
            let error = outage.error(failure, now)
            (self.failure, failedGeneration) = (error, generation)
            return (waited.map { ($0.waiter, .failure(error)) }, nil)
        case .failure:
            break
        }
        waiters = token == nil ? [] : waited.filter { $0.generation == generation }
        if !waiters.isEmpty { (refreshingGeneration, isEarly) = (generation, false) }
        let ended = waited.filter { token == nil || $0.generation != generation }
        return (
            ended.map { ($0.waiter, self.result(after: $0.generation)) },
            waiters.isEmpty ? nil : token
        )
    }
}

extension AccessToken {
    /// A digest of the account's name or, without one, of the credentials.
    package var accountID: String {
        if let account { return Digest("account " + account).hex }
        return Digest("token " + ((try? credentials.pathRepresentation) ?? "")).hex
    }

    fileprivate func hasSecrets(of old: AccessToken?) -> Bool {
        credentials == old?.credentials && refreshToken == old?.refreshToken
    }

    /// Whether this token is of the same account as the old one, as far as they tell.
    fileprivate func isOfAccount(of old: AccessToken?, named name: String?) -> Bool {
        credentials == old?.credentials || (account != nil && account == name)
    }
}
