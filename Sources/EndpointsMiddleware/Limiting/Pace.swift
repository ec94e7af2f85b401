import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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

    /// Counts a request that has ended, and reads from its response how many requests may follow.
    mutating func end(_ httpResponse: HTTPURLResponse, at now: Date) {
        inFlight -= 1
        guard httpResponse.mayLimitRate, let new = RateLimit(httpResponse, now: now)
        else { return }
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
