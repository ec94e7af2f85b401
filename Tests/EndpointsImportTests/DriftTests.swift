import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Writing the test that compares the declarations with the document")
struct DriftTests {
    private func text(_ paths: String, source: String = "/p/api.json") throws -> (String?, [String])
    {
        let document = try Document(
            Data(#"{"openapi": "3.1.0", "info": {"title": "S"}, "paths": \#(paths)}"#.utf8))
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let writer = DriftWriter(plan: plan, document: document, report: report, module: "API")
        return (writer.text(of: source, in: "/p/Tests/APITests"), report.notes.map(\.line))
    }

    @Test("All requests are compared with the document, whose place is said from the test's folder")
    func all() throws {
        let text = try #require(
            try text(
                #"{"/a": {"get": {"operationId": "a"}}, "/b": {"get": {"operationId": "b", "deprecated": true}}}"#
            ).0)
        for part in [
            #"private static let document = "../../api.json""#, "@testable import API",
            "A.self, B.self)", "    @available(*, deprecated)\n    @Test(",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        let plain = try #require(try self.text(#"{"/a": {"get": {"operationId": "a"}}}"#).0)
        #expect(!plain.contains("deprecated"))
    }

    @Test(
        "A document that isn't one file has a note in the place of the test",
        arguments: [
            ("-", "{}", "standard input"),
            ("/p/api.json", #"{"/a": {"$ref": "a.json#/a"}}"#, "several files"),
        ])
    func others(source: String, paths: String, reason: String) throws {
        let (text, notes) = try text(paths, source: source)
        #expect(text == nil && notes.contains { $0.contains(reason) }, "\(notes)")
    }

    @Test(
        "What an extension or an example says is no reference to another file",
        arguments: [
            (#""x-topics": [{"content": {"$ref": "a.md"}}]"#, true),
            (
                #""description": "a", "parameters": [{"in": "query", "name": "q", "example": {"$ref": "a.json"}}]"#,
                true
            ),
            (
                #""responses": {"200": {"content": {"application/json": {"examples": {"a": {"value": {"$ref": "a.json"}}}}}}}"#,
                true
            ),
            (#""responses": {"default": {"$ref": "a.json"}}"#, false),
            (
                #""responses": {"200": {"content": {"application/json": {"schema": {"properties": {"value": {"$ref": "a.json"}, "x-a": {}}}}}}}"#,
                false
            ),
            (
                #""responses": {"200": {"content": {"application/json": {"schema": {"properties": {"x-a": {"$ref": "a.json"}}}}}}}"#,
                false
            ),
        ])
    func oneFile(member: String, isOne: Bool) throws {
        let (text, notes) = try text(#"{"/a": {"get": {"operationId": "a", \#(member)}}}"#)
        #expect((text != nil) == isOne, "\(notes)")
    }

    @Test(
        "The way from a folder to a file",
        arguments: [
            ("/p/Tests/APITests", "/p/api.json", "../../api.json"),
            ("/p", "/p/a/b.json", "a/b.json"),
            ("/p/q", "/r/b.json", "../../r/b.json"), ("/p/../q", "/q/b.json", "b.json"),
        ])
    func path(folder: String, file: String, expected: String) {
        #expect(DriftWriter.path(from: folder, to: file) == expected)
    }
}
