import Endpoints
import EndpointsFolder
import EndpointsShared
import Foundation

/// An HTTP archive on disk that grows by an entry at a time. One recorder at a time writes it.
///
/// The first entry replaces what the file had before, so a recorder that records nothing keeps it.
/// A new entry overwrites the closing brackets, and they are written again after the entry. Writing
/// all entries each time would take longer and longer.
struct ArchiveFile {
    enum Refusal: Error {
        /// Another recorder, of this process or another one, writes the file.
        case isInUse
    }

    private static let beginning = """
        {"log": {"version": "1.2", "creator": {"name": "Endpoints", "version": "1"}, "entries": [
        """
    private static let end = Data("\n]}}\n".utf8)

    private let file: OpenFile
    /// Where the closing brackets begin; `nil` as long as the file has what it had before.
    private var count: Int?

    init(at url: URL) throws {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK
        file = try OpenFile(open(url.path, flags, 0o600), at: url)
        // Throws for a device, such as /dev/null, whose permissions are those for all programs.
        _ = try file.count
        // A recorder may be released a little after its last load. Some file systems have no locks,
        // so only this code refuses.
        guard file.lock(waiting: 1) != EWOULDBLOCK else { throw Refusal.isInUse }
        // Of an existing file too, as not everything can be masked that is secret.
        guard fchmod(file.descriptor, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        // A new file is an archive at once. Any other is kept until there is an entry.
        if try file.count == 0 { count = try begin() }
    }

    /// Empties the file, and writes an archive without entries.
    private func begin() throws -> Int {
        guard ftruncate(file.descriptor, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let beginning = Data(Self.beginning.utf8)
        try file.write(beginning + Self.end, at: 0)
        return beginning.count
    }

    mutating func append(_ entry: HTTPArchive.Entry) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let encoded = try encoder.encode(entry)
        let start = try count ?? begin()
        let isFirst = start == Self.beginning.utf8.count
        let text = Data((isFirst ? "\n" : ",\n").utf8) + encoded
        try file.write(text + Self.end, at: start)
        count = start + text.count
    }
}
