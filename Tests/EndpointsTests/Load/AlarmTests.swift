import Foundation
import Testing

@testable import Endpoints

@Suite("Alarms", .timeLimit(.minutes(1)))
struct AlarmTests {
    @Test("Each alarm rings once, whatever the order in which they were set")
    func once() async {
        let (rings, continuation) = AsyncStream<TimeInterval>.makeStream()
        let times = [0.2, 0.05, 0.35, 0.1]
        let count = Locked(0)
        for seconds in times {
            _ = Alarm(after: seconds) {
                continuation.yield(seconds)
                if count.withLock({
                    $0 += 1; return $0 == times.count
                }) {
                    continuation.finish()
                }
            }
        }
        #expect(await rings.reduce(into: []) { $0.append($1) }.sorted() == times.sorted())
    }

    @Test(
        "An alarm of no time rings at once, and one of a long time waits",
        arguments: [(0, true), (-1, true), (.nan, true), (1e300, false), (.infinity, false)])
    func extremes(seconds: TimeInterval, rings: Bool) async {
        let (events, continuation) = AsyncStream<Bool>.makeStream()
        let alarm = Alarm(after: seconds) { continuation.yield(true) }
        let other = Alarm(after: rings ? 30 : 0.1) { continuation.yield(false) }
        #expect(await events.first { _ in true } == rings)
        alarm.cancel()
        other.cancel()
    }

    @Test("A cancelled alarm doesn't ring, and what its function has ends with it")
    func cancelled() async {
        final class Kept: Sendable {}
        let (events, continuation) = AsyncStream<String>.makeStream()
        weak var gone: Kept?
        do {
            let kept = Kept()
            gone = kept
            let alarm = Alarm(after: 0.05) {
                withExtendedLifetime(kept) { _ = continuation.yield("cancelled") }
            }
            alarm.cancel()
            alarm.cancel()
        }
        #expect(gone == nil)
        _ = Alarm(after: 0.15) { continuation.yield("next") }
        #expect(await events.first { _ in true } == "next")
    }
}
