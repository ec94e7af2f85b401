/// The numbers from 0, for whoever asks, until there are enough or it is too late.
final class Numbers: Sendable {
    private let count: Int
    private let end: ContinuousClock.Instant
    private let state = Locked(0)

    init(below count: Int, until end: ContinuousClock.Instant) {
        self.count = count
        self.end = end
    }

    var taken: Int { state.withLock { $0 } }

    func next() -> Int? {
        state.withLock { next in
            guard next < count, ContinuousClock.now < end else { return nil }
            defer { next += 1 }
            return next
        }
    }
}
