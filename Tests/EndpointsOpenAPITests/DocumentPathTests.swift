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
                    "`GET /users#b`: isn't declared here", "`POST /users?a=1`: isn't declared here",
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
