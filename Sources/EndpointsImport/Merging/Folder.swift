import EndpointsDocuments
import Foundation

/// The folder of the written files, and what the last import wrote there.
///
/// What a person has changed since then is kept: the files are merged three ways.
struct Folder {
    /// What an import changes in the folder. It is found whole before anything is written.
    struct Changes {
        /// The files to write; `nil` removes one.
        var files: [(name: String, text: String?)] = []
        var notes: [String] = []
        var hasConflicts = false
        /// The operations that the files declare: `get /users`.
        var operations: [String] = []
        fileprivate var imported: [(name: String, text: String)] = []
    }

    /// The member with the operations of the last import, which isn't the name of a file.
    private static let operations = ".operations"

    private let root: URL
    private var stored: URL { root.appendingPathComponent(".endpoints-import.json") }

    init(_ path: String) {
        root = URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The texts of the files of the last import that a person has edited since.
    ///
    /// - Throws: A ``UsageError`` if the last import or a file can't be read.
    func edited() throws -> [String] {
        try lastImport().compactMap { name, old in
            let current = try text(of: name)
            return current == old ? nil : current
        }
    }

    /// Compares the new files with those of the folder.
    ///
    /// - Throws: A ``UsageError`` for a file of a person, which isn't from an import, and if git
    ///   can't merge.
    func changes(to files: [(name: String, text: String)]) throws -> Changes {
        let last = try lastImport()
        var changes = Changes(imported: files)
        for (name, new) in files {
            guard isPlain(root.appendingPathComponent(name)) else {
                throw UsageError("\(name) in the folder isn't a plain file; move it away")
            }
            let current = try text(of: name)
            if let current, current.hasPrefix("<<<<<<< ") || current.has("\n<<<<<<< ") {
                throw UsageError(
                    "\(name) has the marks of a conflict, <<<<<<<; resolve it, and import again")
            }
            switch (current, last[name]) {
            case (nil, nil): changes.files.append((name, new))
            case (nil, _?):
                changes.notes.append("\(name) was removed by hand, and isn't written again")
            case (let current?, nil) where current != new:
                throw UsageError(
                    """
                    \(name) is in the folder, and isn't from an import; move it away, or import \
                    into another folder
                    """)
            case (let current?, let old?) where current != new && current != old && old != new:
                let merged = try Merge.merge(name, current: current, old: old, new: new)
                changes.files.append((name, merged.text))
                if merged.conflicts > 0 {
                    changes.hasConflicts = true
                    changes.notes.append(
                        merged.conflicts == 1
                            ? "\(name) has a conflict, which is marked by <<<<<<<"
                            : "\(name) has \(merged.conflicts) conflicts, marked by <<<<<<<")
                }
            case (let current?, let old?) where current == old && old != new:
                changes.files.append((name, new))
            default: break
            }
        }
        let names = Set(files.map(\.name))
        for (name, old) in last.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            guard let current = try text(of: name) else { continue }
            if current == old {
                changes.files.append((name, nil))
            } else {
                changes.imported.append((name, old))
                changes.notes.append(
                    "\(name) isn't in the document any more, and is kept as it was edited")
            }
        }
        return changes
    }

    /// Writes what has changed. If one file can't be written, those before it are as they were.
    ///
    /// - Throws: A ``UsageError`` if the folder or a file can't be written.
    func write(_ changes: Changes) throws {
        var members = JSON.Members()
        for (name, text) in changes.imported { members.set(name, .string(text)) }
        if !changes.operations.isEmpty {
            members.set(Self.operations, .array(changes.operations.map(JSON.string)))
        }
        let all =
            changes.files.map { (root.appendingPathComponent($0.name), $0.text) }
            + [(stored, JSON.object(members).written)]
        var undo: [(file: URL, before: Data?)] = []
        do {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            for (file, text) in all {
                let before = try? Data(contentsOf: file)
                if let text {
                    try Data(text.utf8).write(to: file, options: .atomic)
                } else {
                    try FileManager.default.removeItem(at: file)
                }
                undo.append((file, before))
            }
        } catch {
            for (file, before) in undo {
                if let before {
                    try? before.write(to: file, options: .atomic)
                } else {
                    try? FileManager.default.removeItem(at: file)
                }
            }
            throw UsageError(
                """
                \(root.path) can't be written: \(error.localizedDescription) Nothing was changed
                """)
        }
    }

    /// The operations of the last import.
    ///
    /// - Throws: A ``UsageError`` if the last import can't be read.
    func lastOperations() throws -> Set<String> {
        let list = try lastMembers()[Self.operations]?.elements ?? []
        return Set(list.compactMap(\.text))
    }

    private func lastImport() throws -> [String: String] {
        var files: [String: String] = [:]
        for member in try lastMembers().list {
            guard let text = member.value.text else { continue }
            try checkFile(member.name)
            files[member.name] = text
        }
        return files
    }

    private func lastMembers() throws -> JSON.Members {
        guard FileManager.default.fileExists(atPath: stored.path) else { return JSON.Members() }
        guard isPlain(stored), let json = try? JSONReader.read(Data(contentsOf: stored)),
            let members = json.members
        else {
            throw UsageError(
                "\(stored.path) can't be read; restore it, or import into another folder")
        }
        return members
    }

    /// Throws unless the name is that of a plain file of this folder, or of one that isn't there.
    private func checkFile(_ name: String) throws {
        let isName =
            !name.isEmpty && !name.hasPrefix(".")
            && !name.unicodeScalars.contains {
                "/\\:".unicodeScalars.contains($0) || $0.value < 0x20
            }
        let file = root.appendingPathComponent(name)
        guard isName, isPlain(file) else {
            throw UsageError(
                """
                \(stored.path) names `\(Written.comment(name).text)`, which isn't a plain file of the \
                folder; restore it, or import into another folder. Nothing was changed
                """)
        }
    }

    /// Whether a file isn't a link or a folder, or isn't there.
    private func isPlain(_ file: URL) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            return true
        }
        return found[.type] as? FileAttributeType == .typeRegular
    }

    private func text(of name: String) throws -> String? {
        let file = root.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file),
            let text = String(utf8: data)
        else {
            throw UsageError("\(file.path) can't be read as a text in UTF-8; nothing was written")
        }
        return text
    }
}
