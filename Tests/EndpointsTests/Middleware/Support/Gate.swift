/// A place that tasks pass only when it is open.
final class Gate: Sendable {
    private let state = Guarded<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
        (false, []))
    private let arrivals: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    /// Returns when the gate is open.
    func pass() async {
        arrive.yield()
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns when this many have come to the gate.
    func wait(for count: Int) async {
        guard count > 0 else { return }
        var left = count
        for await _ in arrivals {
            left -= 1
            if left == 0 { return }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
