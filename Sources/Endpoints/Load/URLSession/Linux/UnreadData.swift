#if canImport(FoundationNetworking)
    import Foundation

    /// The bytes of a body that have arrived and are not read yet: 1 MB in memory, and the rest in
    /// files.
    ///
    /// On Apple platforms a task is suspended while its reader is slow, and the server waits. On
    /// Linux a suspended task closes its connection, and sends its request again when it is
    /// resumed. If a delegate's method waits for the reader instead, every session of the process
    /// stops (Swift 6.3.1). When `URLSession` on Linux makes the server of a suspended task wait,
    /// this source file and ``UnreadFile`` can go.
    struct UnreadData {
        private var chunks = UnreadChunks()
        /// Several files, so that each can be deleted as soon as it has been read.
        private var files: [UnreadFile] = []
        private var count = 0
        private let limit: Int

        private static let memory = 1 << 20
        private static let fileSize = 64 << 20

        init(limit: Int) {
            self.limit = limit
        }

        /// Always `false`: suspending the task would not make the server wait.
        var isLarge: Bool { false }

        /// - Throws: `URLError.dataLengthExceedsMaximum` if more bytes than the limit would be
        ///   unread, and a ``FileError`` if a file can't be written.
        mutating func append(_ chunk: Data) throws {
            guard count + chunk.count <= limit else { throw URLError.isUnread(beyond: limit) }
            count += chunk.count
            if files.isEmpty && count <= Self.memory { return chunks.append(chunk) }
            if files.last.map({ $0.size >= Self.fileSize }) ?? true {
                files.append(try UnreadFile())
            }
            try files.last?.append(chunk)
        }

        mutating func next() throws -> Data? {
            guard let chunk = try chunks.next() ?? files.first?.next() else { return nil }
            count -= chunk.count
            if files.first?.count == 0 { files.removeFirst() }
            return chunk
        }

        mutating func removeAll() {
            chunks = UnreadChunks()
            files = []
            count = 0
        }
    }

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
