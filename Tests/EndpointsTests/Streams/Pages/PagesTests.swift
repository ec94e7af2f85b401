import Endpoints
import EndpointsStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Pages")
struct PagesTests {
    struct ByLink: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<ByLink>(method: .get, path: "items")
        static let paging = Paging<ByLink>.link()
        typealias Response = [String]
    }

    struct ByURL: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<ByURL>(method: .get, path: "items")
        static let paging = Paging<ByURL>.url { $0.next }
        struct Response: Decodable {
            let items: [String]
            let next: URL?
        }
        static func items(in response: Response) -> [String] { response.items }
    }

    struct ByText: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<ByText>(method: .get, path: "items")
        static let paging = Paging<ByText>.url { $0.next }
        struct Response: Decodable {
            let items: [String]
            let next: String?
        }
        static func items(in response: Response) -> [String] { response.items }
    }

    struct ByCursor: FlatRequest, PagedRequest {
        var cursor: String?
        static let endpoint = Endpoint<ByCursor>(
            method: .get, path: "items", parameters: [.query("cursor", path: \.cursor)])
        static let paging = Paging<ByCursor>.cursor(\.cursor) { $0.next }
        struct Response: Decodable {
            let items: [String]
            let next: String?
        }
        static func items(in response: Response) -> [String] { response.items }
    }

    struct ByNumber: FlatRequest, PagedRequest {
        var page = 1
        static let endpoint = Endpoint<ByNumber>(
            method: .get, path: "items", parameters: [.query("page", path: \.page)])
        static let paging = Paging<ByNumber>.page(\.page)
        typealias Response = WithHTTPResponse<[String]>
        static func items(in response: Response) -> [String] { response.value }
    }

    struct ByOffset: FlatRequest, PagedRequest {
        var offset = 0
        static let endpoint = Endpoint<ByOffset>(
            method: .get, path: "items", parameters: [.query("offset", path: \.offset)])
        static let paging = Paging<ByOffset>.offset(\.offset)
        typealias Response = [String]
    }

    struct ByOptionalOffset: FlatRequest, PagedRequest {
        var offset: Int?
        static let endpoint = Endpoint<ByOptionalOffset>(
            method: .get, path: "items", parameters: [.query("offset", path: \.offset)])
        static let paging = Paging<ByOptionalOffset>.offset(\.offset)
        typealias Response = [String]
    }

    struct ByFunction: FlatRequest, PagedRequest {
        var body = ["from": "a"]
        static let endpoint = Endpoint<ByFunction>(method: .post, path: "search")
        static let paging = Paging<ByFunction>.next { request, response in
            guard let last = response.last else { return nil }
            return ByFunction(body: ["from": last])
        }
        typealias Response = [String]
    }

    struct ByHeader: FlatRequest, PagedRequest {
        var page = 1
        static let endpoint = Endpoint<ByHeader>(
            method: .get, path: "items", headers: ["X-Page": .field(path: \.page)])
        static let paging = Paging<ByHeader>.next { request, response in
            response.isEmpty ? nil : ByHeader(page: request.page + 1)
        }
        typealias Response = [String]
    }

    @Test("A page number in a header leads from page to page")
    func byHeader() async throws {
        let stub = ClosureTransport { request in
            let page = request.urlRequest.value(forHTTPHeaderField: "X-Page") ?? ""
            return try .stub(200, [:], page == "3" ? "[]" : "[\"\(page)\"]")
        }
        var items: [String] = []
        for try await item in EndpointClient(stub, in: .production).items(of: ByHeader()) {
            items.append(item)
        }
        #expect(items == ["1", "2"])
    }

    /// A server that has a response for each query or body, and writes down what it was asked for.
    static func client(
        _ responses: [String: (fields: [String: String], text: String)],
        _ asked: Journal<String> = Journal()
    ) -> EndpointClient<ServerEnvironment> {
        let stub = ClosureTransport { request in
            let (url, body) = (request.urlRequest.url, request.urlRequest.httpBody)
            let key = body.map { String(decoding: $0, as: UTF8.self) } ?? url?.query ?? ""
            asked.add(key)
            guard let response = responses[key] else { return try .stub(404) }
            return try .stub(
                200, response.fields, response.text, at: url?.absoluteString ?? "")
        }
        return EndpointClient(stub, in: .production)
    }

    private func items<Request: PagedRequest>(
        of request: Request, _ responses: [String: (fields: [String: String], text: String)]
    ) async throws -> (items: [Request.Item], asked: [String])
    where Request.Environment == ServerEnvironment {
        let asked = Journal<String>()
        var items: [Request.Item] = []
        for try await item in Self.client(responses, asked).items(of: request) {
            items.append(item)
        }
        return (items, asked.entries)
    }

    static func link(_ target: String) -> [String: String] {
        ["Link": "<\(target)>; rel=\"next\", </first>; rel=first"]
    }

    @Test("A Link header leads from page to page")
    func byLink() async throws {
        let (items, asked) = try await items(
            of: ByLink(),
            [
                "": (Self.link("?page=2"), #"["a", "b"]"#),
                "page=2": (Self.link("https://api.example.com/v1/items?page=3"), "[]"),
                "page=3": (["Link": "</first>; rel=first"], #"["c"]"#),
            ])
        #expect(items == ["a", "b", "c"])
        #expect(asked == ["", "page=2", "page=3"])
    }

    @Test("A URL in the response leads from page to page, a relative one as well")
    func byURL() async throws {
        let (items, asked) = try await items(
            of: ByURL(),
            [
                "": ([:], #"{"items": ["a"], "next": "https://api.example.com/v1/items?p=2"}"#),
                "p=2": ([:], #"{"items": ["b"], "next": "?p=3"}"#),
                "p=3": ([:], #"{"items": ["c"], "next": null}"#),
            ])
        #expect(items == ["a", "b", "c"])
        #expect(asked == ["", "p=2", "p=3"])
    }

    /// A URL in a JSON body, and the query that it asks for.
    static let escaped: [(url: String, query: String)] = [
        ("?page[cursor]=a%2Fb%3D", "page%5Bcursor%5D=a%2Fb%3D"),
        ("https:\\/\\/api.example.com\\/v1\\/items?a[b]=c%2Bd", "a%5Bb%5D=c%2Bd"),
        (#"?page[cursor]=a%2Fb\u0026n=2"#, "page%5Bcursor%5D=a%2Fb&n=2"),
        ("?q=é%20x", "q=%C3%A9%20x"),
        (#"?q=\ud83d\ude00\u00e9&b[c]=a%2Fb"#, "q=%F0%9F%98%80%C3%A9&b%5Bc%5D=a%2Fb"),
        ("?q=a b%2B|", "q=a%20b%2B%7C"),
        ("?page%5Bcursor%5D=a%252Fb", "page%5Bcursor%5D=a%252Fb"),
        ("?to=https%3A%2F%2Fh%2F%253F", "to=https%3A%2F%2Fh%2F%253F"),
        ("?a[]=%257B%7D", "a%5B%5D=%257B%7D"),
    ]

    @Test(
        "A next URL keeps its escapes, and gets those that it lacks, as a String and as a URL",
        arguments: escaped)
    func escapedURL(row: (url: String, query: String)) async throws {
        let responses: [String: (fields: [String: String], text: String)] = [
            "": ([:], #"{"items": ["a"], "next": "\#(row.url)"}"#),
            row.query: ([:], #"{"items": ["b"]}"#),
        ]
        #expect(try await items(of: ByText(), responses).asked == ["", row.query])
        #expect(try await items(of: ByURL(), responses).asked == ["", row.query])
    }

    @Test("A path whose escapes Foundation has escaped again is asked for as the server wrote it")
    func escapedPath() async throws {
        let asked = Journal<String>()
        let stub = ClosureTransport { request in
            let url = request.urlRequest.url?.absoluteString ?? ""
            asked.add(url)
            let next = asked.entries.count == 1 ? #", "next": "/v1/[a]/b%2Fc?d=%25""# : ""
            return try .stub(200, [:], #"{"items": []\#(next)}"#, at: url)
        }
        let api = EndpointClient(stub, in: .production)
        for try await _ in api.items(of: ByURL()) {}
        #expect(asked.entries.last == "https://api.example.com/v1/%5Ba%5D/b%2Fc?d=%25")
    }

    @Test(
        "A text that isn't a usable URL ends the pages with an error, and an empty one without",
        arguments: ["", "https://user:pw@api.example.com/v1/items", "http://", "ftp://h/a"])
    func unusableText(next: String) async throws {
        let responses: [String: (fields: [String: String], text: String)] = [
            "": ([:], #"{"items": ["a"], "next": "\#(next)"}"#)
        ]
        guard !next.isEmpty else {
            #expect(try await items(of: ByText(), responses).items == ["a"])
            return
        }
        let error = await #expect(throws: ByText.TaskError.self) {
            try await items(of: ByText(), responses)
        }
        #expect(error?.description.contains("the URL to be loaded must be http or https") == true)
    }

    @Test(
        "A cursor leads from page to page, until there is none or an empty one",
        arguments: [
            #"{"items": ["c"]}"#, #"{"items": ["c"], "next": null}"#,
            #"{"items": ["c"], "next": ""}"#,
        ])
    func byCursor(last: String) async throws {
        let (items, asked) = try await items(
            of: ByCursor(),
            [
                "": ([:], #"{"items": ["a"], "next": "x/y"}"#),
                "cursor=x/y": ([:], #"{"items": ["b"], "next": "z"}"#), "cursor=z": ([:], last),
            ])
        #expect(items == ["a", "b", "c"])
        #expect(asked == ["", "cursor=x/y", "cursor=z"])
    }

    @Test("Pages are counted up to one without items")
    func byNumber() async throws {
        let (items, asked) = try await items(
            of: ByNumber(),
            [
                "page=1": ([:], #"["a", "b"]"#), "page=2": ([:], #"["c"]"#), "page=3": ([:], "[]"),
            ])
        #expect(items == ["a", "b", "c"])
        #expect(asked == ["page=1", "page=2", "page=3"])
    }

    @Test("An offset grows by the items of each page")
    func byOffset() async throws {
        let (items, asked) = try await items(
            of: ByOffset(),
            [
                "offset=0": ([:], #"["a", "b"]"#), "offset=2": ([:], #"["c"]"#),
                "offset=3": ([:], "[]"),
            ])
        #expect(items == ["a", "b", "c"])
        #expect(asked == ["offset=0", "offset=2", "offset=3"])
    }

    @Test("A page without an offset began at 0")
    func byOptionalOffset() async throws {
        let (items, asked) = try await items(
            of: ByOptionalOffset(),
            ["": ([:], #"["a", "b"]"#), "offset=2": ([:], "[]")])
        #expect(items == ["a", "b"])
        #expect(asked == ["", "offset=2"])
    }

    @Test("A function makes the next request, with another body for example")
    func byFunction() async throws {
        let (items, asked) = try await items(
            of: ByFunction(),
            [
                #"{"from":"a"}"#: ([:], #"["b", "c"]"#), #"{"from":"c"}"#: ([:], #"["d"]"#),
                #"{"from":"d"}"#: ([:], "[]"),
            ])
        #expect(items == ["b", "c", "d"])
        #expect(asked == [#"{"from":"a"}"#, #"{"from":"c"}"#, #"{"from":"d"}"#])
    }

    /// A page's number, an offset and a cursor that the endpoint doesn't send.
    @Test("A next number that doesn't fit in Int is an error, and the page before is returned")
    func overflow() async throws {
        let transport = ClosureTransport { _ in try .stub(200, [:], #"["a", "b"]"#) }
        let api = EndpointClient(transport, in: ServerEnvironment.production)
        func texts<Request: PagedRequest<String>>(_ request: Request) async -> [String]
        where Request.Environment == ServerEnvironment {
            var texts: [String] = []
            do { for try await item in api.items(of: request) { texts.append(item) } } catch {
                texts.append("\(error)")
            }
            return texts
        }
        func reason(_ name: String, _ number: Int) -> String {
            """
            \(name): the property "paging" has no page after the number \(number), as a larger one \
            doesn't fit in Int; begin with a smaller number
            """
        }
        #expect(await texts(ByNumber(page: .max)) == ["a", "b", reason("ByNumber", .max)])
        let last = Int.max - 1
        #expect(await texts(ByOffset(offset: last)) == ["a", "b", reason("ByOffset", last)])
        #expect(
            await texts(ByOptionalOffset(offset: .max))
                == ["a", "b", reason("ByOptionalOffset", .max)])
    }

    struct UnsentPage: FlatRequest, PagedRequest {
        var page = 1
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.page(\.page)
        typealias Response = [String]
    }

    struct UnsentOffset: FlatRequest, PagedRequest {
        var offset = 0
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.offset(\.offset)
        typealias Response = [String]
    }

    struct UnsentOptionalOffset: FlatRequest, PagedRequest {
        var offset: Int?
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.offset(\.offset)
        typealias Response = [String]
    }

    struct UnsentCursor: FlatRequest, PagedRequest {
        var cursor: Int?
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.cursor(\.cursor) { _ in Int.random(in: 0 ..< .max) }
        typealias Response = [String]
    }

    @Test("A next page whose request is the same as before is an error, even by a new number")
    func unsent() async throws {
        let same = ["": ([:], #"["a"]"#) as ([String: String], String)]
        try await expectRepetition(UnsentPage(), 1, same)
        try await expectRepetition(UnsentOffset(), 1, same)
        try await expectRepetition(UnsentOptionalOffset(), 1, same)
        try await expectRepetition(UnsentCursor(), 1, same)
    }

    struct ByEmptyRelation: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "")
        typealias Response = [String]
    }

    struct ByTwoRelations: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "next last")
        typealias Response = [String]
    }

    struct BySpace: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "next ")
        typealias Response = [String]
    }

    struct ByParameter: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "rel=next")
        typealias Response = [String]
    }

    struct ByList: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "next,prev")
        typealias Response = [String]
    }

    struct ByQuotes: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "\"next\"")
        typealias Response = [String]
    }

    struct ByURLRelation: FlatRequest, PagedRequest {
        static let endpoint = Endpoint<Self>(method: .get, path: "items")
        static let paging = Paging<Self>.link(rel: "https://h/rel?a=b,c")
        typealias Response = [String]
    }

    @Test("A relation may be a URL with any characters of a URL")
    func relationOfURL() async throws {
        var pages = Self.client(["": ([:], #"["a"]"#)]).pages(of: ByURLRelation())
            .makeAsyncIterator()
        #expect(try await pages.next() == ["a"])
    }

    @Test("A relation that no link can have is refused before a page is loaded")
    func wrongRelation() async throws {
        try await expectRefusal(ByEmptyRelation(), #"Paging.link(rel: "")"#)
        try await expectRefusal(ByTwoRelations(), #"Paging.link(rel: "next last")"#)
        try await expectRefusal(BySpace(), #"Paging.link(rel: "next ")"#)
        try await expectRefusal(ByParameter(), #"Paging.link(rel: "rel=next")"#)
        try await expectRefusal(ByList(), #"Paging.link(rel: "next,prev")"#)
        try await expectRefusal(ByQuotes(), #"Paging.link(rel: ""next"")"#)
    }

    private func expectRefusal<Request: PagedRequest>(
        _ request: Request, _ setting: String
    ) async throws where Request.Environment == ServerEnvironment {
        var pages = Self.client([:]).pages(of: request).makeAsyncIterator()
        do throws(Request.TaskError) {
            _ = try await pages.next()
            Issue.record("a page is loaded")
        } catch .endpointError(let error) {
            #expect(error.field == .property("paging"))
            #expect(
                error.reason
                    == "has `\(setting)`, which can't be meant; write one relation, such as `next`")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("A page that was loaded before is an error after the pages that came before it")
    func repeated() async throws {
        try await expectRepetition(
            ByCursor(), 2,
            [
                "": ([:], #"{"items": [], "next": "a"}"#),
                "cursor=a": ([:], #"{"items": [], "next": "a"}"#),
            ])
        try await expectRepetition(
            ByCursor(cursor: "a"), 2,
            [
                "cursor=a": ([:], #"{"items": [], "next": "b"}"#),
                "cursor=b": ([:], #"{"items": [], "next": "a"}"#),
            ])
        try await expectRepetition(
            ByLink(), 2,
            ["": (Self.link("?page=2"), "[]"), "page=2": (Self.link("/v1/items"), "[]")])
        try await expectRepetition(ByFunction(), 1, [#"{"from":"a"}"#: ([:], #"["a"]"#)])
    }

    private func expectRepetition<Request: PagedRequest>(
        _ request: Request, _ count: Int,
        _ responses: [String: (fields: [String: String], text: String)]
    ) async throws where Request.Environment == ServerEnvironment {
        var pages = Self.client(responses).pages(of: request).makeAsyncIterator()
        for _ in 0..<count { #expect(try await pages.next() != nil) }
        do throws(Request.TaskError) {
            _ = try await pages.next()
            Issue.record("no error")
        } catch .transportError(let error) {
            #expect(error.cause is RepeatedPageError)
            #expect(
                "\(error.cause)" == """
                    the next page is one that was loaded before, so the pages would never end; \
                    check the request's `paging`, and that its endpoint sends the cursor, page or \
                    offset
                    """)
            let text = Request.TaskError.transportError(error).debugDescription
            #expect(text.contains(" https://api.example.com/v1/"))
        } catch {
            Issue.record("\(error)")
        }
        #expect(try await pages.next() == nil)
    }

    @Test("An error response ends the pages with a typed error")
    func errorResponse() async throws {
        var pages = Self.client(["": (Self.link("?page=2"), "[]")]).pages(of: ByLink())
            .makeAsyncIterator()
        #expect(try await pages.next() == [])
        do throws(ByLink.TaskError) {
            _ = try await pages.next()
            Issue.record("no error")
        } catch .errorResponse(let httpResponse, _) {
            #expect(httpResponse.statusCode == 404)
        } catch {
            Issue.record("\(error)")
        }
        #expect(try await pages.next() == nil)
    }
}
