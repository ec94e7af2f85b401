import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

/// Each place, style, `explode` and shape that OpenAPI 3.0 to 3.2 allow ("Style Values").
@Suite("Styles of parameters")
struct StyleTests {
    private static let value = #"{"type": "string"}"#
    private static let list = #"{"type": "array", "items": {"type": "string"}}"#
    private static let object = #"{"type": "object", "properties": {"R": {"type": "integer"}}}"#
    private static let map = #"{"type": "object", "additionalProperties": {"type": "integer"}}"#
    private static let nested =
        #"{"type": "object", "properties": {"R": {"type": "object", "properties": {"a": {"type": "string"}}}}}"#
    private static let anything =
        #"{"type": "object", "required": ["R"], "properties": {"R": {"description": "Any"}}}"#
    private static let date = #"{"type": "string", "format": "date-time"}"#
    /// A list of more values than an enum is worth.
    private static let numbers =
        #"{"type": "array", "items": {"type": "integer", "enum": [\#((1...25).map(String.init).joined(separator: ","))]}}"#
    private static let union =
        #"{"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}]}"#

    private static func written(
        _ place: String, _ style: String, _ schema: String
    ) throws -> (text: String, report: Report) {
        let report = Report()
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a\#(place == "path" ? "/{x}" : "")":
            {"get": {"operationId": "a", "parameters": [{"in": "\#(place)", "name": "x",
            "required": true, \#(style) "schema": \#(schema)}]}}}}
            """#
        let all = try files(document, report: report)
        return ((all["Requests.swift"] ?? "").split(separator: "\n").joined(separator: " "), report)
    }

    private static let explode = #""explode": true,"#
    private static let whole = #""explode": false,"#

    @Test(
        "A parameter is declared in its style",
        arguments: [
            // Paths: simple, label and matrix (RFC 6570, sections 3.2.2, 3.2.5 and 3.2.7).
            ("path", "", value, #"path: "a/\(path: \.x)""#),
            ("path", whole, list, #"path: "a/\(commaSeparated: \.x)""#),
            ("path", explode, list, #"path: "a/\(commaSeparated: \.x)""#),
            ("path", whole, object, #"x: NamesAndValues<X>"#),
            ("path", explode, object, #"x: Assignments<X>"#),
            ("path", whole, map, #"x: NamesAndValues<[String: Int]>"#),
            (
                "path", #""style": "label","#, value,
                #"path: "a/.\(path: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "label","# + whole, list,
                #"path: "a/.\(commaSeparated: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "label","# + explode, list,
                #"path: "a/.\(list: \.x, separator: ".", includesSlash: false)""#
            ),
            (
                "path", #""style": "label","# + whole, object,
                #"path: "a/.\(path: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "label","# + explode, object,
                #"path: "a/.\(list: \.x, separator: ".", includesSlash: false)""#
            ),
            (
                "path", #""style": "matrix","#, value,
                #"path: "a/;x=\(path: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "matrix","# + whole, list,
                #"path: "a/;x=\(commaSeparated: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "matrix","# + explode, list,
                #"path: "a/;x=\(list: \.x, separator: ";x=", includesSlash: false)""#
            ),
            (
                "path", #""style": "matrix","# + whole, object,
                #"path: "a/;x=\(path: \.x, includesSlash: false)""#
            ),
            (
                "path", #""style": "matrix","# + explode, object,
                #"path: "a/;\(list: \.x, separator: ";", includesSlash: false)""#
            ),
            // Queries: form, spaceDelimited, pipeDelimited and deepObject.
            ("query", "", value, #".query("x", path: \.x)"#),
            ("query", "", list, #".query("x", path: \.x)"#),
            // Of several types a text has all; of numbers alone, a number.
            (
                "query", "", #"{"oneOf": [{"type": "boolean"}, {"type": "number"}]}"#,
                "let x: String"
            ),
            ("query", "", #"{"type": ["boolean", "integer"]}"#, "let x: String"),
            ("query", "", #"{"type": ["integer", "number"]}"#, "let x: Double"),
            (
                "query", "", #"{"anyOf": [{"type": "integer"}, {"type": "number"}, \#(null)]}"#,
                "let x: Double"
            ),
            (
                "query", "",
                #"{"oneOf": [{"type": "integer", "maximum": 0}, {"type": "integer", "minimum": 9}]}"#,
                "let x: Int"
            ),
            (
                "path", "", #"{"oneOf": [{"type": "boolean", "title": "a"}, {"type": "boolean"}]}"#,
                "let x: Bool"
            ),
            (
                "query", "",
                #"{"oneOf": [{"type": "integer"}, {"type": "integer", "format": "uint64"}]}"#,
                "let x: String"
            ),
            ("query", whole, list, #".query("x", path: \.x, style: .commaSeparated)"#),
            ("query", "", object, #".query("R", path: \.r)"#),
            ("query", whole, object, #".query("x", path: \.x, style: .commaSeparated)"#),
            // A member of which nothing is said is a text too.
            ("query", "", anything, "let r: String"),
            ("query", whole, anything, "let r: JSONValue"),
            ("path", "", anything, "NamesAndValues<X>"),
            ("header", "", anything, "NamesAndValues<X>"),
            ("query", "", map, #".query(contentsOf: \.x)"#),
            ("query", "", union, #".query(spreading: \.x)"#),
            ("query", whole, union, #"let x: NamesAndValues<X>"#),
            (
                "query", #""style": "spaceDelimited","#, list,
                #".query("x", path: \.x, style: .spaceSeparated)"#
            ),
            ("query", #""style": "spaceDelimited","# + explode, list, #".query("x", path: \.x)"#),
            (
                "query", #""style": "spaceDelimited","#, object,
                #".query("x", path: \.x, style: .spaceSeparated)"#
            ),
            (
                "query", #""style": "pipeDelimited","#, list,
                #".query("x", path: \.x, style: .pipeSeparated)"#
            ),
            ("query", #""style": "pipeDelimited","# + explode, list, #".query("x", path: \.x)"#),
            (
                "query", #""style": "pipeDelimited","#, object,
                #".query("x", path: \.x, style: .pipeSeparated)"#
            ),
            (
                "query", #""style": "deepObject","# + explode, object,
                #".query("x", path: \.x, encoding: .brackets)"#
            ),
            (
                "query", #""style": "deepObject","#, nested,
                #".query("x", path: \.x, encoding: .brackets)"#
            ),
            (
                "query", #""style": "deepObject","#, list,
                #".query("x", path: \.x, style: .brackets)"#
            ),
            ("query", "", numbers, #"let x: [Int]"#),
            ("query", #""allowReserved": true,"#, value, #".query("x", path: \.x)"#),
            ("query", #""allowEmptyValue": true,"#, value, #".query("x", path: \.x)"#),
            // Headers: simple.
            ("header", "", value, #""x": .field(path: \.x)"#),
            ("header", "", list, #""x": .field(path: \.x)"#),
            ("header", "", object, #"let x: NamesAndValues<X>"#),
            ("header", explode, object, #"let x: Assignments<X>"#),
            ("header", "", map, #"let x: NamesAndValues<[String: Int]>"#),
            ("header", "", date, #""x": .field(path: \.x)"#),
        ] as [(String, String, String, String)])
    func declared(place: String, style: String, schema: String, expected: String) throws {
        let (text, report) = try Self.written(place, style, schema)
        #expect(text.contains(expected), "\(text)")
        #expect(report.skipped.isEmpty)
    }

    @Test(
        "What has no text is skipped with its place and the reason",
        arguments: [
            ("path", "", nested, "the member `R` is a list or an object"),
            ("query", whole, nested, "the member `R` is a list or an object"),
            ("header", "", nested, "the member `R` is a list or an object"),
            (
                "query", "", nested,
                "the member `R` isn't a text, a number or a list of these; it isn't declared"
            ),
            ("cookie", "", value, "the cookie `x` isn't declared"),
            ("querystring", "", value, "a whole query string isn't declared"),
        ] as [(String, String, String, String)])
    func skipped(place: String, style: String, schema: String, reason: String) throws {
        let (_, report) = try Self.written(place, style, schema)
        #expect(report.skipped.first?.reason.contains(reason) == true, "\(report.skipped)")
        #expect(report.skipped.first?.pointer.contains("/get/parameters/0") == true)
    }

    @Test("An operation is skipped if a required member of a query's object has no text")
    func requiredMember() throws {
        let report = Report()
        let all = try files(
            #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"parameters": [{"in": "query",
             "name": "x", "required": true, "schema": {"type": "object", "required": ["R"], "properties": {
             "R": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}}}}]}}}}
            """#, report: report)
        #expect(all["Requests.swift"] == nil)
        #expect(report.skipped.first?.reason.contains("isn't a text, a number or a list") == true)
    }

    private static func form(
        _ type: String, _ encoding: String, _ schema: String, version: String = "3.1.0"
    ) throws -> String {
        let document = #"""
            {"openapi": "\#(version)", "info": {"title": "S"}, "paths": {"/a": {"post": {"operationId": "a",
            "requestBody": {"content": {"\#(type)": {"schema": {"type": "object", "properties": {
            "x": \#(schema)}}, "encoding": {"x": {\#(encoding)}}}}}}}}}
            """#
        return (try files(document)["Requests.swift"] ?? "").split(separator: "\n")
            .joined(separator: " ")
    }

    @Test("What is nested in a model whose members are items of a query is named with it")
    func nestedInSpread() throws {
        func document(_ response: String) -> String {
            ##"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"operationId": "a", "parameters": [
            {"in": "query", "name": "f", "required": true, "schema": {"$ref": "#/components/schemas/Filter"}}]\##(response)}}},
            "components": {"schemas": {"Filter": {"type": "object", "required": ["kind"], "properties": {
             "kind": {"type": "string", "enum": ["x", "y"]}, "ids": {"type": "array", "items": {"type": "string", "enum": ["p", "q"]}}}}}}}
            """##
        }
        for response in [
            "",
            ##", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Filter"}}}}}"##,
        ] {
            let text = try files(document(response))["Requests.swift"] ?? ""
            #expect(text.contains("let kind: Filter.Kind\n"), "\(text)")
            #expect(text.contains("var ids: [Filter.Ids]?\n"), "\(text)")
            #expect(text.contains("struct Filter"), "\(text)")
            #expect(text.contains("enum Kind: String, PathRepresentable"), "\(text)")
        }
    }

    @Test("A required field of a form must be there, also if it may be null, as a form has no null")
    func requiredField() throws {
        let text =
            try files(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"post": {"requestBody": {"content": {
                "\#(Self.urlencoded)": {"schema": {"type": "object", "required": ["x"], "properties": {
                "x": {"type": ["string", "null"]}}}}}}}}}}
                """#)["Requests.swift"] ?? ""
        #expect(text.contains("let x: String\n"), "\(text)")
    }

    @Test("A list with brackets in its name keeps them, if another value has the name without them")
    func brackets() throws {
        let text =
            try files(
                #"""
                {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"parameters": [
                {"in": "query", "name": "a[]", "schema": \#(Self.list)}, {"in": "query", "name": "a", "schema": \#(Self.value)},
                {"in": "query", "name": "b[]", "schema": \#(Self.list)}]}}}}
                """#)["Requests.swift"] ?? ""
        #expect(text.contains(#".query("a[]", path: \.a), .query("a", path: \."#), "\(text)")
        #expect(text.contains(#".query("b", path: \.b, style: .brackets)"#), "\(text)")
    }

    @Test(
        "A date in a header where HTTP has another format is written as the document has it",
        arguments: [
            ("If-Modified-Since", ".ifModifiedSince: .field(path: \\.ifModifiedSince, "),
            ("if-unmodified-since", ".ifUnmodifiedSince: .field(path: \\.ifUnmodifiedSince, "),
            ("If-Range", ".ifRange: .field(path: \\.ifRange, "),
            ("Date", ".date: .field(path: \\.date, "),
            ("Expires", "\"Expires\": .field(path: \\.expires, "),
            ("Last-Modified", "\"Last-Modified\": .field(path: \\.lastModified, "),
        ])
    func headerDate(name: String, expected: String) throws {
        let all = try files(
            #"""
            {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"parameters": [
            {"in": "header", "name": "\#(name)", "schema": \#(Self.date)}]}}}}
            """#)
        let text = all["Requests.swift"] ?? ""
        #expect(text.contains("\(expected)format: RFC3339Format())"), "\(text)")
        #expect(all["Support.swift"]?.contains("struct RFC3339Format: FormatStyle") == true)
    }

    private static let urlencoded = "application/x-www-form-urlencoded"
    private static let multipart = "multipart/form-data"
    private static let objects = #"{"type": "array", "items": \#(object)}"#
    private static let file = #"{"type": "string", "contentMediaType": "image/png"}"#
    private static let files31 = #"{"type": "array", "items": \#(file)}"#
    private static let null = #"{"type": "null"}"#

    @Test(
        "A field is declared by its encoding",
        arguments: [
            (urlencoded, "", list, #".form("x", path: \.x)"#),
            (urlencoded, "", #"{"type": "array", "items": {}}"#, "var x: [String]?"),
            (multipart, "", #"{"type": "array", "items": {}}"#, "var x: [JSONValue]?"),
            (
                urlencoded, #""explode": false"#, list,
                #".form("x", path: \.x, style: .commaSeparated)"#
            ),
            (
                urlencoded, #""style": "pipeDelimited", "explode": false"#, list,
                #".form("x", path: \.x, style: .pipeSeparated)"#
            ),
            (
                urlencoded, #""style": "spaceDelimited", "explode": false"#, list,
                #".form("x", path: \.x, style: .spaceSeparated)"#
            ),
            (urlencoded, #""style": "form", "explode": true"#, object, #".form("R", path: \.r)"#),
            (
                urlencoded, #""style": "deepObject", "explode": true"#, object,
                #".form("x", path: \.x, encoding: .brackets)"#
            ),
            (
                urlencoded, #""contentType": "application/json""#, object,
                #".form("x", path: \.x, encoding: .json)"#
            ),
            (urlencoded, "", object, #".form("x", path: \.x, encoding: .brackets)"#),
            (multipart, "", object, #".part("x", path: \.x, encoding: .json)"#),
            (multipart, "", objects, #".part("x", path: \.x, encoding: .jsonElements)"#),
            (multipart, "", list, #".part("x", path: \.x)"#),
            (
                multipart, #""explode": false"#, list,
                #".part("x", path: \.x, style: .commaSeparated)"#
            ),
            (multipart, #""contentType": "application/xml""#, object, "var x: File?"),
            // Files, as OpenAPI 3.0 and 3.1 write them.
            (multipart, "", #"{"type": "string", "format": "binary"}"#, "var x: File?"),
            (multipart, "", #"{"type": "string", "contentEncoding": "base64"}"#, "var x: File?"),
            (multipart, "", file, "var x: File?"),
            (multipart, "", #"{"contentMediaType": "image/png"}"#, "var x: File?"),
            (multipart, "", files31, "var x: [File]?"),
            (multipart, "", #"{"anyOf": [\#(file), \#(null)]}"#, "var x: File?"),
            (multipart, "", #"{"oneOf": [\#(null), \#(files31)]}"#, "var x: [File]?"),
            (
                multipart, "", #"{"type": "array", "items": {"anyOf": [\#(file), \#(null)]}}"#,
                "var x: [File]?"
            ),
            (multipart, "", #"{"anyOf": [\#(value), \#(null)]}"#, "var x: String?"),
            (
                multipart, #""contentType": "application/json""#, value,
                #".part("x", path: \.x, encoding: .json)"#
            ),
        ])
    func fields(type: String, encoding: String, schema: String, expected: String) throws {
        let text = try Self.form(type, encoding, schema)
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        "A file has no style, and no part of a multipart form has one in OpenAPI 3.0",
        arguments: [
            ("3.1.0", #""explode": false"#, files31, #".part("x", path: \.x)"#),
            ("3.1.0", #""style": "form""#, file, #".part("x", path: \.x)"#),
            ("3.1.0", #""allowReserved": true"#, file, #".part("x", path: \.x)"#),
            (
                "3.0.3", #""explode": false"#,
                #"{"type": "array", "nullable": true, "items": {"type": "string", "format": "binary"}}"#,
                #".part("x", path: \.x)"#
            ),
            ("3.0.3", #""explode": false"#, list, #".part("x", path: \.x)"#),
            (
                "3.0.3", #""style": "deepObject", "explode": true"#, object,
                #".part("x", path: \.x, encoding: .json)"#
            ),
        ])
    func partsWithoutStyle(
        version: String, encoding: String, schema: String, expected: String
    ) throws {
        let text = try Self.form(Self.multipart, encoding, schema, version: version)
        #expect(text.contains(expected), "\(text)")
    }
}
