import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Importing again")
struct MergingTests {
    private let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("import-\(UUID().uuidString)").path

    private func importing(_ text: String?) throws -> Folder.Changes {
        let folder = Folder(path)
        let changes = try folder.changes(to: text.map { [("A.swift", $0)] } ?? [])
        try folder.write(changes)
        return changes
    }

    private func edit(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/A.swift"))
    }

    private var current: String? {
        try? String(contentsOfFile: path + "/A.swift", encoding: .utf8)
    }

    @Test("A second import keeps what a person changed, and takes what the document changed")
    func merge() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\nb\nc\nd\ne\n")
        try edit("a, by hand\nb\nc\nd\ne\n")
        let changes = try importing("a\nb\nc\nd\ne2\n")
        #expect(current == "a, by hand\nb\nc\nd\ne2\n")
        #expect(!changes.hasConflicts)
        _ = try importing("a\nb\nc\nd\ne3\n")
        #expect(current == "a, by hand\nb\nc\nd\ne3\n")
    }

    @Test("A conflict is marked as git does")
    func conflict() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        try edit("b\n")
        let changes = try importing("c\n")
        #expect(changes.hasConflicts)
        #expect(changes.notes == ["A.swift has a conflict, which is marked by <<<<<<<"])
        let expected =
            "<<<<<<< A.swift as it was edited\nb\n=======\nc\n>>>>>>> the new import\n"
        #expect(current == expected)
        // Until a person has resolved it, nothing is imported over it.
        #expect(throws: UsageError.self) { try importing("d\n") }
        #expect(current == expected)
    }

    @Test("A file that isn't from an import isn't overwritten")
    func foreign() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing(nil)
        try edit("mine\n")
        #expect(throws: UsageError.self) { try importing("new\n") }
        #expect(current == "mine\n")
    }

    @Test("A removed file stays removed, and a file that the document has no more is removed")
    func removed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        try FileManager.default.removeItem(atPath: path + "/A.swift")
        #expect(
            try importing("b\n").notes == ["A.swift was removed by hand, and isn't written again"])
        #expect(current == nil)
        try edit("b\n")
        _ = try importing(nil)
        #expect(current == nil)
    }

    @Test("An edited file that the document has no more is kept")
    func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        #expect(try Folder(path).edited() == [])
        try edit("mine\n")
        #expect(try Folder(path).edited() == ["mine\n"])
        _ = try importing(nil)
        #expect(current == "mine\n")
    }

    @Test("A renamed file stays, and isn't overwritten by a new file of that name")
    func renamed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        try FileManager.default.moveItem(atPath: path + "/A.swift", toPath: path + "/B.swift")
        _ = try importing("a2\n")
        #expect(current == nil)
        #expect(throws: UsageError.self) {
            try Folder(path).changes(to: [("A.swift", "a\n"), ("B.swift", "b\n")])
        }
        #expect(try String(contentsOfFile: path + "/B.swift", encoding: .utf8) == "a\n")
    }

    @Test("Nothing is changed if one of the files can't be written")
    func half() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        let folder = Folder(path)
        let changes = try folder.changes(
            to: [("A.swift", "a2\n"), ("B.swift", "b\n"), ("C.swift", "c\n")])
        // A folder in the place of a file can't be replaced by one.
        try FileManager.default.createDirectory(
            atPath: path + "/C.swift/in", withIntermediateDirectories: true)
        #expect(throws: UsageError.self) { try folder.write(changes) }
        #expect(current == "a\n")
        #expect(!FileManager.default.fileExists(atPath: path + "/B.swift"))
        try FileManager.default.removeItem(atPath: path + "/C.swift")
        #expect(try importing("a3\n").hasConflicts == false)
        #expect(current == "a3\n")
    }

    @Test("A folder that can't be made is an error, and nothing is written")
    func noFolder() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("mine\n".utf8).write(to: URL(fileURLWithPath: path))
        let folder = Folder(path + "/Sources")
        let changes = try folder.changes(to: [("A.swift", "a\n")])
        #expect(throws: UsageError.self) { try folder.write(changes) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine\n")
    }

    @Test("A file that isn't UTF-8, and a last import that can't be read, are errors")
    func unreadable() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try importing("a\n")
        try Data([0xFF, 0x0A]).write(to: URL(fileURLWithPath: path + "/A.swift"))
        #expect(throws: UsageError.self) { try importing("b\n") }
        try edit("a\n")
        let stored = URL(fileURLWithPath: path + "/.endpoints-import.json")
        try Data("<<<<<<< ours".utf8).write(to: stored)
        #expect(throws: UsageError.self) { try importing("b\n") }
        #expect(current == "a\n")
    }

    @Test("Without git an edited file can't be merged, and the error says so")
    func noGit() throws {
        let error = #expect(throws: UsageError.self) {
            try Merge.merge("A.swift", current: "a", old: "b", new: "c", git: "no-such-git")
        }
        #expect(
            error?.description == "A.swift was edited, and git can't merge it with the new import; "
                + "nothing was written. Is git installed?")
    }

    @Test("A .swift-format above the folder says how the text is formatted")
    func formatting() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let files = [("A.swift", "struct A {\n    let a: Int\n}\n")]
        let folder = path + "/Sources/API"
        #expect(try Formatting.formatted(files, for: folder).map(\.text) == files.map(\.1))
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        let text = #"{"version": 1, "indentation": {"spaces": 2}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/.swift-format"))
        let formatted = try Formatting.formatted(files, for: folder)
        #expect(formatted.map(\.text) == ["struct A {\n  let a: Int\n}\n"])
        try Data("{".utf8).write(to: URL(fileURLWithPath: path + "/.swift-format"))
        #expect(throws: UsageError.self) { try Formatting.formatted(files, for: folder) }
    }
}
