import AsyncHTTPClient
import Endpoints
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a response in chunks. Releasing it closes the connection if more would come.
///
/// It is unchecked, as `ResponseBody` reads it by one task at a time.
final class Chunks: @unchecked Sendable {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let limit: TimeLimit
    /// Whether the response has no body, although it may have a `Content-Encoding`, which is that
    /// of another response (RFC 9110, section 8.4). AsyncHTTPClient would unpack it (1.37).
    private let isEmpty: Bool

    init(_ response: HTTPClientResponse, to request: TransportRequest, _ limit: TimeLimit) {
        iterator = response.body.makeAsyncIterator()
        self.limit = limit
        isEmpty =
            request.urlRequest.httpMethod == "HEAD"
            || [.noContent, .notModified].contains(response.status)
    }

    func next() async throws -> Data? {
        do {
            return try await limit.wait {
                try await self.iterator.next().map { Data(buffer: $0) }
            }
        } catch  where isEmpty && error.isDecompressionError {
            return nil
        } catch {
            throw error.mapped(at: nil)
        }
    }
}
