import Endpoints
import Foundation

extension ResponseBody {
    /// How the reading of a body ended.
    package enum End {
        case whole
        case failed(any Error)
        /// Nobody reads the body any more.
        case dropped
    }

    /// The same body, with functions that are called when a chunk is read, and once at the end: at
    /// once for a body in memory.
    ///
    /// - Parameter onEnd: If this throws at `.whole`, reading the end of the body throws.
    package func observed(
        onChunk: @escaping @Sendable (Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (End) throws -> Void
    ) throws -> ResponseBody {
        if let data = whole {
            onChunk(data)
            try onEnd(.whole)
            return self
        }
        let (next, observer) = (makeAsyncIterator().next, Observer(onEnd))
        return ResponseBody {
            let chunk: Data?
            do { chunk = try await next?() } catch {
                try? observer.end(.failed(error))
                throw error
            }
            if let chunk { onChunk(chunk) } else { try observer.end(.whole) }
            return chunk
        }
    }

    private final class Observer: Sendable {
        private let onEnd: Locked<(@Sendable (End) throws -> Void)?>

        init(_ onEnd: @escaping @Sendable (End) throws -> Void) { self.onEnd = Locked(onEnd) }

        deinit { try? end(.dropped) }

        func end(_ end: End) throws {
            try onEnd.withLock { $0.take() }?(end)
        }
    }
}
