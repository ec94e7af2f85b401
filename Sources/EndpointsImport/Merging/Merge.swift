import Foundation

/// A three-way merge by `git merge-file`.
enum Merge {
    /// Merges what was edited with what the document changed.
    ///
    /// - Throws: A ``UsageError`` if git can't merge them.
    static func merge(
        _ name: String, current: String, old: String, new: String, git: String = "git"
    ) throws -> (text: String, conflicts: Int) {
        let labels = ["\(name) as it was edited", "the last import", "the new import"]
        let files = [("current", current), ("old", old), ("new", new)]
        return try Tool.withFiles(files) { places in
            let (output, status) = try Tool.run(
                [git, "merge-file", "-p"] + labels.flatMap { ["-L", $0] } + places.map(\.path))
            // 127 is the most conflicts that git counts, and also says that there is no git.
            guard 0..<127 ~= status || status == 127 && !output.isEmpty else {
                throw UsageError(
                    """
                    \(name) was edited, and git can't merge it with the new import; nothing was \
                    written. Is git installed?
                    """)
            }
            return (String(decoding: output, as: UTF8.self), Int(status))
        }
    }
}
