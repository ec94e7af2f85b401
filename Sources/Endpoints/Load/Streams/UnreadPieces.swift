import Foundation

/// Pieces of a body that wait in memory to be read.
struct UnreadPieces {
    private var pieces: [Data] = []
    /// How many bytes they have.
    private(set) var count = 0

    /// Small pieces are put together up to this size, as each one takes memory and time of its own.
    private static let usualSize = 64 << 10

    mutating func append(_ piece: Data) {
        count += piece.count
        if let last = pieces.indices.last, pieces[last].count + piece.count <= Self.usualSize {
            pieces[last].append(piece)
        } else {
            pieces.append(piece)
        }
    }

    mutating func next() -> Data? {
        guard !pieces.isEmpty else { return nil }
        let piece = pieces.removeFirst()
        count -= piece.count
        return piece
    }
}
