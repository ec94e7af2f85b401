import Foundation

/// An open file. It owns its descriptor. Use it on one thread at a time.
package final class OpenFile {
    /// The file that errors name.
    private let url: URL
    package let descriptor: Int32

    /// Takes the descriptor that `open` or `mkstemp` has just returned.
    ///
    /// - Throws: A ``FileError`` by `errno` if the descriptor is -1.
    package init(_ descriptor: Int32, at url: URL) throws(FileError) {
        guard descriptor >= 0 else { throw FileError(url, code: errno) }
        self.descriptor = descriptor
        self.url = url
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file to read it.
    ///
    /// - Throws: A ``FileError``, such as `.notAFile` for a directory or a named pipe.
    convenience init(reading url: URL) throws(FileError) {
        guard url.isFileURL else { throw FileError(.notAFile, at: url) }
        // Without `O_NONBLOCK`, opening a named pipe would wait until a program opens it to write.
        try self.init(open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), at: url)
        _ = try count
    }

    /// How many bytes the file has now.
    var count: Int {
        get throws(FileError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { throw FileError(.notAFile, at: url) }
            return Int(status.st_size)
        }
    }

    /// Reads up to the buffer's size. Returns how many bytes were read: 0 at the end of the file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, from offset: Int
    ) throws(FileError) -> Int {
        try repeating { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Reads up to `count` bytes; none at the end of the file.
    func read(upTo count: Int, from offset: Int) throws(FileError) -> Data {
        var data = Data(count: count)
        let read = try repeating {
            data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
        }
        return data.prefix(read)
    }

    /// Writes all bytes.
    package func write(_ data: Data, at offset: Int) throws(FileError) {
        var (rest, end) = (data, offset)
        while !rest.isEmpty {
            let written = try repeating {
                rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(end)) }
            }
            rest = rest.dropFirst(written)
            end += written
        }
    }

    /// Repeats a system call as long as signals interrupt it.
    private func repeating(_ call: () -> Int) throws(FileError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            guard errno == EINTR else { throw FileError(url, code: errno) }
        }
    }
}
