import Endpoints
import EndpointsOpenAPI
import Foundation
import Testing

extension DocumentDifferenceTests {
    @Test(
        "Of operations whose paths differ by a query or a fragment, the one that fits is compared")
    func fragments() throws {
        let other =
            #""/users?a=1": {"post": {"responses": {"201": {"description": ""}}}}, "/users#b": {"#
        let text = Self.theirs.replacing(#""/users": {"#, with: other)
        let theirs = try OpenAPIDocument(data: Data(text.utf8))
        #expect(
            Self.ours.differences(from: theirs, includingUndeclared: true).map(\.description)
                == [
                    "`POST /users?a=1`: isn't declared here", "`GET /users#b`: isn't declared here",
                ])
    }

    struct FindUser: FlatRequest {
        let beta: Bool
        static let endpoint = Endpoint<Self>(
            method: .get, path: "found", parameters: [.query("beta", path: \.beta)])
        typealias Response = User?
        struct User: Decodable { let id: Int }
    }

    @Test("A query in the path is known, and a response that may be nil may be null")
    func optionalResponses() throws {
        let text = """
            {"openapi": "3.1.0", "info": {"title": "", "version": ""},
             "paths": {"/found?beta=true": {"get": {"responses": {"200": {"description": "",
              "content": {"application/json": {"schema": {"type": ["object", "null"],
               "required": ["id"], "properties": {"id": {"type": "integer"}}}}}}}}}}}
            """
        let theirs = try OpenAPIDocument(data: Data(text.utf8))
        #expect(OpenAPIDocument(of: FindUser.self).differences(from: theirs) == [])
    }
}

/// What one needs to be let in, and how values stand in a path.
@Suite("Security and styles that a document has otherwise")
struct DocumentSecurityTests {
    struct Server: EnvironmentType {
        var baseUrl: URL
        var headers: [Headers: Credentials?] { [.authorization: nil] }
    }

    struct Open: FlatRequest {
        typealias Environment = Server
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", headers: [.authorization: nil])
        typealias Response = Void
    }
    struct Closed: FlatRequest {
        typealias Environment = Server
        static let endpoint = Endpoint<Self>(method: .get, path: "a")
        typealias Response = Void
    }

    private static let schemes = """
        {"b": {"type": "http", "scheme": "bearer"}, "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
         "q": {"type": "apiKey", "in": "query", "name": "key"}, "c": {"type": "apiKey", "in": "cookie", "name": "s"},
         "m": {"type": "mutualTLS"}, "o": {"type": "oauth2"}}
        """

    @Test(
        "A key that the server doesn't send is a difference, if no other way is open",
        arguments: [
            (#"[{"b": []}]"#, nil, "the header `Authorization`"),
            (#"[{"o": ["read"]}]"#, nil, "the header `Authorization`"),
            (#"[{"k": []}]"#, "the header `X-Key`", "the header `X-Key`"),
            (#"[{"k": []}, {"b": []}]"#, nil, "the header `X-Key`"),
            (#"[{"k": []}, {}]"#, nil, nil),
            (#"[{"q": []}]"#, "the query item `key`", "the query item `key`"),
            (#"[{"c": []}]"#, "the header `Cookie`", "the header `Cookie`"),
            (#"[{"m": []}]"#, nil, nil),
            (#"[]"#, nil, nil), (#"[{"unknown": []}]"#, nil, nil),
        ] as [(String, String?, String?)])
    func security(ways: String, closed: String?, open: String?) throws {
        let json = """
            {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "security": \(ways),
             "paths": {"/a": {"get": {"responses": {"204": {"description": ""}}}}},
             "components": {"securitySchemes": \(Self.schemes)}}
            """
        let theirs = try OpenAPIDocument(data: Data(json.utf8))
        let url = try #require(URL(string: "https://h"))
        for (request, missing) in [(Closed.self, closed), (Open.self, open)]
            as [(any RequestType.Type, String?)]
        {
            let ours = OpenAPIDocument(of: request, servers: [Server(baseUrl: url)])
            #expect(
                ours.differences(from: theirs).map(\.reason)
                    == (missing.map {
                        ["\($0) is needed for its security there and isn't sent here"]
                    } ?? []))
            #expect(OpenAPIDocument(of: request).differences(from: theirs) == [])
        }
    }

    struct Labelled: FlatRequest {
        let id: Int
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a/.\(path: \.id, includesSlash: false)")
        typealias Response = Void
    }

    @Test(
        "A path's style is a part of the path",
        arguments: [("label", true), ("simple", false), ("matrix", false)])
    func style(_ style: String, _ isSame: Bool) throws {
        let json = """
            {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a/{id}": {"get": {"parameters": [
             {"in": "path", "name": "id", "required": true, "style": "\(style)", "schema": {"type": "integer"}}]}}}}
            """
        let theirs = try OpenAPIDocument(data: Data(json.utf8))
        #expect(OpenAPIDocument(of: Labelled.self).differences(from: theirs).isEmpty == isSame)
    }

    @Test(
        "An object in the style `matrix` has the names of its members, or its own",
        arguments: [(true, "/a/;{k}"), (false, "/a/;k={k}")])
    func matrix(explodes: Bool, path: String) throws {
        func document(_ path: String, _ parameter: String) throws -> OpenAPIDocument {
            try OpenAPIDocument(
                data: Data(
                    #"""
                    {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"\#(path)": {"get": {"parameters": [
                     {"in": "path", "name": "k", "required": true, \#(parameter)}]}}},
                     "components": {"schemas": {"K": {"type": "object", "properties": {"x": {"type": "string"}}}}}}
                    """#.utf8))
        }
        let theirs = try document(
            "/a/{k}",
            ##""style": "matrix", "explode": \##(explodes), "schema": {"$ref": "#/components/schemas/K"}"##
        )
        let ours = try document(path, #""schema": {}"#)
        #expect(ours.differences(from: theirs, includingUndeclared: true) == [])
    }
}

extension DocumentSecurityTests {
    struct Traced: FlatRequest {
        typealias Environment = Server
        var trace: String?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a", headers: ["X-Trace": .field(path: \.trace)])
        typealias Response = Void
    }

    @Test("A header that isn't in the document is a difference, also if servers are known")
    func header() throws {
        let json = """
            {"openapi": "3.1.0", "info": {"title": "A", "version": "1"},
             "paths": {"/a": {"get": {"responses": {"204": {"description": ""}}}}}}
            """
        let url = try #require(URL(string: "https://h"))
        let ours = OpenAPIDocument(of: Traced.self, servers: [Server(baseUrl: url)])
        #expect(
            try ours.differences(from: OpenAPIDocument(data: Data(json.utf8))).map(\.reason)
                == ["the header `x-trace` isn't there"])
    }
}
