import Endpoints
import EndpointsFormats
import EndpointsOpenAPI
import Foundation
import Testing

/// A change of an API's document, and the differences that it makes.
struct DocumentChange: CustomTestStringConvertible, Sendable {
    let place: String
    /// The new value in JSON; `nil` removes the member.
    let value: String?
    let differences: [String]
    var testDescription: String { "\(place) = \(value ?? "nothing")" }

    init(_ place: String, _ value: String?, _ differences: String...) {
        (self.place, self.value, self.differences) = (place, value, differences)
    }
}

@Suite("Differences between declarations and a document")
struct DocumentDifferenceTests {
    struct User: Decodable {
        let id: Int, name: String, nick: String?, mood: Mood, tags: [String], boss: Boss?
        struct Boss: Decodable { let name: String }
    }
    enum Mood: String, Codable { case calm, hungry }
    struct Problem: Decodable { let code: Int }

    struct GetUser: FlatRequest {
        let id: Int
        var page: String?
        var fields: [String]
        var trace: String?

        static let endpoint = Endpoint<Self>(
            method: .get, path: "users/\(path: \.id)",
            parameters: [
                .query("page", path: \.page),
                .query("fields", path: \.fields, style: .commaSeparated),
            ],
            headers: ["X-Trace": .field(path: \.trace)])
        typealias Response = User
        typealias ErrorResponse = Problem
    }

    struct CreateUser: FlatRequest {
        let body: Draft
        struct Draft: Encodable { let name: String, mood: Mood, nick: String? }

        static let endpoint = Endpoint<Self>(method: .post, path: "users")
        typealias Response = Void
    }

    static let ours = OpenAPIDocument(of: GetUser.self, CreateUser.self)

    /// The API's document, in which nothing differs.
    static let theirs = """
        {"openapi": "3.0.3", "info": {"title": "Users", "version": "1"},
         "servers": [{"url": "https://{place}.example.com/v1/",
                      "variables": {"place": {"default": "eu"}}}],
         "paths": {
          "/users/{user-id}": {
           "parameters": [{"$ref": "#/components/parameters/Id"}],
           "get": {
            "parameters": [
             {"in": "query", "name": "page", "schema": {"type": "string"}},
             {"in": "query", "name": "fields", "required": true, "explode": false,
              "schema": {"type": "array", "items": {"type": "string"}}},
             {"in": "query", "name": "more", "schema": {"type": "integer"}},
             {"in": "cookie", "name": "c", "required": true, "schema": {"type": "string"}},
             {"in": "header", "name": "x-trace", "schema": {"type": "string"}}],
            "responses": {
             "200": {"description": "", "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/User"}}}},
             "404": {"description": "", "content": {"application/problem+json": {
              "schema": {"properties": {"code": {"type": "integer"}}, "required": ["code"]}}}}}}},
          "/users": {
           "get": {"responses": {"200": {"description": ""}}},
           "post": {
            "requestBody": {"required": true, "content": {
             "text/plain": {"schema": {"type": "string"}},
             "application/json": {"schema": {"$ref": "#/components/schemas/User"}}}},
            "responses": {"201": {"description": ""}}}}},
         "components": {
          "parameters": {"Id": {"in": "path", "name": "user-id", "required": true,
                                "schema": {"type": "integer"}}},
          "schemas": {
           "Base": {"type": "object", "required": ["id", "name"], "properties": {
            "id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}},
           "User": {"allOf": [{"$ref": "#/components/schemas/Base"}, {
            "type": "object", "required": ["mood", "tags"], "properties": {
             "nick": {"type": "string", "nullable": true},
             "mood": {"type": "string", "enum": ["calm", "hungry"]},
             "tags": {"type": "array", "readOnly": true, "items": {"type": "string"}},
             "extra": {"type": "string"},
             "boss": {"anyOf": [{"$ref": "#/components/schemas/Base"}]}}}]}}}}
        """

    /// The place and the JSON of a member of `User`.
    static let members = "components schemas User allOf 1 properties"

