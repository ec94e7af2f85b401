import Endpoints
import EndpointsShared
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transport {
    /// A transport that waits while a server allows no more requests.
    ///
    ///     URLSession.shared.paced(waitingAtMost: 60)
    ///     // RateLimit: "hour";r=0;t=30  ->  the next request to this origin is sent after 30 s
    ///     // 429 with Retry-After: 5     ->  the next request to this origin is sent after 5 s
    ///
    /// The transport reads the headers that ``RateLimit`` lists, those of GitHub and of AI services
    /// among them, in the responses of a server: what a cache had stored says nothing of the
    /// present. A server's own headers are read as well if you name them:
    ///
    ///     URLSession.shared.paced(reading: [
    ///         RateLimitHeaders(remaining: "X-Quota-Left", reset: "X-Quota-Reset")
    ///     ])
    /// After a redirect to another origin, they are
    /// those of that origin. The transport returns each response as it is, even a 429; to send that
    /// request again, add ``retrying(_:clock:)``. Cancelling a request that waits ends it at once.
    ///
    /// A request that would have to wait longer than `longestWait` seconds is sent at once; if that
    /// is negative or `.nan`, or the name of a header can't be one, each load ends with an
    /// ``EndpointError``. If the server sets a later
    /// time meanwhile, a request waits again. If a request's ``LoadPolicy/timeLimit`` is over while
    /// it waits, it ends with `URLError.timedOut`, or with what a cache inside of this transport
    /// has stored, if that may be used then.
    /// - Parameters:
    ///   - headers: Headers of the server's own. If a response has several, the one with the fewest
    ///     requests left counts; if it has none of them, those that ``RateLimit`` lists count.
    ///   - longestWait: The most seconds that a request waits.
    ///   - clock: The clock for the waits.
    public func paced(
        reading headers: [RateLimitHeaders] = [], waitingAtMost longestWait: TimeInterval = 60,
        clock: TransportClock = .system
    ) -> some Transport {
        Paced(base: self, headers: headers, longestWait: longestWait, clock: clock)
    }
}

struct Paced<Base: Transport>: Transport {
    let base: Base
    let headers: [RateLimitHeaders]
    let longestWait: TimeInterval
    let clock: TransportClock
    private let paces = Locked(PerOrigin<Pace>())
    private let wrong: WrongSetting?

    init(
        base: Base, headers: [RateLimitHeaders], longestWait: TimeInterval, clock: TransportClock
    ) {
        self.base = base
        self.headers = headers
        self.longestWait = longestWait
        self.clock = clock
        wrong =
            WrongSetting(
                "paced(waitingAtMost: \(longestWait))", unless: longestWait >= 0,
                "write 0 or more seconds")
            ?? RateLimitHeaders.wrongSetting(headers)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let wrong { throw wrong.error(request.requestType) }
        guard let url = request.urlRequest.url,
            let origin = paces.withLock({ $0.origin(of: url) })
        else { return try await base.send(request) }
        let deadline = Deadline(of: request, clock)
        do { return try await send(request, to: origin, until: deadline) } catch {
            guard deadline.isOver, let stored = await base.stored(insteadOf: request, after: error)
            else { throw error }
            return stored
        }
    }

    private func send(
        _ request: TransportRequest, to origin: Origin, until deadline: Deadline
    ) async throws -> TransportResponse {
        var now = clock.date()
        while let wait = paces.withLock({ $0[origin, at: now].start(now, longestWait) }) {
            try await deadline.sleep(wait)
            // By the clock's date, the sleep may have ended slightly early. Without `max`, the
            // request would then have to wait a second time.
            now = max(now + wait, clock.date())
        }
        let response: TransportResponse
        do { response = try await base.send(try deadline.limited(request)) } catch {
            paces.withLock { $0[origin].end() }
            throw error
        }
        let head = response.httpResponse
        now = clock.date()
        paces.withLock { paces in
            guard !head.isOfEarlierTime else { return paces[origin].endUnsent() }
            paces[origin].end()
            guard head.mayLimitRate(headers) else { return }
            let responder = head.url.map { paces.origin(of: $0) } ?? origin
            if let responder { paces[responder, at: now].read(head, reading: headers, at: now) }
        }
        return response
    }
}

