import Endpoints
import NIOCore
import NIOFoundationCompat

/// The chunks of an upload. Each is read when the client's event loops have taken the ones before.
///
/// AsyncHTTPClient asks for the next chunk without waiting for that (1.37), so a large file that is
/// read faster than it is sent would be in memory.
struct WaitingChunks: AsyncSequence, Sendable {
    let chunks: Upload.Chunks
    let eventLoops: any EventLoopGroup

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: Upload.Chunks.AsyncIterator
        fileprivate let eventLoops: any EventLoopGroup

        mutating func next() async throws -> ByteBuffer? {
            for eventLoop in eventLoops.makeIterator() { try await eventLoop.submit {}.get() }
            return try await chunks.next().map { ByteBuffer(data: $0) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: chunks.makeAsyncIterator(), eventLoops: eventLoops)
    }
}
