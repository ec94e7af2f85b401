import Foundation

/// A file that is open for reading. It owns its descriptor. Use it on one thread at a time.
final class OpenFile {
    private let url: URL
    private let descriptor: Int32
    /// How many bytes the file had when it was opened.
    let count: Int

    init(_ url: URL) throws(FileError) {
        guard url.isFileURL else { throw FileError(.notAFile, at: url) }
        self.url = url
        // Without `O_NONBLOCK`, opening a named pipe would wait until a program opens it to write.
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(url, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(.notAFile, at: url)
        }
        count = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to the buffer's size. Returns how many bytes were read: 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        while true {
            let count = readBytes(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw FileError(url, code: errno) }
        }
    }

    /// - Throws: A ``FileError`` if the file doesn't have this length now.
    func check(_ expected: Int) throws(FileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == expected
        else { throw FileError(.changed, at: url) }
    }
}

/// Calls the system's `read`. Inside ``OpenFile``, the name `read` means the class's method.
private func readBytes(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    read(descriptor, buffer, count)
}
