import Endpoints
import Foundation
import Testing

@Suite("Query items and headers known at run time")
struct RunTimeTests {
    /// A search with filters that are known only at run time.
    struct Search: FlatRequest {
        let words: String
        let filters: [(name: String, value: String)]
        let session: String?

        static let endpoint = Endpoint<Search>(
            method: .get, path: "search",
            parameters: [.query("q", path: \.words), .query(contentsOf: \.filterItems)],
            headers: HeaderList(
                ["X-Client": .fieldValue(value: "declared")], contentsOf: \.sessionHeaders))
        typealias Response = Data

        var filterItems: [URLQueryItem] {
            filters.map { URLQueryItem(name: "filter[\($0.name)]", value: $0.value) }
        }
        var sessionHeaders: [Headers: String] {
            var headers: [Headers: String] = ["x-client": "at run time"]
            headers["X-Session"] = session
            return headers
        }
    }

    @Test("Query items and headers known at run time are escaped and checked as declared ones are")
    func added() throws {
        let search = Search(
            words: "fish & chips", filters: [("size", "a+b"), ("size", "é"), ("", "")],
            session: "s 1")
        let request = try search.urlRequest(in: .production)
        #expect(
            request.url?.absoluteString == """
                https://api.example.com/v1/search?q=fish%20%26%20chips&filter%5Bsize%5D=a%2Bb\
                &filter%5Bsize%5D=%C3%A9&filter%5B%5D=
                """)
        #expect(request.value(forHTTPHeaderField: "X-Session") == "s 1")
        #expect(request.value(forHTTPHeaderField: "X-Client") == "at run time")
    }

    @Test("A header known at run time that is refused is named in the error")
    func refused() throws {
        let search = Search(words: "", filters: [], session: "s3cret\nX: 1")
        let error = try #require(throws: EndpointError.self) {
            try search.urlRequest(in: .production)
        }
        #expect(error.field == .header("X-Session"))
        #expect(!"\(error)".contains("s3cret"))
    }
}
