import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Declaring equal models and parameters once")
struct SharingTests {
    /// The models of a response with these members, and of the schemas.
    private func models(_ members: String, _ schemas: String = "{}") throws -> String {
        let paths = #"""
            {"/": {"get": {"operationId": "load", "responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}}}}}
            """#
        let others = schemas.dropFirst().dropLast()
        let separator = others.isEmpty ? "" : ", "
        let all = #"{"User": {"properties": \#(members)}\#(separator)\#(others)}"#
        let text = try declarations(paths: paths, schemas: all)
        return text.components(separatedBy: "\n\n").dropFirst(1).joined(separator: "\n\n")
    }

    @Test(
        "Equal models whose names have words in common are declared once",
        arguments: [
            (
                #"{"smsMethod": {"enum": ["get", "put"]}, "voiceMethod": {"enum": ["get", "put"]}}"#,
                """
                struct User: Decodable {
                    let smsMethod, voiceMethod: OrUnknown<Method>?
                    enum Method: String { case get, put }
                }
                """
            ),
            (
                #"{"color": {"enum": ["a", "b"]}, "size": {"enum": ["a", "b"]}}"#,
                """
                struct User: Decodable {
                    let color: OrUnknown<Color>?, size: OrUnknown<Size>?
                    enum Color: String { case a, b }
                    enum Size: String { case a, b }
                }
                """
            ),
            (
                #"{"a": {"properties": {"state": {"enum": ["on", "off"]}}}, "b": {"properties": {"state": {"enum": ["on", "off"]}, "x": {}}}}"#,
                """
                struct User: Decodable {
                    let a: A?, b: B?
                    struct A: Decodable { let state: OrUnknown<State>? }
                    struct B: Decodable { let state: OrUnknown<State>?, x: JSONValue? }
                    enum State: String { case on, off }
                }
                """
            ),
            (
                #"{"a": {"oneOf": [{"type": "string"}, {"type": "integer"}]}, "b": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}"#,
                """
                struct User: Decodable {
                    let a, b: NumberOrText?

                    enum NumberOrText: ReadOneOf {
                        case number(Int), text(String), unknown(JSONValue)
                        static let options = Options(number, text)
                    }
                }
                """
            ),
            (
                #"{"a": {"enum": [3]}, "b": {"type": "object", "required": ["c"], "properties": {"c": {"const": 4}}}}"#,
                """
                struct User: Decodable {
                    let a: Int?, b: B?
                    struct B: Decodable { let c: Int }
                }
                """
            ),
        ])
    func equal(members: String, expected: String) throws {
        #expect(try models(members) == expected)
    }

    @Test(
        "Equal schemas that have only a word in common that says nothing are named by their members",
        arguments: ["Create", "Update", "Request"])
    func vague(word: String) throws {
        let schema = #"""
            {"required": ["note", "name"], "properties": {"note": {"type": "string"}, "name": {"type": "string"}}}
            """#
        let paths = ["Pet", "Owner"].map {
            ##"""
            "/\##($0)": {"put": {"requestBody": {"required": true, "content": {"application/json":
             {"schema": {"$ref": "#/components/schemas/\##($0)\##(word)"}}}}}}
            """##
        }
        let text = try declarations(
            paths: "{\(paths.joined(separator: ", "))}",
            schemas: #"{"Pet\#(word)": \#(schema), "Owner\#(word)": \#(schema)}"#)
        #expect(text.contains("struct NoteAndName\(word): Encodable"), "\(text)")
    }

    @Test("Equal schemas of the document with a common name are one, unless a person names one")
    func schemas() throws {
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {
            "/a": {"get": {"responses": {"200": {"content": {"application/json":
            {"schema": {"$ref": "#/components/schemas/DogWeight"}}}}}}},
            "/b": {"get": {"responses": {"200": {"content": {"application/json":
            {"schema": {"$ref": "#/components/schemas/CatWeight"}}}}}}}},
            "components": {"schemas": {"DogWeight": {"properties": {"grams": {"type": "integer"}}},
            "CatWeight": {"properties": {"grams": {"type": "integer"}}}}}}
            """#
        let text = try files(document)["Requests.swift"] ?? ""
        #expect(text.contains("struct Weight: Decodable { let grams: Int? }"))
        #expect(text.components(separatedBy: "typealias Response = Weight\n").count == 3)
        let named = ##"{"names": {"#/components/schemas/CatWeight": "Mass"}}"##
        let own = try files(document, overrides: named)["Requests.swift"] ?? ""
        #expect(own.contains("struct Mass: Decodable") && own.contains("struct DogWeight"))
    }

    @Test("A parameter of many requests is declared once")
    func parameters() throws {
        let operations = (0..<30).map { number in
            #"""
            "/\#(number)": {"get": {"parameters": [
            {"in": "query", "name": "fields", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
            {"in": "query", "name": "page", "schema": {"type": "\#(number == 0 ? "integer" : "array")"}}]}}
            """#
        }
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {\#(operations.joined(separator: ","))}}
            """#
        let files = try files(document)
        #expect(
            files["Server.swift"]?.contains(
                """
                extension Parameter {
                    static func fields(_ path: KeyPath<Root, [String]?> & Sendable) -> Self {
                        .query("fields", path: path, style: .commaSeparated)
                    }
                """) == true)
        #expect(
            files["Requests.swift"]?.contains(
                #"parameters: [.fields(\.fields), .query("page", path: \.page)])"#) == true)
    }

    @Test("The name of a header of many requests is declared once, with their comment")
    func headers() throws {
        let operations = (0..<8).map { number in
            #"""
            "/\#(number)": {"get": {"operationId": "get\#(number)", "parameters": [
            {"in": "header", "name": "\#(number == 1 ? "X" : "x")-Tenant", "description": "\#(number == 2 ? "Not usual" : "Who pays for it")", "schema": {"type": "string"}},
            {"in": "header", "name": "If-Match", "description": "A tag of old", "schema": {"type": "string"}},
            {"in": "header", "name": "Rare\#(number)", "schema": {"type": "string"}}]}}
            """#
        }
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {\#(operations.joined(separator: ","))}}
            """#
        let files = try files(document)
        #expect(
            files["Server.swift"]?.contains(
                """
                /// Headers of many requests.
                nonisolated extension Headers {
                    /// Who pays for it
                    static let tenant: Headers = "x-Tenant"
                }
                """) == true)
        let text = files["Requests.swift"] ?? ""
        #expect(text.components(separatedBy: ".tenant: .field(path: \\.tenant)").count == 9)
        #expect(text.components(separatedBy: ".ifMatch: .field(path: \\.ifMatch)").count == 9)
        #expect(text.components(separatedBy: "/// A tag of old").count == 2)
        #expect(text.components(separatedBy: "/// Not usual").count == 2)
        #expect(!text.contains("/// Who pays for it"))
        #expect(text.contains(#""Rare3": .field(path: \.rare3)"#))
    }

    @Test("An object in brackets has the API's names, also in a shared parameter")
    func sharedObjects() throws {
        let operations = (0..<30).map { number in
            ##"""
            "/\##(number)": {"get": {"parameters": [{"in": "query", "name": "filter", "style": "deepObject",
             "explode": true, "schema": {"$ref": "#/components/schemas/Filter"}}]}}
            """##
        }
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {\#(operations.joined(separator: ","))},
             "components": {"schemas": {"Filter": {"type": "object", "properties": {"user_id": {"type": "string"}}}}}}
            """#
        let text = try files(document)["Server.swift"] ?? ""
        #expect(
            text.contains(#".query("filter", path: path, encoding: .brackets(by: .api))"#),
            "\(text)")
        #expect(
            text.contains("static let api = FormEncoder(keyEncodingStrategy: .convertToSnakeCase)"))
    }

    @Test("The comment that most values of a shared parameter have stands at its declaration")
    func comments() throws {
        let operations = (0..<20).map { number in
            #"""
            "/\#(number)": {"get": {"operationId": "get\#(number)", "parameters": [
            {"in": "query", "name": "max", "description": "\#(number < 2 ? "How few" : "How many of all there are, at most")", "schema": {"type": "integer"}}]}}
            """#
        }
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {\#(operations.joined(separator: ","))}}
            """#
        let files = try files(document)
        #expect(
            files["Server.swift"]?.contains(
                """
                    /// How many of all there are, at most
                    static func max(_ path: KeyPath<Root, Int?> & Sendable) -> Self {
                """) == true)
        let text = files["Requests.swift"] ?? ""
        #expect(text.components(separatedBy: "/// How few").count == 2)
        #expect(!text.contains("/// How many"))
    }

    @Test(
        "Names that snake case doesn't convert to their properties are listed for the coders",
        arguments: [
            (
                ["user_id", "team_id", "street_1", "sentOn"],
                #"["sentOn": "sentOn", "street_1": "street1"]"#
            ),
            (["user_id", "team_id", "my_id", "myId"], #"["myId": "myId_"]"#),
            (["user_id", "a.b"], #"["a.b": "aB"]"#),
        ])
    func keys(names: [String], expected: String) throws {
        #expect(
            try Self.server(names).contains("private let others: [String: String] = \(expected)\n"))
    }

    private static func server(_ names: [String]) throws -> String {
        let members = names.map { "\"\($0)\": {\"type\": \"string\"}" }.joined(separator: ", ")
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {"/": {"get": {"responses":
            {"200": {"content": {"application/json": {"schema": {"properties": {\#(members)}}}}}}}}}}
            """#
        return try files(document)["Server.swift"] ?? ""
    }

    @Test(
        "Names that begin with a capital are converted, if most do",
        arguments: [
            (["Id", "AccountID", "Name"], "PascalCase(except: [:])", nil),
            (
                ["Id", "AccountID", "Name", "URL", "id_2", "Is2FA"], "PascalCase(except: others)",
                #"["URL": "url", "id_2": "id2"]"#
            ),
            (["Id", "id", "Name", "Size"], "PascalCase(except: others)", #"["id": "id_"]"#),
            (["Id", "name", "size"], nil, nil), (["ID", "URL", "UUID"], nil, nil),
            (["Id", "user_id"], "SnakeCase(except: others)", #"["Id": "id"]"#),
        ] as [([String], String?, String?)])
    func capitals(names: [String], form: String?, others: String?) throws {
        let text = try Self.server(names)
        if let form {
            #expect(text.contains("encoder.keyEncodingStrategy = .convertTo\(form)\n"), "\(text)")
            #expect(text.contains("decoder.keyDecodingStrategy = .convertFrom\(form)\n"), "\(text)")
        } else {
            #expect(!text.contains("Strategy"), "\(text)")
        }
        #expect(text.contains("private let others") == (others != nil), "\(text)")
        if let others {
            #expect(text.contains("private let others: [String: String] = \(others)\n"), "\(text)")
        }
    }

    @Test("Of two names of a property, the one that most objects have needs no coding key")
    func twoNames() throws {
        let schemas = #"""
            {"A": {"properties": {"created_at": {"type": "string"}, "b": {"$ref": "#/components/schemas/B"}, "c": {"$ref": "#/components/schemas/C"}}},
             "B": {"properties": {"created_at": {"type": "string"}, "is_on": {"type": "boolean"}}},
             "C": {"properties": {"createdAt": {"type": "string"}}}}
            """#
        let document = ##"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/": {"get": {"responses": {"200":
            {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
            "components": {"schemas": \##(schemas)}}
            """##
        let text = try files(document).values.sorted().joined()
        #expect(text.components(separatedBy: "enum CodingKeys").count == 2, "\(text)")
        #expect(text.contains(#"case createdAt = "createdAt_""#), "\(text)")
        #expect(
            text.contains(#"others: [String: String] = ["createdAt": "createdAt_"]"#), "\(text)")
    }

    @Test("The comment of a value that several requests of a file have stands at the first of them")
    func repeatedComments() throws {
        let operations = ["A", "A", "B", "A"].enumerated().map { number, tag in
            #"""
            "/\#(number)/{id}": {"get": {"operationId": "get\#(number)", "tags": ["\#(tag)"], "parameters": [
            {"in": "path", "name": "id", "required": true, "description": "\#(number == 3 ? "Another" : "What it is of")",
             "schema": {"type": "string"}}]}}
            """#
        }
        let document = #"""
            {"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": {\#(operations.joined(separator: ","))}}
            """#
        let files = try files(document)
        #expect(files["A.swift"]?.components(separatedBy: "/// What it is of").count == 2)
        #expect(files["A.swift"]?.contains("/// Another") == true)
        #expect(files["B.swift"]?.components(separatedBy: "/// What it is of").count == 2)
    }
}
