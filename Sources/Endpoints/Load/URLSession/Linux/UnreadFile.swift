#if canImport(FoundationNetworking)
    import Foundation

    /// A temporary file of bytes that wait to be read. The file has no name, so the system deletes
    /// it however the process ends. When ``UnreadData`` needs no files, this class can go.
    final class UnreadFile {
        private let descriptor: Int32
        /// How many bytes were written.
        private(set) var size = 0
        /// How many bytes were read.
        private var start = 0

        var count: Int { size - start }

        /// - Throws: A ``FileError``.
        init() throws {
            let directory = FileManager.default.temporaryDirectory
            var path = Array(directory.appendingPathComponent("unread-XXXXXX").path.utf8CString)
            descriptor = mkstemp(&path)
            guard descriptor >= 0 else { throw FileError(directory, code: errno) }
            unlink(path)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        /// A file that is open already; for tests.
        init(descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }

        /// - Throws: A ``FileError``, such as for a full disk.
        func append(_ chunk: Data) throws {
            try chunk.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let memory = UnsafeRawBufferPointer(rebasing: rest)
                    let written = pwrite(descriptor, memory.baseAddress, memory.count, off_t(size))
                    if written < 0 && errno == EINTR { continue }
                    guard written > 0 else { throw error(after: written) }
                    size += written
                    rest = rest.dropFirst(written)
                }
            }
        }

        /// The next bytes; `nil` if all are read.
        ///
        /// - Throws: A ``FileError``.
        func next() throws -> Data? {
            guard count > 0 else { return nil }
            var data = Data(count: min(count, 256 << 10))
            var read: Int
            repeat {
                read = data.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress, $0.count, off_t(start))
                }
            } while read < 0 && errno == EINTR
            guard read > 0 else { throw error(after: read) }
            start += read
            return data.prefix(read)
        }

        /// The error after a system call that returned -1 or 0 bytes. With 0, `errno` is that of an
        /// earlier call.
        private func error(after count: Int) -> FileError {
            let code = count < 0 ? errno : EIO
            return FileError(FileManager.default.temporaryDirectory, code: code)
        }
    }
#endif
