#if canImport(FoundationNetworking)
    import Foundation

    /// The bytes of a body that have arrived and are not read yet: 1 MB in memory, and the rest in
    /// files.
    ///
    /// On Apple platforms a task is suspended while its reader is slow, and the server waits. On
    /// Linux a suspended task closes its connection, and sends its request again when it is
    /// resumed. A delegate that waits stops every session of the process (Swift 6.3.1). When a
    /// suspended task makes the server wait, this file and ``UnreadFile`` can go.
    struct UnreadData {
        private var pieces = UnreadPieces()
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
        mutating func append(_ piece: Data) throws {
            guard count + piece.count <= limit else { throw URLError(.dataLengthExceedsMaximum) }
            count += piece.count
            if files.isEmpty && count <= Self.memory { return pieces.append(piece) }
            if files.last.map({ $0.size >= Self.fileSize }) ?? true {
                files.append(try UnreadFile())
            }
            try files.last?.append(piece)
        }

        mutating func next() throws -> Data? {
            guard let piece = try pieces.next() ?? files.first?.next() else { return nil }
            count -= piece.count
            if files.first?.count == 0 { files.removeFirst() }
            return piece
        }

        mutating func removeAll() {
            pieces = UnreadPieces()
            files = []
            count = 0
        }
    }
#endif
