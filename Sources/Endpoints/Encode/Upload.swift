import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        /// A part of the bytes of a file on disk, which may have more.
        case range(URL, Range<Int64>)
    }

    /// The pieces, in the order in which they are sent.
    public let pieces: [Piece]
    /// The multipart form that the pieces were made from; `nil` for another body.
    let form: MultipartForm?
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

    /// The first 64 KB that are in memory, without the contents of a form's parts that are pieces
    /// of their own: every second piece.
    var beginning: [UInt8] {
        var bytes: [UInt8] = []
        for (index, piece) in pieces.enumerated() where form == nil || index % 2 == 0 {
            guard case .data(let data) = piece else { continue }
            bytes += data.prefix(Masking.window - bytes.count)
        }
        return bytes
    }
}

extension Upload.Piece {
    init(_ file: File) {
        switch file.content {
        case .disk(let url): self = .file(url)
        case .range(let url, let range): self = .range(url, range)
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

/// Reads an upload from its first byte to its last. Use it on one thread at a time.
final class UploadReader {
    private let upload: MeasuredUpload
    private var index = 0
    /// How many bytes of the piece at ``index`` were read.
    private var offset = 0
    /// The file of the piece at ``index``, opened when its first byte is read.
    private var file: OpenFile?
    /// How many bytes of the upload were read.
    private(set) var count: Int64 = 0

    private static let chunkSize = 64 << 10

    init(_ upload: MeasuredUpload) {
        self.upload = upload
    }

    var isAtEnd: Bool { count == upload.contentLength }

    func next() throws(FileError) -> Data? {
        guard !isAtEnd else { return nil }
        let size = Int(min(Int64(Self.chunkSize), upload.contentLength - count))
        var data = Data(count: size)
        var failure: FileError?
        let read = data.withUnsafeMutableBytes { buffer in
            do throws(FileError) { return try self.read(into: buffer) } catch { failure = error }
            return 0
        }
        if let failure { throw failure }
        return read == size ? data : data.prefix(read)
    }

    /// Reads until the buffer is full or the upload ends. Returns how many bytes were read.
    /// A file that was measured as empty isn't opened.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var rest = buffer
        while !rest.isEmpty && !isAtEnd {
            let count = try readPiece(into: rest)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return buffer.count - rest.count
    }

    private func readPiece(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let left = upload.counts[index] - offset
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left))
        var read = 0
        switch upload.upload.pieces[index] {
        case .data(let data):
            read = data.dropFirst(offset).copyBytes(to: wanted)
        case .file(let url) where left > 0:
            read = try self.read(from: url, into: wanted)
        case .range(let url, let range) where left > 0:
            read = try self.read(from: url, at: Int(range.lowerBound), into: wanted)
        case .file, .range: break
        }
        count += Int64(read)
        offset += read
        if read == left { (index, offset, file) = (index + 1, 0, nil) }
        return read
    }

    /// - Parameter start: Where the part begins that is sent; `nil` if the whole file is sent.
    private func read(
        from url: URL, at start: Int? = nil, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        let file = if let file { file } else { try OpenFile(reading: url) }
        self.file = file
        let read = try file.read(into: buffer, from: (start ?? 0) + offset)
        if read == 0 { throw FileError(.changed, at: url) }
        // If the file has grown, this throws, so that the server doesn't take a part for the whole.
        let expected = upload.counts[index]
        if start == nil, offset + read == expected, try file.count != expected {
            throw FileError(.changed, at: url)
        }
        return read
    }
}

/// An upload whose files have been measured. Reading a file fails if its length has changed. A file
/// that was empty isn't read.
struct MeasuredUpload: Sendable {
    let upload: Upload
    /// The number of bytes of each piece.
    let counts: [Int]
    let contentLength: Int64

    /// - Throws: A ``FileError``, also if the files have more bytes together than `Int64` can
    ///   count, as sparse files can.
    init(_ upload: Upload) throws(FileError) {
        self.upload = upload
        var (counts, length) = ([Int](), Int64(0))
        var lastFile = URL(fileURLWithPath: "/")
        for piece in upload.pieces {
            switch piece {
            case .data(let data): counts.append(data.count)
            case .file(let url):
                counts.append(try OpenFile(reading: url).count)
                lastFile = url
            case .range(let url, let range):
                guard range.lowerBound >= 0, try range.upperBound <= OpenFile(reading: url).count
                else { throw FileError(url, code: ERANGE) }
                counts.append(range.count)
                lastFile = url
            }
            let sum = length.addingReportingOverflow(Int64(counts.last ?? 0))
            guard !sum.overflow else { throw FileError(lastFile, code: EOVERFLOW) }
            length = sum.partialValue
        }
        self.counts = counts
        contentLength = length
    }

