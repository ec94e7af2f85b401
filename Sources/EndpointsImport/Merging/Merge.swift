import Foundation

/// A three-way merge by `git merge-file`.
enum Merge {
    static func merge(
        _ name: String, current: String, old: String, new: String
    ) throws -> (text: String, conflicts: Int) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("endpoints-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["current", "old", "new"].map { folder.appendingPathComponent($0) }
        for (file, text) in zip(files, [current, old, new]) { try Data(text.utf8).write(to: file) }
        let labels = ["\(name) as it was edited", "the last import", "the new import"]
        let (output, status) = try run(
            ["git", "merge-file", "-p"] + labels.flatMap { ["-L", $0] } + files.map(\.path))
        guard 0..<128 ~= status else {
            throw UsageError("git can't merge \(name); nothing was written")
        }
        return (String(decoding: output, as: UTF8.self), Int(status))
    }

    private static func run(_ arguments: [String]) throws -> (output: Data, status: Int32) {
        #if os(macOS) || os(Linux) || os(Windows)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (output, process.terminationStatus)
        #else
            throw UsageError("this system has no git")
        #endif
    }
}
