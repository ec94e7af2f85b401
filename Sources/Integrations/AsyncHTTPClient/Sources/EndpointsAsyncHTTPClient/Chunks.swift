import AsyncHTTPClient
import Endpoints
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a response in chunks. Releasing it closes the connection if more would come.
final class Chunks: Sendable {
    private let arrived: ArrivedChunks
    private let reading: Task<Void, Never>
    private let alarm: Alarm

    init(_ response: HTTPClientResponse, to request: TransportRequest, _ limit: TimeLimit) {
        // Such a response has no body, although it may have a `Content-Encoding`, which is that of
        // another response (RFC 9110, section 8.4). AsyncHTTPClient would unpack it (1.37).
        let isEmpty =
            request.urlRequest.httpMethod == "HEAD"
            || [.noContent, .notModified].contains(response.status)
        let arrived = ArrivedChunks(atLeast: request.streamsResponse ? 1 : 256 << 10)
        let body = response.body
        let reading = Task {
            do {
                for try await chunk in body { await arrived.append(chunk) }
                arrived.end(.success(()))
            } catch  where isEmpty && error.isDecompressionError {
                arrived.end(.success(()))
            } catch {
                arrived.end(.failure(error.mapped(at: nil)))
            }
        }
        (self.arrived, self.reading) = (arrived, reading)
        alarm = Alarm {
            arrived.hasEnded ? .zero : limit.rest(since: arrived.waitingSince)
        } ring: {
            arrived.end(.failure(URLError(.timedOut)))
            reading.cancel()
        }
    }

    deinit {
        alarm.cancel()
        cancel()
    }

    /// Reads no more, also if the reading waits for this one's reader.
    private func cancel() {
        arrived.end(.failure(CancellationError()))
        reading.cancel()
    }

    func next() async throws -> Data? {
        try Task.checkCancellation()
        let chunk = try await withTaskCancellationHandler {
            try await arrived.next()
        } onCancel: {
            cancel()
        }
        if chunk == nil { alarm.cancel() }
        return chunk
    }
}

/// What has arrived and waits for its reader. If that is much, the rest waits, and so does the
/// server.
private final class ArrivedChunks: Sendable {
    private struct State {
        private(set) var unread: [ByteBuffer] = []
        private(set) var count = 0
        var end: Result<Void, any Error>?
        /// Since when the next chunk is awaited; `nil` while this is full.
        var waitingSince: ContinuousClock.Instant? = .now
        var reader: CheckedContinuation<Data?, any Error>?
        var writer: CheckedContinuation<Void, Never>?

        /// The result for a reader; `nil` if it has to wait for so many bytes.
        mutating func next(atLeast least: Int) -> Result<Data?, any Error>? {
            guard count == 0 || end == nil && count < least else {
                defer { removeAll() }
                guard unread.count > 1 else { return .success(Data(buffer: unread[0])) }
                var data = Data(capacity: count)
                for chunk in unread { data.append(contentsOf: chunk.readableBytesView) }
                return .success(data)
            }
            return count == 0 ? end.map { $0.map { nil } } : nil
        }

        /// A small chunk is copied into the last one, so that it doesn't keep the buffer of a whole
        /// read.
        mutating func append(_ chunk: ByteBuffer) {
            count += chunk.readableBytes
            if chunk.readableBytes < 4096, !unread.isEmpty {
                unread[unread.count - 1].writeImmutableBuffer(chunk)
            } else if chunk.readableBytes > 0 {
                unread.append(chunk)
            }
        }

        mutating func removeAll() { (unread, count) = ([], 0) }
    }

    /// How many bytes the reader waits for. One who wants all needn't be woken for each chunk.
    private let least: Int
    private let state = NIOLockedValueBox(State())

    init(atLeast least: Int) {
        self.least = least
    }

    private var most: Int { max(least, 64 << 10) }

    var hasEnded: Bool { state.withLockedValue { $0.end != nil } }

    var waitingSince: ContinuousClock.Instant? { state.withLockedValue(\.waitingSince) }

    /// Takes a chunk, and returns when the reader has caught up.
    func append(_ chunk: ByteBuffer) async {
        let isFull = state.withLockedValue { state in
            guard state.end == nil else { return false }
            state.waitingSince = .now
            state.append(chunk)
            if let reader = state.reader, let result = state.next(atLeast: least) {
                state.reader = nil
                reader.resume(with: result)
            }
            return state.count >= most
        }
        guard isFull else { return }
        await withCheckedContinuation { continuation in
            state.withLockedValue { state in
                guard state.count >= most, state.end == nil else {
                    return continuation.resume()
                }
                state.waitingSince = nil
                state.writer = continuation
            }
        }
    }

    /// Ends the body; only the first call has an effect. What has arrived can still be read, unless
    /// the load was cancelled.
    func end(_ result: Result<Void, any Error>) {
        state.withLockedValue { state in
            guard state.end == nil else { return }
            state.end = result
            state.waitingSince = nil
            if case .failure(is CancellationError) = result { state.removeAll() }
            state.writer.take()?.resume()
            if let reader = state.reader.take(), let result = state.next(atLeast: least) {
                reader.resume(with: result)
            }
        }
    }

    /// The next chunk, when it has arrived; `nil` after the last one.
    func next() async throws -> Data? {
        let result = state.withLockedValue { state in
            let result = state.next(atLeast: least)
            if state.count < most, let writer = state.writer.take() {
                state.waitingSince = .now
                writer.resume()
            }
            return result
        }
        if let result { return try result.get() }
        return try await withCheckedThrowingContinuation { continuation in
            state.withLockedValue { state in
                guard let result = state.next(atLeast: least) else {
                    return state.reader = continuation
                }
                continuation.resume(with: result)
            }
        }
    }
}
