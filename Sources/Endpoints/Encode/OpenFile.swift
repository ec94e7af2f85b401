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
        try checkSize()
    }

    /// Throws for a file whose size is 0 although it has bytes, as in `/proc`: nothing of it would
    /// be sent.
    private func checkSize() throws(FileError) {
        // A program may write to an empty file meanwhile.
        guard try count == 0, try !read(upTo: 1, from: 0).isEmpty, try count == 0
        else { return }
        throw FileError(.notAFile, at: url)
    }

    /// How many bytes the file has now.
    package var count: Int {
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
        try checked(
            repeating { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) })
    }

    /// Reads up to `count` bytes; none at the end of the file.
    @inline(never)
    package func read(upTo count: Int, from offset: Int) throws(FileError) -> Data {
        var data = Data(count: count)
        let read = data.withUnsafeMutableBytes { buffer in
            repeating { pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
        }
        return data.prefix(try checked(read))
    }

    /// Writes all bytes.
    @inline(never)
    package func write(_ data: Data, at offset: Int) throws(FileError) {
        let written = data.withUnsafeBytes { bytes in
            var count = 0
            while count < bytes.count {
                let (rest, end) = (bytes[count...], off_t(offset + count))
                let memory = UnsafeRawBufferPointer(rebasing: rest)
                let written = repeating {
                    pwrite(descriptor, memory.baseAddress, memory.count, end)
                }
                if written == 0 { errno = EIO }
                guard written > 0 else { return -1 }
                count += written
            }
            return count
        }
        _ = try checked(written)
    }

    private func checked(_ result: Int) throws(FileError) -> Int {
        guard result >= 0 else { throw FileError(url, code: errno) }
        return result
    }
}

/// Repeats a system call as long as signals interrupt it.
@inline(never)
private func repeating(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
