import EndpointsDocuments
import Foundation
import Testing

@testable import EndpointsImport

@Suite("Writing responses")
struct ResponsesTests {
    /// The text of `GET /a` with these responses, and with a parameter.
    private func request(_ responses: String, _ parameters: String = "", schemas: String = "{}")
        throws -> String
    {
        try declarations(
            paths: #"""
                {"/a": {"get": {"operationId": "load", "parameters": [\#(parameters)],
                "responses": {\#(responses)}}}}
                """#, schemas: schemas)
    }

    private static func json(_ schema: String) -> String {
        #""content": {"application/json": {"schema": \#(schema)}}"#
    }

    @Test("Statuses with different bodies are an enum by status")
    func statuses() throws {
        let text = try request(
            """
            "200": {\(Self.json(#"{"type": "object", "properties": {"id": {"type": "string"}}}"#))},
            "202": {\(Self.json(#"{"type": "array", "items": {"type": "integer"}}"#))}, "204": {}
            """)
        #expect(
            text.components(separatedBy: "#endif\n\n").last == """
                struct Load: ShopRequest {
                    struct Ok: Decodable { let id: String? }
                    static let endpoint = Endpoint<Self>(
                        method: .get, path: "a", headers: [.accept: "application/json"])

                    enum Response { case ok(Ok), accepted([Int]), noContent }

                    static func response(data: Data, httpResponse: HTTPURLResponse) throws -> Response {
                        switch httpResponse.statusCode {
                        case 200: .ok(try responseDecoder.decode(Ok.self, from: data))
                        case 202: .accepted(try responseDecoder.decode([Int].self, from: data))
                        case 204: .noContent
                        default: throw UnknownStatus(httpResponse.statusCode)
                        }
                    }
                }
                """)
    }

    @Test(
        "A response is of the type that its statuses and headers need",
        arguments: [
            (
                #""200": {"content": {"application/octet-stream": {}}}, "202": {"headers": {"Retry-After": {}}}"#,
                "typealias Response = WithHTTPResponse<ByteStream>"
            ),
            (
                #""200": {"headers": {"A": {}}, \#(json(#"{"type": "array", "items": {"type": "integer"}}"#))}, "204": {"headers": {"A": {}}}"#,
                "typealias Response = [Int]?"
            ),
            (
                #""200": {\#(json(#"{"type": "boolean"}"#))}, "201": {\#(json(#"{"type": "boolean"}"#))}"#,
                "typealias Response = Bool"
            ),
        ])
    func types(responses: String, expected: String) throws {
        #expect(try request(responses).contains("    \(expected)\n"))
    }

    @Test(
        "A list goes on where the document says how",
        arguments: [
            (
                "marker", #""items": LIST, "next_marker": {"type": "string"}"#,
                #".cursor(\.marker) { $0.nextMarker }"#
            ),
            (
                "cursor",
                #""items": LIST, "meta": {"properties": {"next_cursor": {"type": "string"}}}"#,
                #".cursor(\.cursor) { $0.meta?.nextCursor }"#
            ),
            (
                "offset",
                #""items": LIST, "next_page": {"properties": {"offset": {"type": "string"}}}"#,
                #".cursor(\.offset) { $0.nextPage?.offset }"#
            ),
            (
                "after",
                #""items": LIST, "has_more": {"type": "boolean"}, "last_id": {"type": "string"}"#,
                #".cursor(\.after) { $0.hasMore == true ? $0.lastId : nil }"#
            ),
            (
                "cursor", #""items": LIST, "nextPageCursor": {"type": "string"}"#,
                #".cursor(\.cursor) { $0.nextPageCursor }"#
            ),
            (
                "next_page_token", #""items": LIST, "next_page_token": {"type": "string"}"#,
                #".cursor(\.nextPageToken) { $0.nextPageToken }"#
            ),
            (
                "continuationToken", #""items": LIST, "continuationToken": {"type": "string"}"#,
                #".cursor(\.continuationToken) { $0.continuationToken }"#
            ),
            (
                "continue",
                #""items": LIST, "metadata": {"properties": {"continue": {"type": "string"}}}"#,
                #".cursor(\.continue) { $0.metadata?.continue }"#
            ),
            (
                "after",
                #""items": LIST, "list_metadata": {"properties": {"before": {"type": "string"}, "after": {"type": "string"}}}"#,
                #".cursor(\.after) { $0.listMetadata?.after }"#
            ),
            (
                "after", #""items": LIST, "meta": {"properties": {"after": {"type": "string"}}}"#,
                nil
            ),
            ("cursor", #""items": LIST, "cursor": {"type": "string"}"#, nil),
            // The URL of the next page.
            (
                "page",
                #""count": {"type": "integer"}, "next": {"type": "string", "format": "uri", "nullable": true}, "previous": {"type": "string"}, "items": LIST"#,
                ".url { $0.next }"
            ),
            (
                "page", #""count": {}, "next": {"type": "string"}, "previous": {}, "items": LIST"#,
                nil
            ),
            (
                "page",
                #""items": LIST, "next": {"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}"#,
                ".url { $0.next }"
            ),
            (
                "page", #""items": LIST, "next_page_uri": {"type": "string"}"#,
                ".url { $0.nextPageUri }"
            ),
            (
                "page",
                #""items": LIST, "meta": {"properties": {"next_page_url": {"type": "string"}}}"#,
                ".url { $0.meta?.nextPageUrl }"
            ),
            (
                "page", #""items": LIST, "links": {"properties": {"next": {"type": "string"}}}"#,
                ".url { $0.links?.next }"
            ),
            (
                "page",
                #""items": LIST, "_links": {"properties": {"next": {"properties": {"href": {"type": "string"}}}}}"#,
                ".url { $0.links?.next?.href }"
            ),
            ("page", #""items": LIST, "meta": {"properties": {"next": {"type": "string"}}}"#, nil),
            ("page", #""items": LIST, "next": {"type": "integer", "format": "uri"}"#, nil),
            ("marker", #""items": LIST, "next": {"type": "string"}"#, nil),
            ("marker", #""items": LIST, "others": LIST, "next_marker": {"type": "string"}"#, nil),
            ("marker", #""items": LIST, "next_marker": {"type": "integer"}"#, nil),
        ] as [(String, String, String?)])
    func cursors(parameter: String, members: String, expected: String?) throws {
        let list = #"{"type": "array", "items": {"type": "integer"}}"#
        let schema = #"{"properties": {\#(members.replacing("LIST", with: list))}}"#
        let text = try request(
            #""200": {\#(Self.json(schema))}"#,
            #"{"in": "query", "name": "\#(parameter)", "schema": {"type": "string"}}"#)
        if let expected {
            #expect(text.contains("struct Load: ShopRequest, PagedRequest {"))
            #expect(text.contains("    static let paging = Paging<Self>\(expected)\n"))
            let items = "static func items(in response: Response) -> [Int] { response.items ?? [] }"
            #expect(text.contains(items))
        } else {
            #expect(!text.contains("PagedRequest"))
        }
    }

    @Test(
        "The pages of Django REST framework go on at the next one, and numbers at the next number")
    func djangoAndNumbers() throws {
        let list = #"{"type": "array", "items": {"type": "integer"}}"#
        let django =
            #"{"properties": {"count": {"type": "integer"}, "next": {"type": "string"}, "previous": {"type": "string"}, "results": \#(list)}}"#
        let text = try request(#""200": {\#(Self.json(django))}"#)
        #expect(text.contains("    static let paging = Paging<Self>.url { $0.next }\n"))
        let numbered = #"{"properties": {"next_page": {"type": "integer"}, "results": \#(list)}}"#
        for (type, isPaged) in [("integer", true), ("string", false)] {
            let text = try request(
                #""200": {\#(Self.json(numbered))}"#,
                #"{"in": "query", "name": "page", "schema": {"type": "\#(type)"}}"#)
            let line = #"    static let paging = Paging<Self>.cursor(\.page) { $0.nextPage }\#n"#
            #expect(text.contains(line) == isPaged, "\(text)")
        }
    }

    @Test("Items that are nested in the response are named with it")
    func nestedItems() throws {
        let items = #"{"type": "array", "items": {"properties": {"id": {"type": "string"}}}}"#
        let schema = #"{"properties": {"data": \#(items), "next_marker": {"type": "string"}}}"#
        let text = try request(
            #""200": {\#(Self.json(schema))}"#,
            #"{"in": "query", "name": "marker", "schema": {"type": "string"}}"#)
        let name = "Load.Response.DataValue"
        #expect(
            text.contains(
                "static func items(in response: Response) -> [\(name)] { response.data ?? [] }"))
    }

    @Test("A list with a Link header goes on at its link")
    func link() throws {
        let schema = #"{"type": "array", "items": {"type": "integer"}}"#
        let text = try request(#""200": {"headers": {"Link": {}}, \#(Self.json(schema))}"#)
        #expect(text.contains("    static let paging = Paging<Self>.link()\n"))
        #expect(!text.contains("func items"))
    }

    @Test(
        "A number named offset in the query counts the items",
        arguments: [
            (#""schema": {"type": "integer"}"#, true),
            (#""schema": {"type": "integer", "default": 0}"#, true),
            (#""required": true, "schema": {"type": "integer"}"#, false),
            (#""schema": {"type": "string"}"#, false),
        ])
    func offset(parameter: String, isPaged: Bool) throws {
        let list = #"{"type": "array", "items": {"type": "integer"}}"#
        for schema in [list, #"{"properties": {"items": \#(list)}}"#] {
            let text = try request(
                #""200": {\#(Self.json(schema))}"#,
                #"{"in": "query", "name": "offset", \#(parameter)}"#)
            let line = #"    static let paging = Paging<Self>.offset(\.offset)\#n"#
            #expect(text.contains(line) == isPaged)
        }
    }

    @Test("The response of one request is nested in it")
    func nested() throws {
        let text = try request(
            #""200": {\#(Self.json(##"{"$ref": "#/components/schemas/LoadResponse"}"##))}"#,
            schemas: #"{"LoadResponse": {"properties": {"id": {"type": "string"}}}}"#)
        #expect(
            text == """
                struct Load: ShopRequest {
                    struct Response: Decodable { let id: String? }
                    static let endpoint = Endpoint<Self>(method: .get, path: "a")
                }
                """)
    }

    /// The `ErrorResponse` of `GET /a` with these errors, and what is declared for all requests.
    private func errors(_ errors: [String], count: Int = 1) throws -> (own: String, usual: String) {
        let responses = errors.enumerated().map { index, schema in
            #""\#(400 + index)": {"description": "", \#(Self.json(schema))}"#
        }.joined(separator: ", ")
        let paths = (0..<count).map {
            #""/a\#($0)": {"get": {"operationId": "load\#($0)", "responses": {\#(responses)}}}"#
        }
        let files = try files(
            ##"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {\##(paths.joined(separator: ", ")),
             "/x": {"get": {"responses": {"400": {\##(Self.json(##"{"$ref": "#/components/schemas/Usual"}"##))}}}},
             "/y": {"get": {"responses": {"400": {\##(Self.json(##"{"$ref": "#/components/schemas/Usual"}"##))}}}},
             "/z": {"get": {"responses": {"400": {\##(Self.json(##"{"$ref": "#/components/schemas/Usual"}"##))}}}},
             "/w": {"get": {"responses": {"400": {\##(Self.json(##"{"$ref": "#/components/schemas/Usual"}"##))}}}}},
             "components": {"schemas": {
              "Usual": {"required": ["id"], "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}},
              "More": {"required": ["id", "more"], "properties": {"id": {"type": "string", "description": "Why"}, "n": {"type": "integer"}, "more": {"type": "array", "items": {"type": "string"}}}},
              "Same": {"required": ["id"], "properties": {"n": {"type": "integer"}, "id": {"type": "string", "description": "Same"}}},
              "Code": {"required": ["id"], "properties": {"id": {"type": "string", "enum": ["a"]}, "n": {"type": "number"}}},
              "Inner": {"required": ["id"], "properties": {"id": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}},
              "Inner2": {"required": ["id"], "properties": {"id": {"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}},
              "Parts": {"oneOf": [{"required": ["id"], "properties": {"id": {"const": "x"}}}, {"required": ["id", "y"], "properties": {"id": {"const": "y"}, "y": {"type": "string"}}}]},
              "Any": {}, "Text": {"type": "string"}}}}
            """##)
        let words = files.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let own = words.components(separatedBy: "struct Load0:").dropFirst().first ?? ""
        return (own.components(separatedBy: "} struct ").first ?? "", words)
    }

    @Test(
        "Several schemas of an operation's errors are one type that has the members of all",
        arguments: [
            // A member that only one of them has may be absent.
            (
                ["Usual", "More"],
                "struct ErrorResponse: Decodable { let id: String, n: Int?, more: [String]? }"
            ),
            (["Usual", "Same"], nil),
            (["Same", "Usual"], nil),
            // A member of several values or kinds of numbers.
            (["Usual", "Code"], "struct ErrorResponse: Decodable { let id: String, n: Double? }"),
            (
                ["Usual", "Parts"],
                "struct ErrorResponse: Decodable { let id: String, n: Int?, y: String? }"
            ),
            // Objects in it.
            (
                ["Inner", "Inner2"],
                "struct ErrorResponse: Decodable { let id: Id struct Id: Decodable { let a, b: String? } }"
            ),
            // Members of several types, and what isn't an object.
            (
                ["Usual", "Inner"],
                "enum ErrorResponse: ReadOneOf { case usual(Usual), inner(Inner), unknown(JSONValue)"
            ),
            (
                ["Usual", "Text"],
                "enum ErrorResponse: ReadOneOf { case usual(Usual), text(String), unknown(JSONValue)"
            ),
            // What is any value is an unknown one.
            (
                ["Usual", "Any"],
                "enum ErrorResponse: ReadOneOf { case usual(Usual), unknown(JSONValue)"
            ),
        ] as [([String], String?)])
    func severalErrors(names: [String], expected: String?) throws {
        let (own, _) = try errors(names.map { ##"{"$ref": "#/components/schemas/\##($0)"}"## })
        if let expected {
            #expect(own.contains(expected), "\(own)")
        } else {
            #expect(!own.contains("ErrorResponse"), "\(own)")
        }
    }

    @Test("What several operations have for their errors is declared once, or is the usual error")
    func sharedErrors() throws {
        let some = try errors([##"{"$ref": "#/components/schemas/Inner"}"##, "{}"], count: 2).usual
        #expect(some.components(separatedBy: "typealias ErrorResponse = ").count == 3, "\(some)")
        let both = ["Usual", "More"].map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }
        let two = try errors(both, count: 1).usual
        #expect(two.contains("where ErrorResponse == Usual {}"), "\(two)")
        let many = try errors(both, count: 2).usual
        #expect(many.contains("ErrorResponse == ShopError {}"), "\(many)")
        #expect(
            many.contains(
                "struct ShopError: Decodable { let id: String, n: Int?, more: [String]? }"))
        #expect(!many.contains("typealias ErrorResponse"))
    }

    @Test("A comment that only one of several errors has isn't that of their member")
    func comments() throws {
        let names = ["Usual", "More", "Code"].map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }
        #expect(try !errors(names).own.contains("///"))
    }
}
