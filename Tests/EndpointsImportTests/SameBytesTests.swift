import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

/// What is written depends on the document alone.
@Suite("The same bytes of the same document")
struct SameBytesTests {
    /// A document with many names of each kind, so that the order of a set or of a dictionary would
    /// be seen.
    private static var document: String {
        let names = ["Ä", "İ", "i", "ı", "ß", "zebra", "Apple", "apple", "user_id", "x-1", "ﬀ"]
        let schemas = names.map { name in
            """
            "\(name)": {"type": "object", "description": "The \(name) that is meant.", "properties": {
             "\(name)": {"oneOf": [{"type": "string"}, {"type": "integer"}]}, "kind": {"enum": ["İ", "i", "a b"]},
             "day": {"type": "string", "format": "date"}, "more": {"additionalProperties": {"type": "number"}}}}
            """
        }
        let paths = names.enumerated().map { index, name in
            """
            "/a\(index)/{id}": {"post": {"tags": ["\(name)"], "operationId": "\(name)", "parameters": [
             {"in": "path", "name": "id", "required": true, "schema": {"type": "string"}},
             {"in": "query", "name": "\(name)", "schema": {"type": "array", "items": {"enum": ["İ", "i"]}}},
             {"in": "header", "name": "X-Trace", "schema": {"type": "string"}}],
             "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\(name)"}}}},
             "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\(name)"}}}},
             "400": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\(name)"}}}}}}}
            """
        }
        return """
            {"openapi": "3.1.0", "info": {"title": "İstanbul"}, "paths": {\(paths.joined(separator: ","))},
             "components": {"schemas": {\(schemas.joined(separator: ","))}, "securitySchemes": {
              "İ": {"type": "http", "scheme": "bearer"}, "i": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
            """
    }

    @Test("Two imports in other languages, time zones and hash seeds write the same bytes")
    func sameBytes() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("same-bytes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let document = folder.appendingPathComponent("document.json")
        try Data(Self.document.utf8).write(to: document)
        let surroundings = [
            ["LANG": "C", "TZ": "UTC", "SWIFT_DETERMINISTIC_HASHING": "1"],
            ["LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"],
            ["LANG": "de_DE.UTF-8", "TZ": "America/St_Johns"],
        ]
        var written: [[String: Data]] = []
        for (index, surrounding) in surroundings.enumerated() {
            let into = folder.appendingPathComponent("\(index)")
            let command = Process()
            let executable: URL = try #require(Self.command)
            command.executableURL = executable
            command.arguments = [document.path, "--into", into.path]
            command.environment = ProcessInfo.processInfo.environment.merging(surrounding) { $1 }
            command.standardOutput = FileHandle.nullDevice
            command.standardError = FileHandle.nullDevice
            try command.run()
            command.waitUntilExit()
            let files = try FileManager.default.contentsOfDirectory(
                at: into, includingPropertiesForKeys: nil)
            written.append(
                try Dictionary(
                    uniqueKeysWithValues: files.map {
                        ($0.lastPathComponent, try Data(contentsOf: $0))
                    }))
        }
        #expect(written[0].count > 11)
        #expect(written[0] == written[1])
        #expect(written[0] == written[2])
    }

    /// The command beside the tests.
    private static var command: URL? {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return ["endpoints-import", "EndpointsImport"].map { folder.appendingPathComponent($0) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
