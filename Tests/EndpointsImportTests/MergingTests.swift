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
        let expected =
            "<<<<<<< A.swift as it was edited\nb\n=======\nc\n>>>>>>> the new import\n"
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
        try edit("mine\n")
        _ = try importing(nil)
        #expect(current == "mine\n")
    }
}
