import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Reading a document")
struct ReadingTests {
    @Test(
        "JSON is read with its order, escapes and numbers, and written again",
        arguments: [
            (#"{"b": 1, "a": [true, null, -1.50e3]}"#, #"{"b":1,"a":[true,null,-1.50e3]}"#),
            (#""é\né \ud83d\ude00""#, #""é\né 😀""#), ("[]", "[]"), (" {} ", "{}"),
        ])
    func json(text: String, expected: String) throws {
        #expect(try JSONReader.read(Data(text.utf8)).written == expected)
    }

    @Test(
        "A text that isn't JSON is an error with its line and column",
        arguments: [
            (
                "{\n\"a\": x}",
                "line 2, column 6: a value is expected, such as a text in double quotes"
            ),
            ("[1, 2", "line 1, column 6: a `,` or a `]` is expected"),
            ("{\"a\" 1}", "line 1, column 6: a `:` is expected"),
            ("\"abc", "line 1, column 2: a string has no closing quote"),
            ("01", "line 1, column 1: a value is expected, such as a text in double quotes"),
            ("{} {}", "line 1, column 4: there is more after the end of the value"),
            (
                String(repeating: "[", count: 600),
                "line 1, column 501: there are more than 500 levels of lists and objects"
            ),
        ])
    func broken(text: String, expected: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(Data(text.utf8)) }
        #expect(error?.description == expected)
    }

    /// Why a document is refused, or the first thing of it that is skipped.
    private func fault(_ document: String) -> String? {
        let report = Report()
        do { _ = try files(document, report: report) } catch { return "\(error)" }
        return report.skipped.first?.line
    }

    @Test(
        "A broken document is refused or skipped with the pointer",
        arguments: [
            ("[]", "#: must be an object, and is a list"),
            ("{}", "#: `openapi` is missing"),
            (
                ##"{"openapi": "4.0"}"##,
                "#/openapi: the version 4.0 isn't known; known are 3.0, 3.1 and 3.2"
            ),
            (
                ##"{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"$ref": "#/x"}]}}}}"##,
                "#/paths/~1a/get/parameters/0/$ref: `#/x` isn't in the document"
            ),
            (
                #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": [{"name": 1}]}}}}"#,
                "#/paths/~1a/get/parameters/0: `in` is missing"
            ),
            (
                #"{"openapi": "3.0.0", "paths": {"/{}": {"get": {}}}}"#,
                "#/paths/~1{}/get: the parameter `` of the path isn't declared"
            ),
            (
                ##"{"openapi": "3.0.0", "a": {"$ref": "#/a"}, "paths": {"/": {"$ref": "#/a"}}}"##,
                "#/a/$ref: the references go in a circle"
            ),
            (
                "openapi: 3.0.0\npaths: {}",
                """
                #: the document is YAML, and only JSON is read; convert it first, for example by \
                `yq -o=json . api.yaml > api.json`
                """
            ),
        ])
    func document(text: String, expected: String) throws {
        let fault = fault(text)
        #expect(fault?.hasPrefix(expected) == true, "\(fault ?? "")")
    }

    @Test(
        "A broken part of an operation is skipped with the pointer",
        arguments: [
            (#""parameters": {}"#, "parameters: must be a list, and is an object"),
            (#""parameters": [1]"#, "parameters/0: must be an object, and is a number"),
            (#""parameters": [{"in": "query"}]"#, "parameters/0: `name` is missing"),
            (
                #""parameters": [{"in": "body", "name": "x"}]"#,
                "parameters/0/in: `body` isn't known; known are path, query, header and cookie"
            ),
            (
                ##""parameters": [{"$ref": "a.json#/x"}]"##,
                """
                parameters/0/$ref: `a.json` is another file, and a document without a place of its own \
                has none; give the document's file, or put all into one first, for example by \
                `npx @redocly/cli bundle api.json -o bundle.json`
                """
            ),
            (
                #""parameters": [{"in": "query", "name": "x", "schema": {"enum": "a"}}]"#,
                "parameters/0/schema/enum: must be a list, and is a text"
            ),
            (#""requestBody": 1"#, "requestBody: must be an object, and is a number"),
            (
                #""requestBody": {"content": []}"#,
                "requestBody/content: must be an object, and is a list"
            ),
            (#""responses": {"200": []}"#, "responses/200: must be an object, and is a list"),
            (
                #""responses": {"200": {"content": {"a/b": null}}}"#,
                "responses/200/content/a~1b: must be an object, and is null"
            ),
        ])
    func operation(text: String, expected: String) throws {
        let document = #"{"openapi": "3.1.0", "paths": {"/a": {"get": {\#(text)}}}}"#
        let fault = fault(document)
        #expect(fault?.hasPrefix("#/paths/~1a/get/" + expected) == true, "\(fault ?? "")")
    }

    @Test(
        "A reference leads to a name that is escaped in it, or that has escapes itself",
        arguments: [
            ("Pick_M.%22id%22_", "Pick_M.%22id%22_", "PickMId"),
            (#"Pick_M.\"id\"_"#, "Pick_M.%22id%22_", "PickMId"),
            ("Map%3Cid%3E", "Map%3Cid%3E", "MapId"), ("a%20b", "a%2520b", "AB"),
            ("100%", "100%", "_100"), ("a/b", "a%2Fb", "AB"), ("a/b", "a~1b", "AB"),
            ("a~b%7Cc", "a~0b%7Cc", "ABC"),
        ])
    func escapedNames(name: String, reference: String, type: String) throws {
        let report = Report()
        let text = try files(
            ##"""
            {"openapi": "3.0.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"operationId": "x", "responses": {"200":
             {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(reference)"}}}}}}}},
             "components": {"schemas": {"\##(name)": {"properties": {"id": {"type": "string"}}}}}}
            """##, report: report)
        #expect(report.skipped.isEmpty, "\(report.skipped.map(\.line))")
        #expect(text.values.joined().contains("struct \(type): Decodable"), "\(text)")
    }

    @Test(
        "A broken schema is skipped with the pointer",
        arguments: [
            ("5", ": must be a schema, and is a number"),
            (#"{"type": 5}"#, "/type: must be a text or a list of texts, and is a number"),
            (#"{"properties": []}"#, "/properties: must be an object, and is a list"),
            (#"{"properties": {"a": 1}}"#, "/properties/a: must be a schema, and is a number"),
            (
                #"{"properties": {"a": {}}, "required": "a"}"#,
                "/required: must be a list, and is a text"
            ),
            (#"{"allOf": {}}"#, "/allOf: must be a list, and is an object"),
            (#"{"items": 3, "type": "array"}"#, "/items: must be a schema, and is a number"),
            (
                #"{"oneOf": [{}], "discriminator": "a"}"#,
                "/discriminator: must be an object, and is a text"
            ),
            (
                ##"{"oneOf": [{"$ref": "#/components/schemas/No"}]}"##,
                "/oneOf/0/$ref: `#/components/schemas/No` isn't in the document"
            ),
        ])
    func schema(text: String, expected: String) throws {
        let document = ##"""
            {"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
            "components": {"schemas": {"A": \##(text)}}}
            """##
        let fault = fault(document)
        #expect(fault?.hasPrefix("#/components/schemas/A" + expected) == true, "\(fault ?? "")")
    }

    @Test(
        "What isn't used by an operation is checked too",
        arguments: [
            (#""info": []"#, "#/info: must be an object, and is a list"),
            (#""components": []"#, "#/components: must be an object, and is a list"),
            (
                #""components": {"schemas": 1}"#,
                "#/components/schemas: must be an object, and is a number"
            ),
            (
                #""components": {"securitySchemes": {"a": 1}}"#,
                "#/components/securitySchemes/a: must be an object, and is a number"
            ),
            (#""servers": {}"#, "#/servers: must be a list, and is an object"),
            (#""servers": [{}]"#, "#/servers/0: `url` is missing"),
            (
                #""servers": [{"url": "https://a b"}]"#,
                "#/servers/0/url: `https://a b` isn't a URL of HTTP with a host"
            ),
        ])
    func rest(text: String, expected: String) throws {
        let fault = fault(#"{"openapi": "3.0.0", \#(text)}"#)
        #expect(fault?.hasPrefix(expected) == true, "\(fault ?? "")")
    }

    @Test(
        "Schemas that lead back to themselves end",
        arguments: [
            ##"{"$ref": "#/components/schemas/A"}"##,
            ##"{"allOf": [{"$ref": "#/components/schemas/A"}]}"##,
            ##"{"type": "array", "items": {"$ref": "#/components/schemas/A/items"}}"##,
            ##"{"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A/oneOf/1"}}}], "discriminator": {"propertyName": "a"}}"##,
            ##"{"properties": {"a": {"properties": {"b": {"$ref": "#/components/schemas/A/properties/a"}}}}}"##,
        ])
    func circle(text: String) throws {
        let document = ##"""
            {"openapi": "3.1.0", "paths": {"/a": {"patch": {"requestBody": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}}},
            "components": {"schemas": {"A": \##(text)}}}
            """##
        do { _ = try files(document) } catch let error as DocumentError {
            #expect(error.description.hasPrefix("#/components/schemas/A"))
        }
    }
}
