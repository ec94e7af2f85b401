import Foundation

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
        case .file: break
        }
        count += Int64(read)
        offset += read
        if read == left { (index, offset, file) = (index + 1, 0, nil) }
        return read
    }

    private func read(
        from url: URL, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        let file = if let file { file } else { try OpenFile(reading: url) }
        self.file = file
        let read = try file.read(into: buffer, from: offset)
        if read == 0 { throw FileError(.changed, at: url) }
        // If the file has grown, this throws, so that the server doesn't take a part for the whole.
        let expected = upload.counts[index]
        if offset + read == expected, try file.count != expected {
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

    init(_ upload: Upload) throws(FileError) {
        self.upload = upload
        var counts: [Int] = []
        for piece in upload.pieces {
            switch piece {
            case .data(let data): counts.append(data.count)
            case .file(let url): counts.append(try OpenFile(reading: url).count)
            }
        }
        self.counts = counts
        contentLength = counts.reduce(0) { $0 + Int64($1) }
    }

    /// Reports to the upload's observer how many bytes the transport has read so far.
    ///
    /// - Throws: The error that the observer throws to end the upload.
    func report(_ count: Int64) throws {
        try upload.observe?(count, contentLength)
    }
}
