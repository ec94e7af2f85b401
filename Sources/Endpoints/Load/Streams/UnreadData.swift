#if !canImport(FoundationNetworking)
    import Foundation

    /// What has arrived of a body and is not read yet. A task is suspended while it is large, so it
    /// stays in memory.
    struct UnreadData {
        private var pieces = UnreadPieces()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        /// Whether the server should be held back.
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