    /// Reports to the upload's observer how many bytes the transport has read so far.
    ///
    /// - Throws: The error that the observer throws to end the upload.
    func report(_ count: Int64) throws {
        try upload.observe?(count, contentLength)
    }
}

/// An upload as the stream that a `URLRequest` holds and a `URLSession` reads.
///
/// Opening the stream goes back to the first byte: `URLSession` on Linux opens the same stream
/// again after a 401 (Swift 6.3.1).
final class UploadStream: InputStream {
    let upload: Upload
    private let measured: MeasuredUpload?
    private let onFailure: (@Sendable (any Error) -> Void)?
    private var reader: UploadReader?
    private var status = Status.notOpen
    private var failure: (any Error)?

    /// A stream that measures the files when it is opened.
    init(_ upload: Upload) {
        self.upload = upload
        measured = nil
        onFailure = nil
        super.init(data: Data())
    }

    /// A stream of exactly as many bytes as were measured.
    ///
    /// - Parameter onFailure: Called with the error if a file can't be read or has changed, or if
    ///   `Upload.observe` throws.
    init(_ measured: MeasuredUpload, onFailure: @escaping @Sendable (any Error) -> Void) {
        upload = measured.upload
        self.measured = measured
        self.onFailure = onFailure
        super.init(data: Data())
    }

    override func open() {
        failure = nil
        do throws(FileError) {
            let measured = if let measured { measured } else { try upload.measured() }
            reader = UploadReader(measured)
            status = .open
        } catch { fail(error) }
    }

    override func close() {
        reader = nil
        status = .closed
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard failure == nil, let reader else { return failure == nil ? 0 : -1 }
        do {
            let memory = UnsafeMutableRawBufferPointer(start: buffer, count: maxLength)
            let count = try reader.read(into: memory)
            if reader.isAtEnd { status = .atEnd }
            try measured?.report(reader.count)
            return count
        } catch {
            fail(error)
            return -1
        }
    }

    private func fail(_ error: any Error) {
        failure = error
        status = .error
        onFailure?(error)
    }

    /// Whether to read more: `true` after a failure too, as `false` would mean that the body ended.
    override var hasBytesAvailable: Bool { status == .error || reader?.isAtEnd == false }
    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override func property(forKey key: PropertyKey) -> PropertyValue? { nil }
    override func setProperty(_ property: PropertyValue?, forKey key: PropertyKey) -> Bool { false }
    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {}
    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) {}

    #if canImport(FoundationNetworking)
        typealias PropertyValue = AnyObject
    #else
        typealias PropertyValue = Any

        // `URLSession` calls these methods of a body's stream, so a subclass must implement them.
        // There is nothing to schedule, as reading never waits.

        @objc(_scheduleInCFRunLoop:forMode:)
        func scheduleInCFRunLoop(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_unscheduleFromCFRunLoop:forMode:)
        func unscheduleFromCFRunLoop(_ loop: CFRunLoop, forMode mode: CFString) {}

        @objc(_setCFClientFlags:callback:context:)
        func setCFClientFlags(
            _ flags: CFOptionFlags, callback: UnsafeRawPointer?, context: UnsafeRawPointer?
        ) -> Bool { false }
    #endif
}

extension URLRequest {
    /// The body, if it is an ``Upload``, which is read while it is sent; otherwise `nil`.
    ///
    ///     var request = URLRequest(url: url)
    ///     request.httpMethod = "PUT"
    ///     request.upload = Upload([.file(video)])
    ///
    /// A request with a ``File``, a ``Multipart`` or parts has an upload. The library sends it with
    /// its `Content-Length`. The upload is also the request's `httpBodyStream`, so a data task that
    /// you make sends it too, but without a `Content-Length`.
    public var upload: Upload? {
        get { (httpBodyStream as? UploadStream)?.upload }
        set {
            guard newValue != nil || upload != nil else { return }
            httpBodyStream = newValue.map(UploadStream.init)
        }
    }
}
