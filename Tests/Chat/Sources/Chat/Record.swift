import Endpoints
import EndpointsMiddleware
import Foundation
import Synchronization

/// What has happened so far.
final class Record: Sendable {
    enum Count: String, CaseIterable {
        case written = "messages sent"
        case taken = "times that the homeserver accepted a message"
        case received = "messages received by sync"
        case loads = "requests of the app"
        case attempts = "requests on the wire"
        case limited = "responses 429, with Retry-After and retry_after_ms"
        case limitedSilently = "responses 429 without one of them"
        case expired = "responses 401, as a token had expired (soft_logout)"
        case replaced = "responses 401, as a newer token was in use"
        case refreshes = "tokens refreshed"
        case dropped = "responses dropped here, as if on a train"
        case lost = "connections lost, these included"
        case refused = "connections refused"
        case leaks = "lines of the log with a token"
        case paceWaits = "waits for the rate limit"
        case retryWaits = "waits before a retry"
    }

    private let counts = Mutex<[Count: Int]>([:])
    private let seconds = Mutex<[Count: Double]>([:])
    private let showsLog: Bool

    init(showsLog: Bool) {
        self.showsLog = showsLog
    }

    func add(_ what: Count, _ number: Int = 1) {
        counts.withLock { $0[what, default: 0] += number }
    }

    func number(of what: Count) -> Int {
        counts.withLock { $0[what] ?? 0 }
    }

    /// How long was waited.
    func seconds(of what: Count) -> Double? {
        seconds.withLock { $0[what] }
    }

    /// The system's clock, whose waits are counted.
    func clock(_ what: Count) -> TransportClock {
        var clock = TransportClock.system
        clock.sleep = { seconds in
            self.add(what)
            self.seconds.withLock { $0[what, default: 0] += seconds }
            try await TransportClock.system.sleep(seconds)
        }
        return clock
    }

    /// Counts the response to a message; returns whether the app doesn't get it: every twentieth.
    func dropsResponse() -> Bool {
        let isDropped = counts.withLock { counts in
            counts[.taken, default: 0] += 1
            return counts[.taken]?.isMultiple(of: 20) == true
        }
        if isDropped { add(.dropped) }
        return isDropped
    }

    func log(_ event: LogEvent) {
        if case .request = event.kind { add(.loads) }
        let line = "\(event)"
        // Synapse's tokens begin with these.
        if line.contains("syt_") || line.contains("syr_") { add(.leaks) }
        if showsLog { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
    }
}
