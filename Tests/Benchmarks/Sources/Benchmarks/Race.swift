import Foundation

/// One way to do work that waits: does it for each of some numbers, which choose the input.
struct Runner {
    let name: String
    let run: (Range<Int>) async throws -> Void
}

/// Measures ways in rounds that take turns, by the clock on the wall unless another is given; for
/// each its median, and how many times its time the first one takes, round by round.
func race(
    _ runners: [Runner], batch: Int, rounds: Int = 101, by clock: clockid_t = CLOCK_MONOTONIC
) async throws -> [Comparison.Row] {
    var times = runners.map { _ in [Double]() }
    for round in -1..<rounds {
        for offset in runners.indices {
            let index = (round + 1 + offset) % runners.count
            let start = now(clock)
            try await runners[index].run((round + 1) * batch..<(round + 2) * batch)
            // The first round is for getting warm.
            if round >= 0 { times[index].append((now(clock) - start) / Double(batch)) }
        }
    }
    return zip(runners, times).map { runner, each in
        Comparison.Row(
            name: runner.name, nanoseconds: Spread(each).median,
            firstRelative: Spread(zip(times[0], each).map { $0 / $1 }))
    }
}
