import Endpoints
import EndpointsFormats
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

    struct Search: FlatRequest {
        var page: Int?
        var items: [URLQueryItem] = []
        var more: [String: Int?] = [:]
        static let endpoint = Endpoint<Self>(
            method: .post, path: "p",
            parameters: [
                .query("page", path: \.page), .queryValue("v", value: 1),
                .query(contentsOf: \.items), .form(contentsOf: \.more),
            ])
        typealias Response = Void
    }

    static let searches: [(search: Search, query: String, problems: [EndpointError.Field])] = [
        (Search(page: 1, items: [.init(name: "a", value: "2")]), "page=1&v=1&a=2", []),
        (
            Search(page: 1, items: [.init(name: "page", value: "2")]), "page=1&v=1&page=2",
            [.query("page")]
        ),
        (Search(items: [.init(name: "page", value: "2")]), "v=1&page=2", []),
        (Search(page: 1, items: [.init(name: "page", value: nil)]), "page=1&v=1", []),
        (Search(items: [.init(name: "v", value: "2")]), "v=1&v=2", [.query("v")]),
        (
            Search(items: [.init(name: "a", value: "2"), .init(name: "a", value: "3")]),
            "v=1&a=2&a=3", []
        ),
        (Search(page: 1, more: ["page": 2]), "page=1&v=1", []),
    ]

    @Test(
        "A query item that is declared and known at run time is sent twice, and a problem",
        arguments: searches)
    func twice(_ search: Search, _ query: String, _ problems: [EndpointError.Field]) throws {
        #expect(try search.urlRequest(in: .production).url?.query == query)
        #expect(search.problems.map(\.field) == problems)
    }

    @Test("A form field that is declared and known at run time is a problem that says so")
    func twiceInForm() {
        let texts = Post(title: "a", fields: ["title": "b"]).problems.map(\.description)
        let text = """
            Post: the form field "title" is sent twice, because it is also in `contentsOf:` or \
            `spreading:`; remove it from one of the two
            """
        #expect(texts == [text])
    }

    struct Spread: FlatRequest {
        struct Filter: Encodable {
            let page: Int?
            let size: Int
        }
        let page: Int
        let filter: Filter
        static let endpoint = Endpoint<Self>(
            method: .get, path: "p",
            parameters: [.query("page", path: \.page), .query(spreading: \.filter)])
        typealias Response = Void
    }

    @Test("A query item that is declared and one of a spread value is a problem")
    func twiceBySpreading() {
        func problems(_ page: Int?) -> [EndpointError.Field] {
            Spread(page: 1, filter: Spread.Filter(page: page, size: 2)).problems.map(\.field)
        }
        #expect(problems(2) == [.query("page")])
        #expect(problems(nil) == [])
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
