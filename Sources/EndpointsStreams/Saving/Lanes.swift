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

extension Download {
    /// Loads the rest of the file in several lanes. Each one sends its own requests, with the same
    /// transport.
    ///
    /// A lane whose requests fail leaves its work to the first one, and ends. The error of the
    /// first lane is that of all.
    mutating func writeInLanes(
        _ count: Int, and gaps: [Range<Int64>], _ show: @escaping @Sendable () -> Void
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
                    repeat {
                        while try await lane.write() != nil { show() }
                    } while lane.takeMore(from: lanes)
                    return lane
                }
                for _ in 1..<count {
                    group.addTask {
                        while let span = lanes.next() {
                            var lane = Download(span, of: first)
                            do throws(StreamError) {
                                while try await lane.write() != nil { show() }
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
                    if let lane { last = lane }
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
