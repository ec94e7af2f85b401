import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

/// What tools write that isn't quite OpenAPI, and what it means.
@Suite("What tools write in documents")
struct WrongDocumentTests {
    /// The declaration of an operation of `/a/{id}`, and what is said of it.
    private static func declaration(
        _ method: String, _ operation: String
    ) throws -> (text: String, notes: [String]) {
        let report = Report()
        let document = ##"""
            {"openapi": "3.0.3", "info": {"title": "Shop"}, "paths": {"/a/{id}": {"\##(method)":
             {"operationId": "load", \##(operation)}}},
             "components": {"schemas": {"M": {"type": "object", "properties": {"x": {"type": "string"}}}}}}
            """##
        let files = try files(document, report: report)
        let text = ["Requests.swift", "Models.swift"].compactMap { files[$0] }.joined()
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ")
        return (text, report.lines)
    }

    private static let id =
        #"{"in": "path", "name": "id", "required": true, "schema": {"type": "string"}}"#
    private static let model = ##"{"schema": {"$ref": "#/components/schemas/M"}}"##

    @Test(
        "A range of media types with a schema that only JSON has is JSON",
        arguments: [
            ("*/*", model, "body: M", "= M"),
            ("application/*", model, "body: M", "= M"),
            (
                "*/*", #"{"schema": {"type": "object"}}"#, "body: [String: JSONValue]",
                "= [String: JSONValue]"
            ),
            (
                "*/*", #"{"schema": {"type": "array", "items": {"type": "integer"}}}"#,
                "body: [Int]", "= [Int]"
            ),
            ("*/*", #"{"schema": {"type": "boolean"}}"#, "body: Bool", "= Bool"),
            ("*/*", #"{"schema": {"type": "string", "format": "binary"}}"#, "body: File", "= Data"),
            ("*/*", "{}", "body: File", "= JSONValue"),
            ("image/*", #"{"schema": {"type": "string"}}"#, "body: File", "= Data"),
        ])
    func range(type: String, content: String, body: String, response: String) throws {
        let content = #""content": {"\#(type)": \#(content)}"#
        let text = try Self.declaration(
            "put",
            #""parameters": [\#(Self.id)], "requestBody": {"required": true, \#(content)}, "responses": {"200": {\#(content)}}"#
        ).text
        #expect(text.contains(body), "\(text)")
        #expect(text.contains("typealias Response \(response)"), "\(text)")
    }

    @Test(
        "A media type that is named goes before a range that may be JSON",
        arguments: [
            ("application/json", "body: M"), ("multipart/form-data", #".part("x", path: \.x)"#),
            ("application/x-www-form-urlencoded", #".form("x", path: \.x)"#),
        ])
    func named(type: String, expected: String) throws {
        let text = try Self.declaration(
            "put",
            #""parameters": [\#(Self.id)], "requestBody": {"content": {"*/*": \#(Self.model), "\#(type)": \#(Self.model)}}"#
        ).text
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        "A body of a GET is declared only if it must be there, and isn't a problem in the tests",
        arguments: [
            ("get", false, false, "the body isn't declared, as `URLSession` sends none with GET"),
            ("head", false, false, "the body isn't declared, as `URLSession` sends none with HEAD"),
            ("get", true, true, "`URLSession` sends no body with GET: use another transport"),
            ("delete", false, true, ""), ("post", false, true, ""),
        ])
    func bodyOfGet(method: String, isRequired: Bool, isDeclared: Bool, note: String) throws {
        let body = #"{"required": \#(isRequired), "content": {"application/json": \#(Self.model)}}"#
        let (text, notes) = try Self.declaration(
            method, #""parameters": [\#(Self.id)], "requestBody": \#(body)"#)
        #expect(text.contains("body: M") == isDeclared, "\(text)")
        #expect(notes.contains { !note.isEmpty && $0.contains(note) } == !note.isEmpty, "\(notes)")
        let document = try Document(
            Data(
                ##"""
                {"openapi": "3.0.3", "paths": {"/a": {"\##(method)": {"operationId": "load", "requestBody": \##(body)}}},
                 "components": {"schemas": {"M": {"type": "object", "properties": {"x": {"type": "string"}}}}}}
                """##.utf8))
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let tests = try TestsWriter(plan: plan, document: document, report: report, module: "A")
            .text()
        #expect(tests.text.contains("Load.self") == !(isRequired && isDeclared), "\(tests.text)")
    }

    @Test("The error response of a range of media types is read as JSON")
    func error() throws {
        let text = try Self.declaration(
            "get",
            #""parameters": [\#(Self.id)], "responses": {"204": {}, "400": {"content": {"*/*": \#(Self.model)}}}"#
        ).text
        #expect(text.contains("struct M: Decodable { let x: String? }"), "\(text)")
    }

    @Test(
        "A type by another name is the one that is meant, and any other word is any value",
        arguments: [
            ("int", "Int"), ("int64", "Int"), ("long", "Int"), ("float", "Double"),
            ("double", "Double"), ("decimal", "Double"), ("bool", "Bool"), ("text", "String"),
            ("date", "String"), ("list", "[JSONValue]"), ("map", "[String: JSONValue]"),
            ("any", "JSONValue"), ("Thing", "JSONValue"),
        ])
    func type(word: String, expected: String) throws {
        let text = try Self.declaration(
            "get",
            #"""
            "parameters": [\#(Self.id)], "responses": {"200": {"content": {"application/json":
             {"schema": {"type": "object", "properties": {"x": {"type": "\#(word)"}}}}}}}
            """#
        ).text
        #expect(text.contains("let x: \(expected)?"), "\(text)")
    }

    @Test("A response to HEAD has a head alone")
    func head() throws {
        let content = #""content": {"application/json": \#(Self.model)}"#
        let text = try Self.declaration(
            "head",
            #""parameters": [\#(Self.id)], "responses": {"200": {\#(content)}, "400": {\#(content)}}"#
        ).text
        #expect(text.contains("typealias Response = WithHTTPResponse<Void>"), "\(text)")
        #expect(text.contains("typealias ErrorResponse = EmptyResponse"), "\(text)")
    }

    @Test("A value of the path that isn't described is a text")
    func path() throws {
        let (text, notes) = try Self.declaration("get", #""responses": {"204": {}}"#)
        #expect(
            text.contains(
                #"let id: String static let endpoint = Endpoint<Self>(method: .get, path: "a/\(path: \.id)")"#
            ), "\(text)")
        #expect(
            notes == [
                "note: #/paths/~1a~1{id}/get: the parameter `id` of the path isn't described; it is a text"
            ])
    }

    @Test(
        "Braces of a path may say more than the name of a parameter",
        arguments: [
            ("{id*}", #"path: "a/\(path: \.id)""#), ("{+id}", #"path: "a/\(path: \.id)""#),
            ("{*id}/b", #"path: "a/\(path: \.id)/b""#), ("{**id}", #"path: "a/\(path: \.id)""#),
            ("{id?}", #"path: "a/\(path: \.id)""#), ("{id=b/*}", #"path: "a/\(path: \.id)""#),
            ("{id:[0-9]+}/b", #"path: "a/\(path: \.id)/b""#),
            ("{id:[0-9]{1,3}}/b", #"path: "a/\(path: \.id)/b""#),
            ("{id:int}.{id}", #"path: "a/\(path: \.id).\(path: \.id, includesSlash: false)""#),
        ])
    func templates(segment: String, expected: String) throws {
        let report = Report()
        let text =
            try files(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a/\#(segment)": {"get": {"operationId": "x",
                 "parameters": [{"in": "path", "name": "id", "required": true, "schema": {"type": "integer"}}]}}}}
                """#, report: report)["Requests.swift"] ?? ""
        #expect(text.contains("let id: Int") && text.contains(expected), "\(text)")
        #expect(report.notes.isEmpty, "\(report.notes.map(\.line))")
    }

    @Test("An operation is left out by its path as the document writes it")
    func writtenPath() throws {
        for handle in ["get /a/{id*}", "get /a/{id}"] {
            let text = try files(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a/{id*}": {"get": {"operationId": "x",
                 "parameters": [{"in": "path", "name": "id", "required": true}]}}}}
                """#, overrides: #"{"leaveOut": ["\#(handle)"]}"#)
            #expect(text["Requests.swift"] == nil, "\(handle)")
        }
    }

    @Test(
        "An operation whose path's value is described at another place is skipped, with what to write",
        arguments: ["query", "header", "cookie"])
    func misplaced(place: String) throws {
        let (text, notes) = try Self.declaration(
            "get",
            #""parameters": [{"in": "\#(place)", "name": "id"}], "responses": {"204": {}}"#)
        #expect(text == "")
        #expect(
            notes.last?.contains(
                #"#/paths/~1a~1{id}/get: `id` stands in the path and is described with `"in": "\#(place)"`: write `"in": "path"`; "#
            ) == true, "\(notes)")
    }

    @Test(
        "A header that the connection sends isn't declared, also if it is required",
        arguments: [
            ("Content-Length", connection), ("host", connection), ("Transfer-Encoding", connection),
            ("Upgrade", connection), ("TE", connection), ("expect", connection),
            ("Proxy-Authorization", connection), ("Set-Cookie", response),
            ("Retry-After", response), ("access-control-allow-origin", response),
            ("Access-Control-Expose-Headers", response),
        ])
    func header(name: String, reason: String) throws {
        let (text, notes) = try Self.declaration(
            "get",
            #"""
            "parameters": [\#(Self.id), {"in": "header", "name": "\#(name)", "required": true}],
            "responses": {"204": {}}
            """#)
        #expect(!text.contains("headers:"), "\(text)")
        #expect(
            notes == [
                "note: #/paths/~1a~1{id}/get/parameters/1: the header `\(name)` is \(reason)"
            ])
    }

    @Test(
        "A multipart body that isn't a form has no type of its own, as that must name the boundary",
        arguments: [
            ("multipart/related", "multipart/related"), ("multipart/mixed", "multipart/mixed"),
            ("multipart/*", "multipart/mixed"), ("Multipart/Related", "multipart/related"),
        ])
    func multipart(type: String, example: String) throws {
        let (text, notes) = try Self.declaration(
            "post",
            #"""
            "parameters": [\#(Self.id)], "requestBody": {"content": {"\#(type)": {"schema": {"type":
             "object", "properties": {"a": {"type": "string"}}}}}}, "responses": {"204": {}}
            """#)
        #expect(text.contains("var body: File?") && !text.contains("headers:"), "\(text)")
        #expect(
            notes == [
                "note: #/paths/~1a~1{id}/post/requestBody: the body is a File, whose type must name its boundary, as in `contentType: \"\(example); boundary=…\"`"
            ])
    }

    private static let connection = "the connection's own, which sends it"
    private static let response = "one of responses; it isn't sent"
}

/// What becomes the comment of a declaration.
@Suite("Comments of a document's descriptions")
struct CommentTests {
    @Test(
        "A comment is the first sentence, if it says more than the names",
        arguments: [
            ("The unique identifier of the user.", "id", "User", nil),
            ("The order's status", "status", "Order", nil),
            ("Date the record was created", "createdAt", "Record", nil),
            ("Whether the hook is enabled.", "enabled", "Hook", nil),
            ("The user that made the order.", "id", "Order", "The user that made the order"),
            ("Not the order's id", "id", "Order", "Not the order's id"),
            ("Only the id", "id", "Order", "Only the id"),
            ("Letters, e.g. `a`. More.", "text", "", "Letters, e.g. `a`"),
            ("J. Doe et al. Then more.", "x", "", "J. Doe et al"),
            ("The [state](https://h/a_(b)) of [it](x) all.", "x", "", "The state of it all"),
            ("See [1]. Then", "x", "", "See [1]"),
            ("Who asked (ex. JWT). More.", "x", "", "Who asked (ex. JWT)"),
            (
                "Cents (no decimals. See below) or more. Then", "x", "",
                "Cents (no decimals. See below) or more"
            ),
            ("**N.B. read** all of it. Then", "x", "", "**N.B. read** all of it"),
            ("Only in the U.S. or so. Then", "x", "", "Only in the U.S. or so"),
            ("Cents a) each. Then (b", "x", "", "Cents a) each"),
            ("Cents (each. Then", "x", "", "Cents (each"),
            ("Cents.\nSecond line", "price", "", "Cents"), ("", "x", "", nil),
            // A sentence that goes on in the next line.
            (
                "Cents of the\n  smallest `coin`\nthere is. More", "x", "",
                "Cents of the smallest `coin` there is"
            ),
            ("Pass it to\n`next`\n\nwhich is", "x", "", "Pass it to `next`"),
            ("Cents\nSecond line", "price", "", "Cents"), ("One of\n- a\n- b", "x", "", "One of"),
            (
                String(repeating: "cent ", count: 70), "x", "",
                String(repeating: "cent ", count: 59) + "cent…"
            ),
            ("...", "x", "", nil),
        ])
    func comment(text: String, name: String, owner: String, expected: String?) {
        #expect(text.comment(besides: name, in: owner) == expected)
    }
}