extension Paced: Layer {
    var inner: any Transport { base }
}

/// How many requests an origin still allows, as far as its responses have said.
struct Pace: OriginState {
    private var inFlight = 0
    private var limit: Int?
    /// How many requests may be sent before ``reset``; `nil` if that isn't known.
    private var remaining: Int?
    private var reset: Date?
    /// When the last `Retry-After` of a 429 or 503 is over; `nil` if none came, or it is over.
    private var retryAfter: Date?

    func isIdle(at now: Date) -> Bool {
        inFlight == 0 && (reset ?? now) <= now && (retryAfter ?? now) <= now
    }

    /// Counts a request as sent and returns `nil`, or returns how many seconds the request must
    /// wait. If it would have to wait longer than `longestWait`, it is sent at once.
    mutating func start(_ now: Date, _ longestWait: TimeInterval) -> TimeInterval? {
        if let reset, reset <= now {
            // A new period begins. Its end isn't known before the next response.
            (self.reset, remaining) = (nil, limit)
        }
        if let moment = retryAfter, moment <= now { retryAfter = nil }
        // A `Retry-After` that is too far away doesn't end the waits for a quota.
        let near = retryAfter.flatMap { $0.timeIntervalSince(now) <= longestWait ? $0 : nil }
        let allowed = [near, remaining.map { $0 <= 0 } == true ? reset : nil]
        let wait = allowed.compactMap { $0?.timeIntervalSince(now) }.max() ?? 0
        if wait > 0 && wait <= longestWait { return wait }
        if let remaining { self.remaining = max(0, remaining - 1) }
        inFlight += 1
        return nil
    }

    /// Counts a request that has ended without a response.
    mutating func end() {
        inFlight -= 1
    }

    /// Counts a request that was not sent after all, as a cache had its response.
    mutating func endUnsent() {
        inFlight -= 1
        remaining = remaining.map { min($0 + 1, limit ?? .max) }
    }

    /// Reads from a response how many requests may follow.
    mutating func read(
        _ httpResponse: HTTPURLResponse, reading headers: [RateLimitHeaders] = [], at now: Date
    ) {
        guard let new = RateLimit(httpResponse, reading: headers, now: now) else { return }
        if let limit = new.limit { self.limit = limit }
        if let moment = new.retryAfter, [429, 503].contains(httpResponse.statusCode) {
            retryAfter = moment
        } else if let left = new.remaining, let end = new.reset, end > now {
            // The server may not have counted the requests that are still in flight.
            setRemaining(max(0, left - inFlight), until: end)
        }
    }

    /// Sets ``remaining`` and ``reset``, unless `left` is more than ``remaining`` and the period is
    /// the same: then the server probably sent this response before one that has arrived already.
    ///
    /// Servers round the end of a period to seconds, so a new period is one that ends at least a
    /// second after ``reset``.
    private mutating func setRemaining(_ left: Int, until end: Date) {
        if let reset, let remaining, end < reset + 1, left > remaining { return }
        (remaining, reset) = (left, end)
    }
}

extension HTTPURLResponse {
    /// Whether the response may have a header that ``RateLimit`` reads. If not, the headers needn't
    /// be looked up by their names, which would allocate memory.
    func mayLimitRate(_ headers: [RateLimitHeaders]) -> Bool {
        allHeaderFields.keys.contains { key in
            guard let name = (key as? String)?.utf8 else { return false }
            return name.hasPrefix("retry-after") || name.hasPrefix("ratelimit")
                || name.hasPrefix("x-rate") || name.hasPrefix("anthropic-ratelimit")
                || name.hasPrefix("x-ms-retry-after") || headers.contains { $0.mayHave(name) }
        }
    }
}

extension String.UTF8View {
    /// Whether the text begins with a prefix, in upper or lower case. The prefix must have only `a`
    /// to `z` and `-`.
    fileprivate func hasPrefix(_ prefix: String) -> Bool {
        // The bit 0x20 makes a letter lower case. It is set in `-` as well.
        starts(with: prefix.utf8) { $0 | 0x20 == $1 }
    }
}
