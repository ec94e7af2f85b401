import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes a response's head (status and headers) and body to one reader while they arrive.
final class IncomingResponse: Sendable {
    private typealias HeadReader = CheckedContinuation<HTTPURLResponse, any Error>
    private typealias PieceReader = CheckedContinuation<Data?, any Error>

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
        var pieceReader: PieceReader?

        /// The result for a reader of the head; `nil` if the reader has to wait.
        var head: Result<HTTPURLResponse, any Error>? {
            if let httpResponse, isHeadFinal { return .success(httpResponse) }
            if case .failure(let error) = end { return .failure(error) }
            return nil
        }

        /// The result for a reader of the body; `nil` if the reader has to wait.
        mutating func nextPiece() -> Result<Data?, any Error>? {
            do {
                if let piece = try unread.next() { return .success(piece) }
            } catch { return .failure(error) }
            return end?.map { nil }
        }

        mutating func takeHeadReader() -> HeadReader? {
            defer { headReader = nil }
            return headReader
        }

        mutating func takePieceReader() -> PieceReader? {
            defer { pieceReader = nil }
            return pieceReader
        }

        /// The suspended task, if it can be resumed because the reader has caught up.
        mutating func takeSuspended() -> URLSessionTask? {
            guard !unread.isLarge else { return nil }
            defer { suspended = nil }
            return suspended
        }
    }

    private let state: Locked<State>

    /// - Parameter limit: The most bytes that may wait to be read.
    init(unreadLimit limit: Int) {
        state = Locked(State(unread: UnreadData(limit: limit)))
    }

    /// The head, once it has arrived.
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

    /// The next piece of the body, once it has arrived; `nil` after the last one.
    func next() async throws -> Data? {
        let (result, suspended) = state.withLock { ($0.nextPiece(), $0.takeSuspended()) }
        suspended?.resume()
        if let result { return try result.get() }
        return try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                let result = state.nextPiece()
                if result == nil { state.pieceReader = continuation }
                return result
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Takes a head that has arrived, in place of an earlier one: interim responses, redirects and
    /// a 401 may come before the response.
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

    /// Takes a piece of the body that has arrived.
    ///
    /// - Throws: An error if too many bytes are unread, or if a file for them can't be written.
    func append(_ piece: Data) throws {
        let reader = try state.withLock { state in
            guard state.end == nil, !piece.isEmpty else { return nil as PieceReader? }
            state.count += piece.count
            if let reader = state.takePieceReader() { return reader }
            try state.unread.append(piece)
            return nil
        }
        reader?.resume(returning: piece)
    }

    /// Ends the response. Bytes that have arrived can still be read, unless the load was cancelled.
    func end(_ result: Result<HTTPURLResponse, any Error>) {
        let (headReader, pieceReader) = state.withLock { state in
            guard state.end == nil else { return (nil, nil) as (HeadReader?, PieceReader?) }
            state.end = result.map { _ in () }
            switch result {
            case .success(let httpResponse):
                if !state.isHeadFinal { state.httpResponse = httpResponse }
                state.isHeadFinal = true
            case .failure(let error):
                if (error as? URLError)?.code == .cancelled { state.unread.removeAll() }
            }
            state.suspended = nil
            return (state.takeHeadReader(), state.takePieceReader())
        }
        headReader?.resume(with: result)
        pieceReader?.resume(with: result.map { _ in nil })
    }

    /// The head that came last, and how many bytes of its body have arrived.
    var progress: (httpResponse: HTTPURLResponse?, count: Int) {
        state.withLock { ($0.httpResponse, $0.count) }
    }

    /// Suspends a task until the reader has caught up, if too much is unread.
    func holdBack(_ task: URLSessionTask) {
        let isSuspended = state.withLock { state in
            guard state.end == nil, state.suspended == nil, state.unread.isLarge
            else { return false }
            state.suspended = task
            return true
        }
        if isSuspended { task.suspend() }
    }
}
