import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Tests of a document's examples")
struct ExamplesTests {
    @Test(
        "An example becomes a test that names its place; a required parameter without one is made up",
        arguments: [
            (
                #"{"/a/{id}": {"put": {"parameters": [{"in": "path", "name": "id", "required": true, "schema": {"type": "string"}}], "requestBody": {"content": {"application/json": {"example": {"a": 1}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}"#,
                [
                    "request 1, #/paths/~1a~1{id}/put/requestBody/content/application~1json/example\")",
                    #"(id: "text", body: "#,
                ], []
            ),
            (
                #"{"/a": {"post": {"operationId": "a", "parameters": [{"in": "query", "name": "n", "required": true, "example": "true", "schema": {"type": "boolean"}}], "requestBody": {"content": {"application/json": {"examples": {"x\"y": {"value": {"b": 1}}}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}"#,
                [],
                [
                    "#/paths/~1a/post/requestBody/content/application~1json/examples/x\"y/value"
                ]
            ),
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"examples": {"x\"y": {"value": {"a": 2}}}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}}"#,
                [
                    #"response 1, #/paths/~1a/get/responses/200/content/application~1json/examples/x\"y/value")"#,
                    ##"from: #"{"a":2}"#, by: A.responseDecoder, as: A.bodyEncoder)"##,
                ],
                []
            ),
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"l": {"type": "array", "items": {"properties": {"x": {"type": "integer"}}}, "example": [{"x": 1, "y": 2}]}, "m": {"type": "integer", "example": 1}}}}}}}}}}"#,
                [##"#"[{"x":1,"y":2}]"#, hasOthers: true)"##, ##"m/example", #"1"#)"##], []
            ),
            // Also one that isn't described, and one whose type isn't a single word.
            (
                #"{"/a/{id}": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"a": 1}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}"#,
                [#"(id: "text", body: "#],
                ["#/paths/~1a~1{id}/put"]
            ),
            (
                #"{"/a": {"put": {"operationId": "a", "parameters": [{"in": "query", "name": "n", "required": true, "schema": {"type": ["integer", "null"]}}, {"in": "header", "name": "h", "required": true, "schema": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}, {"in": "query", "name": "l", "required": true, "schema": {"type": "array", "items": {"enum": ["x", "y"]}}}], "requestBody": {"content": {"application/json": {"example": {"a": 1}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}"#,
                [#"(n: 1, h: true, l: [.x], body: "#], []
            ),
            // A response without a schema isn't of the type that another one has.
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"400": {"content": {"application/json": {"example": {"m": "x"}, "schema": {"required": ["m"], "properties": {"m": {"type": "string"}}}}}}, "403": {"content": {"application/json": {"example": {"messages": []}}}}}}}}"#,
                ["#/paths/~1a/get/responses/400/content/application~1json/example"],
                ["#/paths/~1a/get/responses/403/content/application~1json/example"]
            ),
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"403": {"content": {"application/json": {"example": {"messages": []}, "schema": {}}}}, "404": {"content": {"application/json": {"example": {"m": 1}}}}}}}}"#,
                ["try read(JSONValue.self, from: #\"{\"m\":1}\"#"], []
            ),
            // A response to HEAD has no content, also if it is an error's or the default.
            (
                #"{"/a": {"head": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"example": {"m": 1}}}}, "404": {"content": {"application/json": {"example": {"m": 1}, "schema": {"type": "object"}}}}, "default": {"content": {"application/json": {"example": {}}}}}}}}"#,
                ["                A.self).isEmpty)\n    }\n}"],
                [
                    "#/paths/~1a/head/responses/200/content/application~1json/example",
                    "#/paths/~1a/head/responses/404/content/application~1json/example",
                    "#/paths/~1a/head/responses/default/content/application~1json/example",
                ]
            ),
            // A body of a GET that isn't declared isn't tested.
            (
                #"{"/a": {"get": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"m": 1}, "schema": {"type": "object", "properties": {"m": {"type": "integer"}}}}}}}}}"#,
                ["                A.self).isEmpty)\n    }\n}"],
                ["#/paths/~1a/get/requestBody"]
            ),
            // A constant that must be there is always sent, so an example without it can't be.
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"a": 1}, "schema": {"type": "object", "required": ["k"], "properties": {"k": {"const": "x"}, "a": {"type": "integer"}}}}}}}}}"#,
                [], ["#/paths/~1a/put/requestBody/content/application~1json/example"]
            ),
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"c": [{"k": "x"}, {"a": 1}]}, "schema": {"type": "object", "properties": {"c": {"type": "array", "items": {"type": "object", "required": ["k"], "properties": {"k": {"const": "x"}, "a": {"type": "integer"}}}}}}}}}}}}"#,
                [], ["#/paths/~1a/put/requestBody/content/application~1json/example"]
            ),
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"k": "x"}, "schema": {"type": "object", "required": ["k", "n"], "properties": {"k": {"enum": ["x"]}, "n": {"const": 1}}}}}}}}}"#,
                [], ["#/paths/~1a/put/requestBody/content/application~1json/example"]
            ),
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"k": "x", "a": 1}, "schema": {"type": "object", "required": ["k"], "properties": {"k": {"const": "x"}, "a": {"type": "integer"}}}}}}}}}"#,
                ["request 1"], []
            ),
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"a": 1}, "schema": {"type": "object", "properties": {"k": {"const": "x"}, "a": {"type": "integer"}}}}}}}}}"#,
                ["request 1"], []
            ),
            // What is only read isn't sent, so an example that has it can't be.
            (
                #"{"/a": {"put": {"operationId": "a", "requestBody": {"content": {"application/json": {"example": {"a": 1, "id": 2}, "schema": {"type": "object", "properties": {"a": {"type": "integer"}, "id": {"type": "integer", "readOnly": true}}}}}}}}}"#,
                [], ["#/paths/~1a/put/requestBody/content/application~1json/example"]
            ),
            // Members that the document doesn't name aren't read, so they can't be written again.
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"example": [{"a": 2, "b": 3}], "schema": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}}}}}}}}}"#,
                [##"from: #"[{"a":2,"b":3}]"#, by: A.responseDecoder)"##], []
            ),
            (
                #"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"required": ["c"], "properties": {"a": {"type": "string", "format": "date", "example": "2026-03-01"}, "b": {"type": "integer", "examples": [1, "2"]}, "c": {"properties": {"d": {"type": "array", "items": {"type": "string"}, "example": ["x"]}}}, "e": {"type": "string", "example": null}}}}}}}}}}"#,
                [
                    #"@Test("An example of each member of A.Response")"#,
                    ##"schema/properties/a/example", #""2026-03-01""#)"##,
                    "member(Day.self, ", ##"schema/properties/b/examples/0", #"1"#)"##,
                    #"@Test("An example of each member of A.Response.C")"#,
                    "member([String].self, ", ##"properties/d/example", #"["x"]"#)"##,
                ],
                [
                    "#/paths/~1a/get/responses/200/content/application~1json/schema/properties/b/examples/1"
                ]
            ),
            (
                #"{"/a": {"get": {"operationId": "old", "deprecated": true, "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"a": {"type": "integer", "example": 1}}}}}}}}}, "/b": {"get": {"operationId": "new"}}}"#,
                [
                    "\n    @available(*, deprecated)\n    @Test(\"An example of each member of Old.Response\")",
                    "\nnonisolated private func member<", "by: New.responseDecoder",
                    "catch { Testing.Issue.record(",
                ],
                []
            ),
            (
                #"{"/a": {"get": {"operationId": "a", "deprecated": true, "parameters": [{"in": "query", "name": "n", "schema": {"type": "integer"}, "examples": {"x": {"value": "one"}, "y": {"value": 1}}}], "responses": {"200": {"content": {"application/json": {"example": {"a": "2"}, "schema": {"properties": {"a": {"type": "integer"}}}}}}, "201": {"content": {"application/json": {"example": [3], "schema": {"type": "array", "items": {"type": "integer"}}}}}, "404": {"content": {"application/json": {"example": {"b": 1}, "schema": {"properties": {"b": {}}}}}}, "500": {"content": {"application/json": {"example": {"c": 1}, "schema": {"properties": {"c": {}}}}}}}}}}"#,
                [
                    "func deprecated() {",
                    "@available(*, deprecated) nonisolated private func member<",
                    "try read([Int].self, from: #\"[3]\"#",
                    "#/paths/~1a/get/responses/404/content/application~1json/example",
                    "#/paths/~1a/get/responses/500/content/application~1json/example",
                ],
                [
                    "#/paths/~1a/get/responses/200/content/application~1json/example",
                    "#/paths/~1a/get/parameters/0/examples/x/value",
                ]
            ),
        ])
    func examples(paths: String, expected: [String], notes: [String]) throws {
        let data = Data(
            #"{"openapi": "3.1.0", "info": {"title": "Shop API"}, "paths": \#(paths)}"#.utf8)
        let document = try Document(data)
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let text = try TestsWriter(plan: plan, document: document, report: report, module: "Shop")
            .text().text
        for line in expected { #expect(text.contains(line), "\(text.prefix(2000))") }
        #expect(report.notes.map(\.pointer) == notes)
    }
}
