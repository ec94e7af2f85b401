import Foundation

/// How often each load ended, what went wrong, and how much memory there was half way.
final class Record: Sendable {
    private struct State {
        var ends: [UInt8]
        var ended = 0
        var middle = 0.0
        var counts: [String: Int] = [:]
        var problems: [String] = []
    }

    private let state: Locked<State>

    init(of count: Int) {
        state = Locked(State(ends: Array(repeating: 0, count: count)))
    }

    /// The load of a number has ended.
    func end(_ number: Int) {
        state.withLock { state in
            state.ends[number] += 1
            state.ended += 1
            if state.ended == state.ends.count / 2 { state.middle = Usage.memory }
        }
    }

    func count(_ what: String) {
        state.withLock { $0.counts[what, default: 0] += 1 }
    }

    func problem(_ what: String) {
        state.withLock { $0.problems.append(what) }
    }

    /// The memory in use when half of the loads had ended, in megabytes.
    var middle: Double { state.withLock { $0.middle } }

    func number(of what: String) -> Int { state.withLock { $0.counts[what, default: 0] } }

    /// What went wrong, with the loads of the first so many numbers that did not end once.
    func problems(among count: Int) -> [String] {
        state.withLock { state in
            let wrong = state.ends.prefix(count).enumerated().filter { $0.element != 1 }
            return state.problems + wrong.map { "load \($0.offset) ended \($0.element) times" }
        }
    }
}
