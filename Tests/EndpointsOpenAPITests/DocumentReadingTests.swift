import Endpoints
import EndpointsOpenAPI
import Foundation
import Testing

@Suite("Documents that are read")
struct DocumentReadingTests {
    @Test(
        "A path is compared with the server's path before it, if one of the two has it",
        arguments: [
            (["https://h/v1"], "users", "/v1", "/users", true),
            (["https://h"], "v1/users", "https://other/v1", "/users", true),
            ([], "v1/users", "https://other/v1", "/users", true),
            (["https://h/v1"], "users", "https://h", "/v1/users", true),
            (["https://h/v2"], "users", "https://h/v1", "/users", true),
            ([], "v2/users", "https://h/v1", "/users", false),
        ] as [([String], String, String, String, Bool)])
    func paths(
        _ ours: [String], _ path: String, _ theirs: String, _ other: String, _ isSame: Bool
    ) throws {
        let json = """
            {"openapi": "3.1.0", "servers": [{"url": "\(theirs)"}],
             "paths": {"\(other)": {"delete": {}}}}
            """
        let servers = ours.compactMap(URL.init(string:)).map { ServerEnvironment(baseUrl: $0) }
        let request: any RequestType.Type =
            switch path {
            case "users": DeleteUsers.self
            case "v1/users": DeleteUsers1.self
            default: DeleteUsers2.self
            }
        let differences = OpenAPIDocument(of: request, servers: servers)
            .differences(from: try OpenAPIDocument(data: Data(json.utf8)))
        #expect(differences.isEmpty == isSame)
    }

    struct DeleteUsers: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .delete, path: "users")
        typealias Response = Void
    }
    struct DeleteUsers1: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .delete, path: "/v1/users")
        typealias Response = Void
    }
    struct DeleteUsers2: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .delete, path: "v2/users")
        typealias Response = Void
    }

    private static func document(_ operation: String, last: String) throws -> OpenAPIDocument {
        try OpenAPIDocument(
            data: Data(
                ##"""
                {"openapi": "3.1.0", "paths": {"/a": {"post": {\##(operation)}}}, "components": {
                "requestBodies": {"B": {"required": true, "content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/M"}}}}}, "responses": {"R": {"content":
                {"application/json": {"schema": {"$ref": "#/components/schemas/M"}}}}}, "schemas": {"M":
                {"type": "object", "properties": {"a": {"type": "\##(last)"}}}}}}
                """##.utf8))
    }

    @Test(
        "A document that was read is compared with another one that was read",
        arguments: [
            (##""requestBody": {"$ref": "#/components/requestBodies/B"}"##, "the body's `a`"),
            (
                ##""responses": {"200": {"$ref": "#/components/responses/R"}}"##,
                "the response's `a`"
            ),
            (
                ##""responses": {"201": {"$ref": "#/components/responses/R"}}"##,
                "the response's `a`"
            ),
        ])
    func read(operation: String, place: String) throws {
        let theirs = try Self.document(operation, last: "string")
        #expect(theirs.differences(from: theirs, includingUndeclared: true) == [])
        let other = try Self.document(operation, last: "boolean")
        #expect(
            other.differences(from: theirs).map(\.reason)
                == ["\(place) is text there and a boolean here"])
    }

    @Test(
        "What two documents say in different words is no difference",
        arguments: [
            // A list whose style would separate its values, but for `explode`.
            (
                #""parameters": [{"in": "query", "name": "q", "style": "spaceDelimited", "explode": true, "schema": {"type": "array", "items": {"type": "string"}}}]"#,
                #""parameters": [{"in": "query", "name": "q", "schema": {"type": "array", "items": {"type": "string"}}}]"#
            ),
            // The only response is that of a success, and says nothing of errors.
            (
                #""responses": {"default": {"description": ""}}"#,
                ##""responses": {"2XX": {"description": ""}, "default": {"$ref": "#/components/responses/R"}}"##
            ),
        ])
    func words(theirs: String, ours: String) throws {
        let theirs = try Self.document(theirs, last: "string")
        #expect(try Self.document(ours, last: "string").differences(from: theirs) == [])
    }

    @Test(
        "A document at a URL that isn't a file URL is refused, and not loaded",
        arguments: ["http://127.0.0.1:1/api.json", "api.json"])
    func notAFile(address: String) throws {
        let url = try #require(URL(string: address))
        let error = #expect(throws: OpenAPIDocumentError.self) {
            try OpenAPIDocument(contentsOf: url)
        }
        #expect(
            error?.description == """
                the URL of the document is not a file URL; write URL(fileURLWithPath: path), or \
                load the document and pass its bytes, as in OpenAPIDocument(data: data)
                """)
    }

    @Test("A file that can't be read is an error that names it and says what to do")
    func unreadable() {
        let folder = FileManager.default.temporaryDirectory
        let error = #expect(throws: OpenAPIDocumentError.self) {
            try OpenAPIDocument(contentsOf: folder)
        }
        #expect(
            error?.description == """
                \(folder.path) can't be read; check that it is a file, and that the program has \
                permission to read it
                """)
    }

    @Test(
        "A text that is no document of OpenAPI 3 is an error that says what it is",
        arguments: [
            (
                "",
                "the document isn't JSON: line 1, column 1: the text ends where a value is expected"
            ),
            ("[]", "the document must be an object, and is a list"),
            (
                #"{"a": "#,
                "the document isn't JSON: line 1, column 7: the text ends where a value is expected"
            ),
            (
                "# API\nopenapi: 3.1.0",
                """
                the document is YAML, and only JSON is read; convert it first, for example by \
                `yq -o=json . api.yaml > api.json`
                """
            ),
            (
                #"{"swagger": "2.0"}"#,
                """
                the document is Swagger 2.0; convert it to OpenAPI 3 first, for example by \
                `npx swagger2openapi api.json -o api3.json`
                """
            ),
            ("{}", "`openapi` is missing"),
            (
                #"{"openapi": "4.0.0"}"#,
                "#/openapi: the version 4.0.0 isn't known; known are 3.0, 3.1 and 3.2"
            ),
            (#"{"openapi": "3.2.0", "paths": []}"#, "#/paths: must be an object, and is a list"),
        ])
    func unreadable(_ text: String, _ error: String) {
        #expect {
            try OpenAPIDocument(data: Data(text.utf8))
        } throws: {
            "\($0)" == error
        }
    }
}
