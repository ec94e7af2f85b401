import Foundation

/// Pieces of a body that wait in memory to be read.
struct UnreadPieces {
    private var pieces: [Data] = []
    /// How many bytes all pieces have.
    private(set) var count = 0

    /// Small pieces are joined up to this size, because each piece takes extra memory and time.
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
