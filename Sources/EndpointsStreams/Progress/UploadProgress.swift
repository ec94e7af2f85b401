import Endpoints
import Foundation

/// The progress of one upload. Read it as a sequence, show it as a `Foundation.Progress`, or both.
///
///     let progress = UploadProgress()
///     Task { for await step in progress { print(step.fraction ?? 0) } }   // 0.01 … 0.99, 1
///     let video = try await session.response(
///         in: .production, with: AddVideo(body: File(url)), progress: progress)
///
/// It counts the bytes that the transport has read from the body. The fraction only grows, even if
/// the body is sent again, and is 1 once the response is returned, or never if the load fails.
public final class UploadProgress: AsyncSequence, Sendable {
    private struct State {
        var reported: Int64 = 0
        var total: Int64 = 0
        var hasEnded = false
    }

    private let steps: AsyncStream<TransferProgress>
    private let continuation: AsyncStream<TransferProgress>.Continuation
    private let progress: Progress?
    private let state = Locked(State())

    /// Makes the progress of an upload that has not begun.
    ///
    /// - Parameter progress: A `Foundation.Progress` that counts the bytes too. It is finished when
    ///   the response is returned. Cancelling it while the body is sent ends the load, if the body
    ///   is an ``Upload``.
    public init(_ progress: Progress? = nil) {
        (steps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.progress = progress
        progress?.totalUnitCount = -1
    }

    /// An iterator over the progress, up to about a hundred steps. A slow loop misses steps, except
    /// the newest. Use only one loop: of two, each would miss the steps that the other one gets.
    public func makeAsyncIterator() -> AsyncStream<TransferProgress>.Iterator {
        steps.makeAsyncIterator()
    }

    /// Reports a step if at least 64 KB and 1 % of the body were read since the last step. The end
    /// is reported by ``finish()``.
    /// - Throws: `CancellationError` if the `Foundation.Progress` was cancelled.
    func report(_ count: Int64, of total: Int64) throws {
        if let progress, progress.isCancelled { throw CancellationError() }
        let isNew = state.withLock { state in
            state.total = total
            let step = Swift.max(64 << 10, total / 100)
            guard count < total, count - state.reported >= step, !state.hasEnded
            else { return false }
            state.reported = count
            return true
        }
        if isNew { yield(TransferProgress(completed: count, total: total)) }
    }

    /// Reports that the whole body was sent, and ends the progress, if it hasn't ended yet.
    func finish() {
        let (isFirst, total) = state.withLock { state in
            defer { state.hasEnded = true }
            return (!state.hasEnded, state.total)
        }
        guard isFirst else { return }
        yield(TransferProgress(completed: total, total: total))
        continuation.finish()
    }

    func fail() {
        state.withLock { $0.hasEnded = true }
        continuation.finish()
    }

    private func yield(_ step: TransferProgress) {
        // A `Progress` whose total is 0 would never be finished.
        let isEmpty = step.total == 0
        progress?.totalUnitCount = isEmpty ? 1 : step.total ?? -1
        progress?.completedUnitCount = isEmpty ? 1 : step.completed
        continuation.yield(step)
    }
}
