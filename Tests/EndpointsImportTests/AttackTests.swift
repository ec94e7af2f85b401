import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

/// Documents whose author tries to write code into the user's program.
@Suite("Attacks by a document")
struct AttackTests {
    /// Texts that end a comment, a literal or a name, or show text in another order.
    private static let attacks = [
        "x`\nstruct Evil {}\n// ", "x\"\nstruct Evil {}\n\"", "x\\(struct Evil {})",
        "*/ struct Evil {} /*",
        "x\u{2028}struct Evil {}\u{2029}", "\u{0}struct Evil {}",
        "a\u{202E}\u{2066}struct Evil {}\u{2069}",
        "x\"\"\"\nstruct Evil {}\n\"\"\"", "x\rstruct Evil {}", "x: .field(\"\nstruct Evil {}",
        "x \(String(repeating: "long ", count: 30)): \" = (struct Evil {}",
    ]

    /// A document with a text in each place where one can stand.
    private static func document(_ attack: String) -> JSON {
        func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
            var object = JSON.Members()
            for (name, value) in members { object.set(name, value) }
            return .object(object)
        }
        let text = JSON.string(attack)
        // In a path, braces are a parameter's.
        let path = attack.filter { !"{}/".contains($0) }
        let schema = object([
            "type": .string("object"), "description": text, "title": text,
            "required": .array([.string("kind"), text]),
            "properties": object([
                "kind": object(["enum": .array([text])]),
                attack: object([
                    "type": .string("string"), "description": text, "default": text,
                    "pattern": text,
                    "example": text,
                ]),
                "mood": object([
                    "enum": .array([text, .string("b")]), "default": text,
                    "x-enum-varnames": .array([text]),
                ]),
                "one": object([
                    "oneOf": .array([
                        object(["$ref": .string("#/components/schemas/A")]),
                        object(["$ref": .string("#/components/schemas/B")]),
                    ]),
                    "discriminator": object([
                        "propertyName": text,
                        "mapping": object([attack: .string("#/components/schemas/A")]),
                    ]),
                ]),
            ]),
        ])
        let model = object(["properties": object(["a": object(["type": .string("string")])])])
        func content(_ schema: JSON) -> JSON {
            object([
                "application/json": object(["schema": schema, "example": object([attack: text])]),
                attack: object(["schema": object(["type": .string("string")])]),
            ])
        }
        let parameters = ["query", "header", "path", "cookie"].map { place in
            object([
                "in": .string(place), "name": place == "path" ? .string("id") : text,
                "required": .bool(place == "path"), "description": text, "style": text,
                "schema": object([
                    "type": .string("string"), "default": text, "enum": .array([text]),
                ]),
            ])
        }
        let operation = object([
            "operationId": text, "summary": text, "description": text, "tags": .array([text]),
            "parameters": .array(parameters),
            "requestBody": object(["content": content(schema)]),
            "responses": object([
                "200": object(["description": text, "content": content(schema)]),
                "404": object(["content": object([attack + "+json": object(["schema": schema])])]),
            ]),
            "servers": .array([
                object(["url": .string("https://a.b/\(path)"), "description": text])
            ]),
        ])
        let form = object([
            "operationId": .string("form"),
            "requestBody": object([
                "content": object([
                    "multipart/form-data": object([
                        "schema": object([
                            "properties": object([
                                attack: object(["type": .string("string"), "description": text])
                            ])
                        ]),
                        "encoding": object([attack: object(["contentType": text])]),
                    ])
                ])
            ]),
        ])
        let schemes = ["query", "header", "cookie"].map { place in
            object(["type": .string("apiKey"), "in": .string(place), "name": text])
        }
        return object([
            "openapi": .string("3.1.0"), "info": object(["title": text, "description": text]),
            "servers": .array([
                object([
                    "url": .string("https://{v}.example.com/\(path)"), "description": text,
                    "name": text,
                    "variables": object(["v": object(["default": text, "description": text])]),
                ]),
                object(["url": .string("/\(path)")]),
            ]),
            "paths": object([
                "/a/{id}/\(path)": object([
                    "post": operation, "additionalOperations": object([attack: form]),
                ]),
                "/form": object(["post": form]),
            ]),
            "components": object([
                "schemas": object(["A": model, "B": model, attack: schema]),
                "securitySchemes": object([
                    attack: schemes[0], "k2": schemes[1], "k3": schemes[2],
                    "k4": object([
                        "type": .string("oauth2"),
                        "flows": object([
                            "password": object(["tokenUrl": text, "refreshUrl": text])
                        ]),
                    ]),
                    "k5": object(["type": .string("openIdConnect"), "openIdConnectUrl": text]),
                ]),
            ]),
        ])
    }

    /// What of a text is code: without its comments and its literals.
    private static func code(_ text: String) -> String {
        var (code, rest) = ("", text[...])
        while let next = rest.first {
            let marks = rest.prefix { $0 == "#" }
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.dropFirst(marks.count).first == "\"" {
                let opening =
                    marks + (rest.dropFirst(marks.count).hasPrefix("\"\"\"") ? "\"\"\"" : "\"")
                rest = rest.dropFirst(opening.count)
                let closing = String(opening.reversed())
                while !rest.isEmpty, !rest.hasPrefix(closing) {
                    if opening == "\"" { #expect(rest.first != "\n", "\(code.suffix(200))") }
                    rest = rest.dropFirst(rest.first == "\\" && marks.isEmpty ? 2 : 1)
                }
                rest = rest.dropFirst(closing.count)
            } else {
                code.append(next)
                rest = rest.dropFirst()
            }
        }
        return code
    }

    @Test(
        "No text of a document becomes code, wherever it stands", arguments: attacks.indices)
    func everywhere(index: Int) throws {
        let document = try Document(Self.document(Self.attacks[index]))
        let report = Report()
        let plan = try Plan(document, Overrides(), report) { _ in true }
        var texts = try Output(plan, document, report).files.map(\.text)
        texts.append(
            try TestsWriter(plan: plan, document: document, report: report, module: "A").text().text
        )
        for text in texts {
            #expect(!Self.code(text).contains("struct Evil"))
            for scalar in text.unicodeScalars where scalar != "\n" {
                let isHidden = [.control, .format, .lineSeparator, .paragraphSeparator]
                    .contains(scalar.properties.generalCategory)
                #expect(!isHidden, "\(scalar.value)")
            }
        }
        for line in report.summary { #expect(!line.contains("\n")) }
        #expect(plan.requests.count >= 2, "\(report.skipped)")
    }

    @Test(
        "A literal and a comment have no character that ends them or hides in them",
        arguments: [
            ("a\"b\\(c)\n", #""a\"b\\(c)\n""#, "a\"b\\(c)"),
            ("\u{0}\u{7F}\u{85}", #""\u{0}\u{7F}\u{85}""#, ""),
            ("a\u{202E}b\u{2028}c", #""a\u{202E}b\u{2028}c""#, "ab c"),
            ("*/ a /*", #""*/ a /*""#, "* / a / *"),
            ("ä 日本 👩‍👩‍👧", #""ä 日本 👩‍👩‍👧""#, "ä 日本 👩‍👩‍👧"),
        ])
    func pieces(text: String, literal: String, comment: String) {
        #expect(Written.literal(text).text == literal)
        #expect(Written.comment(text).text.trimmed == comment)
    }

    @Test("What the models need beside the library has no type of this command")
    func support() {
        let marks = Support.pieces.map(\.mark).joined()
        #expect(!Support.text(for: marks).text.contains(": Written\n"))
        for piece in Support.pieces { #expect(!piece.text.text.contains("let text: Written")) }
    }

    @Test(
        "A name is one that Swift allows, whatever it is made of",
        arguments: [
            ("a b", "ab"), ("", "_value"), ("1a", "_1a"), ("class", "`class`"),
            ("await", "`await`"), ("größe", "größe"), ("имя", "имя"), ("x\u{202E}y", "xy"),
            ("`x`", "x"), ("_", "_value"), ("\u{301}a", "_\u{301}a"),
        ])
    func names(text: String, name: String) {
        #expect(Written.name(text).text == name)
    }

    @Test(
        "A type for --names is one that Swift allows",
        arguments: [
            ("UUID", true), ("[String: Foo.Bar<Int, B>?]", true), ("Set<UUID>", true),
            ("Int { } struct Evil", false), ("a-b", false), ("", false), ("[Int", false),
            ("class", false), ("Int\n", false), ("Foo<", false),
        ])
    func types(text: String, isType: Bool) {
        #expect((Written.type(text) != nil) == isType)
    }

    @Test(
        "The file of the last import names only plain files of its folder",
        arguments: [
            "../victim.txt", "/etc/passwd", "a/b.swift", "..", ".hidden", "a\\b.swift", "", "a\nb",
            "c:d",
        ])
    func lastImport(name: String) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let inner = folder.appendingPathComponent("API")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let victim = folder.appendingPathComponent("victim.txt")
        try Data("kept".utf8).write(to: victim)
        var members = JSON.Members()
        members.set(name, .string("kept"))
        try Data(JSON.object(members).written.utf8)
            .write(to: inner.appendingPathComponent(".endpoints-import.json"))
        #expect(throws: UsageError.self) {
            try Folder(inner.path).write(Folder(inner.path).changes(to: []))
        }
        #expect(FileManager.default.fileExists(atPath: victim.path))
    }

    @Test("A link or a folder isn't taken for a file of the last import")
    func links() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let victim = folder.appendingPathComponent("victim.txt")
        try Data("kept".utf8).write(to: victim)
        let inner = folder.appendingPathComponent("API")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: inner.appendingPathComponent("Models.swift"), withDestinationURL: victim)
        try Data(#"{"Models.swift": "kept"}"#.utf8)
            .write(to: inner.appendingPathComponent(".endpoints-import.json"))
        #expect(throws: UsageError.self) { try Folder(inner.path).changes(to: []) }
        #expect(throws: UsageError.self) {
            try Folder(inner.path).changes(to: [("Models.swift", "new")])
        }
        #expect(try String(contentsOf: victim, encoding: .utf8) == "kept")
    }

    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(
        "A schema that names another one twice takes the time of one",
        arguments: ["allOf", "oneOf", "anyOf", "properties"])
    func chains(word: String) throws {
        var schemas: [String] = [
            #""S0": {"type": "object", "properties": {"a": {"type": "string"}}}"#
        ]
        for index in 1...400 {
            let part = ##"{"$ref": "#/components/schemas/S\##(index - 1)"}"##
            schemas.append(
                word == "properties"
                    ? #""S\#(index)": {"properties": {"a": \#(part), "b": \#(part)}}"#
                    : #""S\#(index)": {"\#(word)": [\#(part), \#(part)]}"#)
        }
        let document = try Document(
            Data(
                ##"""
                {"openapi": "3.1.0", "info": {}, "paths": {"/a": {"patch": {"requestBody": {"content":
                {"application/json": {"schema": {"$ref": "#/components/schemas/S400"}}}}, "responses":
                {"200": {"content": {"application/json": {"schema": {"$ref":
                "#/components/schemas/S400"}}}}}}}}, "components": {"schemas": {\##(schemas.joined(separator: ", "))}}}
                """##.utf8))
        let began = ContinuousClock.now
        let plan = try Plan(document, Overrides(), Report()) { _ in true }
        #expect(plan.requests.count == 1)
        #expect(ContinuousClock.now - began < .seconds(60))
    }
}
