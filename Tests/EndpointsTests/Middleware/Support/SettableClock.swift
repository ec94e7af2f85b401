import Endpoints
import EndpointsMiddleware
import Foundation

/// A clock whose date a test sets, and whose waits take no time.
struct SettableClock: Sendable {
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    private let date: Guarded<Date>

    init() {
        date = Guarded(start)
    }

    var clock: TransportClock {
        var clock = RetrySharingTests.atOnce
        clock.date = { [date] in date.withLock { $0 } }
        return clock
    }

    /// Sets the date to a number of seconds after the start.
    func set(_ seconds: TimeInterval) {
        date.withLock { $0 = start + seconds }
    }
}
