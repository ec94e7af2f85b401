import Endpoints

/// The bytes that a lane of a download loads, of which another lane may take the end.
final class Span: Sendable {
    /// `end` is `Int64.max` for a file whose length isn't known.
    private let state: Locked<(next: Int64, end: Int64)>

    init(_ range: Range<Int64>) {
        state = Locked((range.lowerBound, range.upperBound))
    }

    /// The bytes that are still to be loaded.
    var rest: Range<Int64> { state.withLock { $0.next..<$0.end } }

    /// The place of the next bytes; fewer if the end comes first.
    func take(_ count: Int) -> Range<Int64> {
        state.withLock { state in
            let start = state.next
            state.next = min(state.end, start + Int64(count))
            return start..<state.next
        }
    }

    /// Begins again, with other bytes.
    func set(_ range: Range<Int64>) {
        state.withLock { $0 = (range.lowerBound, range.upperBound) }
    }

    /// The second half of the rest, which is then no longer this span's; `nil` if each half would
    /// have fewer bytes than `least`.
    func split(least: Int64) -> Span? {
        state.withLock { state in
            let half = (state.end - state.next) / 2
            guard state.end < .max, half >= least else { return nil }
            let middle = state.end - half
            defer { state.end = middle }
            return Span(middle..<state.end)
        }
    }
}
