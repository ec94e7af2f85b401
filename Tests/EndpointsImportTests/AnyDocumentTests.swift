import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

/// What people write in documents, each thing in its smallest form.
@Suite("What people write in documents")
struct AnyDocumentTests {
    /// The declarations of a document with `GET /a`, which returns the schema `M`.
    private static func read(_ schemas: String, version: String = "3.1.0") throws -> String {
        try all(
            ##"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}}}}}"##,
            schemas, version: version)
    }

    /// The same with `PUT /a`, or another method, which also sends it.
    private static func both(
        _ schemas: String, version: String = "3.1.0", method: String = "put"
    ) throws -> String {
        try all(
            ##"{"/a": {"\##(method)": {"operationId": "a", "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}, "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}}}}}"##,
            schemas, version: version)
    }

    private static func all(
        _ paths: String, _ schemas: String, version: String = "3.1.0", report: Report = Report()
    ) throws -> String {
        let document = #"""
            {"openapi": "\#(version)", "info": {"title": "S"}, "paths": \#(paths),
             "components": {"schemas": {\#(schemas)}}}
            """#
        let files = try files(document, report: report)
        return ["Requests.swift", "Models.swift"].compactMap { files[$0] }.joined()
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ")
    }

    @Test(
        "A model says what the schema says",
        arguments: [
            // Beside a reference in 3.1 (JSON Schema 2020-12, section 8.2.3.1).
            (
                ##""M": {"$ref": "#/components/schemas/B", "properties": {"x": {"type": "integer"}}, "required": ["x"]}, "B": {"properties": {"id": {"type": "string"}}}"##,
                "struct M: Decodable { let x: Int, id: String? }"
            ),
            (
                ##""M": {"properties": {"b": {"$ref": "#/components/schemas/B", "required": ["o"]}}}, "B": {"properties": {"o": {"type": "string"}}}"##,
                "let b: BValue? struct BValue: Decodable { let o: String }"
            ),
            (
                ##""M": {"properties": {"c": {"$ref": "#/components/schemas/C", "enum": ["red"]}}}, "C": {"enum": ["red", "blue"]}"##,
                "let c: String?"
            ),
            (
                ##""M": {"properties": {"c": {"$ref": "#/components/schemas/C", "description": "x", "type": ["string", "null"]}}}, "C": {"enum": ["red", "blue"]}"##,
                "let c: OrUnknown<C>?"
            ),
            // A named enum with its own values beside it.
            (
                ##""M": {"properties": {"k": {"enum": ["a", "b"], "allOf": [{"$ref": "#/components/schemas/K"}]}}}, "K": {"type": "string", "enum": ["a", "b"]}"##,
                "let k: OrUnknown<K>?"
            ),
            (
                ##""M": {"properties": {"k": {"$ref": "#/components/schemas/K", "enum": ["a", "b"]}}}, "K": {"type": "string", "enum": ["a", "b"]}"##,
                "let k: OrUnknown<K>?"
            ),
            // A discriminator whose parts share an enum: its values are the schemas' names.
            (
                ##""M": {"oneOf": [{"$ref": "#/components/schemas/P"}, {"$ref": "#/components/schemas/Q"}], "discriminator": {"propertyName": "t"}}, "T": {"enum": ["P", "Q", "R"]}, "P": {"required": ["t"], "properties": {"t": {"$ref": "#/components/schemas/T"}, "p": {"type": "integer"}}}, "Q": {"required": ["t"], "properties": {"t": {"$ref": "#/components/schemas/T"}, "q": {"type": "integer"}}}"##,
                #"Options(by: "t", .init("P", as: p), .init("Q", as: q))"#
            ),
            (
                ##""M": {"oneOf": [{"$ref": "#/components/schemas/P"}, {"$ref": "#/components/schemas/Q"}], "discriminator": {"propertyName": "t"}}, "P": {"required": ["t"], "properties": {"t": {"enum": ["a", "b"]}}}, "Q": {"required": ["t"], "properties": {"t": {"enum": ["c"]}}}"##,
                #"Options(by: "t", .init("a", "b", as: p), .init("c", as: c))"#
            ),
            // Blank enums, and enums without a type.
            (
                ##""M": {"properties": {"s": {"oneOf": [{"$ref": "#/components/schemas/S"}, {"$ref": "#/components/schemas/Blank"}, {"$ref": "#/components/schemas/Null"}]}}}, "S": {"type": "string", "enum": ["open"]}, "Blank": {"enum": [""]}, "Null": {"enum": [null]}"##,
                #"enum SValue: String { case open, empty = "" }"#
            ),
            (
                #""M": {"properties": {"s": {"anyOf": [{"enum": ["a", "b"]}, {"enum": [""]}]}}}"#,
                #"case a, b, empty = """#
            ),
            // Numbers.
            (
                #""M": {"properties": {"m": {"type": "number", "enum": [-1, 0, 1]}}}"#,
                "enum MValue: Int { case minus1 = -1, value0 = 0, value1 = 1 }"
            ),
            (
                #""M": {"properties": {"m": {"type": "integer", "enum": [-10, 10]}}}"#,
                "case minus10 = -10, value10 = 10"
            ),
            (
                #""M": {"properties": {"m": {"type": "number", "enum": [0.5, -1.5]}}}"#,
                "enum MValue: Double { case value0Point5 = 0.5, minus1Point5 = -1.5 }"
            ),
            (
                #""M": {"properties": {"m": {"type": "string", "enum": ["-1", "+1"]}}}"#,
                #"case minus1 = "-1", plus1 = "+1""#
            ),
            (
                #""M": {"required": ["u"], "properties": {"u": {"type": "integer", "format": "uint64"}}}"#,
                "let u: UInt64"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615}}}"#,
                "let u: UInt64?"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}}}"#,
                "let u: Int?"
            ),
            (#""M": {"properties": {"u": {"type": "integer", "maximum": 1e3}}}"#, "let u: Int?"),
            // As JavaScript writes the largest numbers.
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": -9223372036854776000, "maximum": 9223372036854776000}}}"#,
                "let u: Int?"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": 0, "maximum": 18446744073709552000}}}"#,
                "let u: UInt64?"
            ),
            // A type of the name of the module breaks the macros of tests.
            (
                ##""M": {"properties": {"u": {"$ref": "#/components/schemas/Testing"}}}, "Testing": {"properties": {"a": {"type": "integer"}}}"##,
                "struct TestingModel"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": 0, "maximum": 9223372036854775808}}}"#,
                "let u: UInt64?"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "minimum": -9223372036854775809}}}"#,
                "let u: Decimal?"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "maximum": 99999999999999999999}}}"#,
                "let u: Decimal?"
            ),
            (
                #""M": {"properties": {"u": {"type": "integer", "maximum": 9007199254740991}}}"#,
                "let u: Int?"
            ),
            // Lists of several types, as JSON Schema wrote them before 2020-12.
            (
                #""M": {"properties": {"u": {"type": "array", "items": [{"type": "string"}, {"type": "string"}]}, "v": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}]}}}"#,
                "let u: [String]?, v: [JSONValue]?"
            ),
            // A default is sent where a value must be, and left to the server elsewhere.
            (
                #""M": {"required": ["a"], "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "integer", "default": 2}}}"#,
                "let a: Int, b: Int?"
            ),
            // Parts without a name of their own.
            (
                #""M": {"oneOf": [{"required": ["kind", "sha"], "properties": {"kind": {"type": "string"}, "note": {"type": "string"}, "sha": {"type": "string"}}}, {"properties": {"kind": {"type": "string"}, "ref": {"type": "string"}}}]}"#,
                "case sha(Sha), ref(Ref), unknown(JSONValue)"
            ),
            (
                #""M": {"oneOf": [{"properties": {"type": {"const": "cat"}, "a": {"type": "string"}}}, {"properties": {"type": {"const": "dog"}, "b": {"type": "string"}}}]}"#,
                "case cat(Cat), dog(Dog), unknown(JSONValue)"
            ),
            (
                #""M": {"oneOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "array", "items": {"type": "string"}}]}"#,
                "case map([String: String])"
            ),
            (
                #""M": {"oneOf": [{"const": "auto"}, {"properties": {"a": {"type": "integer"}}}]}"#,
                "case a(AValue), auto(String), unknown(JSONValue)"
            ),
            // `null` in all of its spellings.
            (
                #""M": {"required": ["a", "b", "c", "d", "e", "f"], "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string", "nullable": true}, "c": {"oneOf": [{"type": "string"}, {"type": "null"}]}, "d": {"type": "string", "x-nullable": true}, "e": {"anyOf": [{"type": "string"}, {"enum": [null]}]}, "f": {"anyOf": [{"type": "string"}, {"const": null}]}}}"#,
                "let a, b, c, d, e, f: String?"
            ),
            // Names of values, lists of several types, and members by a pattern.
            (
                #""M": {"properties": {"e": {"enum": [1, 2], "x-enum-varnames": ["low", "high"]}}}"#,
                "case low = 1, high = 2"
            ),
            (
                #""M": {"properties": {"e": {"enum": [null, "a", "b"], "x-enumNames": ["no", "first", "second"]}}}"#,
                #"case first = "a", second = "b""#
            ),
            (
                #""M": {"properties": {"t": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, "s": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}]}}}"#,
                "let t: [JSONValue]?, s: [String]?"
            ),
            (
                #""M": {"properties": {"p": {"type": "object", "patternProperties": {"^a": {"type": "integer"}}}, "q": {"type": "object", "patternProperties": {"^a": {"type": "integer"}, "^b": {"type": "string"}}}}}"#,
                "let p: [String: Int]?, q: [String: JSONValue]?"
            ),
            (
                #""M": {"properties": {"n": {"not": {"type": "string"}}, "c": {"const": "x"}}, "required": ["c"]}"#,
                "let n: JSONValue?, c: String"
            ),
            (
                ##""M": {"allOf": [{"$ref": "#/components/schemas/B"}, {"properties": {"b": {"type": "string"}}}], "additionalProperties": false}, "B": {"properties": {"a": {"type": "string"}}}"##,
                "struct M: Decodable { let a, b: String? }"
            ),
            // Letters of every script, and words of Swift.
            (
                #""M": {"properties": {"höhe": {"type": "integer"}, "名": {"type": "string"}, "имя": {"type": "string", "enum": ["да", "нет"]}}}"#,
                "let höhe: Int?, 名: String?, имя: OrUnknown<Имя>?"
            ),
            (
                #""M": {"properties": {"名": {"enum": ["一", "二"]}}}"#,
                "let 名: OrUnknown<名Value>? enum 名Value: String { case 一, 二 }"
            ),
            // Comments.
            (
                #""M": {"properties": {"a": {"type": "string", "description": "What it costs. In cents."}, "b": {"type": "string", "description": "The b"}}}"#,
                "/// What it costs let a: String? let b: String?"
            ),
        ])
    func models(schemas: String, expected: String) throws {
        let text = try Self.read(schemas)
        #expect(text.contains(expected), "\(text)")
    }

    @Test("Beside a reference in 3.0, only that it may be null is read, as many write it there")
    func nullable() throws {
        let schemas =
            ##""M": {"required": ["b", "c"], "properties": {"b": {"$ref": "#/components/schemas/B", "nullable": true}, "c": {"$ref": "#/components/schemas/B"}}}, "B": {"properties": {"x": {"type": "string"}}}"##
        #expect(try Self.read(schemas, version: "3.0.3").contains("let b: B?, c: B"))
    }

    @Test("Beside a reference in 3.0 nothing is read")
    func siblings30() throws {
        let text = try Self.read(
            ##""M": {"properties": {"b": {"$ref": "#/components/schemas/B", "type": "number", "properties": {"x": {}}}}}, "B": {"properties": {"v": {"type": "number"}}}"##,
            version: "3.0.0")
        #expect(text.contains("let b: B?"))
    }

    @Test(
        "A part that only adds null to the types of a reference beside it says that it may be null",
        arguments: [
            (
                ##""allOf": [{"$ref": "#/components/schemas/B"}, {"type": ["object", "null"]}]"##,
                "let b: B?"
            ),
            (
                ##""allOf": [{"type": ["null", "object"]}, {"$ref": "#/components/schemas/B"}]"##,
                "let b: B?"
            ),
            (
                ##""type": ["object", "null"], "allOf": [{"$ref": "#/components/schemas/B"}]"##,
                "let b: B?"
            ),
            (
                ##""allOf": [{"$ref": "#/components/schemas/B"}, {"type": ["object"]}]"##,
                "let b: B }"
            ),
            (##""type": "object", "allOf": [{"$ref": "#/components/schemas/B"}]"##, "let b: B }"),
        ])
    func nullParts(member: String, expected: String) throws {
        let text = try Self.read(
            #""M": {"required": ["b"], "properties": {"b": {\#(member)}}}, "B": {"type": "object", "properties": {"v": {"type": "number"}}}"#,
            version: "3.1.0")
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        "What only one direction has is declared for it",
        arguments: [
            (
                ##""M": {"required": ["id", "pass", "n"], "properties": {"id": {"type": "integer", "readOnly": true}, "pass": {"type": "string", "writeOnly": true}, "n": {"$ref": "#/components/schemas/N"}}}, "N": {"required": ["key"], "properties": {"key": {"type": "string", "writeOnly": true}}}"##,
                "nonisolated struct MInput: Encodable { let pass: String, n: NInput } nonisolated struct M: Decodable { let id: Int, n: N }"
            ),
            (
                ##""M": {"properties": {"r": {"allOf": [{"$ref": "#/components/schemas/R"}], "readOnly": true}}}, "R": {"properties": {"x": {"type": "string", "readOnly": true}}}"##,
                "nonisolated struct M: Codable { var r: R? } nonisolated struct R: Codable { var x: String? }"
            ),
            (
                ##""M": {"properties": {"r": {"type": "array", "items": {"$ref": "#/components/schemas/R"}, "readOnly": true}}}, "R": {"properties": {"x": {"type": "string"}}}"##,
                "nonisolated struct R: Codable"
            ),
            (
                ##""M": {"properties": {"r": {"type": "object", "writeOnly": true, "additionalProperties": {"$ref": "#/components/schemas/R"}}}}, "R": {"properties": {"x": {"type": "string"}}}"##,
                "nonisolated struct R: Codable"
            ),
            // A parent with a discriminator is one of its children.
            (
                ##""M": {"properties": {"d": {"$ref": "#/components/schemas/D"}}}, "D": {"properties": {"t": {"type": "string"}}, "discriminator": {"propertyName": "t", "mapping": {"F": "#/components/schemas/F"}}}, "F": {"allOf": [{"$ref": "#/components/schemas/D"}, {"properties": {"f": {"type": "string"}}}]}"##,
                #"enum D: OneOf { case f(F), unknown(JSONValue) static let options = Options(by: "t", .init("F", as: f)) }"#
            ),
            (
                ##""M": {"properties": {"t": {"type": "string"}}, "discriminator": {"propertyName": "t"}}, "F": {"allOf": [{"$ref": "#/components/schemas/M"}]}, "G": {"allOf": [{"$ref": "#/components/schemas/F"}]}"##,
                #"static let options = Options(by: "t", .init("F", "G", as: f))"#
            ),
            // A parent that its own discriminator names.
            (
                ##""M": {"required": ["t"], "properties": {"t": {"type": "string"}, "m": {"type": "integer"}}, "discriminator": {"propertyName": "t", "mapping": {"plain": "#/components/schemas/M", "F": "#/components/schemas/F"}}}, "F": {"allOf": [{"$ref": "#/components/schemas/M"}, {"properties": {"f": {"type": "string"}}}]}"##,
                #"enum M: OneOf { case plain(Plain), f(F), unknown(JSONValue) static let options = Options(by: "t", .init("plain", as: plain), .init("F", as: f)) struct Plain: Codable { let t: String var m: Int? } }"#
            ),
            (
                ##""M": {"properties": {"t": {"type": "string"}}, "discriminator": {"propertyName": "t", "mapping": {"x": "M", "y": "M", "F": "F"}}}, "F": {"allOf": [{"$ref": "#/components/schemas/M"}, {"properties": {"f": {"type": "string"}}}]}"##,
                #"case x(X), f(F), unknown(JSONValue) static let options = Options(by: "t", .init("x", "y", as: x), .init("F", as: f))"#
            ),
            // A union that is itself as one of its parts, at once or through another one.
            (
                ##""M": {"oneOf": [{"$ref": "#/components/schemas/M"}, {"$ref": "#/components/schemas/A"}, {"type": "integer"}]}, "A": {"properties": {"a": {"type": "string"}}}"##,
                "enum M: OneOf { case number(Int), a(A), unknown(JSONValue)"
            ),
            (
                ##""M": {"oneOf": [{"$ref": "#/components/schemas/N"}, {"type": "integer"}]}, "N": {"anyOf": [{"$ref": "#/components/schemas/M"}, {"type": "array", "items": {"$ref": "#/components/schemas/M"}}]}"##,
                "enum N: OneOf { case list([M]), unknown(JSONValue)"
            ),
            // A circle of lists.
            (
                ##""M": {"properties": {"a": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}, "A": {"properties": {"b": {"type": "array", "items": {"$ref": "#/components/schemas/M"}}}}"##,
                "nonisolated struct M: Codable, Sendable { var a: [A]? } nonisolated struct A: Codable, Sendable"
            ),
            // A named list or map whose elements lead back to it.
            (
                ##""M": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}, "A": {"properties": {"b": {"$ref": "#/components/schemas/M"}}}"##,
                "nonisolated struct A: Codable, Sendable { var b: [A]? }"
            ),
            (
                ##""M": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/A"}}, "A": {"properties": {"b": {"$ref": "#/components/schemas/M"}}}"##,
                "nonisolated struct A: Codable, Sendable { var b: [String: A]? }"
            ),
            (
                ##""M": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}, "A": {"oneOf": [{"$ref": "#/components/schemas/L"}, {"$ref": "#/components/schemas/G"}], "discriminator": {"propertyName": "t"}}, "L": {"properties": {"t": {"type": "string"}}}, "G": {"properties": {"t": {"type": "string"}, "all": {"$ref": "#/components/schemas/M"}}}"##,
                "struct G: Codable, Sendable { var t: String?, all: [A]? }"
            ),
            (
                ##""M": {"type": "array", "items": {"$ref": "#/components/schemas/M"}}"##,
                "let body: [JSONValue]"
            ),
            // A member without a name of its own that two models have by `allOf`, one in the other.
            (
                ##""M": {"allOf": [{"$ref": "#/components/schemas/S"}, {"properties": {"id": {"type": "string"}}}]}, "S": {"properties": {"f": {"type": "array", "items": {"properties": {"s": {"$ref": "#/components/schemas/S"}}}}}}"##,
                "nonisolated struct S: Codable, Sendable { var f: [F]? } nonisolated struct F: Codable, Sendable { var s: S? }"
            ),
        ])
    func directions(schemas: String, expected: String) throws {
        let text = try Self.both(schemas)
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        "A PATCH sends nothing that the caller didn't set, at any depth",
        arguments: [
            (
                #""M": {"properties": {"c": {"type": "integer", "default": 1}, "i": {"type": "object", "properties": {"on": {"type": "boolean", "default": true}, "b": {"type": ["string", "null"]}}}}}"#,
                "struct I: Encodable { var on: Bool?, b: Change<String> = .keep }"
            ),
            (
                ##""M": {"properties": {"l": {"type": "array", "items": {"$ref": "#/components/schemas/N"}}}}, "N": {"properties": {"x": {"type": "integer", "nullable": true}}}"##,
                "struct NChanges: Encodable { var x: Change<Int> = .keep }"
            ),
            (
                #""M": {"properties": {"c": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}"#,
                "struct MChanges: Encodable { var c: Change<Int> = .keep }"
            ),
            (
                ##""M": {"properties": {"c": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/N"}]}}}, "N": {"type": "object", "properties": {"x": {"type": "integer"}}}"##,
                "struct MChanges: Encodable { var c: Change<N> = .keep }"
            ),
            (
                #""M": {"properties": {"c": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"enum": [null]}]}}}"#,
                "Change<"
            ),
            (
                ##""M": {"required": ["n"], "properties": {"n": {"type": "integer", "default": 3}}}"##,
                "struct MChanges: Encodable { let n: Int }"
            ),
        ])
    func patches(schemas: String, expected: String) throws {
        let text = try Self.both(schemas, method: "patch")
        #expect(text.contains(expected), "\(text)")
    }

    private static func json(_ schema: String, _ type: String = "application/json") -> String {
        #"{"/a": {"post": {"operationId": "a", "requestBody": {"required": true, "content": {"\#(type)": {"schema": \#(schema)}}}, "responses": {"200": {"content": {"\#(type)": {"schema": \#(schema)}}}, "400": {"content": {"application/json": {"schema": \#(schema)}}}}}}}"#
    }

    @Test(
        "A body, a response and an error in JSON are JSON, also texts and bytes",
        arguments: [
            (#"{"type": "string"}"#, "let body: InJSON<String>", "throws -> String {"),
            (
                #"{"type": "string", "format": "uuid"}"#, "let body: InJSON<String>",
                "throws -> String {"
            ),
            (
                #"{"type": "string", "format": "byte"}"#, "let body: InJSON<Data>",
                "throws -> Data {"
            ),
            (
                #"{"type": "string", "format": "date-time"}"#, "let body: Date",
                "typealias Response = Date"
            ),
            (#"{"type": ["string", "null"]}"#, "let body: OrNull<String>", "throws -> String? {"),
            (
                #"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, "let body: Body",
                "case number(Int), text(String)"
            ),
            (
                #"{"type": "array", "items": {"type": "string", "format": "byte"}}"#,
                "let body: [Data]", "typealias Response = [Data]"
            ),
        ])
    func jsonTexts(schema: String, body: String, response: String) throws {
        let text = try Self.all(Self.json(schema), "")
        #expect(text.contains(body) && text.contains(response), "\(text)")
        let vendor = try Self.all(Self.json(schema, "application/vnd.x+json"), "")
        #expect(
            vendor.contains(body) && vendor.contains(#"[.contentType: "application/vnd.x+json""#))
    }

    @Test(
        "A request asks for the media type of its response",
        arguments: [
            (
                "application/vnd.acme.v2+json", #"{"type": "object"}"#,
                #".accept: "application/vnd.acme.v2+json""#
            ),
            ("application/hal+json", #"{"type": "object"}"#, #".accept: "application/hal+json""#),
            (
                "application/json;version=2", #"{"type": "object"}"#,
                #".accept: "application/json;version=2""#
            ),
            ("text/csv", #"{"type": "string"}"#, #".accept: "text/csv""#),
            ("image/png", #"{"type": "string", "format": "binary"}"#, #".accept: "image/png""#),
        ])
    func accept(type: String, schema: String, expected: String) throws {
        let text = try Self.all(
            #"{"/a": {"get": {"responses": {"200": {"content": {"\#(type)": {"schema": \#(schema)}}}}}}}"#,
            "")
        #expect(text.contains(expected), "\(text)")
    }

    @Test("An operation that needs no security sends no key of the server's")
    func withoutSecurity() throws {
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"security": []}}},
             "components": {"securitySchemes": {"a": {"type": "apiKey", "in": "header", "name": "X-Key"},
             "b": {"type": "http", "scheme": "bearer"}, "c": {"type": "apiKey", "in": "cookie", "name": "s"}}}}
            """#
        let text = try files(document)["Requests.swift"] ?? ""
        #expect(
            text.contains(#"headers: ["X-Key": nil, .authorization: nil, .cookie: nil]"#), "\(text)"
        )
    }

    @Test("A name that begins with x- is one, where names are the API's")
    func namesLikeExtensions() throws {
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"operationId": "a",
             "parameters": [{"in": "query", "name": "q", "content": {"x-world/x+json": {"schema": {"type": "object"}}}}],
             "responses": {"200": {"content": {"x-world/x-vrml": {"schema": {"type": "string"}}}},
              "204": {"headers": {"x-total": {"schema": {"type": "integer"}}}}}}}},
             "components": {"securitySchemes": {"x-token": {"type": "apiKey", "in": "header", "name": "x-token"}}}}
            """#
        let files = try files(document)
        let text = files["Requests.swift"] ?? ""
        #expect(files["Server.swift"]?.contains(#"[("x-token", token)]"#) == true)
        #expect(text.contains(#".query("q", path: \.q, encoding: .json)"#), "\(text)")
        #expect(text.contains(#".accept: "x-world/x-vrml""#), "\(text)")
        #expect(text.contains("WithHTTPResponse<Data?>"), "\(text)")
    }

    @Test(
        "One bad operation is one skipped operation",
        arguments: [
            (
                #""/b/{id}": {"get": {"parameters": [{"name": "id", "in": "query"}]}}"#,
                "get /b/{id}"
            ),
            (#""/b": {"get": {"$ref": "a.yml"}}"#, "get /b"),
            (#""/b": {"get": {"parameters": "x"}}"#, "get /b"),
            (
                #""/b": {"get": {"parameters": [{"name": "x", "in": "body", "required": true}]}}"#,
                "get /b"
            ),
            (
                ##""/b": {"post": {"requestBody": {"$ref": "#/components/requestBodies/x"}}}"##,
                "post /b"
            ),
            (#""/b": {"get": 5}"#, "get /b"), (#""/b": 5"#, "/b"),
            (#""/b/../c": {"get": {}}"#, "get /b/../c"),
            (
                ##""/b": {"get": {"responses": {"200": {"$ref": "https://example.com/x.json"}}}}"##,
                "get /b"
            ),
        ])
    func badOperations(item: String, handle: String) throws {
        let report = Report()
        let text = try Self.all(
            #"{"/a": {"get": {"operationId": "good"}}, \#(item)}"#, "", report: report)
        #expect(text.contains("struct Good: SRequest"))
        #expect(text.components(separatedBy: "static let endpoint").count == 2, "\(text)")
        #expect(report.skipped.count == 1)
        #expect(
            report.skipped.first?.reason.contains(
                "`\(handle)` isn't declared: write \"\(handle)\" in `leaveOut`")
                == true, "\(report.skipped)")
    }

    @Test("A member that is wrong is any value, and the rest is declared")
    func badMember() throws {
        let report = Report()
        let text = try Self.all(
            ##"{"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}}}}}"##,
            ##""M": {"properties": {"good": {"type": "string"}, "bad": {"$ref": "#/nowhere"}}}"##,
            report: report)
        #expect(
            text.contains("struct M: Decodable { let good: String?, bad: JSONValue? }"), "\(text)")
        #expect(report.skipped.map(\.pointer) == ["#/components/schemas/M/properties/bad/$ref"])
    }

    @Test(
        "An error response that is wrong is any value, and its operation is declared",
        arguments: [
            ##""404": {"$ref": "#/components/responses/None"}"##,
            ##""default": {"content": {"application/json": {"schema": {"$ref": "b.json"}}}}"##,
            #""4XX": {"content": 5}"#,
        ])
    func badError(response: String) throws {
        let report = Report()
        let text = try Self.all(
            #"""
            {"/a": {"get": {"operationId": "a", "responses": {"200": {}, \#(response)}}},
             "/b": {"get": {"operationId": "b", "responses": {"200": {}, "400": {"content":
              {"application/json": {"schema": {"properties": {"code": {"type": "integer"}}}}}}}}}}
            """#, "", report: report)
        #expect(text.contains("struct A: SCall {"), "\(text)")
        #expect(text.contains("typealias ErrorResponse = JSONValue"), "\(text)")
        #expect(text.contains("struct B: SRequest {"), "\(text)")
        #expect(report.skipped.map(\.reason).allSatisfy { $0.hasSuffix("as a `JSONValue`") })
        #expect(report.skipped.count == 1)
    }

    @Test("The usual error response is any value if it is wrong")
    func badUsualError() throws {
        let report = Report()
        let document = ##"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"operationId": "a",
             "responses": {"200": {}, "500": {"content": {"application/json": {"schema":
             {"$ref": "#/components/schemas/M"}}}}}}}}, "components": {"schemas": {"M": {"allOf": [7]}}}}
            """##
        let all = try files(document, report: report)
        #expect(all["Server.swift"]?.contains("ErrorResponse == JSONValue") == true)
        #expect(all["Requests.swift"]?.contains("struct A: SRequest") == true)
        #expect(report.skipped.map(\.reason).allSatisfy { $0.hasSuffix("as a `JSONValue`") })
    }

    @Test("A server that is wrong is skipped, and the others are declared")
    func servers() throws {
        let report = Report()
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "servers": [{"url": "/api/{ver}", "description": "One",
             "variables": {"ver": {"default": "v2"}}}, {"url": "//api.example.com/v1", "description": "Two"},
             {"url": "", "description": "Three server"},
             {"url": "https://{agent}", "variables": {"agent": {"default": "{your-agent}"}}}, {}], "paths": {}}
            """#
        let text = try files(document, report: report)["Server.swift"] ?? ""
        #expect(
            text.contains(
                #"static func one(at host: URL, ver: String = "v2") throws -> SServer {"#),
            "\(text)")
        #expect(text.contains(#"try SServer(baseUrl: .server(then: "/api/\(ver)", at: host))"#))
        #expect(text.contains(#"URL(string: "//api.example.com/v1", relativeTo: host)"#))
        #expect(
            text.contains("func three(at host: URL) -> SServer {\n        SServer(baseUrl: host)"))
        #expect(report.skipped.map(\.pointer) == ["#/servers/3/url", "#/servers/4"])
    }

    @Test("A call is made of values as texts in a parameter, and as they are in a body")
    func calls() throws {
        let document = try Document(
            Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {
                 "/a": {"get": {"operationId": "a", "parameters": [{"in": "query", "name": "m", "schema": {"enum": [1, "b", true]}}]}},
                 "/b": {"post": {"operationId": "b", "requestBody": {"required": true, "content": {
                  "application/json": {"schema": {"type": "string", "enum": ["1", "2"]}}}}}},
                 "/c": {"post": {"operationId": "c", "requestBody": {"content": {
                  "application/x-www-form-urlencoded": {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}}}}},
                 "/d": {"post": {"operationId": "d", "requestBody": {"required": true, "content": {"application/json": {"schema":
                  {"type": "object", "required": ["any"], "properties": {"any": {}, "default": {"type": "string"}}}}}}}},
                 "/e": {"post": {"operationId": "e", "requestBody": {"required": true, "content": {"application/json": {"schema":
                  {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}}}}}}}
                """#.utf8))
        let values = try JSONReader.read(
            Data(
                #"""
                {"operations": [
                 {"method": "get", "path": "/a", "parameters": [{"in": "query", "name": "m", "value": 1}]},
                 {"method": "get", "path": "/a", "parameters": [{"in": "query", "name": "m", "value": true}]},
                 {"method": "post", "path": "/b", "body": "2"}, {"method": "post", "path": "/b", "body": 2},
                 {"method": "post", "path": "/c", "body": {"x": "y"}},
                 {"method": "post", "path": "/d", "body": {"any": null, "default": "x"}},
                 {"method": "post", "path": "/e", "body": {"a": null}}]}
                """#.utf8))
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let text = try CallsWriter(plan: plan, report: report).text(Node(values))
        for call in [
            "A(m: ._1)", "A(m: .true)", "B(body: ._2)", #"C(fields: ["x": "y"])"#,
            #"D(body: D.Body(any: JSONValue.null, default: "x"))"#,
        ] {
            #expect(text.contains("try make(\(call))"), "\(text)")
        }
        #expect(report.skipped.map(\.pointer) == ["#/operations/3", "#/operations/6"])
    }

    @Test("A call and an example have the members of a form's field that are fields themselves")
    func membersOfFields() throws {
        let document = try Document(
            Data(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {
                 "/a": {"post": {"operationId": "a", "requestBody": {"content": {"multipart/form-data": {
                  "example": {"data": {"p": "z"}}, "schema": {"type": "object", "properties": {
                   "data": {"type": "object", "properties": {"p": {"type": "string"}}}}},
                  "encoding": {"data": {"style": "form"}}}}}}},
                 "/b": {"post": {"operationId": "b", "requestBody": {"content": {"application/x-www-form-urlencoded": {
                  "schema": {"type": "object", "properties": {
                   "data": {"type": "object", "properties": {"p": {"type": "string"}}}}},
                  "encoding": {"data": {"style": "form"}}}}}}}}}
                """#.utf8))
        let values = try JSONReader.read(
            Data(
                #"""
                {"operations": [{"method": "post", "path": "/a", "body": {"data": {"p": "x"}}},
                 {"method": "post", "path": "/b", "body": {"data": {"p": "y"}}}]}
                """#.utf8))
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let calls = try CallsWriter(plan: plan, report: report).text(Node(values))
        #expect(calls.contains(#"A(p: "x")"#) && calls.contains(#"B(p: "y")"#), "\(calls)")
        let tests = TestsWriter(plan: plan, document: document, report: report, module: "S")
        #expect(try tests.text().text.contains(#"A(p: "z")"#))
        #expect(report.notes.isEmpty, "\(report.notes)")
    }

    @Test(
        "A part of a union that must have what is only read is sent without it",
        arguments: [
            (#"{"a": "x"}"#, #"A.Body.one(One(a: "x"))"#), (#"{"b": 1}"#, "A.Body.two(Two(b: 1))"),
            (#"{"a": "x", "id": "y"}"#, nil),
        ])
    func unionWithReadOnly(body: String, expected: String?) throws {
        let document = try Document(
            Data(
                ##"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"post": {"operationId": "a", "requestBody":
                 {"required": true, "content": {"application/json": {"schema": {"oneOf": [
                  {"$ref": "#/components/schemas/One"}, {"$ref": "#/components/schemas/Two"}]}}}}}}},
                 "components": {"schemas": {
                  "One": {"type": "object", "required": ["a", "id"], "properties": {
                   "a": {"type": "string"}, "id": {"type": "string", "readOnly": true}}},
                  "Two": {"type": "object", "properties": {"b": {"type": "integer"}}}}}}
                """##.utf8))
        let values = try JSONReader.read(
            Data(#"{"operations": [{"method": "post", "path": "/a", "body": \#(body)}]}"#.utf8))
        let report = Report()
        let plan = try Plan(document, try Overrides(Data("{}".utf8)), report) { _ in true }
        let text = try CallsWriter(plan: plan, report: report).text(Node(values))
        if let expected {
            #expect(text.contains(expected), "\(text)")
        }
        #expect(report.skipped.isEmpty == (expected != nil), "\(report.skipped)")
    }

    @Test("Files that this command writes itself are never those of a tag")
    func tags() throws {
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"tags": ["Calls"]}},
             "/b": {"get": {"tags": ["models"]}}, "/c": {"get": {"tags": ["Main"]}},
             "/d": {"get": {"tags": ["Support"]}}}}
            """#
        #expect(
            try files(document).keys.sorted() == [
                "CallsRequests.swift", "MainRequests.swift", "ModelsRequests.swift", "Server.swift",
                "SupportRequests.swift",
            ])
    }

    @Test(
        "A name is one that a person would have chosen",
        arguments: [
            ("/repo/{o}/{r}", "get", "read_repo_repo__o___r__get", "ReadRepo"),
            ("/events", "get", "events_events_get", "GetEvents"),
            ("/event_ids", "get", "event_ids_event_ids_get", "GetEventIds"),
            ("/events/filter", "get", "filter_events_events_filter_get", "FilterEvents"),
            ("/events", "post", "events_events_post", "Events"),
            ("/pools/{o}/get_runs", "post", "get_runs_pools__o__get_runs_post", "GetRuns"),
            ("/runs/{o}/logs", "get", "download_logs_runs__o__logs_get", "DownloadLogs"),
            ("/events/{o}/end", "put", "end_event_events__o__end_put", "EndEvent"),
            ("/zoo/v1/pets/{o}", "patch", "update_pets_zoo_v1_pets__o__patch", "UpdatePets"),
            ("/pets", "get", "list_pets_get", "ListPets"),
            ("/pets", "post", "create_pets_post", "CreatePet"),
            ("/pets/{o}", "put", "update_pets__o__put", "UpdatePet"),
            ("/sync", "post", "sync_sync_post", "Sync"),
            ("/users", "get", "UsersController_findAll", "FindAllUsers"),
            // What names nothing.
            ("/v1/pets/{o}", "get", "55ea81cc486b4660a8c518109ef38bec", "GetPet"),
            ("/pets", "put", "b4a2f334-2be3-4dee-a2ab-660584ebab08", "PutPets"),
            ("/pets/{o}/owners", "get", "17", "GetPetOwners"),
            ("/api/v1/odata/pets", "get", "api/v{v:apiVersion}/odata/Pets", "GetOdataPets"),
            ("/pets", "get", "deadbeefcafefade", "Deadbeefcafefade"),
            ("/pets", "get", "decade2020", "Decade2020"),
            // A service of gRPC.
            ("/pets", "post", "PetService_Create", "CreatePet"),
            ("/pets/destroy", "post", "PetService_Destroy", "DestroyPet"),
            ("/pets/detail", "post", "PetService_Detail", "PetDetail"),
            ("/pets", "get", "ZooPetService_ListPets", "ListPets"),
            ("/pets", "get", "Service_List", "ListServices"),
            ("/pets", "get", "petService_count", "PetServiceCount"),
            ("/users", "get", "UsersController_index", "ListUsers"),
            ("/users/{o}", "post", "UserInvitesController_resend", "ResendUserInvite"),
            // Django REST framework and TypeSpec.
            ("/pets", "get", "pets_list", "ListPets"),
            ("/pets/{o}", "get", "pets_retrieve", "GetPet"),
            ("/pets/{o}", "patch", "pets_partial_update", "PatchPet"),
            ("/pets", "delete", "zoo_pets_bulk_destroy", "BulkDeleteZooPets"),
            ("/pets", "patch", "pets_bulk_partial_update", "BulkPatchPets"),
            ("/settings", "get", "settings_retrieve", "GetSettings"),
            ("/series/{o}", "put", "series_update", "UpdateSeries"),
            ("/pets/{o}", "get", "Pets_read", "ReadPet"),
            ("/pets", "post", "create_status_update", "CreateStatusUpdate"),
            ("/pets", "get", "weather_update", "WeatherUpdate"),
            ("/pets", "post", "Pets_partialUpdate", "PatchPets"),
            // A group before the name.
            ("/pets", "get", "Pets_listPets", "ListPets"),
            ("/pets", "get", "Zoo_Pets_getPetStatus", "GetPetStatus"),
            ("/pets/{o}", "get", "Pets_getStatus", "GetPetStatus"),
            ("/pets", "get", "pets_get-many", "GetManyPets"),
            ("/pets", "post", "templates.saveTemplateVersion", "SaveTemplateVersion"),
            ("/pets", "post", "Pets_reorderPets", "ReorderPets"),
            ("/pets", "get", "scoresV3_getManyV3", "GetManyScoresV3"),
            ("/health", "get", "health_health", "Health"),
            ("/pets/{o}", "get", "PetsByIdController_getById", "GetPetsByIdById"),
            ("/api/pets/", "get", "pet_list", "ListPets"),
            ("/pets/{o}/", "put", "zoo_pets_update", "UpdateZooPet"),
            ("/login", "post", "auth_tokenLogin", "AuthTokenLogin"),
            ("/pets", "get", "repos/list-for-org", "ReposListForOrg"),
            // Java's methods.
            ("/api/v1/pets/{o}", "put", "update_1", "UpdatePet"),
            ("/pets/{o}/activate", "post", "activate", "ActivatePet"),
            ("/pets", "get", "list", "ListPets"),
            ("/auth/login", "post", "login", "Login"),
            // Controllers of Laravel, and versions.
            ("/pets", "post", "pets.store", "CreatePet"),
            ("/pets/{o}", "get", "pets.show", "GetPet"),
            ("/pets/{o}", "delete", "v1.pets.destroy", "DeletePet"),
            ("/store", "get", "store", "Store"),
            ("/api/v1/app", "get", "v1.application.list", "ListApplications"),
            ("/v1/p", "post", "api_v1_pets_create", "CreatePet"),
            // The verb last, or the method before it.
            ("/accessRequests.create", "post", "accessRequestsCreate", "CreateAccessRequest"),
            ("/accessRequests.delete", "post", "accessRequestsDelete", "DeleteAccessRequest"),
            ("/tokens", "get", "tokens-list", "ListTokens"),
            ("/aliases/{o}", "get", "aliases#show", "GetAlias"),
            ("/users", "get", "users-me", "UsersMe"),
            ("/pets", "get", "waitList", "WaitList"),
            ("/pools/{o}/pause", "post", "pausePoolsUpdate", "PausePoolsUpdate"),
            ("/start", "post", "post_startAuth", "StartAuth"),
            ("/a/chat", "get", "getchat", "GetChat"), ("/a/b", "get", "getter", "Getter"),
            // An identifier that says the path again.
            ("/pets/{o}/owners", "get", "GetPetsOOwners", "GetPetOwners"),
            ("/v1/pets/{o}/feed", "post", "pets_post_by_o_feed", "PostPetFeed"),
            ("/pets/{o}/owners", "get", "getOwners", "GetOwners"),
            ("/agents", "get", "get_pets_v1_pets_get", "GetPets"),
            ("/by-alias/{o}", "get", "getPetByAlias", "GetPetByAlias"),
            // Sentences.
            ("/pets", "get", "List a Pet's Owners", "ListPetOwners"),
            ("/pets", "get", "Get the owners' pets", "GetOwnersPets"),
            ("/users", "get", "list_users", "ListUsers"),
            ("/größe", "get", "größeLesen", "GrößeLesen"),
            ("/a", "get", "получитьОбъект", "ПолучитьОбъект"),
        ])
    func names(path: String, method: String, identifier: String, expected: String) throws {
        let parameters = ["o", "r"].map {
            #"{"in": "path", "name": "\#($0)", "schema": {"type": "string"}}"#
        }.joined(separator: ", ")
        let text = try Self.all(
            #"{"\#(path)": {"\#(method)": {"operationId": "\#(identifier)", "parameters": [\#(path.contains("{") ? parameters : "")]}}}"#,
            "")
        #expect(text.contains("struct \(expected): SRequest"), "\(text)")
    }

    @Test(
        "A header's value has its name without the X-, unless another value has it",
        arguments: [
            ("/a", "X-Request-ID", #"["X-Request-ID": .field(path: \.requestId)]"#),
            ("/a/{requestID}", "X-Request-ID", #"["X-Request-ID": .field(path: \.xRequestId)]"#),
            ("/a", "x-2", #"["x-2": .field(path: \.x2)]"#),
            ("/a", "X-Body", #"["X-Body": .field(path: \.xBody)]"#),
        ])
    func headerNames(path: String, name: String, expected: String) throws {
        let text = try Self.all(
            #"""
            {"\#(path)": {"get": {"operationId": "a", "parameters": [
             {"in": "header", "name": "\#(name)", "schema": {"type": "string"}},
             {"in": "\#(path == "/a" ? "query" : "path")", "name": "\#(path == "/a" ? "q" : "requestID")",
              "required": true, "schema": {"type": "string"}}]}}}
            """#, "")
        #expect(text.contains(expected), "\(text)")
    }

    @Test("The body that FastAPI makes of a function's parameters has the operation's name")
    func fastAPIBodies() throws {
        let text = try Self.all(
            ##"""
            {"/items/filter": {"post": {"operationId": "read_items_items_filter_post", "requestBody": {"required": true, "content":
             {"application/json": {"schema": {"$ref": "#/components/schemas/Body_read_items_items_filter_post"}}}}}}}
            """##,
            #""Body_read_items_items_filter_post": {"properties": {"a": {"type": "integer"}}}, "Body_other": {"type": "object", "properties": {"b": {"type": "integer"}}}"#
        )
        #expect(text.contains("struct ReadItemsBody: Encodable"), "\(text)")
    }

    @Test(
        "What may be missing or null isn't of a type that is named like the whole body or response",
        arguments: [
            (false, #""allOf": [OBJECT]"#, "var body: Content?", "typealias Response = Content?"),
            (
                false, #""allOf": [{"allOf": [OBJECT]}], "description": "a""#,
                "var body: Content?", "typealias Response = Content?"
            ),
            (
                true, #""nullable": true, "allOf": [OBJECT]"#,
                "let body: OrNull<Content>", "typealias Response = Content?"
            ),
            (true, #""allOf": [OBJECT]"#, "let body: Body", "struct Response: Decodable {"),
        ])
    func optionalParts(isRequired: Bool, schema: String, body: String, response: String) throws {
        let object = #"{"type": "object", "properties": {"a": {"type": "string"}}}"#
        let content = """
            "content": {"application/json": {"schema": {\(
                schema.replacingOccurrences(of: "OBJECT", with: object))}}}
            """
        let others = isRequired ? "" : #", "204": {"description": "none"}"#
        let text =
            try files(
                #"""
                {"openapi": "3.0.3", "info": {"title": "S"}, "paths":
                 {"/a": {"post": {"operationId": "a", "requestBody": {"required": \#(isRequired), \#(content)}},
                         "get": {"operationId": "b", "responses": {"200": {\#(content)}\#(others)}}}}}
                """#
            )["Requests.swift"] ?? ""
        #expect(text.contains(body) && text.contains(response), "\(text)")
    }

    @Test(
        "A deprecated value says so once",
        arguments: [
            ("Old", "/// Old. Deprecated. var q: String?"),
            ("Is it old?", "/// Is it old? Deprecated. var q: String?"),
            ("**DEPRECATED** use r", "/// **DEPRECATED** use r var q: String?"),
            ("", "/// Deprecated. var q: String?"),
        ])
    func deprecatedValues(description: String, expected: String) throws {
        let text = try Self.all(
            #"""
            {"/a": {"get": {"operationId": "a", "parameters": [{"in": "query", "name": "q",
             "deprecated": true, "description": "\#(description)", "schema": {"type": "string"}}]}}}
            """#, "")
        #expect(text.contains(expected), "\(text)")
    }

    @Test("Names that several operations could have tell them apart")
    func namesOfMany() throws {
        let text = try files(
            #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths":
            {"/books": {"get": {"operationId": "getAll_1", "tags": ["Book"]},
                        "post": {"operationId": "create"}},
             "/pens": {"get": {"operationId": "getAll", "tags": ["Pen"]}},
             "/v1/pens": {"get": {"operationId": "pens_list"}},
             "/v2/pens": {"get": {"operationId": "Pens_listPens"}},
             "/api/v1/paperclip/{id}": {"get": {"tags": ["PaperClip"]}},
             "/health": {"get": {}}, "/v1/health": {"get": {}}, "/v1/health/live": {"get": {}}}}
            """#
        ).values.joined()
        for name in [
            "GetAllBook", "CreateBook", "GetAllPen", "PensList", "PensListPens",
            "GetPaperClip", "GetHealth", "GetV1Health", "GetHealthLive",
        ] {
            #expect(text.contains("struct \(name): SRequest"), "\(name) in \(text)")
        }
    }

    @Test(
        "An operation without an identifier is named by its path, without the values in it",
        arguments: [
            (["get /pets/{id}/owners/{no}"], ["GetPetOwner"]),
            (
                ["get /api/2/pets", "post /api/2/pets", "get /api/2/pets/{id}"],
                ["GetPets", "CreatePet", "GetPet"]
            ),
            (["get /pets/{id}", "get /pet"], ["GetPetsById", "GetPet"]),
            (
                ["get /api/v1/config/host", "get /api/v1/config/host/{id}"],
                ["GetConfigHost", "GetConfigHostById"]
            ),
            (["post /pets/{id}:feed"], ["PostPetFeed"]),
            (["post /pets/search"], ["PostPetsSearch"]),
            (["get /{id}"], ["GetById"]), (["put /pets/{a}.{b}/x"], ["PutPetX"]),
        ])
    func paths(operations: [String], expected: [String]) throws {
        let paths = Dictionary(grouping: operations) { $0.split(separator: " ")[1] }.map {
            path, all in
            let methods = all.map { #""\#($0.split(separator: " ")[0])": {}"# }
            return #""\#(path)": {\#(methods.joined(separator: ", "))}"#
        }
        let text = try Self.all("{\(paths.joined(separator: ", "))}", "")
        let names = text.matches(of: /struct (\w+): SRequest/).map { String($0.output.1) }
        #expect(Set(names).isSubset(of: expected) && names.count == operations.count, "\(names)")
    }

    @Test("Functions of FastAPI with one name are told apart by their paths")
    func functions() throws {
        let text = try Self.all(
            #"""
            {"/auth/login": {"post": {"operationId": "login_auth_login_post"}},
             "/oauth2/{idp}/login": {"get": {"operationId": "login_oauth2__idp__login_get"},
                                     "post": {"operationId": "login_oauth2__idp__login_post"}},
             "/v1/pets": {"get": {"operationId": "read_v1_pets_get"}},
             "/v2/pets": {"get": {"operationId": "read_v2_pets_get"}}}
            """#, "")
        for name in [
            "PostAuthLogin", "GetOauth2Login", "PostOauth2Login", "ReadV1PetsGet", "ReadV2PetsGet",
        ] {
            #expect(text.contains("struct \(name): SRequest"), "\(name) in \(text)")
        }
    }

    @Test(
        "A function of FastAPI has its name where its path says no more, and else with its path",
        arguments: [
            [
                "get /users/ list_users_users__get": "ListUsers",
                "get /auth/users/ list_users_auth_users__get": "ListAuthUsers",
                "get /users/{o} get_user_users__o__get": "GetUser",
                "get /auth/users/{o} get_user_auth_users__o__get": "GetAuthUser",
            ],
            [
                "get /work_queues/{o} read_queue_work_queues__o__get": "ReadWorkQueue",
                "get /pools/{o}/queues read_queue_pools__o__queues_get": "ReadPoolQueue",
                "post /queues/filter read_queue_queues_filter_post": "ReadQueue",
            ],
            // One that is told apart takes no name from another one.
            [
                "get /auth/users list_users_auth_users_get": "ListUsers",
                "get /auth/users/all list_auth_users_auth_users_all_get": "ListAuthUsers",
                "post /rows export_rows_rows_post": "ExportRows",
                "post /data-rows export_rows_data_rows_post": "ExportDataRows",
                "post /o/members add_member_o_members_post": "AddMember",
                "post /o/x add_o_member_o_x_post": "AddOMember",
            ],
            // Alone, it has no path.
            ["get /auth/users/ list_users_auth_users__get": "ListUsers"],
            [
                "get /a/x.webp show_x_a_x_webp_get": "ShowAWebpX",
                "get /a/x.jpg show_x_a_x_jpg_get": "ShowAJpgX",
            ],
        ])
    func functions(_ names: [String: String]) throws {
        try expectNames(names)
    }

    @Test(
        "What Spring Data REST says of an operation is what its path says",
        arguments: [
            [
                "get /pets getCollectionResource-pet-get_1": "GetPets",
                "post /pets postCollectionResource-pet-post": "CreatePet",
                "get /pets/{o} getItemResource-pet-get": "GetPet",
                "delete /pets/{o} deleteItemResource-pet-delete": "DeletePet",
                "get /pets/{o}/owners followPropertyReference-pet-get": "GetPetOwners",
                "put /pets/{o}/owners createPropertyReference-pet-put": "PutPetOwners",
            ],
            [
                "get /pets/search/byName executeSearch-pet-get": "GetPetsSearchByName",
                "get /pets/search/byAge executeSearch-pet-get_1": "GetPetsSearchByAge",
            ],
            ["get /pets getResource-pet-list": "GetResourcePetList"],
            ["get /pets putItemResource-pet-get": "PutItemResourcePetGet"],
        ])
    func repositories(_ names: [String: String]) throws {
        try expectNames(names)
    }

    /// - Parameter names: The names by the method, the path and the identifier.
    private func expectNames(_ names: [String: String]) throws {
        let operations = names.keys.map { $0.split(separator: " ").map(String.init) }
        let paths = Dictionary(grouping: operations) { $0[1] }.map { path, all in
            let methods = all.map { #""\#($0[0])": {"operationId": "\#($0[2])"}"# }
            return #""\#(path)": {\#(methods.joined(separator: ", "))}"#
        }
        let text = try Self.all("{\(paths.joined(separator: ", "))}", "")
        let written = text.matches(of: /struct (\w+): SRequest/).map { String($0.output.1) }
        #expect(written.sorted() == names.values.sorted(), "\(text)")
    }

    @Test("The service that all identifiers begin with is no part of their names")
    func service() throws {
        let text = try Self.all(
            #"""
            {"/a": {"get": {"operationId": "Zoo_ListPets"}, "post": {"operationId": "Zoo_FeedAll"}},
             "/b": {"get": {"operationId": "Zoo_GetPet"}}}
            """#, "")
        for name in ["ListPets", "FeedAll", "GetPet"] {
            #expect(text.contains("struct \(name): SRequest"), "\(text)")
        }
    }

    @Test(
        "A name that leaves something out is left to the operation that has it whole",
        arguments: [
            (
                ["/api/v2/forms": "forms_update", "/api/v3/forms": "api_v3_forms_update"],
                ["/api/v2/forms": "UpdateForms", "/api/v3/forms": "UpdateApiV3Forms"]
            ),
            (
                [
                    "/a": "ZoologicalOrganizationRolePermissionsController_setPermissions",
                    "/b": "ZoologicalRolePermissionsController_setPermissions",
                ],
                ["/b": "ZoologicalRolePermissionsControllerSetPermissions"]
            ),
            // The one group of all identifiers, where the calls have no object.
            (
                ["/forms": "forms_update", "/forms/all": "forms_replace"],
                ["/forms": "UpdateForms", "/forms/all": "ReplaceForms"]
            ),
        ] as [([String: String], [String: String])])
    func whole(identifiers: [String: String], expected: [String: String]) throws {
        let paths = identifiers.map { #""\#($0)": {"put": {"operationId": "\#($1)"}}"# }
        let text = try Self.all("{\(paths.joined(separator: ", "))}", "")
        for (path, name) in expected {
            let declared = text.components(separatedBy: "struct \(name): ").dropFirst().first ?? ""
            #expect(declared.prefix(400).contains("path: \"\(path.dropFirst())\""), "\(text)")
        }
    }

    @Test("A long name of an operation keeps its verb")
    func longName() throws {
        let noun = "InternationalScheduledPaymentConsentForFundsThatAreConfirmedAgain"
        let text = try Self.all(#"{"/a": {"get": {"operationId": "get\#(noun)"}}}"#, "")
        #expect(
            text.contains("struct GetScheduledPaymentConsentForFundsThatAreConfirmedAgain: "),
            "\(text)")
    }

    @Test(
        "A list at the path of a collection is named by several, if nothing else names it",
        arguments: [
            ("artist", "artist", "array", "GetArtists"),
            ("v1/category", "v1/category", "array", "GetCategories"),
            ("series", "series", "array", "GetSeries"), ("pens", "pens", "array", "GetPens"),
            ("news", "news", "array", "GetNews"), ("box/box", "box/box", "array", "GetBoxBoxes"),
            ("metadata", "metadata", "array", "GetMetadata"),
            ("health", "artist", "array", "GetHealth"),
            ("artist", "artist", "object", "GetArtist"),
        ])
    func lists(path: String, other: String, type: String, expected: String) throws {
        let text = try Self.all(
            #"""
            {"/\#(path)": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
             {"type": "\#(type)", "items": {"type": "string"}}}}}}}}, "/\#(other)/{id}": {"delete": {}}}
            """#, "")
        #expect(text.contains("struct \(expected): SRequest"), "\(text)")
    }

    @Test(
        "A file for --names that can't be Swift is refused with its line",
        arguments: [
            ("{\n\"name\": \"a-b\"}", "line 2: `a-b` can't begin the name of a type"),
            (
                "{\"names\": {\n\n\"get /a\": \"class\"}}",
                "line 3: `class` can't be the name of a type"
            ),
            (
                "{\"names\": {\"get /a\": \"A\",\n\"get /b\": \"A\"}}",
                "line 2: `A` is also the name of `get /a`"
            ),
            (
                "{\"names\": {\n\"get /a\": \"String\"}}",
                "line 2: `String` is a type that the written text uses"
            ),
            ("{\n\"types\": {\"#/x\": \"Int {}\"}}", "line 2: `Int {}` can't be a type"),
            ("{\"leaveOut\": 5}", "line 1: `leaveOut` must be a list of texts"),
            ("{\n\n\"other\": 5}", "line 3: `other` isn't known"),
        ])
    func refusedNames(file: String, reason: String) {
        let error = #expect(throws: UsageError.self) { try Overrides(Data(file.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("Notes are counted by kind on the terminal, and listed whole in a file")
    func notes() {
        let report = Report()
        for index in 0..<50 {
            report.note(Pointer.root.appending("\(index)"), "the body is `a\(index)`, not \(index)")
            let reason = "the cookie `c\(index)` isn't declared: write \"get /\(index)\" in it"
            report.skip(Pointer.root.appending("\(index)"), reason)
        }
        for index in 0..<40 {
            report.note(.root, "kind \(String(repeating: "x", count: index))")
        }
        #expect(
            report.summary.prefix(2) == [
                #"skipped: #/0: the cookie `c0` isn't declared: write "get /0" in it (and 49 more of this kind)"#,
                "note: #/0: the body is `a0`, not 0 (and 49 more of this kind)",
            ])
        #expect(report.summary.count <= 27)
        #expect(report.lines.count == 140)
    }

    @Test("References to files of the folder are read, and no others")
    func otherFiles() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("import-\(UUID().uuidString)")
        let inner = folder.appendingPathComponent("api")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(
            ##"{"Cat": {"properties": {"owner": {"$ref": "owner.json"}}}}"##, "api/models.json")
        try write(#"{"properties": {"name": {"type": "string"}}}"#, "api/owner.json")
        try write(#"{"properties": {"secret": {"type": "string"}}}"#, "secret.json")
        let document = ##"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {
            "/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "models.json#/Cat"}}}}}}},
            "/b": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "../secret.json"}}}}}}}}}
            """##
        func texts(limit: URL?) throws -> (String, [String]) {
            let document = try Document(Data(document.utf8), folder: inner, limit: limit)
            let report = Report()
            let plan = try Plan(document, Overrides(), report) { _ in true }
            let files = try Output(plan, document, report).files.map(\.text).joined()
            return (files, report.skipped.map(\.reason))
        }
        let (text, skipped) = try texts(limit: nil)
        #expect(text.contains("struct Cat: Decodable { let owner: Owner? }"), "\(text)")
        #expect(text.contains("struct Owner: Decodable { let name: String? }"))
        #expect(skipped.count == 1 && skipped[0].contains("say by `--root`"), "\(skipped)")
        let (whole, none) = try texts(limit: folder)
        #expect(whole.contains("struct Secret: Decodable") && none.isEmpty, "\(none)")
    }

    private static func members(_ count: Int, _ schema: String) -> String {
        (0..<count).map { index in #""m\#(index)": \#(schema)"# }.joined(separator: ", ")
    }

    @Test(
        "A model that would have more than a thousand values in its memory has some elsewhere",
        arguments: [
            (20, 40, false, false), (40, 40, true, false), (2, 99, false, false),
            (2, 200, false, true),
        ])
    func size(outer: Int, inner: Int, isBoxed: Bool, isIndirect: Bool) throws {
        let part = ##"{"$ref": "#/components/schemas/P"}"##
        let text = try Self.read(
            #"""
            "M": {"properties": {\#(Self.members(outer, part)), "u": {"oneOf": [\#(part), {"type": "integer"}]}}},
            "P": {"properties": {\#(Self.members(inner, #"{"type": "string"}"#))}}
            """#)
        #expect(text.contains(": Boxed<P>?") == isBoxed)
        #expect(text.contains("indirect enum ") == isIndirect)
    }
}
