#if !canImport(FoundationNetworking)
    import Foundation

    /// The bytes of a body that have arrived and are not read yet. All stay in memory, because the
    /// task is suspended while there is more than 1 MB of them.
    struct UnreadData {
        private var chunks = UnreadChunks()
        private let limit: Int

        init(limit: Int) {
            self.limit = limit
        }

        /// Whether the task should be suspended, which makes the server wait.
        var isLarge: Bool { chunks.count > 1 << 20 }

        mutating func append(_ chunk: Data) throws {
            guard chunks.count + chunk.count <= limit
            else { throw URLError(.dataLengthExceedsMaximum) }
            chunks.append(chunk)
        }

        mutating func next() throws -> Data? {
            chunks.next()
        }

        mutating func removeAll() {
            chunks = UnreadChunks()
        }
    }
#endif
