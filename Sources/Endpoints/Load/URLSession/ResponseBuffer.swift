import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a response's head (status and headers) and body to one reader while they arrive.
final class ResponseBuffer: Sendable {
    private typealias HeadReader = CheckedContinuation<HTTPURLResponse, any Error>
    private typealias ChunkReader = CheckedContinuation<Data?, any Error>

    private struct State {
        var httpResponse: HTTPURLResponse?
        /// Whether `httpResponse` is final. After a 1xx, a 3xx or a 401, another head may follow.
        var isHeadFinal = false
        var unread: UnreadData
        /// How many bytes of the body have arrived.
        var count = 0
        var end: Result<Void, any Error>?
        /// A task that is suspended because too much is unread.
        var suspended: URLSessionTask?
        var headReader: HeadReader?
        var chunkReader: ChunkReader?

        /// The result for a reader of the head; `nil` if the reader has to wait.
        var head: Result<HTTPURLResponse, any Error>? {
            if let httpResponse, isHeadFinal { return .success(httpResponse) }
            if case .failure(let error) = end { return .failure(error) }
            return nil
        }

        /// The result for a reader of the body; `nil` if the reader has to wait.
        mutating func nextChunk() -> Result<Data?, any Error>? {
            do {
                if let chunk = try unread.next() { return .success(chunk) }
            } catch { return .failure(error) }
            return end?.map { nil }
        }

        mutating func takeHeadReader() -> HeadReader? {
            defer { headReader = nil }
            return headReader
        }

        mutating func takeChunkReader() -> ChunkReader? {
            defer { chunkReader = nil }
            return chunkReader
        }

        mutating func resumeIfRead() {
            guard !unread.isLarge else { return }
            suspended?.resume()
            suspended = nil
        }
    }

    private let state: Locked<State>

    init(unreadLimit limit: Int) {
        state = Locked(State(unread: UnreadData(limit: limit)))
    }

    /// The final head, once it has arrived.
    func head() async throws -> HTTPURLResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                let result = state.head
                if result == nil { state.headReader = continuation }
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// The next chunk of the body, once it has arrived; `nil` after the last one.
    func next() async throws -> Data? {
        let result = state.withLock { state in
            let result = state.nextChunk()
            state.resumeIfRead()
            return result
        }
        if let result { return try result.get() }
        return try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                let result = state.nextChunk()
                if result == nil { state.chunkReader = continuation }
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Takes a head that has arrived. It replaces an earlier head and the body after that head.
    func begin(_ httpResponse: HTTPURLResponse, isFinal: Bool) {
        let reader = state.withLock { state in
            state.httpResponse = httpResponse
            state.isHeadFinal = isFinal
            state.unread.removeAll()
            state.count = 0
            return isFinal ? state.takeHeadReader() : nil
        }
        reader?.resume(returning: httpResponse)
    }

    /// Takes a chunk of the body that has arrived.
    ///
    /// - Throws: An error if too many bytes are unread or, on Linux, if the temporary file for
    ///   unread bytes can't be written.
    func append(_ chunk: Data) throws {
        let reader = try state.withLock { state in
            guard state.end == nil, !chunk.isEmpty else { return nil as ChunkReader? }
            state.count += chunk.count
            if let reader = state.takeChunkReader() { return reader }
            try state.unread.append(chunk)
            return nil
        }
        reader?.resume(returning: chunk)
    }

    /// Ends the response. Bytes that have arrived can still be read, unless the load was cancelled.
    func end(_ result: Result<HTTPURLResponse, any Error>) {
        let (headReader, chunkReader) = state.withLock { state in
            guard state.end == nil else { return (nil, nil) as (HeadReader?, ChunkReader?) }
            state.end = result.map { _ in () }
            switch result {
            case .success(let httpResponse):
                if !state.isHeadFinal { state.httpResponse = httpResponse }
                state.isHeadFinal = true
            case .failure(let error):
                if (error as? URLError)?.code == .cancelled { state.unread.removeAll() }
            }
            state.suspended = nil
            return (state.takeHeadReader(), state.takeChunkReader())
        }
        headReader?.resume(with: result)
        chunkReader?.resume(with: result.map { _ in nil })
    }

    var hasFinalHead: Bool { state.withLock(\.isHeadFinal) }

    /// The head that came last, and how many bytes of its body have arrived.
    var progress: (httpResponse: HTTPURLResponse?, count: Int) {
        state.withLock { ($0.httpResponse, $0.count) }
    }

    /// Suspends a task until the reader has caught up, if too much is unread. Before the head is
    /// final, it doesn't: nobody reads the body yet, and a 3xx or a 401 may become final only when
    /// the task ends.
    func holdBack(_ task: URLSessionTask) {
        state.withLock { state in
            guard state.isHeadFinal, state.end == nil, state.suspended == nil,
                state.unread.isLarge
            else { return }
            // Within the lock, so that no reader resumes the task before it is suspended.
            task.suspend()
            state.suspended = task
        }
    }
}

/// Chunks of a body that wait in memory to be read.
struct UnreadChunks {
    private var chunks: [Data] = []
    /// How many bytes all chunks have together.
    private(set) var count = 0

    /// Small chunks are joined up to this size, because each chunk takes extra memory and time.
    private static let usualSize = 64 << 10

    mutating func append(_ chunk: Data) {
        count += chunk.count
        if let last = chunks.indices.last, chunks[last].count + chunk.count <= Self.usualSize {
            chunks[last].append(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    mutating func next() -> Data? {
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        count -= chunk.count
        return chunk
    }
}

extension URLSession {
    /// Sends a request and returns its response when the status and headers have arrived.
    func stream(_ request: TransportRequest) async throws -> TransportResponse {
        let buffer = ResponseBuffer(unreadLimit: request.policy.unreadLimit)
        let load = SessionLoad(request, by: self, into: buffer)
        let reader = Reader(buffer: buffer, load: load)
        let httpResponse = try await withTaskCancellationHandler {
            load.start { buffer.end($0.map { $0.1 }) }
            return try await buffer.head()
        } onCancel: {
            load.cancel()
        }
        return TransportResponse(
            body: ResponseBody(chunks: { try await reader.next() }), httpResponse)
    }

    /// The load ends when the reader is released.
    private final class Reader: Sendable {
        let buffer: ResponseBuffer
        let load: SessionLoad

        init(buffer: ResponseBuffer, load: SessionLoad) {
            self.buffer = buffer
            self.load = load
        }

        deinit {
            load.cancel()
        }

        func next() async throws -> Data? {
            try Task.checkCancellation()
            return try await withTaskCancellationHandler {
                try await buffer.next()
            } onCancel: {
                load.cancel()
            }
        }
    }
}
