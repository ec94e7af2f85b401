import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat

/// The body of a response in chunks. Releasing it closes the connection if more would come.
///
/// It is unchecked, as `ResponseBody` reads it by one task at a time.
final class Chunks: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let limit: TimeLimit

    init(_ body: HTTPClientResponse.Body, _ limit: TimeLimit) {
        iterator = body.makeAsyncIterator()
        self.limit = limit
    }

    func next() async throws -> Data? {
        do {
            return try await limit.wait {
                try await self.iterator.next().map { Data(buffer: $0) }
            }
        } catch {
            throw error.mapped(at: nil)
        }
    }
}
