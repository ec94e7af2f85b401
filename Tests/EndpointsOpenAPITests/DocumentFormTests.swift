import EndpointsOpenAPI
import Foundation
import Testing

/// A body's media type, its fields and their `encoding`, here and there.
struct FormChange: CustomTestStringConvertible, Sendable {
    var version = "3.1.0"
    var type = "multipart/form-data"
    let here: String
    let there: String
    let differences: [String]
    var testDescription: String { "\(version) \(type): \(here) here and \(there) there" }

    /// - Parameters:
    ///   - here: The schema of the field `x`, and its encoding.
    ///   - there: The same in the API's document.
    init(
        _ here: (schema: String, encoding: String), _ there: (schema: String, encoding: String),
        isMultipart: Bool = true, version: String = "3.1.0", _ differences: String...
    ) {
        func media(_ field: (schema: String, encoding: String)) -> String {
            #"{"schema": {"type": "object", "properties": {"x": \#(field.schema)}}, "encoding": {"x": {\#(field.encoding)}}}"#
        }
        (self.here, self.there, self.version) = (media(here), media(there), version)
        self.differences = differences
        if !isMultipart { type = "application/x-www-form-urlencoded" }
    }
}

@Suite("How the fields of a form are written, here and there")
struct DocumentFormTests {
    private static let text = #"{"type": "string"}"#
    private static let list = #"{"type": "array", "items": {"type": "string"}}"#
    private static let lists = #"{"type": "array", "items": {"type": "array", "items": {}}}"#
    private static let object = #"{"type": "object", "properties": {"R": {"type": "integer"}}}"#
    private static let file = #"{"type": "string", "format": "binary"}"#
    private static let json = #""contentType": "application/json""#
    private static let commas = #""explode": false"#
    private static let brackets = #""style": "deepObject", "explode": true"#
    private static let spread = #""style": "form", "explode": true"#

    private static func document(_ media: String, _ type: String, _ version: String) throws
        -> OpenAPIDocument
    {
        let body = #"{"required": true, "content": {"\#(type)": \#(media)}}"#
        return try OpenAPIDocument(
            data: Data(
                #"{"openapi": "\#(version)", "info": {"title": "S"}, "paths": {"/a": {"post": {"requestBody": \#(body)}}}}"#
                    .utf8))
    }

    @Test(
        "An upload that is described as a file alone says nothing of its fields",
        arguments: [#"{"type": "file"}"#, file, text, list],
        ["multipart/form-data", "application/x-www-form-urlencoded"])
    func fileAlone(schema: String, type: String) throws {
        let fields = #"{"schema": {"type": "object", "properties": {"x": \#(Self.text)}}}"#
        let here = try Self.document(fields, type, "3.1.0")
        let there = try Self.document(#"{"schema": \#(schema)}"#, type, "3.1.0")
        #expect(here.differences(from: there).map(\.reason) == [])
    }

    @Test(
        "A field that is written in another way is a difference",
        arguments: [
            FormChange((list, ""), (list, "")), FormChange((list, commas), (list, commas)),
            FormChange(
                (list, commas), (list, ""),
                "the body's `x` is written in an item each there and separated by commas here"),
            FormChange(
                (list, ""), (list, #""style": "pipeDelimited""#), isMultipart: false,
                "the body's `x` is written separated by pipes there and in an item each here"),
            FormChange(
                (list, commas), (list, json), isMultipart: false,
                "the body's `x` is written in JSON there and separated by commas here"),
            FormChange(
                (text, ""), (text, json),
                "the body's `x` is written in JSON there and as text here"),
            FormChange((text, ""), (text, #""contentType": "text/plain""#)),
            FormChange(
                (object, brackets), (object, json), isMultipart: false,
                "the body's `x` is written in JSON there and in brackets here"),
            // An object in a part is JSON without an encoding; OpenAPI doesn't say what it is in a
            // field.
            FormChange((object, json), (object, "")),
            FormChange((object, json), (object, ""), isMultipart: false),
            FormChange(
                (object, brackets), (object, ""),
                "the body's `x` is written in JSON there and in brackets here"),
            FormChange((lists, json), (lists, "")),
            // A file has no style, and a part has none in OpenAPI 3.0.
            FormChange((file, ""), (file, commas)), FormChange((file, ""), (file, json)),
            FormChange((list, ""), (list, commas), version: "3.0.3"),
            FormChange(
                (list, ""), (list, commas), isMultipart: false, version: "3.0.3",
                "the body's `x` is written separated by commas there and in an item each here"),
        ])
    func encoding(_ change: FormChange) throws {
        let ours = try Self.document(change.here, change.type, "3.1.0")
        let theirs = try Self.document(change.there, change.type, change.version)
        #expect(ours.differences(from: theirs).map(\.reason) == change.differences)
    }

    @Test(
        "The members of an object that is spread over a form are its fields, and a list in brackets has them in its name",
        arguments: [
            (object, spread, #""R": {"type": "integer"}"#, true),
            (object, spread, #""R": {"type": "boolean"}"#, false),
            (object, spread, #""x": \#(object)"#, false),
            (object, brackets, #""x": \#(object)"#, true),
            (list, brackets, #""x[]": \#(list)"#, true), (list, brackets, #""x": \#(list)"#, false),
        ], ["multipart/form-data", "application/x-www-form-urlencoded"])
    func fields(_ row: (String, String, String, isSame: Bool), type: String) throws {
        let encoding = #""encoding": {"x": {\#(Self.brackets)}}"#
        let ours = try Self.document(
            #"{"schema": {"type": "object", "required": ["a"], "properties": {"a": {}, \#(row.2)}}, \#(row.2.contains("object") ? encoding : #""encoding": {}"#)}"#,
            type, "3.1.0")
        let theirs = try Self.document(
            #"{"schema": {"type": "object", "required": ["a"], "properties": {"a": {}, "x": \#(row.0)}}, "encoding": {"x": {\#(row.1)}}}"#,
            type, "3.1.0")
        #expect(ours.differences(from: theirs).isEmpty == row.isSame)
    }
}
