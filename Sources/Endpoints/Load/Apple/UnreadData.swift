#if !canImport(FoundationNetworking)
    import Foundation

    /// The bytes of a body that have arrived and are not read yet. All stay in memory, because the
    /// task is suspended while there is more than 1 MB of them.
    struct UnreadData {
        private var pieces = UnreadPieces()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        /// Whether the task should be suspended, which makes the server wait.
        var isLarge: Bool { pieces.count > 1 << 20 }

        mutating func append(_ piece: Data) throws {
            guard pieces.count + piece.count <= limit
            else { throw URLError(.dataLengthExceedsMaximum) }
            pieces.append(piece)
        }

        mutating func next() throws -> Data? {
            pieces.next()
        }

        mutating func removeAll() {
            pieces = UnreadPieces()
        }
    }
#endif
