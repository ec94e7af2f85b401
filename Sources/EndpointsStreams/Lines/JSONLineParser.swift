import Endpoints
import Foundation

/// Reads a value from each line: JSON Lines, also known as NDJSON.
///
///     {"id": 1}\n\n{"id": 2}   ->  Item(id: 1), Item(id: 2)
///
/// Blank lines are skipped. If a line can't be decoded as an `Item`, an ``UnreadableLine`` is
/// thrown, and the lines after the unreadable one can still be read.
struct JSONLineParser<Item: Decodable>: StreamParser {
    private var lines: LineSplitter
    private let decoder: any DecoderType
    private var number = 0

    /// - Parameter limit: The most bytes of a line.
    init(of type: Item.Type, with decoder: any DecoderType, limit: Int) {
        lines = LineSplitter(limit: limit)
        self.decoder = decoder
    }

    mutating func append(_ chunk: Data) {
        lines.append(chunk)
    }

    mutating func next() throws -> Item? {
        while let line = try lines.next() {
            if let item = try item(line) { return item }
        }
        return nil
    }

    mutating func finish() throws -> Item? {
        guard let line = try lines.finish() else { return nil }
        return try item(line)
    }

    private mutating func item(_ line: ArraySlice<UInt8>) throws(UnreadableLine) -> Item? {
        number += 1
        guard !line.allSatisfy({ $0 == .space || $0 == .tab }) else { return nil }
        do { return try decoder.decode(Item.self, from: Data(line)) } catch {
            throw UnreadableLine(number: number, cause: error)
        }
    }
}
