import Endpoints
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The progress of one upload. Read it as a sequence, show it as a `Foundation.Progress`, or both.
///
///     let progress = UploadProgress()
///     Task { for await step in progress { print(step.fraction ?? 0) } }   // 0.01 … 0.99, 1
///     let video = try await session.response(
///         in: .production, with: AddVideo(body: File(url)), progress: progress)
///
/// It counts the bytes that the transport has read from the body. The fraction only grows, even if
/// the body is sent again, and is 1 once the response is returned, or never if the load fails. A
/// second load with the same progress ends with an ``EndpointError``.
public final class UploadProgress: AsyncSequence, Sendable {
    private struct State {
        var reported: Int64 = 0
        var total: Int64 = 0
        var hasBegun = false
        var hasEnded = false
    }

    private let steps: AsyncStream<TransferProgress>
    private let continuation: AsyncStream<TransferProgress>.Continuation
    private let progress: Progress?
    private let state = Locked(State())

    /// Makes the progress of an upload that has not begun.
    ///
    /// - Parameter progress: A `Foundation.Progress` that counts the bytes too. It is finished when
    ///   the response is returned. Cancelling it ends the load.
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

    /// Begins the progress of a load.
    /// - Throws: An ``EndpointError`` if another load has it, because nothing would be reported.
    func begin(_ requestType: any RequestType.Type) throws(EndpointError) {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard !isFirst else { return }
        throw EndpointError(
            requestType: "\(requestType)", field: .call,
            reason: "has the UploadProgress of another load; make a new one for each load")
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

    /// The same as `onCancel(_:)` of the `Foundation.Progress`, if there is one.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) -> () -> Void {
        progress?.onCancel(cancel) ?? {}
    }

    func fail() {
        state.withLock { $0.hasEnded = true }
        continuation.finish()
    }

    private func yield(_ step: TransferProgress) {
        progress?.show(step)
        continuation.yield(step)
    }
}

extension Progress {
    /// Calls a function when this is cancelled, after its own handler. Returns a function that
    /// gives it its own handler back.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) -> () -> Void {
        guard !isCancelled else {
            cancel()
            return {}
        }
        let handler = cancellationHandler
        cancellationHandler = {
            handler?()
            cancel()
        }
        // Setting the handler of a cancelled `Progress` would call it once more.
        return { [self] in if !isCancelled { cancellationHandler = handler } }
    }

    @Sendable func show(_ step: TransferProgress) {
        // A `Progress` whose total is 0 would never be finished.
        let isEmpty = step.total == 0
        totalUnitCount = isEmpty ? 1 : step.total ?? -1
        completedUnitCount = isEmpty ? 1 : step.completed
    }
}

/// How much of a body has been transferred.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes have been transferred.
    public let completed: Int64
    /// The total number of bytes; `nil` if it is known only at the end.
    public let total: Int64?

    /// The fraction that has been transferred, which is 1 only at the end; `nil` if the total isn't
    /// known.
    public var fraction: Double? {
        total.map { $0 == 0 ? 1 : Double(completed) / Double($0) }
    }

    /// The progress after `completed` of `total` bytes.
    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }
}

extension Transport {
    /// Loads a request, reports how much of the body is sent, and returns the typed response.
    ///
    ///     let progress = UploadProgress(bar.progress)   // a `Foundation.Progress` of yours
    ///     let video = try await session.response(
    ///         in: .production, with: AddVideo(body: File(url)), progress: progress)
    ///
    /// A ``File``, a ``Multipart`` and declared parts are sent as an ``Upload``. For any other
    /// body, such as JSON, only the end is reported. With `at`, the request is sent to a URL that a
    /// server has named, such as an upload URL.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        in environment: Request.Environment, with request: Request, at url: URL? = nil,
        progress: UploadProgress
    ) async throws(Request.TaskError) -> Request.Response {
        do { try progress.begin(Request.self) } catch { throw .endpointError(error) }
        var message: TransportRequest
        do { message = try TransportRequest(of: request, in: environment, at: url) } catch {
            progress.fail()
            throw .endpointError(error)
        }
        message.upload?.observe = { try progress.report($0, of: $1) }
        do {
            let response = try await CancellableUpload(base: self, progress: progress)
                .response(to: message, as: Request.self)
            progress.finish()
            return response
        } catch {
            progress.fail()
            throw error
        }
    }
}

/// Ends a load when its `Foundation.Progress` is cancelled, even if the server reads nothing.
private struct CancellableUpload: Transport {
    let base: any Transport
    let progress: UploadProgress

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let task = Task { try await base.send(request) }
        let restore = progress.onCancel { task.cancel() }
        defer { restore() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension EndpointClient {
    /// Loads a request, reports how much of the body is sent, and returns the typed response.
    ///
    ///     let progress = UploadProgress()
    ///     let video = try await api.response(to: AddVideo(body: File(url)), progress: progress)
    ///
    /// A ``File``, a ``Multipart`` and declared parts are sent as an ``Upload``. For any other
    /// body, such as JSON, only the end is reported. With `at`, the request is sent to a URL that a
    /// server has named, such as an upload URL.
    /// - Throws: A ``RequestType/TaskError``.
    public nonisolated(nonsending) func response<Request: RequestType>(
        to request: Request, at url: URL? = nil, progress: UploadProgress
    ) async throws(Request.TaskError) -> Request.Response
    where Request.Environment == Environment {
        try await transport.response(in: environment, with: request, at: url, progress: progress)
    }
}
