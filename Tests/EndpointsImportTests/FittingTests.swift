import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Values that fit their schema")
struct FittingTests {
    private static let schemas = ##"""
        {"Cat": {"type": "object", "required": ["kind", "lives"], "properties": {
          "kind": {"const": "cat"}, "lives": {"type": "integer"}}},
         "Dog": {"type": "object", "required": ["kind", "name"], "properties": {
          "kind": {"const": "dog"}, "name": {"type": "string"}}},
         "Any": {"type": "object", "properties": {"kind": {"type": "string"}}},
         "Shape": {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {
          "propertyName": "kind", "mapping": {"circle": "#/components/schemas/Circle"}}},
         "Circle": {"allOf": [{"$ref": "#/components/schemas/Shape"}, {"type": "object",
          "required": ["radius"], "properties": {"radius": {"type": "integer"}}}]},
         "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}}
        """##

    private static func ref(_ name: String) -> String {
        ##"{"$ref": "#/components/schemas/\##(name)"}"##
    }

    private static let pets = #"{"oneOf": [\#(ref("Cat")), \#(ref("Dog"))]}"#
    private static let tagged = #"""
        {"anyOf": [\#(ref("Cat")), \#(ref("Any"))], "discriminator": {"propertyName": "kind",
         "mapping": {"cat": "#/components/schemas/Cat"}}}
        """#

    @Test(
        "What is wrong with a value is said with the place",
        arguments: [
            ("1", #"{"type": "integer"}"#, nil), ("1.0", #"{"type": "integer"}"#, nil),
            ("1.5", #"{"type": "integer"}"#, "it is a number, and must be an integer"),
            ("1", #"{"type": "number"}"#, nil), ("1", "true", nil), ("null", "{}", nil),
            (#""a""#, #"{"type": "number"}"#, "it is a text, and must be a number"),
            ("true", #"{"type": ["string", "null"]}"#, "it is a boolean, and must be a text"),
            ("null", #"{"type": ["string", "null"]}"#, nil),
            ("null", #"{"type": "string", "nullable": true}"#, nil),
            ("null", #"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#, nil),
            ("null", #"{"type": "string"}"#, "it is null, and must be a text"),
            ("2", #"{"enum": [1, 2.0]}"#, nil),
            ("3", #"{"enum": [1, 2]}"#, "it isn't one of the values"),
            (#""2026-03-01T10:00:00+01:00""#, #"{"type": "string", "format": "date-time"}"#, nil),
            (
                #""2026-03-01""#, #"{"type": "string", "format": "date-time"}"#,
                "it isn't a date of RFC 3339"
            ),
            (#""?""#, #"{"type": "string", "format": "byte"}"#, "it isn't in base64"),
            (
                #"[1, [2, "a"]]"#,
                #"{"type": "array", "items": {"anyOf": [{"type": "integer"}, {"items": {"type": "integer"}}]}}"#,
                "its `1/1` is a text, and must be an integer"
            ),
            (#"{"a": 1}"#, #"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#, nil),
            (
                #"{"a": {}}"#,
                #"{"properties": {"a": {"required": ["b"], "properties": {"b": {}}}}}"#,
                "its `a` lacks the required `b`"
            ),
            ("{}", #"{"properties": {"a": {"writeOnly": true}}, "required": ["a"]}"#, nil),
            (
                "{}", #"{"properties": {"a": {"readOnly": true}}, "required": ["a"]}"#,
                "it lacks the required `a`"
            ),
            (#"{"a": null}"#, #"{"properties": {"a": {"type": "integer"}}}"#, nil),
            (
                #"{"a": null}"#, #"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#,
                "its `a` is null, and must be an integer"
            ),
            (#"{"b": 1}"#, #"{"properties": {"a": {}}}"#, nil),
            (
                #"{"b": 1}"#, #"{"properties": {"a": {}}, "additionalProperties": false}"#,
                "it has `b`, which isn't allowed"
            ),
            (
                #"{"b": 1}"#, #"{"additionalProperties": {"type": "string"}}"#,
                "its `b` is a number, and must be a text"
            ),
            (
                "{}",
                #"{"allOf": [{"required": ["a"]}, {"properties": {"a": {"type": "string"}}}]}"#,
                "it lacks the required `a`"
            ),
            (#"{"kind": "dog", "name": "A"}"#, pets, nil),
            (#"{"kind": "dog", "lives": 9}"#, pets, "it lacks the required `name`"),
            (#"{"kind": "dog", "name": 1}"#, pets, "its `name` is a number, and must be a text"),
            (#"{"kind": "cow"}"#, pets, "its `kind` isn't one of the values"),
            (#"{"kind": "cat"}"#, tagged, "it lacks the required `lives`"),
            (#"{"kind": "cow"}"#, tagged, nil), ("{}", tagged, nil),
            // The children of a parent with a discriminator.
            (#"{"kind": "circle", "radius": 1}"#, ref("Shape"), nil),
            (#"{"kind": "circle"}"#, ref("Shape"), "it lacks the required `radius`"),
            (
                #"{"kind": "circle", "radius": "1"}"#, ref("Shape"),
                "its `radius` is a text, and must be an integer"
            ),
            (#"{"kind": "square"}"#, ref("Shape"), nil),
            (
                #"{"next": {"next": 1}}"#, ref("Node"),
                "its `next/next` is a number, and must be an object"
            ),
        ] as [(String, String, String?)])
    func misfits(value: String, schema: String, expected: String?) throws {
        let text = #"""
            {"openapi": "3.1.0", "components": {"schemas": \#(Self.schemas)}, "schema": \#(schema)}
            """#
        let document = try Document(Data(text.utf8))
        let node = try #require(document.root["schema"])
        let json = try JSONReader.read(Data(value.utf8))
        let fitting = Fitting(document: document, isRead: true)
        #expect(try fitting.misfit(json, node)?.text == expected)
    }
}
