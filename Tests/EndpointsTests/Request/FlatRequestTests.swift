import Endpoints
import EndpointsTesting
import Foundation
import Testing

@Suite struct FlatRequestTests {
    struct Repo: FlatRequest {
        typealias Response = Void
        static let endpoint = Endpoint<Repo>(
            method: .get, path: "repos/\(path: \.owner)/\(path: \.name)",
            parameters: [.query("page", path: \.page)], headers: ["X-Owner": .field(path: \.owner)])
        let owner: String
        let name: String
        var page: Int?
    }

    @Test("A flat request reads its values from its own properties")
    func values() throws {
        let repo = Repo(owner: "a", name: "b c", page: 2)
        let request = try repo.urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.example.com/v1/repos/a/b%20c?page=2")
        #expect(request.allHTTPHeaderFields == ["X-Owner": "a"])
        #expect(repo.pathComponents.name == repo.name && repo.parameters.page == repo.page)
        #expect(repo.headerValues.owner == repo.owner)
    }

    struct Issue: FlatRequest, Encodable, Sendable {
        typealias Response = Void
        typealias Body = Self
        static let endpoint = Endpoint<Issue>(method: .post, path: "issues")
        let title: String
        var body: Self { self }
    }

    @Test("A flat request can be its own body")
    func ownBody() throws {
        let request = try Issue(title: "t").urlRequest(in: .production)
        #expect(request.httpBody == Data(#"{"title":"t"}"#.utf8))
    }

    struct Comment: FlatRequest, Sendable {
        typealias Response = Void
        @TaskLocal static var endpoint = Endpoint<Comment>(method: .post, path: "c")
        var body = "text"
        var text: String { body }
        var post = Post(body: "nested")
        var maybe: Post?
        struct Post { var body: String }
    }

    static let reading: [Endpoint<Comment>] = [
        Endpoint(method: .post, path: "c/\(path: \.body)"),
        Endpoint(method: .post, path: "c", parameters: [.query("b", path: \.body)]),
        Endpoint(
            method: .post, path: "c", parameters: [.query("b", path: \.body, encoding: .json)]),
        Endpoint(method: .post, path: "c", headers: ["X-B": .field(path: \.body)]),
    ]

    @Test(
        "A parameter, header or path value that reads a flat request's \\.body is refused",
        arguments: reading)
    func readsBody(_ endpoint: Endpoint<Comment>) throws {
        let error = Comment.$endpoint.withValue(endpoint) {
            #expect(throws: EndpointError.self) { try Comment().urlRequest(in: .production) }
        }
        let text = """
            Comment: the body would be sent twice, because a parameter, a header or the path also \
            reads \\.body; remove it there, or rename the property if it isn't the body
            """
        #expect(error?.description == text)
        #expect(error?.field == .body)
        #expect(endpoint.problems.map(\.description) == [text])
    }

    @Test("A form field that reads a flat request's \\.body is refused")
    func formReadsBody() throws {
        let endpoint = Endpoint<Comment>(
            method: .post, path: "c", parameters: [.form("body", path: \.body)])
        let problems = endpoint.problems.map(\.description)
        #expect(problems.contains { $0.contains(#"also reads \.body"#) })
    }

    static let others: [(endpoint: Endpoint<Comment>, url: String)] = [
        (Endpoint(method: .post, path: "c/\(path: \.text)"), "c/text"),
        (Endpoint(method: .post, path: "c/\(path: \.post.body)"), "c/nested"),
        (Endpoint(method: .post, path: "c", parameters: [.query("b", path: \.maybe?.body)]), "c"),
    ]

    @Test("A flat request may read a computed property, or another value's body", arguments: others)
    func readsOther(_ endpoint: Endpoint<Comment>, _ url: String) throws {
        let request = try Comment.$endpoint.withValue(endpoint) {
            try Comment().urlRequest(in: .production)
        }
        #expect(request.url?.absoluteString == "https://api.example.com/v1/\(url)")
        #expect(request.httpBody == Data("text".utf8))
        #expect(endpoint.problems.isEmpty)
    }

    struct Draft: RequestType {
        typealias Response = Void
        static let endpoint = Endpoint<Draft>(
            method: .post, path: "d", parameters: [.query("b", path: \.body)])
        struct Parameters { let body: String }
        let parameters: Parameters
        let body: String
    }

    @Test("A nested request's Parameters may have a property named body")
    func nestedBody() throws {
        let draft = Draft(parameters: .init(body: "parameter"), body: "body")
        let request = try draft.urlRequest(in: .production)
        #expect(request.url?.absoluteString == "https://api.example.com/v1/d?b=parameter")
        #expect(request.httpBody == Data("body".utf8))
    }
}
