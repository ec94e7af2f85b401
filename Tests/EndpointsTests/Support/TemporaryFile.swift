import Foundation

/// A file that is removed with this value.
final class TemporaryFile: Sendable {
    let url: URL

    init(_ bytes: Data, name: String = "file.bin") throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("endpoints-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        url = directory.appendingPathComponent(name)
        try bytes.write(to: url)
    }

    /// A file in which each byte is told from its neighbours.
    convenience init(count: Int, name: String = "file.bin") throws {
        let block = Data((0..<251).map { UInt8($0) })
        var bytes = Data(capacity: count + block.count)
        while bytes.count < count { bytes.append(block) }
        try self.init(bytes.prefix(count), name: name)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }
}