    @Test("A document that fits the declarations has no differences")
    func fitting() throws {
        let theirs = try OpenAPIDocument(data: Data(Self.theirs.utf8))
        #expect(Self.ours.differences(from: theirs) == [])
        #expect(
            Self.ours.differences(from: theirs, includingUndeclared: true).map(\.description)
                == ["`GET /users`: isn't declared here"])
        #expect(Self.ours.differences(from: try OpenAPIDocument(data: Self.ours.data)) == [])
    }

    @Test(
        "A change of the document is a difference",
        arguments: [
            DocumentChange(
                "paths /users/{user-id} get parameters 0 schema type", #""integer""#,
                "GET /users/{user-id}: the parameter `page` is an integer there and text here"),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 explode", "true",
                """
                GET /users/{user-id}: the parameter `fields` has its values in an item each there \
                and separated by commas here
                """),
            // Documents have a list that is one text as that text.
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema", #"{"type": "string"}"#),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema", #"{"type": "integer"}"#,
                "GET /users/{user-id}: the parameter `fields` is an integer there and a list here"),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema items type", #""boolean""#,
                "GET /users/{user-id}: the parameter `fields`'s `[]` is a boolean there and text here"
            ),
            // A text is what has the texts of several types.
            DocumentChange(
                "paths /users/{user-id} get parameters 0 schema",
                #"{"oneOf": [{"type": "boolean"}, {"type": "number"}]}"#),
            DocumentChange(
                "paths /users/{user-id} get parameters 0 schema",
                #"{"anyOf": [{"type": "boolean"}, {"type": "object", "properties": {"a": {}}}]}"#),
            DocumentChange(
                "paths /users/{user-id} get parameters 0 schema",
                #"{"oneOf": [{"type": "integer", "minimum": 1}, {"type": "integer", "enum": [-1]}]}"#,
                "GET /users/{user-id}: the parameter `page` is an integer there and text here"),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema items",
                #"{"oneOf": [{"type": "boolean"}, {"type": "integer"}]}"#),
            DocumentChange(
                "components parameters Id schema",
                #"{"oneOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]}"#,
                "GET /users/{user-id}: the path's `user-id` is a boolean there and an integer here"),
            DocumentChange(
                "paths /users/{user-id} get parameters 2 required", "true",
                "GET /users/{user-id}: the parameter `more` is required there and isn't sent here"),
            DocumentChange(
                "paths /users/{user-id} get parameters 0 schema",
                #"{"type": "string", "enum": [0, 1]}"#),
            DocumentChange(
                "\(members) nick",
                #"{"type": "object", "nullable": true, "oneOf": [{"type": "string"}, {"title": "x", "type": "object", "properties": {"in": {"type": "string"}}}]}"#
            ),
            DocumentChange(
                "paths /users/{user-id} get parameters 2",
                #"{"in": "header", "name": "Content-Length", "required": true, "schema": {"type": "integer"}}"#
            ),
            // The importer leaves it out, as it is a header of responses.
            DocumentChange(
                "paths /users/{user-id} get parameters 2",
                #"{"in": "header", "name": "Access-Control-Allow-Origin", "required": true, "schema": {"type": "string"}}"#
            ),
            DocumentChange(
                "paths /users/{user-id} get parameters 0 required", "true",
                "GET /users/{user-id}: the parameter `page` is required there and may be left out here"
            ),
            DocumentChange(
                "paths /users/{user-id} get parameters 0 name", #""pages""#,
                "GET /users/{user-id}: the parameter `page` isn't there"),
            DocumentChange(
                "paths /users/{user-id} get parameters 4 name", #""x-tracing""#,
                "GET /users/{user-id}: the header `x-trace` isn't there"),
            DocumentChange(
                "components parameters Id schema type", #""boolean""#,
                "GET /users/{user-id}: the path's `user-id` is a boolean there and an integer here"),
            DocumentChange(
                "components schemas Base properties name type", #""boolean""#,
                "GET /users/{user-id}: the response's `boss.name` is a boolean there and text here",
                "GET /users/{user-id}: the response's `name` is a boolean there and text here",
                "POST /users: the body's `name` is a boolean there and text here"),
            DocumentChange(
                "components schemas Base properties name nullable", "true",
                "GET /users/{user-id}: the response's `boss.name` may be null there",
                "GET /users/{user-id}: the response's `name` may be null there"),
            DocumentChange(
                "components schemas Base required", "[]",
                """
                GET /users/{user-id}: the response's `boss.name` may be missing there, and is \
                required here
                """,
                "GET /users/{user-id}: the response's `id` may be missing there, and is required here",
                """
                GET /users/{user-id}: the response's `name` may be missing there, and is required \
                here
                """),
            DocumentChange(
                members + " nick", nil,
                "GET /users/{user-id}: the response's `nick` isn't there",
                "POST /users: the body's `nick` isn't there"),
            DocumentChange(
                members + " mood enum", #"["calm", "hungry", "angry"]"#,
                """
                GET /users/{user-id}: the response's `mood` may be `angry` there, which isn't known \
                here
                """),
            DocumentChange(
                members + " mood enum", #"["calm"]"#,
                "POST /users: the body's `mood` may be `hungry` here, which it can't be there"),
            DocumentChange(
                members + " mood",
                #"{"type": "string", "oneOf": [{"const": "calm"}, {"const": "hungry"}]}"#),
            DocumentChange(
                members + " mood enum", nil,
                "GET /users/{user-id}: the response's `mood` may be any text there, and here only some"
            ),
            // Beside a reference, which many write in 3.0 too.
            DocumentChange(
                members + " mood",
                ##"{"$ref": "#/components/schemas/Base/properties/name", "nullable": true}"##,
                "GET /users/{user-id}: the response's `mood` may be any text there, and here only some",
                "GET /users/{user-id}: the response's `mood` may be null there"),
            DocumentChange(
                members + " tags items", #"{"type": "object"}"#,
                "GET /users/{user-id}: the response's `tags[]` is an object there and text here"),
            DocumentChange(
                "components schemas User allOf 1 required", #"["mood", "tags", "nick"]"#,
                "POST /users: the body's `nick` is required there and may be left out here"),
            DocumentChange(
                "components schemas User allOf 1 required", #"["mood", "tags", "extra"]"#,
                "POST /users: the body's `extra` is required there and isn't sent here"),
            DocumentChange(
                members + " boss", #"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#,
                "GET /users/{user-id}: the response's `boss` is text there and an object here"),
            DocumentChange(
                members + " boss",
                ##"{"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Base"}]}"##),
            DocumentChange(
                "paths /users/{user-id} get responses 200 content application/json schema",
                ##"{"type": "object", "allOf": [{"type": "object", "nullable": true}, {"$ref": "#/components/schemas/User"}]}"##
            ),
            DocumentChange(
                "paths /users post requestBody content application/json", nil,
                "POST /users: the body is `text/plain` there and `application/json` here"),
            DocumentChange(
                "paths /users post requestBody", nil,
                "POST /users: a body is sent here, and there is none there"),
            DocumentChange(
                "paths /users/{user-id} get requestBody",
                #"{"required": true, "content": {"application/json": {}}}"#,
                "GET /users/{user-id}: a body is required there, and none is sent here"),
            DocumentChange(
                "paths /users/{user-id} get responses 200 content", "{}",
                "GET /users/{user-id}: the response has no content there"),
            DocumentChange(
                "paths /users/{user-id} get responses 200 content", #"{"text/csv": {}}"#,
                "GET /users/{user-id}: the response is `text/csv` there and `application/json` here"
            ),
            DocumentChange(
                "paths /users/{user-id} get responses 404 content application/problem+json schema",
                #"{"type": "array", "items": {}}"#,
                "GET /users/{user-id}: the error response is a list there and an object here"),
            DocumentChange(
                "paths /users post", nil, "POST /users: isn't there; the path has GET"),
            // `default` is a success without another one, and an error beside one.
            DocumentChange(
                "paths /users/{user-id} get responses",
                ##"{"default": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}}"##
            ),
            DocumentChange(
                "paths /users/{user-id} get responses",
                ##"{"default": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Base"}}}}}"##,
                "GET /users/{user-id}: the response's `boss` isn't there",
                "GET /users/{user-id}: the response's `mood` isn't there",
                "GET /users/{user-id}: the response's `nick` isn't there",
                "GET /users/{user-id}: the response's `tags` isn't there"),
            DocumentChange(
                "paths /users/{user-id} get responses default",
                #"{"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}"#),
            DocumentChange(
                "paths /users/{user-id} get responses 404 content application/problem+json schema nullable",
                "true"),
            DocumentChange("paths /users", nil, "POST /users: isn't there"),
        ])
    func changed(_ change: DocumentChange) throws {
        let value = try change.value.map(JSONValue.init(json:))
        let json = try JSONValue(json: Self.theirs)
            .changed(change.place.split(separator: " ").map(String.init)[...], to: value)
        let theirs = try OpenAPIDocument(data: JSONEncoder().encode(json))
        #expect(
            Self.ours.differences(from: theirs).map(\.description).sorted()
                == change.differences.map { text in
                    let parts = text.split(separator: ": ", maxSplits: 1)
                    return "`\(parts[0])`: \(parts[1])"
                })
    }

    struct GetRepeated: FlatRequest {
        var fields: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "users", parameters: [.query("fields", path: \.fields)])
        typealias Response = Void
    }

    @Test("A list in an item each isn't a text")
    func repeatedList() throws {
        let there = try OpenAPIDocument(
            data: Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": {"/users":
                 {"get": {"parameters": [{"in": "query", "name": "fields",
                  "schema": {"type": "string"}}], "responses": {"204": {}}}}}}
                """#.utf8))
        #expect(
            OpenAPIDocument(of: GetRepeated.self).differences(from: there).map(\.description) == [
                "`GET /users`: the parameter `fields` is text there and a list here"
            ])
    }

    struct Numbered: Codable, Sendable { let id: Int }

    struct SendItems: FlatRequest {
        let items: [Numbered]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "items",
            parameters: [.form("items", path: \.items, encoding: .brackets)])
        typealias Response = Void
    }

    struct SendParts: FlatRequest {
        let items: [String: Numbered]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "items",
            parameters: [.part("items", path: \.items, encoding: .json)])
        typealias Response = Void
    }

    struct SendCounts: FlatRequest {
        let counts: [String: Int]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "items", parameters: [.form(contentsOf: \.counts)])
        typealias Response = Void
    }

    struct GetCounts: FlatRequest {
        let counts: [String: Int]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "items", parameters: [.query(contentsOf: \.counts)])
        typealias Response = Void
    }

    private static let item =
        #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}"#
    private static let form = "application/x-www-form-urlencoded"

    private static func body(_ media: String, _ items: String) -> String {
        #""requestBody": {"required": true, "content": {"\#(media)": {"schema": {"type": "object", "required": ["items"], "properties": {"items": \#(items)}}}}}"#
    }

    private static func fields(_ type: String) -> String {
        #""requestBody": {"content": {"\#(form)": {"schema": {"type": "object", "additionalProperties": {"type": "\#(type)"}}}}}"#
    }

    private static func counts(_ type: String) -> String {
        #""parameters": [{"in": "query", "name": "counts", "explode": true, "schema": {"type": "object", "additionalProperties": {"type": "\#(type)"}}}]"#
    }

    private static let integer =
        "the parameter `counts`'s `*` is a boolean there and an integer here"

    static let sentForms: [(type: any RequestType.Type, there: String, differences: [String])] = [
        // OpenAPI doesn't say what a list of objects is in a form.
        (SendItems.self, body(form, #"{"type": "array", "items": \#(item)}"#), []),
        (
            SendItems.self, body(form, #"{"type": "array", "items": {"type": "string"}}"#),
            [
                "the body's `items[]` is text there and an object here",
                "the body's `items` is written in an item each there and in brackets here",
            ]
        ),
        (
            SendParts.self,
            body(
                "multipart/form-data", #"{"type": "object", "additionalProperties": \#(item)}"#),
            []
        ),
        (GetCounts.self, counts("integer"), []), (GetCounts.self, counts("boolean"), [integer]),
        (SendCounts.self, fields("integer"), []),
        (
            SendCounts.self, fields("boolean"),
            ["the body's `*` is a boolean there and an integer here"]
        ),
    ]

    @Test(
        "Lists and maps of objects and numbers are compared as they are sent", arguments: sentForms)
    func nested(row: (type: any RequestType.Type, there: String, differences: [String])) throws {
        let there = try OpenAPIDocument(
            data: Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": {"/items":
                 {"post": {\#(row.there), "responses": {"204": {}}}}}}
                """#.utf8))
        let ours = OpenAPIDocument(of: [row.type], servers: [])
        #expect(ours.differences(from: there).map(\.reason) == row.differences)
    }

    struct GetParts: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "parts", headers: [.accept: "multipart/mixed"])
        typealias Response = Data
    }

    struct GetXML: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "parts", headers: [.accept: "application/xml"])
        typealias Response = Data
    }

    struct GetImage: FlatRequest {
        static let endpoint = Endpoint<Self>(
            method: .get, path: "parts", headers: [.accept: "image/*"])
        typealias Response = Data
    }

    @Test(
        "A response that is read as its bytes may be anything there",
        arguments: [
            (GetParts.self, "multipart/mixed"), (GetXML.self, "application/xml"),
            (GetImage.self, "image/svg+xml"),
        ] as [(any RequestType.Type, String)],
        [
            #"{"type": "object", "properties": {"file": {"type": "string", "format": "binary"}}}"#,
            #"{"type": "array", "items": {"type": "string"}}"#, #"{"type": "string"}"#,
        ])
    func bytes(request: (type: any RequestType.Type, media: String), schema: String) throws {
        let there = try OpenAPIDocument(
            data: Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": {"/parts": {"get":
                 {"responses": {"200": {"content": {"\#(request.media)": {"schema": \#(schema)}}}}}}}}
                """#.utf8))
        let ours = OpenAPIDocument(of: [request.type], servers: [])
        #expect(ours.differences(from: there).map(\.description) == [])
    }

    @Test("Documents in the wrong order, and one of no request types, are named")
    func swapped() throws {
        let theirs = try OpenAPIDocument(data: Data(Self.theirs.utf8))
        let order = """
            `differences(from:)`: the documents are swapped, so nothing is compared; write \
            OpenAPIDocument(of: …).differences(from: theirs)
            """
        #expect(theirs.differences(from: Self.ours).map(\.description) == [order])
        #expect(
            theirs.differences(from: Self.ours, includingUndeclared: true).map(\.description)
                == [order])
        #expect(
            OpenAPIDocument(of: []).differences(from: theirs).map(\.description) == [
                """
                `differences(from:)`: no request types are given, so nothing is compared; write \
                OpenAPIDocument(of: GetUser.self, …)
                """
            ])
        let all = OpenAPIDocument(of: []).differences(from: theirs, includingUndeclared: true)
        #expect(all.count == 3)
        #expect(theirs.differences(from: theirs) == [])
    }

    struct SharedError: Decodable { let code: String, fields: [String]? }
    struct First: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
        typealias ErrorResponse = SharedError
    }

    @Test(
        "A member of an error type may be that of another operation's errors, if it may be absent",
        arguments: [
            ("code", "fields", []),
            ("code", "others", ["`GET /a`: the error response's `fields` isn't there"]),
            (
                "kode", "code",
                [
                    "`GET /a`: the error response's `code` isn't there",
                    "`GET /a`: the error response's `fields` isn't there",
                ]
            ),
        ])
    func sharedError(first: String, other: String, expected: [String]) throws {
        func operation(_ name: String) -> String {
            #"""
            {"get": {"responses": {"204": {}, "400": {"content": {"application/json": {"schema": {
             "type": "object", "required": ["\#(first)"], "properties": {
             "\#(first)": {"type": "string"}, "\#(name)": {"type": "array", "items": {"type": "string"}}}}}}}}}}
            """#
        }
        let there = try OpenAPIDocument(
            data: Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": {
                 "/a": \#(operation("x")), "/b": \#(operation(other))}}
                """#.utf8))
        let here = OpenAPIDocument(of: First.self)
        #expect(here.differences(from: there).map(\.description) == expected)
    }
}
