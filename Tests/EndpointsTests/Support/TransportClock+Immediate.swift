import Endpoints
import Foundation

extension TransportClock {
    /// A clock by which no time passes while something sleeps.
    static let immediate = TransportClock(
        date: { Date() }, uptime: { 0 }, sleep: { _ in }, random: { 0 })

    /// A clock that adds each wait to a journal instead of waiting.
    static func journal(_ waits: Journal<TimeInterval>) -> TransportClock {
        TransportClock(
            date: { Date() }, uptime: { 0 }, sleep: { waits.add($0) }, random: { 0 })
    }
}
