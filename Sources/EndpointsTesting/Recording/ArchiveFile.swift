import Foundation

/// An HTTP archive on disk that grows by an entry at a time.
///
/// A new entry overwrites the closing brackets, and they are written again after the entry. Writing
/// all entries each time would take longer and longer.
struct ArchiveFile {
    private static let beginning = """
        {"log": {"version": "1.2", "creator": {"name": "Endpoints", "version": "1"}, "entries": [
        """
    private static let end = Data("\n]}}\n".utf8)

    private let handle: FileHandle
    private var isEmpty = true

    init(at file: URL) throws {
        try (Data(Self.beginning.utf8) + Self.end).write(to: file)
        handle = try FileHandle(forWritingTo: file)
    }

    mutating func append(_ entry: HTTPArchive.Entry) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = Data((isEmpty ? "\n" : ",\n").utf8) + (try encoder.encode(entry)) + Self.end
        try handle.seek(toOffset: handle.seekToEnd() - UInt64(Self.end.count))
        try handle.write(contentsOf: text)
        isEmpty = false
    }
}
