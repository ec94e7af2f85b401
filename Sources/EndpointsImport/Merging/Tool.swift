import Foundation

/// Another program that this command runs.
enum Tool {
    /// Runs a program with its arguments, and gives what it prints.
    static func run(_ arguments: [String]) throws -> (output: Data, status: Int32) {
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
            throw UsageError("this system can't run \(arguments[0])")
        #endif
    }

    /// Writes files into a folder that is there only meanwhile.
    static func withFiles<Result>(
        _ files: [(name: String, text: String)], _ body: ([URL]) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("endpoints-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = files.map { folder.appendingPathComponent($0.name) }
        for (place, file) in zip(places, files) { try Data(file.text.utf8).write(to: place) }
        return try body(places)
    }
}
