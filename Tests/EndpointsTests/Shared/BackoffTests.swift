import EndpointsShared
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Backoff")
struct BackoffTests {
    @Test(
        "The first wait is the given one, and each later wait is longer, up to a minute",
        arguments: [
            (3, [3, 6, 12, 24, 48, 60, 60]), (60, [60, 60]), (90, [90, 90]),
            (0, [0, 0.1, 0.2, 0.4, 0.8]), (0.01, [0.01, 0.1, 0.2]), (0.08, [0.08, 0.16, 0.32]),
        ] as [(Double, [Double])])
    func waits(delay: Double, expected: [Double]) {
        var backoff = Backoff(delay: delay, limit: .max)
        #expect(expected.map { _ in backoff.next() } == expected)
        backoff.reset()
        #expect(backoff.next() == delay)
    }

    @Test("After any number of attempts a wait is at most a minute", arguments: [0.0, 0.01, 3])
    func manyAttempts(delay: Double) {
        var backoff = Backoff(delay: delay, limit: .max)
        for _ in 0..<20 { _ = backoff.next() }
        #expect((20..<2000).allSatisfy { _ in backoff.next() == 60 })
    }

    @Test("After the last attempt there is no further wait")
    func limit() {
        var backoff = Backoff(delay: 0, limit: 2)
        #expect([backoff.next(), backoff.next(), backoff.next()] == [0, 0.1, nil])
    }
}
