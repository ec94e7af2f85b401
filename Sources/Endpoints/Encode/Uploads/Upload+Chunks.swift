import Foundation

extension Upload {
    /// The bytes of an upload, in chunks of 1 byte to 64 KB.
    public struct Chunks: AsyncSequence, Sendable {
        let upload: MeasuredUpload

        /// How many bytes all chunks have together.
        public var contentLength: Int64 { upload.contentLength }

        /// An iterator that reads a chunk at each call of ``next()``.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let reader: UploadReader
            private let upload: MeasuredUpload

            fileprivate init(_ upload: MeasuredUpload) {
                self.upload = upload
                reader = UploadReader(upload)
            }

            /// The next chunk; `nil` after the last one.
            ///
            /// - Throws: A ``FileError`` if a file can't be read or its length has changed;
            ///   `CancellationError` if the `Progress` of an ``UploadProgress`` was cancelled.
            public mutating func next() async throws -> Data? {
                // The earlier chunks have been read by the transport; the next one hasn't.
                try upload.report(reader.count)
                return try reader.next()
            }
        }

        /// The chunks, from the first byte.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(upload)
        }
    }
}
