import Foundation

/// Chunks of a body that wait in memory to be read.
struct UnreadChunks {
    private var chunks: [Data] = []
    /// How many bytes all chunks have together.
    private(set) var count = 0

    /// Small chunks are joined up to this size, because each chunk takes extra memory and time.
    private static let usualSize = 64 << 10

    mutating func append(_ chunk: Data) {
        count += chunk.count
        if let last = chunks.indices.last, chunks[last].count + chunk.count <= Self.usualSize {
            chunks[last].append(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    mutating func next() -> Data? {
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        count -= chunk.count
        return chunk
    }
}
