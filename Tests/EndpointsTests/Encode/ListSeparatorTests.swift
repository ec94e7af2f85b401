import Endpoints
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Lists in a path, with a separator") struct ListSeparatorTests {
    struct Semicolons: FlatRequest {
        let points: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "route/\(list: \.points, separator: ";")")
        typealias Response = Void
    }

    struct Matrix: FlatRequest {
        let points: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a/;p=\(list: \.points, separator: ";p=", includesSlash: false)")
        typealias Response = Void
    }

    struct Label: FlatRequest {
        let points: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a/.\(list: \.points, separator: ".", includesSlash: false)/b")
        typealias Response = Void
    }

    struct Slashes: FlatRequest {
        let points: [String]
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a/\(list: \.points, separator: "/")")
        typealias Response = Void
    }

    private static let server = ServerEnvironment(baseUrl: URL(string: "https://h")!)

    @Test(
        "The separator is written as it is, and an element can't be taken for it",
        arguments: [
            (["1,2", "3,4"], "/route/1,2;3,4", "/a/;p=1,2;p=3,4", "/a/.1,2.3,4/b"),
            (["a;b", "c/d"], "/route/a%3Bb;c%2Fd", "/a/;p=a%3Bb;p=c%2Fd", "/a/.a%3Bb.c%2Fd/b"),
            (["x"], "/route/x", "/a/;p=x", "/a/.x/b"),
        ])
    func lists(points: [String], semicolons: String, matrix: String, label: String) throws {
        let urls = [
            try Semicolons(points: points).urlRequest(in: Self.server).url,
            try Matrix(points: points).urlRequest(in: Self.server).url,
            try Label(points: points).urlRequest(in: Self.server).url,
        ]
        #expect(
            urls.map { $0?.absoluteString } == [semicolons, matrix, label].map { "https://h\($0)" })
    }

    @Test("A list that a server couldn't read is refused")
    func refused() {
        #expect(throws: EndpointError.self) {
            try Label(points: ["1.5", "2"]).urlRequest(in: Self.server)
        }
        #expect(throws: EndpointError.self) {
            try Slashes(points: ["a"]).urlRequest(in: Self.server)
        }
    }

    struct Parts: FlatRequest {
        struct Tag: Encodable, Sendable { let name: String }
        let tags: [Tag]?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            parameters: [.query("tag", path: \.tags, encoding: .jsonElements)])
        typealias Response = Void
    }

    @Test(
        "Each element of a list is JSON of its own",
        arguments: [
            (["a", "b"], "https://h/a?tag=%7B%22name%22:%22a%22%7D&tag=%7B%22name%22:%22b%22%7D"),
            ([], "https://h/a"), (nil, "https://h/a"),
        ] as [([String]?, String)])
    func elements(names: [String]?, expected: String) throws {
        let request = Parts(tags: names?.map { Parts.Tag(name: $0) })
        #expect(try request.urlRequest(in: Self.server).url?.absoluteString == expected)
    }
}
