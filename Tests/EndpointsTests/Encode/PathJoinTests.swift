import Endpoints
import Foundation
import Testing

typealias PathRow = (path: PathTemplate<Probe>, values: Probe, url: String)

@Suite struct PathJoinTests {
    static let slashes: [PathRow] = [
        ("users", Probe(), "/users"),
        ("/users", Probe(), "/users"),
        ("users/", Probe(), "/users/"),
        ("/", Probe(), "/"),
        ("", Probe(), ""),
        ("users\(path: \.a)", Probe(a: "1"), "/users/1"),
        ("users/\(path: \.a)", Probe(a: "1"), "/users/1"),
        ("users/\(path: \.a)/", Probe(a: "1"), "/users/1/"),
        ("\(path: \.a)", Probe(a: "1"), "/1"),
        ("/\(path: \.a)", Probe(a: "1"), "/1"),
        ("\(path: \.a)\(path: \.b)", Probe(a: "1", b: "2"), "/1/2"),
        ("\(path: \.a)/\(path: \.b)", Probe(a: "1", b: "2"), "/1/2"),
        ("\(path: \.a).json", Probe(a: "AC1"), "/AC1.json"),
        ("x/\(path: \.a)y", Probe(a: "1"), "/x/1y"),
        ("file-\(path: \.a, includesSlash: false).txt", Probe(a: "r"), "/file-r.txt"),
        ("file-\(path: \.a, includesSlash: true).txt", Probe(a: "r"), "/file-/r.txt"),
        ("\(path: \.a, includesSlash: false)", Probe(a: "1"), "/1"),
        (
            "\(path: \.a, includesSlash: false)\(path: \.b, includesSlash: false)",
            Probe(a: "1", b: "2"), "/12"
        ),
        ("a/\(path: \.a, includesSlash: false)", Probe(a: "1"), "/a/1"),
    ]

    @Test("A path value begins a segment, and two slashes beside it become one", arguments: slashes)
    func slash(_ row: PathRow) throws {
        #expect(try row.values.url(row.path) == "https://h" + row.url)
        #expect(try row.values.url(row.path, at: "https://h/v1") == "https://h/v1" + row.url)
    }

    static let missing: [PathRow] = [
        ("users/\(path: \.x)", Probe(), "/users"),
        ("users\(path: \.x)", Probe(), "/users"),
        ("users/\(path: \.x)/", Probe(), "/users/"),
        ("users/\(path: \.x)/posts", Probe(), "/users/posts"),
        ("users\(path: \.x)/posts", Probe(), "/users/posts"),
        ("\(path: \.x)/posts", Probe(), "/posts"),
        ("\(path: \.x)posts", Probe(), "/posts"),
        ("\(path: \.x)", Probe(), ""),
        ("/\(path: \.x)", Probe(), ""),
        ("/\(path: \.x)/", Probe(), "/"),
        ("\(path: \.x)\(path: \.y)", Probe(), ""),
        ("\(path: \.x)\(path: \.y)", Probe(y: "2"), "/2"),
        ("\(path: \.x)/\(path: \.y)", Probe(y: "2"), "/2"),
        ("a/\(path: \.x)\(path: \.y)", Probe(y: "2"), "/a/2"),
        ("a/\(path: \.x)/\(path: \.y)/b", Probe(), "/a/b"),
        ("a/\(path: \.x)\(path: \.a)", Probe(a: "1"), "/a/1"),
        ("a/\(path: \.a)\(path: \.x)", Probe(a: "1"), "/a/1"),
        ("file\(path: \.x, includesSlash: false).txt", Probe(), "/file.txt"),
        ("a/\(path: \.x, includesSlash: false)/b", Probe(), "/a/b"),
        ("a/\(path: \.x, includesSlash: false)", Probe(), "/a/"),
        ("a/\(path: \.x, includesSlash: false)b", Probe(), "/a/b"),
    ]

    @Test("nil leaves out a path value and its slash", arguments: missing)
    func missingValue(_ row: PathRow) throws {
        #expect(try row.values.url(row.path) == "https://h" + row.url)
        #expect(try row.values.url(row.path, at: "https://h/v1") == "https://h/v1" + row.url)
    }

    static let empty: [PathRow] = [
        ("file-\(path: \.a, includesSlash: false)", Probe(), "/file-"),
        ("file-\(path: \.a, includesSlash: false).txt", Probe(), "/file-.txt"),
        ("a/\(path: \.a).txt", Probe(), "/a/.txt"),
        ("a/\(path: \.a)\(path: \.b, includesSlash: false)", Probe(b: "1"), "/a/1"),
        ("a\(path: \.a, includesSlash: false)/b", Probe(), "/a/b"),
        ("a\(path: \.a, includesSlash: false)/", Probe(), "/a/"),
    ]

    @Test("An empty path value is sent where its segment has other text", arguments: empty)
    func emptyValue(_ row: PathRow) throws {
        #expect(try row.values.url(row.path) == "https://h" + row.url)
    }
}
