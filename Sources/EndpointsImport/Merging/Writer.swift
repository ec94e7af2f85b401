import Foundation

/// Writes the files into a folder.
struct Writer {
    let folder: String

    func write(_ files: [(name: String, text: String)]) throws {
        let root = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: root.appendingPathComponent(name), options: .atomic)
        }
    }
}
