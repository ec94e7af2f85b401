import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that sends equal requests once if they are in flight at the same time.
    ///
    ///     URLSession.shared.coalesced()   // four views ask for the same user  ->  one request
    ///
    /// Requests are equal if their type, method, URL, headers, body and policy are the same, apart
    /// from ``LoadPolicy/timeLimit``. Only requests with a safe method (RFC 9110, section 9.2.1,
    /// and QUERY) are coalesced. A stream is never shared, and neither is a request whose body is
    /// an ``Upload`` or an `httpBodyStream`.
    ///
    /// A request that begins after one with another method has ended, such as a POST, isn't shared
    /// with those to its origin that began before: their response may be older.
    ///
    /// Each caller may be cancelled alone. The load is cancelled when the last of its callers is.
    /// An error of the load is thrown to all of them. A caller's time limit is its own: the load
    /// has none. If a cache inside of this transport has a response that may be used when the limit
    /// is over (`stale-if-error`), the caller gets it. Inside of this transport, a log has the load
    /// once.
    ///
    /// Requests of different accounts are never shared: neither those with different headers, such
    /// as `Authorization` and `Cookie`, nor those to which an ``authorized(by:header:clock:)``
    /// inside of this transport adds the tokens of different accounts. What a transport of your own
    /// inside of this one adds can't be compared: write that transport outside.
    /// - Parameter clock: The clock for the time limits.
    public func coalesced(clock: TransportClock = .system) -> some Transport {
        Coalesced(base: self, clock: clock)
    }
}

struct Coalesced<Base: Transport>: Transport {
    let base: Base
    let clock: TransportClock
    private let accounts: Accounts
    private let loads = Locked<[SharedRequest: SharedLoad]>([:])

    init(base: Base, clock: TransportClock) {
        self.base = base
        self.clock = clock
        accounts = Accounts(inside: base)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // A request that gets a token must not wait for a load that may wait for that token.
        guard request.mayBeShared, !TokenRefresher.isCallingAnySource else {
            defer { if !request.isSafe { forgetLoads(after: request) } }
            return try await base.send(request)
        }
        let deadline = Deadline(of: request, clock)
        _ = try deadline.limited(request)
        let account = try await accounts.account(of: request)
        let key = SharedRequest(request, account: account?.id)
        let waiter = Waiter<TransportResponse>()
        let load = loads.withLock { loads in
            if let load = loads[key], load.join(waiter) { return load }
            let load = SharedLoad(waiter, of: request)
            loads[key] = load
            load.start { [base] in
                try await Self.response(to: request, from: base)
            } onEnd: {
                forget(load, of: key)
            }
            return load
        }
        do {
            let response = try await waiter.value(until: deadline)
            request.account = load.request.account
            request.redirects = load.request.redirects
            return response
        } catch {
            if load.leave(waiter) { forget(load, of: key) }
            // Inside, the load has no limit, so a cache there doesn't see that it took too long.
            if deadline.isOver, let stored = await base.stored(insteadOf: request, after: error) {
                return stored
            }
            throw error
        }
    }

    private func forget(_ load: SharedLoad, of key: SharedRequest) {
        loads.withLock { if $0[key] === load { $0[key] = nil } }
    }

    /// Lets no later caller join the loads that began before a request which may have changed what
    /// its server, or those that it was redirected to, respond.
    private func forgetLoads(after request: TransportRequest) {
        let urls = [request.urlRequest.url] + request.allRedirects.map(\.url)
        let origins = Set(urls.map { $0.flatMap(Origin.init) })
        loads.withLock { $0 = $0.filter { !origins.contains($0.key.url.flatMap(Origin.init)) } }
    }

    /// The response, with its body in memory, so that each caller can read it.
    private static func response(
        to request: TransportRequest, from base: Base
    ) async throws -> TransportResponse {
        var request = request
        let limit = request.policy.wholeBodyLimit
        request.policy.timeLimit = nil
        var response = try await base.send(request)
        if response.body.count == nil {
            response.body = ResponseBody(try await response.body.data(upTo: limit))
        }
        return response
    }
}

extension Coalesced: Layer {
    var inner: any Transport { base }
}

/// What makes two requests equal.
struct SharedRequest: Hashable, Sendable {
    private let type: ObjectIdentifier
    private let method: String
    let url: URL?
    private let headers: [String: String]
    private let body: Data?
    private let policy: LoadPolicy
    private let leavesOrigin: Bool
    private let account: String?
    private let distinction: String?

    init(_ request: TransportRequest, account: String?) {
        type = ObjectIdentifier(request.requestType)
        method = request.urlRequest.method
        url = request.urlRequest.url
        headers = request.urlRequest.allHTTPHeaderFields ?? [:]
        body = request.urlRequest.httpBody
        var policy = request.policy
        policy.timeLimit = nil
        self.policy = policy
        leavesOrigin = request.leavesOrigin
        self.account = account
        distinction = request.distinction
    }
}

extension TransportRequest {
    fileprivate var isSafe: Bool { HTTPMethod(rawValue: urlRequest.method).isSafe }

    fileprivate var mayBeShared: Bool {
        !streamsResponse && urlRequest.httpBodyStream == nil && isSafe
    }
}

/// A load that several callers wait for.
final class SharedLoad: Sendable {
    private struct State {
        var waiters: [ObjectIdentifier: Waiter<TransportResponse>]
        var task: Task<Void, Never>?
        var isOver = false
    }

    /// The request that is sent, which tells whose account it was sent for.
    let request: TransportRequest
    private let state: Locked<State>

    init(_ first: Waiter<TransportResponse>, of request: TransportRequest) {
        self.request = request
        state = Locked(State(waiters: [ObjectIdentifier(first): first]))
    }

    /// Lets one more caller wait; `false` if the load is over.
    func join(_ waiter: Waiter<TransportResponse>) -> Bool {
        state.withLock { state in
            if !state.isOver { state.waiters[ObjectIdentifier(waiter)] = waiter }
            return !state.isOver
        }
    }

    /// Removes a caller. If it was the last one, cancels the load and returns `true`.
    func leave(_ waiter: Waiter<TransportResponse>) -> Bool {
        let (isOver, task) = state.withLock { state in
            state.waiters[ObjectIdentifier(waiter)] = nil
            state.isOver = state.isOver || state.waiters.isEmpty
            return (state.isOver, state.isOver ? state.task : nil)
        }
        task?.cancel()
        return isOver
    }

    /// Loads in a task of its own, since the callers' tasks may be cancelled alone.
    func start(
        _ load: @escaping @Sendable () async throws -> TransportResponse,
        onEnd: @escaping @Sendable () -> Void
    ) {
        let task = Task {
            let result: Result<TransportResponse, any Error>
            do { result = .success(try await load()) } catch { result = .failure(error) }
            onEnd()
            let waiters = state.withLock { state in
                (state.isOver, state.task) = (true, nil)
                return state.waiters.values
            }
            for waiter in waiters { waiter.resume(with: result) }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }
}
