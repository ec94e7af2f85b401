import EndpointsOpenAPI
import Foundation
import Testing

@Suite("Documents with many schemas", .timeLimit(.minutes(1)))
struct DocumentSizeTests {
    /// A document whose only response is the schema `First`.
    static func document(_ schemas: [(name: String, schema: String)]) throws -> OpenAPIDocument {
        let all = schemas.map { #""\#($0.name)": \#($0.schema)"# }.joined(separator: ", ")
        return try OpenAPIDocument(
            data: Data(
                ##"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"responses": {"200":
                {"description": "", "content": {"application/json": {"schema": {"$ref":
                "#/components/schemas/First"}}}}}}}}, "components": {"schemas": {\##(all)}}}
                """##.utf8))
    }

    static func reference(_ name: String) -> String {
        ##"{"$ref": "#/components/schemas/\##(name)"}"##
    }

    /// Models that refer to each other's union, each with a constant of its own.
    static func union(of count: Int, last: String) throws -> OpenAPIDocument {
        let parts = (0..<count).map { reference("Model\($0)") }.joined(separator: ", ")
        let models = (0..<count).map { index in
            let type = index == count - 1 ? last : "string"
            let members = (0..<20).map { #""m\#($0)": {"type": "\#(type)"}"# }
            let schema = #"""
                {"type": "object", "required": ["type"], "properties": {"type": {"const": "t\#(index)"},
                "next": \#(reference("First")), \#(members.joined(separator: ", "))}}
                """#
            return ("Model\(index)", schema)
        }
        return try document([("First", #"{"oneOf": [\#(parts)]}"#)] + models)
    }

    @Test("The models of a union with constants are compared with those of the same constants")
    func constants() throws {
        let theirs = try Self.union(of: 300, last: "string")
        #expect(try Self.union(of: 300, last: "string").differences(from: theirs) == [])
        let differences = try Self.union(of: 300, last: "integer").differences(from: theirs)
        #expect(
            differences.map(\.reason)
                == (0..<20).map { "m\($0)" }.sorted().map {
                    "the response's `\($0)` is text there and an integer here"
                })
        let fewer = try Self.union(of: 299, last: "string").differences(from: theirs)
        #expect(
            fewer.map(\.reason) == [
                "the response's `type` may be `t299` there, which isn't known here"
            ])
    }

    /// Each schema refers twice to the next one.
    static func chain(of count: Int, last: String) throws -> OpenAPIDocument {
        let names = ["First"] + (1..<count).map { "S\($0)" }
        return try document(
            names.enumerated().map { index, name in
                let next =
                    index + 1 < count ? reference(names[index + 1]) : #"{"type": "\#(last)"}"#
                return (name, #"{"type": "object", "properties": {"a": \#(next), "b": \#(next)}}"#)
            })
    }

    @Test("A difference of a schema that many others lead to is named once")
    func chain() throws {
        let theirs = try Self.chain(of: 16, last: "string")
        let differences = try Self.chain(of: 16, last: "integer").differences(from: theirs)
        let path = Array(repeating: "a", count: 15).joined(separator: ".")
        #expect(
            differences.map(\.reason)
                == ["a", "b"].map {
                    "the response's `\(path).\($0)` is text there and an integer here"
                })
    }

    /// Each union consists of the next one, named many times.
    static func nested(_ depth: Int, last: String) throws -> OpenAPIDocument {
        let names = ["First"] + (1..<depth).map { "U\($0)" }
        return try document(
            names.enumerated().map { index, name in
                let next = index + 1 < depth ? names[index + 1] : "Last"
                let parts = (0..<8).map { part in
                    part % 2 == 0
                        ? reference(next) : #"{"anyOf": [\#(reference(next)), {"type": "null"}]}"#
                }
                return (name, #"{"oneOf": [\#(parts.joined(separator: ", "))]}"#)
            } + [
                ("Last", #"{"oneOf": [{"type": "\#(last)"}, \#(reference("Object"))]}"#),
                ("Object", #"{"type": "object", "properties": {"a": {"type": "string"}}}"#),
            ])
    }

    @Test("A union that is a part of another one many times is compared once")
    func nested() throws {
        let theirs = try Self.nested(8, last: "boolean")
        #expect(try Self.nested(8, last: "boolean").differences(from: theirs) == [])
        #expect(
            try Self.nested(8, last: "integer").differences(from: theirs).map(\.reason)
                == ["the response is a boolean there and an integer here"])
    }

    /// Schemas that lead from one to the next, and the last one.
    static func row(
        of count: Int, last: String, _ schema: (String) -> String
    ) throws -> OpenAPIDocument {
        let names = ["First"] + (1..<count).map { "S\($0)" }
        return try document(
            names.enumerated().map { index, name in
                (name, schema(index + 1 < count ? reference(names[index + 1]) : last))
            })
    }

    private static let rows: [@Sendable (String) -> String] = [
        { #"{"oneOf": [\#($0), {"type": "integer"}]}"# }, { #"{"anyOf": [\#($0)]}"# },
        { #"{"allOf": [\#($0)]}"# }, { #"{"type": "array", "items": \#($0)}"# },
        { #"{"type": "object", "properties": {"a": \#($0)}}"# },
        { #"{"type": "object", "additionalProperties": \#($0)}"# }, { $0 },
        { String($0.dropLast()) + #", "required": ["a"]}"# },
    ]

    @Test(
        "Documents whose schemas lead from one to the next thousands of times are compared",
        arguments: rows.indices)
    func deep(kind: Int) throws {
        func document(_ last: String) throws -> OpenAPIDocument {
            try Self.row(of: 2000, last: #"{"type": "\#(last)"}"#, Self.rows[kind])
        }
        let theirs = try document("string")
        #expect(try document("string").differences(from: theirs) == [])
    }

    @Test("A union that is nested 20,000 times is compared")
    func deepUnion() throws {
        let theirs = try Self.row(of: 20_000, last: #"{"type": "string"}"#, Self.rows[0])
        #expect(theirs.differences(from: theirs) == [])
    }
}
