import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Writing declarations")
struct WritingTests {
    @Test(
        "A schema becomes a model as one would write it",
        arguments: [
            (
                #"{"User": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "full_name": {"type": "string"}, "born": {"type": "string", "format": "date"}}}}"#,
                "struct User: Decodable { let id: Int, fullName: String?, born: Day? }"
            ),
            (
                ##"{"User": {"type": "object", "required": ["a", "b", "c"], "properties": {"a": {"allOf": [{"$ref": "#/components/schemas/Cat"}, {"nullable": true}]}, "b": {"$ref": "#/components/schemas/Cat", "nullable": true}, "c": {"$ref": "#/components/schemas/Cat"}}}, "Cat": {"type": "object", "properties": {"a": {}}}}"##,
                """
                struct User: Decodable { let a, b: Cat?, c: Cat }
                struct Cat: Decodable { let a: JSONValue? }
                """
            ),
            (
                #"{"User": {"type": "object", "properties": {"state": {"enum": ["open", "was_closed", "open"]}}}}"#,
                """
                struct User: Decodable {
                    let state: OrUnknown<State>?
                    enum State: String { case open, wasClosed = "was_closed" }
                }
                """
            ),
            (
                ##"{"User": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {"friends": {"type": "array", "items": {"$ref": "#/components/schemas/User"}}, "boss": {"$ref": "#/components/schemas/User"}}}]}, "Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}}"##,
                """
                struct User: Decodable, Sendable {
                    let id: String, friends: [User]?, boss: Boxed<User>?
                }
                """
            ),
            (
                ##"{"User": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"type": "string"}, {"type": "null"}]}, "Cat": {"type": "object", "properties": {"a": {}}}}"##,
                """
                enum User: ReadOneOf {
                    case cat(Cat), text(String), unknown(JSONValue)
                    static let options = Options(cat, text)
                }

                struct Cat: Decodable { let a: JSONValue? }
                """
            ),
            (
                ##"{"User": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "kind", "mapping": {"c": "#/components/schemas/Cat"}}}, "Cat": {"type": "object", "properties": {"a": {"type": "object"}}}, "Dog": {"type": "object", "properties": {"b": {"type": "object", "additionalProperties": {"type": "number"}}}}}"##,
                """
                enum User: ReadOneOf {
                    case c(Cat), dog(Dog), unknown(JSONValue)
                    static let options = Options(by: "kind", .init("c", as: c), .init("Dog", as: dog))
                }

                struct Cat: Decodable { let a: [String: JSONValue]? }
                struct Dog: Decodable { let b: [String: Double]? }
                """
            ),
        ])
    func models(schemas: String, expected: String) throws {
        let paths = #"""
            {"/": {"get": {"operationId": "load", "responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}}}}}
            """#
        let text = try declarations(paths: paths, schemas: schemas)
        let models = text.components(separatedBy: "\n\n").dropFirst(1).joined(separator: "\n\n")
        #expect(models == expected)
    }

    @Test(
        "An operation becomes a request as one would write it",
        arguments: [
            (
                #"{"/users/{user-id}.json": {"parameters": [{"in": "path", "name": "user-id", "required": true, "schema": {"type": "string"}}], "delete": {"summary": "Removes a user.", "deprecated": true}}}"#,
                """
                /// Removes a user
                @available(*, deprecated)
                struct DeleteUserJson: ShopRequest {
                    let userId: String
                    static let endpoint = Endpoint<Self>(method: .delete, path: "users/\\(path: \\.userId).json")
                    typealias Response = Void
                }
                """
            ),
            (
                #"{"/a": {"get": {"operationId": "class", "parameters": [{"in": "query", "name": "in", "schema": {"type": "array", "items": {"type": "integer"}}, "explode": false}, {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 20}}, {"in": "header", "name": "X-Id", "required": true, "schema": {"type": "string"}}], "responses": {"200": {"content": {"text/event-stream": {}}}}}}}"#,
                """
                struct Class: ShopRequest {
                    let id: String
                    var `in`: [Int]?, limit: Int?
                    static let endpoint = Endpoint<Self>(
                        method: .get, path: "a",
                        parameters: [
                            .query("in", path: \\.in, style: .commaSeparated), .query("limit", path: \\.limit),
                        ],
                        headers: ["X-Id": .field(path: \\.id)])
                    typealias Response = EventStream<ServerSentEvent>
                }
                """
            ),
            (
                #"{"/a": {"patch": {"operationId": "edit", "requestBody": {"required": true, "content": {"application/merge-patch+json": {"schema": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": {"type": ["string", "null"]}, "made": {"type": "string", "readOnly": true}}}}}}, "responses": {"204": {}}}}}"#,
                """
                struct Edit: ShopRequest {
                    let body: Body

                    struct Body: Encodable {
                        let id: Int
                        var name: Change<String> = .keep
                    }

                    static let endpoint = Endpoint<Self>(
                        method: .patch, path: "a", headers: [.contentType: "application/merge-patch+json"])
                    typealias Response = Void
                }
                """
            ),
            (
                #"{"/a": {"post": {"operationId": "addPhoto", "requestBody": {"content": {"multipart/form-data": {"schema": {"type": "object", "required": ["photo"], "properties": {"photo": {"type": "string", "format": "binary"}, "title": {"type": "string"}}}}}}, "responses": {"201": {"content": {"application/octet-stream": {}}}}}}}"#,
                """
                struct AddPhoto: ShopRequest {
                    let photo: File
                    var title: String?
                    static let endpoint = Endpoint<Self>(
                        method: .post, path: "a",
                        parameters: [.part("photo", path: \\.photo), .part("title", path: \\.title)],
                        headers: [.accept: "application/octet-stream"])
                    typealias Response = ByteStream
                }
                """
            ),
        ])
    func requests(paths: String, expected: String) throws {
        #expect(try declarations(paths: paths) == expected)
    }

    @Test("A part of the document has only the models that it reaches")
    func part() throws {
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {
            "/a": {"get": {"tags": ["a"], "responses": {"200": {"content": {"application/json":
            {"schema": {"$ref": "#/components/schemas/A"}}}}}}},
            "/b": {"get": {"tags": ["b"], "responses": {"200": {"content": {"application/json":
            {"schema": {"$ref": "#/components/schemas/B"}}}}}}}},
            "components": {"schemas": {"A": {"type": "object"}, "B": {"properties": {"a": {}}}}}}
            """#
        let files = try files(document, overrides: #"{"names": {"get /b": "LoadB"}}"#) {
            $0.tag == "b"
        }
        #expect(files.keys.sorted() == ["B.swift", "Server.swift"])
        #expect(files["B.swift"]?.contains("struct LoadB: ShopRequest") == true)
    }

    @Test("What isn't declared is listed with its pointer")
    func skipped() throws {
        let report = Report()
        let document = #"""
            {"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [
            {"in": "cookie", "name": "session"}]}}}}
            """#
        _ = try files(document, report: report)
        #expect(
            report.skipped.map(\.line) == [
                "#/paths/~1a/get/parameters/0: the cookie `session` isn't declared; the session sends "
                    + "cookies"
            ])
    }
}
