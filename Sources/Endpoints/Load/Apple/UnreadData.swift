#if !canImport(FoundationNetworking)
    import Foundation

    /// The part of a body that has arrived and is not read yet. While it is large, its task is
    /// suspended, so it can stay in memory.
    struct UnreadData {
        private var pieces = UnreadPieces()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        /// Whether the server should wait.
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
