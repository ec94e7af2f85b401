import Endpoints
import Foundation
import Testing

@Suite struct PathLiteralTests {
    static let literals: [(text: String, path: String)] = [
        ("a/b", "a/b"),
        ("a b", "a%20b"),
        ("a%20b", "a%20b"),
        ("a%2Fb", "a%2Fb"),
        ("a%2fb", "a%2fb"),
        ("100%", "100%25"),
        ("100%/x", "100%25/x"),
        ("%2", "%252"),
        ("%zz", "%25zz"),
        ("%2g", "%252g"),
        ("%%20", "%25%20"),
        ("%25", "%25"),
        ("a;v=1", "a;v=1"),
        (":@!$&'()*+,;=-._~", ":@!$&'()*+,;=-._~"),
        (#"a\b"#, "a%5Cb"),
        ("<>[]^`{|}\"", "%3C%3E%5B%5D%5E%60%7B%7C%7D%22"),
        ("café", "caf%C3%A9"),
        ("a\r\nb", "a%0D%0Ab"),
        ("a\u{0}b", "a%00b"),
        ("\u{2028}", "%E2%80%A8"),
        ("a/b/", "a/b/"),
        ("/a", "a"),
        ("/\u{301}a", "%CC%81a"),
        ("...", "..."),
        (".well-known", ".well-known"),
        (BeyondASCII.text, BeyondASCII.escaped),
    ]

    @Test(
        "Literal text of a path is escaped where needed, and never twice",
        arguments: literals)
    func literal(_ text: String, _ path: String) throws {
        #expect(try Probe().url(PathTemplate(stringLiteral: text)) == "https://h/\(path)")
    }

    @Test("Every ASCII character in literal text of a path is either left raw or escaped")
    func everyASCIICharacter() throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let raw = Set(letters + "0123456789-._~:@!$&'()*+,;=/")
        for byte in UInt8(0)...127 where !"?#".utf8.contains(byte) {
            let character = Character(UnicodeScalar(byte))
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            let escaped = "%" + (byte < 16 ? "0" : "") + hexadecimal
            let expected = raw.contains(character) ? String(character) : escaped
            let path = PathTemplate<Probe>(stringLiteral: "x\(character)")
            #expect(try Probe().url(path) == "https://h/x\(expected)")
        }
    }

    typealias Row = (path: PathTemplate<Probe>, values: Probe, url: String)

    static let seams: [Row] = [
        ("%2\(path: \.a, includesSlash: false)", Probe(a: "0"), "/%2520"),
        ("%\(path: \.a, includesSlash: false)", Probe(a: "41"), "/%2541"),
        ("\(path: \.a)20", Probe(a: "%"), "/%2520"),
        ("%2\(path: \.x, includesSlash: false)0", Probe(), "/%2520"),
        ("%20\(path: \.a, includesSlash: false)%20", Probe(a: " "), "/%20%20%20"),
        ("a b\(path: \.a)c d", Probe(a: "1"), "/a%20b/1c%20d"),
    ]

    @Test("Each literal of a path is escaped alone, whatever value is next to it", arguments: seams)
    func seam(_ row: Row) throws {
        #expect(try row.values.url(row.path) == "https://h" + row.url)
    }

    @Test(
        "A ? or # in literal text of a path is refused",
        arguments: ["a?b=1", "a#b", "?", "#", "a/?\u{301}", "a#\u{FE0F}"])
    func questionMark(_ text: String) throws {
        let path = PathTemplate<Probe>(stringLiteral: text)
        let refusal = try Probe().refusal(path)
        let reason = "has a `?` or a `#`; remove it, and declare query items as parameters"
        #expect(refusal == "Probe: the path \(reason)")
    }

    @Test(
        "A dot segment in literal text of a path is refused",
        arguments: [
            ".", "..", "a/./b", "a/../b", "../a", "a/..", "%2e", "%2E%2e", ".%2e", "%2e.",
            "a/%2E/b", "./", "a//.", "//..",
        ])
    func forbiddenSegment(_ text: String) throws {
        let path = PathTemplate<Probe>(stringLiteral: text)
        let refusal = try Probe().refusal(path)
        #expect(refusal == Self.dots)
    }

    static let empty: [Row] = [
        ("a//b", Probe(), "/a//b"), ("//", Probe(), "//"), ("//a", Probe(), "//a"),
        ("a//", Probe(), "/a//"), ("a//\(path: \.a)", Probe(a: "x"), "/a//x"),
        ("\(path: \.a)//b", Probe(a: "x"), "/x//b"), ("//\(path: \.a)", Probe(a: "x"), "//x"),
        ("\(path: \.a)//", Probe(a: "x"), "/x//"), ("a//\(path: \.x)", Probe(), "/a/"),
        ("a//\(path: \.x)//b", Probe(), "/a//b"),
    ]

    @Test("An empty segment in literal text of a path is sent", arguments: empty)
    func emptySegment(_ row: Row) throws {
        #expect(try row.values.url(row.path) == "https://h" + row.url)
        #expect(try row.values.url(row.path, at: "https://h/v1/") == "https://h/v1" + row.url)
        #expect(Endpoint<Probe>(method: .put, path: "a//b").problems.map(\.description) == [])
    }

    private static let dots =
        #"Probe: the path has a segment that is ".", ".." or an empty value; remove it"#

    static let beside: [PathTemplate<Probe>] = [
        "../\(path: \.a)", "\(path: \.a)/../b", "//../\(path: \.a)", "\(path: \.a)//.",
    ]

    @Test("A dot segment next to a path value is refused", arguments: beside)
    func besideValue(_ path: PathTemplate<Probe>) throws {
        let refusal = try Probe(a: "x").refusal(path)
        #expect(refusal == Self.dots)
    }
}
