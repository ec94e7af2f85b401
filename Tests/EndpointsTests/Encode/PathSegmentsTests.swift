import Endpoints
import Foundation
import Testing

@Suite struct PathSegmentsTests {
    static let lists: [(list: [String], path: String)] = [
        ([], ""),
        ([""], ""),
        (["", "a"], "//a"),
        (["a", "", "b"], "/a//b"),
        (["", "", "a"], "///a"),
        (["a"], "/a"),
        (["a", "b c"], "/a/b%20c"),
        (["a/b", "c"], "/a%2Fb/c"),
        (["...", "%2e"], "/.../%252e"),
        (["?", "#", ";"], "/%3F/%23/%3B"),
    ]

    @Test(
        "Each element of a list in a path is a segment, and an empty list is left out",
        arguments: lists)
    func list(_ list: [String], _ path: String) throws {
        let probe = Probe(list: list)
        #expect(try probe.url("files/\(segments: \.list)") == "https://h/files\(path)")
        #expect(try probe.url("files\(segments: \.list)") == "https://h/files\(path)")
        #expect(try probe.url("files/\(segments: \.list)/raw") == "https://h/files\(path)/raw")
        #expect(try probe.url("\(segments: \.list)") == "https://h\(path)")
    }

    static let texts: [(text: String?, path: String)] = [
        (nil, ""), ("", ""), ("a", "/a"), ("a b/c", "/a%20b/c"), ("a%2Fb/c", "/a%252Fb/c"),
        ("/a", "//a"), ("a//b", "/a//b"), ("//a", "///a"), ("a b+c", "/a%20b+c"), ("ü", "/%C3%BC"),
    ]

    @Test(
        "A text of several segments is split at its slashes, and an empty one is left out",
        arguments: texts)
    func text(_ text: String?, _ path: String) throws {
        let probe = Probe(x: text)
        #expect(try probe.url("files/\(segments: \.x)/raw") == "https://h/files\(path)/raw")
    }

    static let trailing: [(text: String, path: String)] = [
        ("a/", "/a/"), ("a/b/", "/a/b/"), ("a b/", "/a%20b/"), ("\u{301}/", "/%CC%81/"),
        ("/", "//"), ("//", "///"), ("a//", "/a//"),
    ]

    @Test("A slash at the end of a text is kept (RFC 3986, section 3.3)", arguments: trailing)
    func trailingSlash(_ text: String, _ path: String) throws {
        let probe = Probe(a: text, b: "b", x: text)
        #expect(try probe.url("files/\(segments: \.a)") == "https://h/files\(path)")
        #expect(try probe.url("files/\(segments: \.x)") == "https://h/files\(path)")
        #expect(try probe.url("\(segments: \.a.computed)") == "https://h\(path)")
        #expect(try probe.url("\(segments: \.a)/raw") == "https://h\(path)raw")
        #expect(try probe.url("\(segments: \.a)\(path: \.b)") == "https://h\(path)b")
        let items: ParameterList<Probe> = [.queryValue("q", value: 1)]
        #expect(try probe.url("\(segments: \.a)", items) == "https://h\(path)?q=1")
        #expect(try probe.url("\(segments: \.a)\(path: \.y)") == "https://h\(path)")
        let list = Probe(list: text.components(separatedBy: "/"))
        #expect(try list.url("files/\(segments: \.list)") == "https://h/files\(path)")
        let refusal = try probe.refusal("\(segments: \.a)..")
        #expect(refusal?.contains("makes a segment that is empty") == true)
    }

    static let refused: [[String]] = [
        ["."], [".."], ["a", ".", "b"], ["..", "a"], ["", ".."], ["a", "", "."],
    ]

