import Endpoints
import EndpointsFormats
import EndpointsTesting
import Foundation
import Testing

/// Values of a request that are sent, but can't be meant.
@Suite("Values of a request that can't be meant")
struct UnmeantValueTests {
    struct Get: FlatRequest {
        var tag: String?
        var range: String?
        var languages: [String] = []
        var type: String?
        var since = Date(timeIntervalSince1970: 0)
        var more: [Headers: String] = [:]

        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            headers: HeaderList(
                [
                    .ifNoneMatch: .field(path: \.tag), .range: .field(path: \.range),
                    .acceptLanguage: .field(path: \.languages), .accept: .field(path: \.type),
                    .ifUnmodifiedSince: .field(path: \.since, format: .httpDate),
                ], contentsOf: \.more))
        typealias Response = Void
    }

    struct Since: FlatRequest {
        var since: Date?
        static let endpoint = Endpoint<Self>(
            method: .get, path: "a",
            headers: [.ifModifiedSince: .field(path: \.since, format: .iso8601)])
        typealias Response = Void
    }

    static let headers: [(request: Get, problems: [String])] = [
        (
            Get(range: "0-99"),
            [#"the header "Range" isn't a unit and a range; write them as in `bytes=0-99`"#]
        ),
        (
            Get(tag: "abc"),
            [
                #"the header "If-None-Match" isn't `*` or a list of entity tags; write one such "#
                    + #"as `"abc"`, with its quotes"#
            ]
        ),
        (
            Get(languages: ["en", "de_DE"]),
            [
                #"the header "Accept-Language" isn't a list of languages; write them with `-` "#
                    + "inside and commas between them, as in `de-DE, en;q=0.5`"
            ]
        ),
        (
            Get(type: "json"),
            [
                #"the header "Accept" has an invalid media type; write one such as "#
                    + "`application/json`"
            ]
        ),
        (
            Get(more: ["if-match": "abc"]),
            [
                #"the header "if-match" isn't `*` or a list of entity tags; write one such as "#
                    + #"`"abc"`, with its quotes"#
            ]
        ),
        (Get(), []),
        (Get(tag: #""abc""#, range: "bytes=0-9", languages: ["en", "de-DE"], type: "a/b"), []),
    ]

    @Test("A header that its grammar doesn't allow is a problem of the request", arguments: headers)
    func header(row: (request: Get, problems: [String])) {
        #expect(row.request.problems.map(\.description) == row.problems.map { "Get: \($0)" })
    }

    @Test("A date in another format than HTTP's is a problem")
    func date() {
        let texts = Since(since: Date(timeIntervalSince1970: 0)).problems.map(\.reason)
        #expect(texts == ["isn't an HTTP date; declare a Date with `format: .httpDate`"])
        #expect(Since().problems.isEmpty)
    }

    // MARK: Bodies

    struct Put<Body: Encodable & Sendable>: FlatRequest {
        let body: Body
        var type: String?
        var coding: String?
        static var endpoint: Endpoint<Self> {
            .once(
                Endpoint(
                    method: .put, path: "a",
                    headers: [
                        .contentType: .field(path: \.type),
                        "Content-Encoding": .field(path: \.coding),
                    ]))
        }
        typealias Response = Void
    }

    private static let compressed =
        "says that the body is compressed, but it is sent as it is; remove it, or compress the "
        + "body yourself, and declare it as Data"
    private static let noBoundary =
        "has no boundary, without which the body can't be read; remove it, and declare parts, or a "
        + "body of the type Multipart"

    private static func notJSON(_ type: String) -> String {
        "is \(type), but the body is written as JSON; remove it, or declare a `bodyEncoder` that "
            + "writes this format"
    }

    static let contents: [(problems: [EndpointError], reasons: [String])] = [
        (Put(body: [1], coding: "gzip").problems, [compressed]),
        (Put(body: [1] as [Int]?, coding: "BR").problems, [compressed]),
        (Put(body: "a", coding: "zstd").problems, [compressed]),
        (Put(body: Data(), coding: "gzip").problems, []),
        (Put(body: [1], coding: "identity").problems, []),
        (Put(body: Data(), type: "multipart/form-data").problems, [noBoundary]),
        (Put(body: [1], type: "multipart/related; type=a").problems, [noBoundary]),
        (Put(body: Data(), type: "Multipart/Mixed; Boundary=a").problems, []),
        (Put(body: [1], type: "application/xml").problems, [notJSON("application/xml")]),
        (
            Put(body: [1], type: "application/atom+xml; charset=utf-8").problems,
            [notJSON("application/atom+xml")]
        ),
        (
            Put(body: [1], type: "application/x-www-form-urlencoded").problems,
            [notJSON("application/x-www-form-urlencoded")]
        ),
        (Put(body: [1], type: "application/vnd.api+json").problems, []),
        (Put(body: [1], type: "text/plain").problems, []),
        // JSON is YAML too.
        (Put(body: [1], type: "application/apply-patch+yaml").problems, []),
        (Put(body: [1], type: "application/yaml").problems, []),
        (Put(body: Data(), type: "application/xml").problems, []),
        (Constants(body: [1]).problems, [compressed, notJSON("text/xml")].sorted()),
        (Constants.endpoint.problems, [compressed, notJSON("text/xml")].sorted()),
        (Form(a: 1).problems, [compressed]),
    ]

    struct Constants: FlatRequest {
        let body: [Int]
        static let endpoint = Endpoint<Self>(
            method: .put, path: "a",
            headers: ["Content-Encoding": "gzip", .contentType: "text/xml"])
        typealias Response = Void
    }

    struct Form: FlatRequest {
        let a: Int
        static let endpoint = Endpoint<Self>(
            method: .put, path: "a", parameters: [.form("a", path: \.a)],
            headers: ["Content-Encoding": "deflate"])
        typealias Response = Void
    }

    @Test("A header that the body contradicts is a problem", arguments: contents)
    func content(row: (problems: [EndpointError], reasons: [String])) {
        #expect(row.problems.map(\.reason).sorted() == row.reasons)
    }

    @Test("A file's URL that is sent as a text is a problem")
    func file() {
        struct Save: FlatRequest {
            var url: URL?
            var urls: [URL] = []
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a",
                parameters: [.query("q", path: \.urls), .form("f", path: \.url)])
            typealias Response = Void
        }
        let file = URL(fileURLWithPath: "/a.png")
        let reason =
            "is a file's URL, whose path on this device is sent; to send the file, declare a "
            + "`.part` with a File"
        #expect(
            Save(url: file).problems.map(\.description) == ["Save: the form field \"f\" \(reason)"])
        #expect(Save(urls: [file]).problems.map(\.reason) == [reason])
        #expect(Save(url: URL(string: "https://h/a")).problems.isEmpty && Save().problems.isEmpty)
    }

    enum Size: String, Codable { case small, large }
    struct Stock: Encodable {
        struct Shelf: Encodable { var counts: [Size: Int]? }
        var shelves: [Shelf] = []
    }

    struct Send<Body: Encodable & Sendable>: FlatRequest {
        let body: Body
        static var endpoint: Endpoint<Self> { .once(Endpoint(method: .post, path: "a")) }
        typealias Response = Void
    }

    private static let keys =
        "has a dictionary with keys of type Size, which JSONEncoder writes as a list; use String "
        + "keys, or conform the type to CodingKeyRepresentable"

    @Test("A dictionary that JSON has as a list is a problem")
    func keys() {
        let shelf = Stock.Shelf(counts: [.small: 1])
        #expect(Send(body: [Size.small: 1]).problems.map(\.reason) == [Self.keys])
        #expect(Send(body: Stock(shelves: [shelf])).problems.map(\.reason) == [Self.keys])
        #expect(Send(body: Stock(shelves: [.init()])).problems.isEmpty)
        #expect(Send(body: ["a": 1]).problems.isEmpty && Send(body: [1: 2]).problems.isEmpty)
    }

    @Test("Bytes that are sent as numbers are a problem")
    func bytes() {
        struct Find: FlatRequest {
            let hash: [UInt8]
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a",
                parameters: [
                    .query("q", path: \.hash), .part("p", path: \.hash),
                    .query("j", path: \.hash, encoding: .json),
                ])
            typealias Response = Void
        }
        let reason = "is a list of UInt8, which is sent as numbers; to send the bytes, declare Data"
        #expect(Send(body: [UInt8(1)]).problems.map(\.reason) == [reason])
        #expect(Send(body: [UInt8]?.none).problems.map(\.reason) == [reason])
        #expect(Find(hash: []).problems.map(\.reason) == [reason, reason])
        #expect(Send(body: [1]).problems.isEmpty)
    }

    @Test("A text of JSON that is sent as plain text is a problem")
    func json() {
        struct Post: FlatRequest {
            let body: String
            static let endpoint = Endpoint<Self>(
                method: .post, path: "a", headers: [.contentType: "application/json"])
            typealias Response = Void
        }
        let reason =
            "is JSON, but is sent as text/plain; declare `[.contentType: \"application/json\"]`, "
            + "or an Encodable body"
        #expect(Send(body: #"{"a": 1}"#).problems.map(\.reason) == [reason])
        #expect(Send(body: " [1]\n").problems.map(\.reason) == [reason])
        #expect(Post(body: #"{"a": 1}"#).problems.isEmpty)
        #expect(Send(body: "{a}").problems.isEmpty && Send(body: "5").problems.isEmpty)
    }
}
