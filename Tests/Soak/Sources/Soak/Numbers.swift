/// The numbers from 0, for whoever asks, until there are enough or it is too late.
final class Numbers: Sendable {
    private let what: String
    private let count: Int
    private let end: ContinuousClock.Instant
    private let state = Locked(0)

    /// - Parameter what: What is done with the numbers, to say how far it is.
    init(_ what: String, below count: Int, until end: ContinuousClock.Instant) {
        self.what = what
        self.count = count
        self.end = end
    }

    var taken: Int { state.withLock { $0 } }

    func next() -> Int? {
        state.withLock { next in
            guard next < count, ContinuousClock.now < end else { return nil }
            if next % 250 == 0 { Progress.report("\(what): \(next) of \(count)") }
            defer { next += 1 }
            return next
        }
    }
}
