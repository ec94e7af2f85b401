import Foundation

/// A body that is read while it is sent: data and files, in order.
///
///     var request = URLRequest(url: url)
///     request.httpMethod = "PUT"
///     request.upload = Upload([.file(video)])
///
/// An upload can be read any number of times, so it can be sent again after a redirect, a 401 or a
/// lost connection. The library sends a ``File``, a ``Multipart`` and declared parts as an upload.
/// A ``Transport`` of your own that can't send the request's `httpBodyStream` must send the
/// upload's ``chunks()``.
public struct Upload: Sendable {
    /// A piece of a body.
    public enum Piece: Sendable, Hashable {
        /// Bytes in memory.
        case data(Data)
        /// The bytes of a file on disk.
        case file(URL)
    }

    /// The pieces, in the order in which they are sent.
    public let pieces: [Piece]
    /// The multipart form that the pieces were made from; `nil` for another body.
    package let form: MultipartForm?
    /// A function that is called with the number of bytes that the transport has read so far, and
    /// with the total. If the function throws, the upload ends.
    package var observe: (@Sendable (_ sent: Int64, _ total: Int64) throws -> Void)?

    /// Makes a body of pieces.
    public init(_ pieces: [Piece]) {
        self.init(pieces, form: nil)
    }

    init(_ pieces: [Piece], form: MultipartForm?) {
        self.pieces = pieces
        self.form = form
    }

    init(_ file: File) {
        self.init([Piece(file)])
    }

    /// The number of bytes that the body has now. The files are measured each time.
    ///
    /// - Throws: A ``FileError`` for a file that is missing or can't be read.
    public var contentLength: Int64 {
        get throws(FileError) { try measured().contentLength }
    }

    /// The bytes in chunks, to be sent.
    ///
    ///     let chunks = try upload.chunks()
    ///     print(chunks.contentLength)   // Content-Length
    ///     for try await chunk in chunks { write(chunk) }
    ///
    /// The chunks have exactly `chunks.contentLength` bytes. If a file's length changes before the
    /// file has been read, the loop throws a ``FileError`` instead of returning the file's last
    /// byte, so a server can't mistake an incomplete body for a complete one. A file that was empty
    /// isn't read, so its growth isn't noticed. Each loop begins with the first byte.
    /// - Throws: A ``FileError`` for a file that is missing or can't be read.
    public func chunks() throws(FileError) -> Chunks {
        Chunks(upload: try measured())
    }

    /// All bytes of the body, in memory.
    ///
    /// - Throws: A ``FileError`` for a file that can't be read, or whose length changes meanwhile.
    public func data() throws(FileError) -> Data {
        let reader = UploadReader(try measured())
        var data = Data()
        while let chunk = try reader.next() { data.append(chunk) }
        return data
    }

    func measured() throws(FileError) -> MeasuredUpload {
        try MeasuredUpload(self)
    }
}

extension Upload.Piece {
    init(_ file: File) {
        switch file.content {
        case .disk(let url): self = .file(url)
        case .memory(let data): self = .data(data)
        }
    }
}

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
