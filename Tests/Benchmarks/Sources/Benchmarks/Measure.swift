import Allocations
import Foundation

/// One way to do the work that is compared: does it for each of some numbers, which choose the
/// input.
struct Candidate {
    let name: String
    let run: (Range<Int>) throws -> Void

    init(_ name: String, run: @escaping (Range<Int>) throws -> Void) {
        self.name = name
        self.run = run
    }

    /// Work that has a result.
    init<Result>(_ name: String, each: @escaping (Int) throws -> Result) {
        self.init(name) { range in
            for number in range { keep(try each(number)) }
        }
    }
}

/// Uses a value, as far as the compiler knows.
@inline(never) @_optimize(none)
func keep<Value>(_ value: borrowing Value) {}

/// What a comparison found: for each candidate its median, and its ratio to the first one's.
struct Comparison {
    struct Row {
        let name: String
        let nanoseconds: Double
        /// How many times the first candidate's time this one takes, round by round.
        let firstRelative: Spread
    }
    let rows: [Row]

    subscript(name: String) -> Row? { rows.first { $0.name == name } }
}

/// The middle of some numbers.
struct Spread {
    let lower: Double
    let median: Double
    let upper: Double

    init(_ numbers: [Double]) {
        let sorted = numbers.sorted()
        func quantile(_ part: Double) -> Double {
            sorted.isEmpty ? .nan : sorted[Int((Double(sorted.count - 1) * part).rounded())]
        }
        (lower, median, upper) = (quantile(0.25), quantile(0.5), quantile(0.75))
    }
}

/// Measures candidates in rounds that take turns, so that what disturbs one disturbs all.
///
/// Time is that of the thread's own work: what other processes do meanwhile does not count.
func compare(
    _ candidates: [Candidate], rounds: Int = 101, slice: Double = 1_000_000
) throws -> Comparison {
    let batches = try candidates.map { try batch(of: $0, lasting: slice) }
    var times = candidates.map { _ in [Double]() }
    for round in 0..<rounds {
        for offset in candidates.indices {
            let index = (round + offset) % candidates.count
            let numbers = round * batches[index]..<(round + 1) * batches[index]
            let time = try time { try candidates[index].run(numbers) }
            times[index].append(time / Double(batches[index]))
        }
    }
    return Comparison(
        rows: candidates.indices.map { index in
            let ratios = zip(times[0], times[index]).map { $0 / $1 }
            return Comparison.Row(
                name: candidates[index].name, nanoseconds: Spread(times[index]).median,
                firstRelative: Spread(ratios))
        })
}

/// How many times a candidate runs in a slice of time, after its first use.
private func batch(of candidate: Candidate, lasting slice: Double) throws -> Int {
    try candidate.run(0..<1)
    var count = 1
    while true {
        let time = try time { try candidate.run(0..<count) }
        if time * 2 > slice { return max(1, Int(Double(count) * slice / time)) }
        count *= 2
    }
}

/// How many allocations each run of a candidate takes.
func allocations(of candidate: Candidate) throws -> Double {
    let count = 256
    try candidate.run(0..<count)
    let before = Allocations.allocations()
    try candidate.run(0..<count)
    return Double(Allocations.allocations() - before) / Double(count)
}

/// The nanoseconds that this thread has worked for.
private func time(_ work: () throws -> Void) rethrows -> Double {
    let start = now(CLOCK_THREAD_CPUTIME_ID)
    try work()
    return now(CLOCK_THREAD_CPUTIME_ID) - start
}

/// A clock's time in nanoseconds.
func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
