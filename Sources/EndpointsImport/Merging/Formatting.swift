import Foundation

/// The text as `swift format` makes it, where a `.swift-format` says how.
enum Formatting {
    /// Formats files by the `.swift-format` of their folder, or of the nearest one above it.
    ///
    /// Without such a file the text stays as it is: four spaces a level, 100 columns.
    ///
    /// - Throws: A ``UsageError`` if there is one, and `swift format` can't be run with it.
    static func formatted(
        _ files: [(name: String, text: String)], for folder: String
    ) throws -> [(name: String, text: String)] {
        guard !files.isEmpty, let configuration = configuration(of: folder) else { return files }
        return try Tool.withFiles(files) { places in
            let (_, status) = try Tool.run(
                ["swift", "format", "format", "--in-place", "--configuration", configuration]
                    + places.map(\.path))
            guard status == 0 else {
                throw UsageError(
                    """
                    `swift format` can't format the files by \(configuration); nothing was \
                    written
                    """)
            }
            return try zip(files, places).map { file, place in
                (file.name, String(decoding: try Data(contentsOf: place), as: UTF8.self))
            }
        }
    }

    private static func configuration(of folder: String) -> String? {
        var place = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        while true {
            let file = place.appendingPathComponent(".swift-format").path
            if FileManager.default.fileExists(atPath: file) { return file }
            let parent = place.deletingLastPathComponent().standardizedFileURL
            guard parent.path != place.path, parent.path.count < place.path.count else {
                return nil
            }
            place = parent
        }
    }
}
