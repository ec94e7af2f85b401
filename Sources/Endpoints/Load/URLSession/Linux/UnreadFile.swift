#if canImport(FoundationNetworking)
    import Foundation

    /// A temporary file of bytes that wait to be read. The file has no name, so the system deletes
    /// it however the process ends. When ``UnreadData`` needs no files, this class can go.
    final class UnreadFile {
        private let file: OpenFile
        /// How many bytes were written.
        private(set) var size = 0
        /// How many bytes were read.
        private var start = 0

        var count: Int { size - start }

        private static let directory = FileManager.default.temporaryDirectory

        convenience init() throws(FileError) {
            let path = Self.directory.appendingPathComponent("unread-XXXXXX").path
            var name = Array(path.utf8CString)
            let descriptor = mkstemp(&name)
            self.init(try OpenFile(descriptor, at: Self.directory))
            unlink(name)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }

        init(_ file: OpenFile) {
            self.file = file
        }

        /// - Throws: A ``FileError``, such as for a full disk.
        func append(_ chunk: Data) throws(FileError) {
            try file.write(chunk, at: size)
            size += chunk.count
        }

        /// The next bytes; `nil` if all are read.
        func next() throws(FileError) -> Data? {
            guard count > 0 else { return nil }
            let chunk = try file.read(upTo: min(count, 256 << 10), from: start)
            guard !chunk.isEmpty else { throw FileError(Self.directory, code: EIO) }
            start += chunk.count
            return chunk
        }
    }
#endif
