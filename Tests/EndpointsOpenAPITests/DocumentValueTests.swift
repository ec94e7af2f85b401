import Endpoints
import EndpointsFormats
import EndpointsOpenAPI
import Foundation
import Testing

extension DocumentDifferenceTests {
    @Test(
        "A schema that contradicts itself is compared by what it says of the values",
        arguments: [
            DocumentChange(
                members + " mood",
                #"{"type": "string", "enum": [], "allOf": [{"enum": ["calm", "hungry"]}]}"#),
            DocumentChange(members + " mood", #"{"type": "integer", "enum": ["calm", "hungry"]}"#),
            DocumentChange(
                members + " mood", #"{"type": "number", "enum": [1, "calm", "hungry"]}"#,
                "GET /users/{user-id}: the response's `mood` is a number there and text here",
                "POST /users: the body's `mood` is a number there and text here"),
            DocumentChange(
                members + " mood", #"{"type": "string", "enum": [1, 2]}"#,
                "GET /users/{user-id}: the response's `mood` is an integer there and text here",
                "POST /users: the body's `mood` is an integer there and text here"),
        ])
    func contradicting(_ change: DocumentChange) throws { try changed(change) }

    @Test(
        "OpenAPI defines no text for a list of lists or objects in a query",
        arguments: [
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema items", #"{"type": "object"}"#),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema items",
                #"{"type": "array", "items": {"type": "integer"}}"#),
            DocumentChange(
                "paths /users/{user-id} get parameters 1 schema items",
                #"{"oneOf": [{"type": "object", "properties": {"a": {}}}, {"type": "array", "items": {}}]}"#
            ),
            DocumentChange(
                "paths /users/{user-id} get parameters 1",
                #"""
                {"in": "query", "name": "fields", "content": {"application/json": {"schema":
                {"type": "array", "items": {"type": "object"}}}}}
                """#,
                "GET /users/{user-id}: the parameter `fields`'s `[]` is an object there and text here"
            ),
        ])
    func elementsWithoutText(_ change: DocumentChange) throws { try changed(change) }

    @Test(
        "A part that contradicts what stands beside it has no values, and is no difference",
        arguments: [
            #"{"type": "string", "enum": ["web"]}"#, #"{"type": "integer"}"#,
            #"{"type": "array", "items": {}}"#,
        ])
    func impossible(part: String) throws {
        func document(_ schema: String) throws -> OpenAPIDocument {
            try OpenAPIDocument(
                data: Data(
                    #"""
                    {"openapi": "3.1.0", "info": {"title": "S"}, "paths": {"/a": {"get": {"responses": {"200":
                    {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}}}}}
                    """#.utf8))
        }
        func object(_ name: String) -> String {
            #"{"type": "object", "required": ["\#(name)"], "properties": {"\#(name)": {"type": "string"}}}"#
        }
        let theirs = try document(
            #"{"allOf": [{"oneOf": [\#(part), \#(object("a")), \#(object("b"))]}, \#(object("x"))]}"#
        )
        let ours = try document(
            #"{"anyOf": [{"allOf": [\#(object("a")), \#(object("x"))]}, {"allOf": [\#(object("b")), \#(object("x"))]}]}"#
        )
        #expect(ours.differences(from: theirs) == [])
        let fewer = try document(#"{"allOf": [\#(object("a")), \#(object("x"))]}"#)
        #expect(ours.differences(from: fewer) == [])
    }

    struct GetPage: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "page")
        typealias Response = Void
        typealias ErrorResponse = String
    }
    struct GetProblem: FlatRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "page")
        typealias Response = Void
        typealias ErrorResponse = Problem
    }

    @Test(
        "An error response that is a text is of any media type",
        arguments: [
            (GetPage.self, []),
            (
                GetProblem.self,
                [
                    """
                    `GET /page`: the error response is `text/html` there and `application/json` here
                    """
                ]
            ),
        ] as [(any RequestType.Type, [String])])
    func errors(request: any RequestType.Type, expected: [String]) throws {
        let text = """
            {"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/page": {"get":
             {"responses": {"default": {"description": "", "content": {"text/html":
              {"schema": {"type": "string"}}}}}}}}}
            """
        let theirs = try OpenAPIDocument(data: Data(text.utf8))
        #expect(
            OpenAPIDocument(of: request).differences(from: theirs).map(\.description) == expected)
    }
}
