import Endpoints
import EndpointsTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Form fields known at run time")
struct ContentsOfTests {
    struct Post: FlatRequest {
        let title: String
        var fields: [String: String?] = [:]
        static let endpoint = Endpoint<Post>(
            method: .post, path: "p",
            parameters: [.form("title", path: \.title), .form(contentsOf: \.fields)])
        typealias Response = Void
    }

    struct PostItems: FlatRequest {
        let fields: [URLQueryItem]
        static let endpoint = Endpoint<PostItems>(
            method: .post, path: "p", parameters: [.form(contentsOf: \.fields)])
        typealias Response = Void
    }

    static let posts: [(items: [String: String?], body: String)] = [
        ([:], "title=a+b"),
        (["z": "1", "a": "é&", "n": nil], "title=a+b&a=%C3%A9%26&z=1"),
    ]

    @Test("Form fields known at run time are sent in the declared order", arguments: posts)
    func follow(_ items: [String: String?], _ body: String) throws {
        let post = Post(title: "a b", fields: items)
        let request = try post.urlRequest(in: .production)
        #expect(request.httpBody == Data(body.utf8))
        #expect(post.problems.isEmpty)
    }

    static let items: [(items: [URLQueryItem], body: String)] = [
        ([], ""),
        ([URLQueryItem(name: "b", value: "1"), URLQueryItem(name: "a", value: nil)], "b=1"),
    ]

    @Test("Without declared fields, those known at run time are the form", arguments: items)
    func alone(_ items: [URLQueryItem], _ body: String) throws {
        let request = try PostItems(fields: items).urlRequest(in: .production)
        #expect(request.httpBody == Data(body.utf8))
        #expect(
            request.value(forHTTPHeaderField: "Content-Type")
                == "application/x-www-form-urlencoded")
    }

    struct Mixed: FlatRequest {
        let fields: [String: String] = [:]
        let body: String
        static let endpoint = Endpoint<Mixed>(
            method: .post, path: "p", parameters: [.form(contentsOf: \.fields)])
        typealias Response = Void
    }

    @Test("Form fields known at run time and a body are refused")
    func mixed() {
        let error = #expect(throws: EndpointError.self) {
            try Mixed(body: "x").urlRequest(in: .production)
        }
        let text = """
            Mixed: the property "fields" can't be sent together with a Body; remove the one or the \
            other
            """
        #expect(error?.description == text)
    }

    struct Numbers: FlatRequest {
        let fields: [String: Double]
        static let endpoint = Endpoint<Numbers>(
            method: .post, path: "p", parameters: [.form(contentsOf: \.fields)])
        typealias Response = Void
    }

    @Test("A form field known at run time that can't be written is named as a form field")
    func unwritable() {
        let error = #expect(throws: EndpointError.self) {
            try Numbers(fields: ["n": .nan]).urlRequest(in: .production)
        }
        #expect(error?.field == .form("n"))
    }
}
