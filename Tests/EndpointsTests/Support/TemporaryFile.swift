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

    convenience init(count: Int, name: String = "file.bin") throws {
        try self.init(
            Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }), name: name)
    }

    deinit {
        try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }
}