    @Test("An element of a path's list that is . or .. is refused", arguments: refused)
    func refusedElement(_ list: [String]) throws {
        let refusal = try Probe(list: list).refusal("files/\(segments: \.list)/raw")
        #expect(
            refusal == """
                Probe: the path value "list" makes a segment that is empty, "." or "..", so \
                servers would read another path; change the value
                """)
    }

    @Test(
        "A text with a dot segment is refused",
        arguments: ["a/../b", "../", "./a", "a/.", "/..", "a//./b", "dir/./dot"])
    func refusedText(_ text: String) throws {
        let refusal = try Probe(x: text).refusal("\(segments: \.x)")
        #expect(refusal?.hasPrefix("Probe: the path value \"x\" makes a segment") == true)
    }

    @Test("An empty value of \\(path:) after a text that ends in a slash is refused")
    func emptyValueAfterText() throws {
        let probe = Probe(a: "a/", b: "")
        for path: PathTemplate<Probe> in [
            "\(segments: \.a)\(path: \.b)", "\(segments: \.a)\(path: \.b, includesSlash: false)",
            "\(segments: \.a)\(path: \.b)/c", "\(path: \.b)\(segments: \.a)",
        ] {
            let refusal = try probe.refusal(path)
            #expect(refusal?.hasPrefix("Probe: the path value \"b\" makes a segment") == true)
        }
    }

    struct Numbers: FlatRequest {
        typealias Response = Void
        let numbers: [Int?]?
        static let endpoint = Endpoint<Numbers>(method: .get, path: "n/\(segments: \.numbers)/end")
    }

    struct PutNumbers: FlatRequest {
        typealias Response = Void
        let numbers: [Int?]?
        @TaskLocal static var path: PathTemplate<Self> = ""
        static var endpoint: Endpoint<Self> { Endpoint(method: .put, path: path) }
    }

    static let lossy: [(PathTemplate<PutNumbers>, [Int?], path: String?)] = [
        ("n/\(segments: \.numbers)", [1, nil, 2], nil),
        ("n/\(segments: \.numbers)", [nil, 2], nil),
        ("n/\(segments: \.numbers)", [1, 2], "n/1/2"),
        ("n/\(list: \.numbers, separator: ";")", [1, nil], nil),
        ("n/\(list: \.numbers, separator: ";")", [1, 2], "n/1;2"),
        ("n/\(commaSeparated: \.flat)", [nil, 1], nil),
        ("n/\(commaSeparated: \.flat)", [1, 2], "n/1,2"),
        ("n/\(segments: \.numbers, mayBeLeftOut: true)", [1, nil], "n/1"),
    ]

    @Test("PUT, PATCH and DELETE need each element of a path's list", arguments: lossy)
    func lossyList(
        _ path: PathTemplate<PutNumbers>, _ numbers: [Int?], _ written: String?
    ) throws {
        try PutNumbers.$path.withValue(path) {
            let request = PutNumbers(numbers: numbers)
            if let written {
                let url = try request.urlRequest(in: .production).url
                #expect(url?.absoluteString == "https://api.example.com/v1/\(written)")
            } else {
                let error = #expect(throws: EndpointError.self) {
                    try request.urlRequest(in: .production)
                }
                #expect(error?.reason.hasPrefix("has a nil element, and a PUT, PATCH or") == true)
            }
        }
    }

    @Test("A dictionary as a path's list is refused, as a path has no place for its keys")
    func dictionary() throws {
        for method in [HTTPMethod.get, .delete] {
            let refusal = try Probe(a: "x").refusal(
                "a/\(list: \.keyed, separator: ",")", method: method)
            #expect(refusal?.contains("has keys, which a path can't hold") == true)
        }
    }

    @Test(
        "The elements of a path's list may be numbers, and nil elements are left out",
        arguments: [
            (nil, "n/end"), ([], "n/end"), ([nil], "n/end"), ([1, nil, -2], "n/1/-2/end"),
        ] as [([Int?]?, String)])
    func numbers(_ numbers: [Int?]?, _ path: String) throws {
        let url = try Numbers(numbers: numbers).urlRequest(in: .production).url
        #expect(url?.absoluteString == "https://api.example.com/v1/\(path)")
    }
}

extension Probe {
    fileprivate var keyed: [String: String] { ["k": a] }
}

extension PathSegmentsTests.PutNumbers {
    fileprivate var flat: [Int?] { numbers ?? [] }
}

extension String {
    fileprivate var computed: String { self }
}
