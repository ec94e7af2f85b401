import Endpoints
import Foundation
import Testing

@Suite struct HeaderCaseTests {
    private func fields(_ headers: HeaderList<Probe>, _ values: Probe) throws -> [String: String] {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "h", headers: HeaderList(headers, contentsOf: \.moreHeaders))
        return try values.urlRequest(of: endpoint).allHTTPHeaderFields ?? [:]
    }

    typealias Row = (headers: HeaderList<Probe>, values: Probe, fields: [String: String])

    static let twice: [HeaderList<Probe>] = [
        ["X-A": .fieldValue(value: "1"), "X-A": .fieldValue(value: "2")],
        ["x-a": .fieldValue(value: "1"), "X-A": .fieldValue(value: "2")],
        ["x-a": .field(path: \.a), "X-A": .field(path: \.b)],
        ["x-a": .field(path: \.a), "X-A": .fieldValue(value: "2")],
        ["x-a": .fieldValue(value: "1"), "X-A": .field(path: \.x)],
        ["x-a": nil, "X-B": "2", "X-A": "1"],
    ]

    @Test("A header that is declared twice is refused whatever its case", arguments: twice.indices)
    func declaredTwice(_ index: Int) throws {
        let refusal = try Probe().refusal(headers: Self.twice[index])
        #expect(refusal == #"Probe: the header "X-A" is declared twice; remove one"#)
    }

    static let additional: [Row] = [
        (["X-A": .fieldValue(value: "1")], Probe(moreHeaders: ["X-A": "2"]), ["X-A": "2"]),
        (["X-A": .fieldValue(value: "1")], Probe(moreHeaders: ["x-a": "2"]), ["X-A": "2"]),
        (["x-a": .field(path: \.a)], Probe(a: "1", moreHeaders: ["X-A": "2"]), ["x-a": "2"]),
        (["x-a": .field(path: \.x)], Probe(moreHeaders: ["X-A": "2"]), ["x-a": "2"]),
        (
            ["X-A": .field(path: \.a)], Probe(a: "1", moreHeaders: ["X-B": "2", "X-C": ""]),
            ["X-A": "1", "X-B": "2", "X-C": ""]
        ),
    ]

    @Test(
        "A header known at run time replaces a declared one whatever its case",
        arguments: additional
    )
    func replaced(_ row: Row) throws {
        let fields = try fields(row.headers, row.values)
        #expect(fields == row.fields)
    }

    struct Post: FlatRequest {
        typealias Response = [Int]
        @TaskLocal static var endpoint = Endpoint<Post>(method: .post, path: "p")
        var body: [Int]? = [1]
        var accept: String?
        var moreHeaders: [Headers: String] = [:]
    }

    typealias PostRow = (headers: HeaderList<Post>, values: Post, fields: [String: String])
    static let json = "application/json"

    static let defaults: [PostRow] = [
        ([:], Post(), ["Accept": json, "Content-Type": json]),
        ([:], Post(body: nil), ["Accept": json]),
        (
            [:], Post(moreHeaders: ["accept": "a/b", "content-type": "c/d"]),
            ["Accept": "a/b", "Content-Type": "c/d"]
        ),
        (
            ["ACCEPT": .fieldValue(value: "a/b"), "CONTENT-TYPE": .fieldValue(value: "c/d")],
            Post(),
            ["ACCEPT": "a/b", "CONTENT-TYPE": "c/d"]
        ),
        (
            ["ACCEPT": .fieldValue(value: "a/b"), "CONTENT-TYPE": .fieldValue(value: "c/d")],
            Post(moreHeaders: ["accept": "e/f", "content-type": "g/h"]),
            ["ACCEPT": "e/f", "CONTENT-TYPE": "g/h"]
        ),
        (["accept": .field(path: \.accept)], Post(body: nil), [:]),
        (["accept": .field(path: \.accept)], Post(body: nil, accept: "a/b"), ["accept": "a/b"]),
        (["accept": .field(path: \.accept)], Post(body: nil, accept: ""), ["accept": ""]),
        (["content-type": .field(path: \.accept)], Post(), ["Accept": json]),
        (
            ["content-type": .field(path: \.accept)], Post(accept: "c/d"),
            ["Accept": json, "content-type": "c/d"]
        ),
    ]

    @Test(
        "Any other Accept or Content-Type wins over the default whatever its case",
        arguments: defaults)
    func explicit(_ row: PostRow) throws {
        let endpoint = Endpoint<Post>(
            method: .post, path: "p",
            headers: HeaderList(row.headers, contentsOf: \.moreHeaders))
        let request = try Post.$endpoint.withValue(endpoint) {
            try row.values.urlRequest(in: .production)
        }
        let fields = request.allHTTPHeaderFields ?? [:]
        #expect(fields == row.fields)
    }

    @Test("Header names that differ only in case are equal and have the same hash")
    func equality() {
        #expect(Headers.contentType == "content-type")
        #expect(Set<Headers>([.accept, "ACCEPT", "accept"]).count == 1)
        #expect(Headers(name: "X-A") != Headers(name: "X-B"))
        #expect("\(Headers(name: "x-A"))" == "x-A")
    }
}
