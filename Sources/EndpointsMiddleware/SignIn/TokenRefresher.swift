import Endpoints
import EndpointsShared
import Foundation

/// Gets tokens from a source. However many requests need a new token, only one refresh runs.
final class TokenRefresher: Sendable {
    private let source: any CredentialSource
    private let clock: TransportClock
    private let state: Locked<RefreshState>
    /// The credentials that were sent last.
    private let sent = Locked<[String]>([])
    let endedAccounts: EndedAccounts

    init(_ source: any CredentialSource, _ clock: TransportClock) {
        self.source = source
        self.clock = clock
        state = (source as? MemoryCredentials)?.refreshes ?? Locked(RefreshState())
        endedAccounts = (source as? any AccountEnding)?.endedAccounts ?? EndedAccounts()
    }

    /// What tells this source from others.
    var id: ObjectIdentifier { ObjectIdentifier(state) }

    /// Notes credentials that are sent, which a server may repeat.
    func note(_ credentials: String) {
        sent.withLock { sent in
            guard !sent.contains(credentials) else { return }
            sent = sent.suffix(7) + [credentials]
        }
    }

    /// The secrets of the present token, which may be newer than that of a load, and of the last
    /// ones that were sent.
    var secrets: [String] {
        // Another load, or the program itself, may have refreshed the token meanwhile.
        let tokens = [state.withLock { $0.issued?.token }, (source as? MemoryCredentials)?.token()]
            .compactMap(\.self)
        let present = tokens.compactMap { try? $0.credentials.pathRepresentation }
        return (sent.withLock { $0 } + present)
            .flatMap { Masking.secrets(inHeader: "Authorization", $0) }
            + tokens.compactMap(\.refreshToken)
    }

    /// Throws a ``SignInError`` if the account that was signed in at `start` isn't any more. Only
    /// ``MemoryCredentials`` tell.
    func checkAccount(since start: DispatchTime) throws(SignInError) {
        try (source as? MemoryCredentials)?.checkAccount(since: start)
    }

    /// Whether the source is being called in the current task. A request that the source sends must
    /// not wait for a token, because the source can return the token only after the response.
    var isCallingSource: Bool { SourceCall.current.contains { $0.source == id && $0.isRunning } }

    static var isCallingAnySource: Bool { SourceCall.current.contains(where: \.isRunning) }

    /// The token for an attempt of a request; `nil` if nobody has signed in. A token that has
    /// expired, or was passed to ``refuse(_:canBeSentAgain:until:)``, is refreshed first. The
    /// refresh of a token that expires soon is begun, but not waited for; if it fails, it isn't
    /// tried again before the token expires or is refused. A token whose refresh after a 401 failed
    /// is returned, too.
    /// - Parameter first: The token of the request's first attempt; `nil` if this is the first.
    /// - Throws: A ``SignInError``, also if the account is no longer that of the first attempt;
    ///   `URLError.timedOut` and `CancellationError`.
    func token(
        begunWith first: IssuedToken?, until deadline: Deadline
    ) async throws -> IssuedToken? {
        try await askSource(until: deadline)
        let (issued, need, early) = state.withLock { state in
            let need = state.need(clock.date())
            return (state.issued, need, need == .newIfPossible ? state.beginEarly() : nil)
        }
        if let early { refresh(early) }
        if let first, first.generation != issued?.generation {
            let present = try await present(after: first, until: deadline)
            // If that has waited for a refresh, the token is newer than the one above.
            guard present.generation == issued?.generation else { return present }
        }
        guard let issued, need == .new else { return issued }
        return try await present(after: issued, until: deadline)
    }

    /// Records that the server has refused a token. Says when that may be refreshed, if the source
    /// has no other one by now; `nil` if it may be at once. The token of a request that can't be
    /// sent again is refreshed before the next request.
    func refuse(
        _ issued: IssuedToken, canBeSentAgain: Bool, until deadline: Deadline
    ) async throws -> Date? {
        let now = clock.date()
        func end() -> Date? {
            state.withLock { $0.refuse(issued, canBeSentAgain: canBeSentAgain, now) }
        }
        guard end() != nil else { return nil }
        try await askSource(until: deadline)
        return end()
    }

    /// Records that a request that was sent again with a token wasn't refused.
    func accept(_ issued: IssuedToken) {
        state.withLock { $0.accept(issued) }
    }

