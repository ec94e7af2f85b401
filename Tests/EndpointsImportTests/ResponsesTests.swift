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
}
