import Endpoints
import Foundation

/// What several lanes of a download share out.
final class Lanes: Sendable {
    /// The fewest bytes for which another lane is worth a request.
    static let least: Int64 = 1 << 20

    private struct State {
        /// What no lane loads yet.
        var waiting: [Range<Int64>]
        var running: [Span]
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - first: What the first lane loads.
    ///   - gaps: What is missing of the file besides.
    init(_ first: Span, and gaps: [Range<Int64>]) {
        state = Locked(State(waiting: gaps, running: [first]))
    }

    /// What a lane without work is to load: a gap, or else half of the largest rest of another
    /// lane. `nil` if there is too little for another request.
    func next() -> Span? {
        state.withLock { state in
            state.running.removeAll { $0.rest.isEmpty }
            let span: Span?
            if state.waiting.isEmpty {
                let largest = state.running.max { $0.rest.count < $1.rest.count }
                span = largest?.split(least: Self.least)
            } else {
                span = Span(state.waiting.removeFirst())
            }
            if let span { state.running.append(span) }
            return span
        }
    }

    /// Leaves the rest of what a lane had to load to the others.
    func giveBack(_ span: Span) {
        state.withLock { state in
            state.running.removeAll { $0 === span }
            if !span.rest.isEmpty { state.waiting.append(span.rest) }
        }
    }
}

/// Whether several lanes are faster than one, by the bytes that arrive in a time.
///
/// One lane is measured before the others are opened, and all of them are measured after that. If
/// they aren't faster by a real margin, they are closed, and tried again after 4 seconds, 32 and so
/// on: a server may limit a connection only after some time.
struct LanePace {
    /// How many times as fast as one lane several must be.
    private static let gain = 1.3

    private let clock: TransportClock
    /// For how long one lane isn't measured. A new connection becomes faster at its beginning.
    private var pause = 0.15
    /// The bytes a second of one lane.
    private var alone = 0.0
    /// Since when there are as many lanes as now.
    private var begin: TimeInterval?
    /// Where the time began that is measured now.
    private var start: (time: TimeInterval, count: Int64)?
    /// Whether it is known if several lanes are faster.
    private var isDecided = false

    init(_ clock: TransportClock) { self.clock = clock }

    /// Whether one lane was measured, when so many bytes are in the file.
    mutating func isTimeForLanes(at count: Int64) -> Bool {
        guard let rate = rate(at: count, after: pause, over: 0.15) else { return false }
        (alone, isDecided, pause) = (rate, false, max(pause * 8, 4))
        return true
    }

    /// Whether several lanes turn out not to be faster than one.
    mutating func areSlow(at count: Int64) -> Bool {
        guard !isDecided, let rate = rate(at: count, after: 1, over: 1) else { return false }
        isDecided = true
        return rate < alone * Self.gain
    }

    /// The bytes a second in a time after a pause; `nil` until it is over.
    private mutating func rate(
        at count: Int64, after pause: TimeInterval, over seconds: TimeInterval
    ) -> Double? {
        let now = clock.uptime()
        guard let begin else {
            begin = now
            return nil
        }
        guard now - begin >= pause else { return nil }
        guard let from = start else {
            start = (now, count)
            return nil
        }
        guard now - from.time >= seconds else { return nil }
        (self.begin, start) = (nil, nil)
        return Double(count - from.count) / (now - from.time)
    }
}

extension Download {
    /// Loads the rest of the file in several lanes. Each one sends its own requests, with the same
    /// transport.
    ///
    /// A lane whose requests fail leaves its work to the first one, and ends. The error of the
    /// first lane is that of all. If all lanes together aren't faster than one, the others end, and
    /// the first one has bytes left to load.
    mutating func writeInLanes(
        _ count: Int, and gaps: [Range<Int64>], _ pace: LanePace?,
        _ show: @escaping @Sendable (Int64) -> Void
    ) async throws(StreamError) {
        isAlone = false
        defer { isAlone = true }
        // Only the first lane's task may keep its body. When it drops that, the connection ends.
        let (lanes, begun) = (Lanes(span, and: gaps), Locked<Download?>(self))
        body = nil
        let first = self
        do {
            self = try await withThrowingTaskGroup(of: Download?.self) { group in
                group.addTask {
                    guard var lane = begun.withLock({ $0.take() }) else { return nil }
                    var pace = pace
                    repeat {
                        while let count = try await lane.write() {
                            show(count)
                            if pace?.areSlow(at: count) ?? false, lane.hasRest { return lane }
                        }
                    } while lane.takeMore(from: lanes)
                    return lane
                }
                for _ in 1..<count {
                    group.addTask {
                        while let span = lanes.next() {
                            var lane = Download(span, of: first)
                            do throws(StreamError) {
                                while let count = try await lane.write() { show(count) }
                            } catch {
                                if error.isOfChangedFile { throw error }
                                lanes.giveBack(span)
                                return nil
                            }
                        }
                        return nil
                    }
                }
                var last = first
                for try await lane in group {
                    guard let lane else { continue }
                    last = lane
                    if lane.hasRest { group.cancelAll() }
                }
                return last
            }
        } catch { throw error as? StreamError ?? StreamError(loading: error, Self.self) }
    }

    /// Takes other work. `false` if there is none.
    private mutating func takeMore(from lanes: Lanes) -> Bool {
        guard let span = lanes.next() else { return false }
        self = Download(span, of: self)
        return true
    }
}

extension StreamError {
    /// Whether a request for a part of a file had another file as response.
    var isOfChangedFile: Bool {
        if case .unexpectedResponse(let head) = self {
            (200..<300).contains(head.statusCode)
        } else {
            false
        }
    }
}