    /// A new token in place of one that the server has refused. The source is asked first: it may
    /// have another token by now, or none. Only the refused token is refreshed.
    func token(
        replacing refused: IssuedToken, until deadline: Deadline
    ) async throws -> IssuedToken {
        try Task.checkCancellation()
        if !state.withLock(\.isRefreshing) { try await askSource(until: deadline) }
        return try await present(after: refused, until: deadline)
    }

    /// Adopts the token that the source has now.
    private func askSource(until deadline: Deadline) async throws {
        let generation = state.withLock { $0.generation }
        let result = try await sourceToken(until: deadline)
        let token: AccessToken?
        do { token = try result.get() } catch {
            try Task.checkCancellation()
            throw error.asSignInError
        }
        // Of these credentials, a token that was replaced is one with which somebody signed in.
        let mayBeOld = !(source is MemoryCredentials)
        let ended = state.withLock { state in
            state.adopt(token, asOf: generation, clock.date(), mayBeOld: mayBeOld)
            return state.takeEndedAccounts()
        }
        for id in ended { endedAccounts.report(id) }
    }

    /// The present token, also if it has expired; `nil` if nobody is signed in.
    /// - Throws: A ``SignInError`` also if a request began with a token of another account.
    func present(
        begunWith first: IssuedToken?, until deadline: Deadline
    ) async throws -> IssuedToken? {
        try await askSource(until: deadline)
        return try state.withLock { state in
            guard let first, !state.isOfAccount(first) else { return state.issued }
            throw SignInError(accountHasChanged: state.issued != nil)
        }
    }

    /// The token of the account that is signed in, even if it must sign in again before anything is
    /// sent. `nil` if nobody is, and if the source can't tell.
    var lastToken: AccessToken? {
        get async throws { try await (source as? any AccountEnding)?.lastToken }
    }

    /// What the source's `token()` returns or throws. At the deadline, the call is cancelled but
    /// not waited for, as it may not heed that.
    private func sourceToken(
        until deadline: Deadline
    ) async throws -> Result<AccessToken?, any Error> {
        let source = source
        let call = { @Sendable [id] () async -> Result<AccessToken?, any Error> in
            do { return .success(try await SourceCall.run(id) { try await source.token() }) } catch
            {
                return .failure(error)
            }
        }
        guard deadline.secondsLeft != nil, !(source is MemoryCredentials)
        else { return await call() }
        let waiter = Waiter<Result<AccessToken?, any Error>>()
        let task = Task { _ = waiter.resume(with: .success(await call())) }
        defer { task.cancel() }
        return try await waiter.value(until: deadline)
    }

    /// The token that comes after another one: at once, or when the refresh of that one has ended.
    private func present(
        after old: IssuedToken, until deadline: Deadline
    ) async throws -> IssuedToken {
        let waiter = Waiter<IssuedToken>()
        let now = clock.date()
        if let token = state.withLock({ $0.join(waiter, after: old, now) }) { refresh(token) }
        do { return try await waiter.value(until: deadline) } catch {
            state.withLock { $0.forget(waiter) }
            throw error
        }
    }

    /// Gets a new token in a task of its own: cancelling a request must not end the refresh.
    private func refresh(_ token: AccessToken) {
        Task {
            let result: Result<AccessToken, SignInError>
            do {
                result = .success(
                    try await SourceCall.run(id) { try await self.source.refresh(after: token) })
            } catch {
                result = .failure(error.asSignInError)
            }
            let (ended, next) = state.withLock { $0.finish(result, clock.date()) }
            for id in state.withLock({ $0.takeEndedAccounts() }) { endedAccounts.report(id) }
            for (waiter, result) in ended { waiter.resume(with: result) }
            if let next { refresh(next) }
        }
    }
}

extension Error {
    fileprivate var asSignInError: SignInError {
        self as? SignInError ?? SignInError(cause: self)
    }
}

/// A call of a ``CredentialSource``, which marks the requests that the source sends meanwhile.
final class SourceCall: Sendable {
    /// The calls in which the current task has begun.
    @TaskLocal static var current: [SourceCall] = []

    let source: ObjectIdentifier
    private let running = Locked(true)

    private init(_ source: ObjectIdentifier) { self.source = source }

    /// Whether the call goes on. A task that the source has started keeps its mark, but the mark
    /// has no meaning after the call.
    var isRunning: Bool { running.withLock { $0 } }

    static func run<Value: Sendable>(
        _ source: ObjectIdentifier, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let call = SourceCall(source)
        defer { call.running.withLock { $0 = false } }
        return try await $current.withValue(current + [call]) { try await body() }
    }
}
