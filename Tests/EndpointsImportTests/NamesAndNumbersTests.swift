import Testing

@testable import EndpointsImport

@Suite("Names, comments and numbers as a person would write them")
struct NamesAndNumbersTests {
    @Test(
        "A number of a query that counts something is whole",
        arguments: [
            ("limit", #""type": "number""#, "Int"), ("page_size", #""type": "number""#, "Int"),
            ("lat", #""type": "number""#, "Double"),
            ("creditLimit", #""type": "number""#, "Double"),
            ("price_from", #""type": "number""#, "Double"),
            ("lat", #""type": "number", "multipleOf": 1"#, "Int"),
            ("lat", #""type": "number", "multipleOf": 0.5"#, "Double"),
            ("lat", #""type": "number", "format": "int64""#, "Int"),
            ("limit", #""type": "number", "default": 1.5"#, "Double"),
            ("limit", #""type": "number", "format": "double""#, "Double"),
        ])
    func numbers(name: String, schema: String, type: String) throws {
        let text = try declarations(
            paths: #"""
                {"/a": {"get": {"operationId": "a", "parameters": [
                 {"in": "query", "name": "\#(name)", "schema": {\#(schema)}}]}}}
                """#)
        #expect(text.contains("var \(name.lowerCamel): \(type)?"), "\(text)")
    }

    @Test(
        "A comment goes on in the next line if its sentence does",
        arguments: [
            ("Returns the\nGitHub user. More", "Returns the GitHub user"),
            ("The user,\nAnn", "The user, Ann"),
            ("Create user\nCreates a user", "Create user"), ("First.\nSecond", "First"),
            ("The rooms of the\n\nHotel", "The rooms of the"), ("One of\n1. a", "One of"),
            (
                "The identifier by which the service finds the entry in the\nCatalogue of things",
                "The identifier by which the service finds the entry in the Catalogue of things"
            ),
        ])
    func comments(text: String, comment: String) {
        #expect(text.firstSentence == comment)
    }

    private func names(_ schemas: String, method: String = "get") throws -> String {
        try declarations(
            paths: #"""
                {"/a": {"\#(method)": {"operationId": "a", "requestBody": {"required": true,
                 "content": {"application/json": {"schema": {"$ref": "#/components/schemas/\#(
                    schemas.split(separator: "\"")[0])"}}}}}}}
                """#, schemas: "{\(schemas)}")
    }

    @Test(
        "A schema is named without what a tool adds, and not like a type of SwiftUI",
        arguments: [
            (#""PatchedUser": {"properties": {"a": {"type": "string"}}}"#, "UserChanges"),
            (
                #""PatchedUserRequest": {"properties": {"a": {"type": "string", "nullable": true}}}"#,
                "UserChanges"
            ),
            (
                #""ItemPatch": {"properties": {"a": {"type": ["string", "null"]}}}"#, "ItemChanges"
            ),
            (
                #""UserSerializerRequest": {"properties": {"a": {"type": ["string", "null"]}}}"#,
                "UserChanges"
            ),
            (#""Color": {"properties": {"a": {"type": "string"}}}"#, "ShopColor"),
        ])
    func models(schemas: String, name: String) throws {
        let text = try names(schemas, method: "patch")
        #expect(text.contains("struct \(name): Encodable"), "\(text)")
    }

    @Test(
        "A schema that is named by its changes has `null` beside what isn't sent",
        arguments: [
            #""PatchedUser": {"properties": {"a": {"type": ["string", "null"]}}}"#,
            #""PatchedUserRequest": {"properties": {"a": {"type": "string", "nullable": true}}}"#,
            #""UserChanges": {"properties": {"a": {"type": ["string", "null"]}}}"#,
            ##""User": {"properties": {"b": {"$ref": "#/components/schemas/PatchedB"}}}, "PatchedB": {"properties": {"a": {"type": ["string", "null"]}}}"##,
        ])
    func changes(schemas: String) throws {
        let text = try names(schemas, method: "patch")
        #expect(text.contains("var a: Change<String> = .keep"), "\(text)")
    }

    @Test(
        "A name that only has the letters of a day or a date needs no support for these",
        arguments: [
            ("workDays", "string", "", false), ("startDate", "string", "", false),
            ("Day_off", "integer", "", false), ("a", "string", "date", true),
        ])
    func days(name: String, type: String, format: String, needsSupport: Bool) throws {
        let files = try files(
            #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"operationId": "a",
             "responses": {"200": {"content": {"application/json": {"schema": {"type": "object",
              "properties": {"\#(name)": {"type": "object", "properties": {"x": {"type": "\#(type)",
               "format": "\#(format)"}}}}}}}}}}}}}
            """#)
        #expect((files["Support.swift"] != nil) == needsSupport, "\(files)")
        #expect(files["Server.swift"]?.contains("rfc3339") == false, "\(files)")
    }

    @Test("A schema that no operation reaches changes nothing")
    func unreached() throws {
        let paths = #"""
            {"/a": {"get": {"operationId": "list_users", "responses": {"200": {"content": {"application/json":
             {"schema": {"$ref": "#/components/schemas/User"}}}}}}}}
            """#
        let used = #""User": {"properties": {"userId": {"type": "string"}}}"#
        let text = try declarations(paths: paths, schemas: "{\(used)}")
        let others = #"""
            {"ListUsers": {"properties": {"a_b": {"type": "string"}, "c_d": {}, "e_f": {}, "g_h": {}}},
             "user": {"properties": {"user_id": {}}}, \#(used)}
            """#
        #expect(try declarations(paths: paths, schemas: others) == text)
        #expect(text.contains("struct ListUsers:") && text.contains("let userId: String?"))
    }

    @Test("Equal filters are one model, without a comment or a name of one of them")
    func filters() throws {
        let text = try declarations(
            paths: #"""
                {"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json":
                 {"schema": {"$ref": "#/components/schemas/All"}}}}}}}}
                """#,
            schemas: #"""
                {"All": {"properties": {"one": {"$ref": "#/components/schemas/FlowFilterId"},
                 "two": {"$ref": "#/components/schemas/LogFilterTaskRunId"}}},
                 "FlowFilterId": {"properties": {"any": {"type": "string", "description": "Flows to include"},
                  "n": {"type": "integer", "description": "How many"}}},
                 "LogFilterTaskRunId": {"properties": {"any": {"type": "string", "description": "Logs to include"},
                  "n": {"type": "integer", "description": "How many"}}}}
                """#)
        #expect(text.contains("struct FilterId: Decodable"), "\(text)")
        #expect(!text.contains("to include") && text.contains("/// How many"), "\(text)")
    }
}
