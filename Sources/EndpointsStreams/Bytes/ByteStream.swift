import Endpoints
import Foundation

/// The bytes of a response, in chunks as they arrive.
///
///     var count = 0
///     for try await chunk in try await session.response(in: .production, with: GetArchive()) {
///         count += chunk.count   // chunks of 1 byte or more
///     }
///
/// ``save(to:ifExists:progress:clock:)`` saves the bytes as a file.
public struct ByteStream: StreamedResponse {
    let response: ArrivingResponse

    /// `nil`: each media type has bytes.
    public static var acceptedType: MIMEType? { nil }

    /// The bytes of a response.
    public init(_ response: ArrivingResponse) {
        self.response = response
    }

    /// An iterator over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var body: ResponseBody.AsyncIterator
        private let response: ArrivingResponse

        fileprivate init(_ response: ArrivingResponse) {
            body = response.body.makeAsyncIterator()
            self.response = response
        }

        /// The next chunk, which is never empty; `nil` after the last one.
        public mutating func next() async throws(StreamError) -> Data? {
            try await next(isolation: nil)
        }

        /// Like `next()`, but runs on the caller's actor.
        public nonisolated(nonsending) mutating func next(
            isolation actor: (any Actor)?
        ) async throws(StreamError) -> Data? {
            do { return try await body.next(isolation: #isolation) } catch {
                throw response.error(loading: error)
            }
        }
    }

    /// All bytes, once they have arrived.
    ///
    ///     let data = try await archive.data(upTo: 1 << 20)   // 1 MB at most
    ///
    /// - Parameter limit: The most bytes; by default the policy's
    ///   ``Endpoints/LoadPolicy/bodyLimit``, or 64 MB.
    /// - Throws: A ``StreamError``: `.urlLoadError` with `.dataLengthExceedsMaximum` if there are
    ///   more, and `.endpointError` if the stream was read before.
    public func data(upTo limit: Int? = nil) async throws(StreamError) -> Data {
        do { return try await response.body.data(upTo: limit ?? response.wholeLimit) } catch {
            throw response.error(loading: error)
        }
    }

    /// The chunks. Only the first iterator gets them, unless the body is in memory.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(response)
    }
}
