import Endpoints
import Foundation

extension Transport {
    /// A transport that waits while a server allows no more requests.
    ///
    ///     URLSession.shared.paced(upTo: 60)
    ///     // RateLimit: "hour";r=0;t=30  ->  the next request to this origin is sent after 30 s
    ///     // 429 with Retry-After: 5     ->  the next request to this origin is sent after 5 s
    ///
    /// The transport reads the headers that ``RateLimit`` lists. It returns each response as it is,
    /// even a 429; to send that request again, add ``retrying(_:clock:)``. Cancelling a request
    /// that waits ends it at once.
    ///
    /// A request that would have to wait longer than `longestWait` seconds is sent at once. If the
    /// server sets a later time meanwhile, a request waits again.
    public func paced(
        upTo longestWait: TimeInterval = 60, clock: TransportClock = .system
    ) -> some Transport {
        Paced(base: self, longestWait: longestWait, clock: clock)
    }
}

struct Paced<Base: Transport>: Transport {
    let base: Base
    let longestWait: TimeInterval
    let clock: TransportClock
    private let paces = Locked(PerOrigin<Pace>())

    init(base: Base, longestWait: TimeInterval, clock: TransportClock) {
        self.base = base
        self.longestWait = longestWait
        self.clock = clock
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = request.urlRequest.url,
            let origin = paces.withLock({ $0.origin(of: url) })
        else { return try await base.send(request) }
        var now = clock.date()
        while let wait = paces.withLock({ $0[origin, at: now].start(now, longestWait) }) {
            try await clock.sleep(wait)
            // By the clock's date, the sleep may have ended slightly early. Without `max`, the
            // request would then have to wait a second time.
            now = max(now + wait, clock.date())
        }
        let response: TransportResponse
        do { response = try await base.send(request) } catch {
            paces.withLock { $0[origin].end() }
            throw error
        }
        now = clock.date()
        paces.withLock { $0[origin].end(response.httpResponse, at: now) }
        return response
    }
}
