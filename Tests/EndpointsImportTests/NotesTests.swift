import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("What is said of a document")
struct NotesTests {
    /// `GET /a` with these members.
    private static func get(_ members: String) -> String { #"{"/a": {"get": {\#(members)}}}"# }

    private static func query(_ schema: String) -> String {
        get(#""parameters": [{"in": "query", "name": "b", "schema": \#(schema)}]"#)
    }

    private static func body(_ schema: String) -> String {
        #"{"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": \#(schema)}}}}}}"#
    }

    private static let object = #"{"schema": {"type": "object"}}"#
    private static let bothErrors = ##"""
        "responses": {"200": {}, "404": {"content": {"application/json": {"schema":
        {"type": "string"}}}}, "500": {"content": {"application/json": {"schema":
        {"type": "object"}}}}}
        """##

    @Test(
        "What the text says otherwise than the document is noted",
        arguments: [
            (
                #"{"/p?y={z}&a=1": {"get": {"operationId": "a", "parameters": [{"in": "path", "name": "z", "schema": {"type": "integer"}}]}}}"#,
                #"parameters: [.query("y", path: \.z), .queryValue("a", value: "1")]"#,
                """
                /~1p?y={z}&a=1/get: the path has the query `?y={z}&a=1`, which OpenAPI doesn't allow; \
                it is declared as query items
                """
            ),
            (
                #"{"/b#frag": {"get": {}}}"#, #"path: "b")"#,
                "/~1b#frag/get: the path has the fragment `#frag`, which is never sent; it is left out"
            ),
            (
                get(#""parameters": [{"in": "path", "name": "id"}]"#), #"path: "a")"#,
                "/~1a/get/parameters/0: the path has no `{id}`; the parameter isn't declared"
            ),
            (
                get(
                    #""parameters": [{"in": "header", "name": "X-A"}, {"in": "header", "name": "x-a"}]"#
                ),
                #"headers: ["X-A": .field(path: \.a)])"#,
                "/~1a/get/parameters/1: is the same field as the header X-A, and isn't declared twice"
            ),
            (
                get(#""operationId": "a", \#(bothErrors)"#), "struct A: ShopRequest {", nil
            ),
            (
                get(
                    #""operationId": "a", "responses": {"404": {"content": {"application/json": {"schema": {"type": "object"}}}}, "401": {"content": {"text/plain": {}}}}"#
                ), "struct A: ShopRequest {",
                """
                /~1a/get/responses/401: the error response of status 401 is `text/plain` and not JSON: \
                it can't be read as that of 404
                """
            ),
            (
                query(#"{"enum": ["auto", 1, true]}"#),
                "enum B: String, PathRepresentable { case auto, _1 = \"1\", `true` }",
                nil
            ),
            (
                query(#"{"type": "array", "items": {"type": "string", "enum": [1, 2]}}"#),
                "enum B: String, PathRepresentable { case _1 = \"1\", _2 = \"2\" }", nil
            ),
            (
                query(#"{"type": "array", "items": {"type": "object"}}"#), "var b: [String]?",
                """
                /~1a/get/parameters/0/schema: OpenAPI defines no text for a list of lists or objects; \
                it is declared as a list of texts: write JSON in them
                """
            ),
            (
                query(
                    #"{"oneOf": [{"type": "object", "properties": {"c": {}}}, {"type": "string"}]}"#
                ),
                "var b: String?",
                """
                /~1a/get/parameters/0/schema: of several types it is declared as a text: write an object \
                as the text that it has there
                """
            ),
            (
                query(
                    #"{"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "object"}]}"#
                ), "var b: [Int]?",
                """
                /~1a/get/parameters/0/schema: of several types it is declared as a list: an object can't \
                be sent
                """
            ),
            (
                query(#"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"#), "var b: String?",
                nil
            ),
            (
                query(#"{"type": ["object", "string"]}"#), "var b: String?",
                """
                /~1a/get/parameters/0/schema: of several types it is declared as a text: write an object \
                as the text that it has there
                """
            ),
            (
                body(
                    #"{"properties": {"": {"type": "string"}, "_": {"type": "string"}, "\u2603": {}}}"#
                ),
                #"case value = "", value2 = "_", value3 = "☃""#, nil
            ),
            (
                body(#"{"type": "string", "enum": [1, 2]}"#), "var body: JSONValue?",
                """
                /~1a/post/requestBody/content/application~1json/schema: no value of `enum` is of the \
                type string; it is a `JSONValue`
                """
            ),
            (
                body(#"{"type": "array", "items": {"enum": ["\u00e9", "e\u0301", "\u00e9"]}}"#),
                "enum Item: String, Encodable { case \u{E9} }",
                """
                /~1a/post/requestBody/content/application~1json/schema/items: `e\u{301}` is the same text \
                as another value, in another form of Unicode; only that one is declared
                """
            ),
            // A media type with another word on its characters is the same one.
            (
                get(
                    #""operationId": "a", "responses": {"200": {"content": {"application/json; charset=utf-8": \#(object), "application/json": \#(object)}}}"#
                ), "struct A: ShopRequest {", nil
            ),
            (
                get(
                    #""operationId": "a", "responses": {"200": {"content": {"text/plain": {}, "Text/Plain;charset=UTF-8": {}}}}"#
                ), "typealias Response = String", nil
            ),
            (
                get(
                    #""operationId": "a", "responses": {"200": {"content": {"application/json": \#(object), "application/json; v=2": \#(object)}}}"#
                ), "struct A: ShopRequest {",
                """
                /~1a/get/responses/200/content/application~1json; v=2: the response is declared as \
                `application/json`, and not as this type too
                """
            ),
        ] as [(String, String, String?)])
    func notes(paths: String, text: String, note: String?) throws {
        let report = Report()
        let document = #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": \#(paths)}"#
        let all = try files(document, report: report).values.joined()
        #expect(all.contains(text), "\(all)")
        #expect(report.notes.map(\.line) == [note.map { "#/paths" + $0 }].compactMap(\.self))
    }

    @Test("A value of the path's query that isn't declared is skipped with its operation")
    func pathQuery() throws {
        let document = #"{"openapi": "3.1.0", "paths": {"/p?y={z}": {"get": {}}}}"#
        let report = Report()
        _ = try files(document, report: report)
        let expected =
            "#/paths/~1p?y={z}/get: `{z}` in the path's query isn't a declared parameter of the path"
        #expect(report.skipped.first?.line.hasPrefix(expected) == true)
    }

    @Test("A property is a text if its type says so, whatever else the schema has")
    func textWithProperties() throws {
        let text = try declarations(
            paths: Self.body(
                #"{"properties": {"state": {"type": "string", "properties": {"open": {}}}}}"#))
        #expect(text.contains("var state: String?"), "\(text)")
    }

    @Test(
        "Errors that aren't in JSON are a text or data, or have no type without content",
        arguments: [
            (#""content": {"text/html": {"schema": {"type": "string"}}}"#, "String"),
            (#""content": {"*/*": {"schema": {"type": "string"}}}"#, "String"),
            (#""content": {"application/pdf": {}}"#, "Data"),
            (#""content": {"application/json": {}}"#, "JSONValue"),
            (#""description": "no""#, "EmptyResponse"),
        ])
    func errors(response: String, type: String) throws {
        let common = #"{"content": {"application/json": {"schema": {"type": "object"}}}}"#
        let text = try declarations(
            paths: #"""
                {"/a": {"get": {"responses": {"200": {}, "default": \#(common)}}},
                 "/b": {"get": {"operationId": "b", "responses": {"200": {}, "404": {\#(response)}}}}}
                """#)
        #expect(text.contains("struct B: ShopCall {"))
        #expect(text.contains("typealias ErrorResponse = \(type)\n"), "\(text)")
    }

    @Test("The name of a file isn't longer than a file system takes")
    func longTag() throws {
        let tag = String(repeating: "a", count: 400)
        let document = #"""
            {"openapi": "3.1.0", "paths": {"/a": {"get": {"tags": ["\#(tag)"]}},
             "/b": {"get": {"tags": ["\#(tag)b"]}}}}
            """#
        let names = try files(document).keys.filter { $0 != "Server.swift" }.sorted()
        let name = "A" + tag.prefix(59)
        #expect(names == ["\(name).swift", "\(name)Requests.swift"])
    }

    @Test("A file that a person has edited keeps its helpers")
    func helpers() throws {
        let document = try Document(
            Data(#"{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}"#.utf8))
        let plan = try Plan(document, Overrides(), Report()) { _ in true }
        for (edited, expected) in [([], false), (["struct A { let day: Day }"], true)] {
            let files = try Output(plan, document, Report(), edited: edited).files
            let support = files.first { $0.name == "Support.swift" }
            #expect(support?.text.contains("struct Day:") ?? false == expected)
        }
    }

    @Test(
        "Only an operation that isn't declared counts as skipped",
        arguments: [
            ("{}", "0 skipped", 0),
            (
                #"{"parameters": [{"in": "cookie", "name": "c"}]}"#,
                "0 skipped; a part isn't declared", 0
            ),
            (
                #"{"parameters": [{"in": "cookie", "name": "c"}, {"in": "querystring", "name": "q"}]}"#,
                "0 skipped; 2 parts aren't declared", 0
            ),
            (#"{"parameters": [{"in": "cooky", "name": "c", "required": true}]}"#, "1 skipped", 1),
            ("7", "1 skipped", 1),
        ])
    func counts(operation: String, counts: String, missing: Int) throws {
        let report = Report()
        _ = try files(
            #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": \#(operation)}, "/b": {"get": {}}}}
            """#, report: report)
        #expect(report.counts == counts && report.missing == missing, "\(report.lines)")
    }

    @Test("Paths that aren't an object are operations that aren't declared")
    func paths() throws {
        let report = Report()
        _ = try files(
            #"{"openapi": "3.1.0", "info": {"title": "S"}, "paths": [], "components": 1}"#,
            report: report)
        #expect(report.counts == "1 skipped; a part isn't declared")
    }

    @Test("The file of the notes is there only if there are notes")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("notes.txt").path
        try Command.write([], to: file)
        #expect(!FileManager.default.fileExists(atPath: file))
        try Command.write(["note: #: a"], to: file)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "note: #: a\n")
        try Command.write([], to: file)
        #expect(!FileManager.default.fileExists(atPath: file))
        // What isn't a file isn't removed.
        try Command.write([], to: folder.path)
        #expect(FileManager.default.fileExists(atPath: folder.path))
    }
}
