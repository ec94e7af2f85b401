import Foundation

/// One way to do work that waits: does it for each of some numbers, which choose the input.
struct Runner {
    let name: String
    let run: (Range<Int>) async throws -> Void
}

/// Measures two ways in rounds that take turns; how long each takes, and the ratio of the first to
/// the second, by the clock on the wall.
func race(
    _ first: Runner, _ second: Runner, batch: Int, rounds: Int = 61
) async throws -> (first: Double, second: Double, ratio: Spread) {
    var times: [[Double]] = [[], []]
    for round in -1..<rounds {
        for index in round % 2 == 0 ? [0, 1] : [1, 0] {
            let start = now(CLOCK_MONOTONIC)
            let runner = index == 0 ? first : second
            try await runner.run((round + 1) * batch..<(round + 2) * batch)
            // The first round is for getting warm.
            if round >= 0 { times[index].append((now(CLOCK_MONOTONIC) - start) / Double(batch)) }
        }
    }
    let ratios = zip(times[0], times[1]).map { $0 / $1 }
    return (Spread(times[0]).median, Spread(times[1]).median, Spread(ratios))
}
