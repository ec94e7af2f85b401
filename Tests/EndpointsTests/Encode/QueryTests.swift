import Endpoints
import Foundation
import Testing

@Suite struct QueryTests {
    static let values: [(value: String, text: String)] = [
        ("", ""),
        ("a b", "a%20b"),
        ("a+b", "a%2Bb"),
        ("a&b=c", "a%26b%3Dc"),
        ("?", "%3F"),
        ("#", "%23"),
        ("%", "%25"),
        ("%20", "%2520"),
        ("a/b:c@d", "a/b:c@d"),
        ("-._~", "-._~"),
        ("!$'()*,;[]", "%21%24%27%28%29%2A%2C%3B%5B%5D"),
        (#"\"<>^`{|}"#, "%5C%22%3C%3E%5E%60%7B%7C%7D"),
        ("café", "caf%C3%A9"),
        ("cafe\u{301}", "cafe%CC%81"),
        ("a\r\nb", "a%0D%0Ab"),
        ("a\nb", "a%0Ab"),
        ("\u{0}", "%00"),
        ("\u{2028}", "%E2%80%A8"),
        ("&\u{301}", "%26%CC%81"),
        ("=\u{FE0F}", "%3D%EF%B8%8F"),
        ("\u{10FFFF}", "%F4%8F%BF%BF"),
        ("🇩🇪", "%F0%9F%87%A9%F0%9F%87%AA"),
        (BeyondASCII.text, BeyondASCII.escaped),
    ]

    @Test(
        "A query value leaves unreserved characters and : / @ raw and escapes the rest",
        arguments: values)
    func value(_ value: String, _ text: String) throws {
        let url = try Probe(a: value).url("q", [.query("k", path: \.a)])
        #expect(url == "https://h/q?k=\(text)")
    }

    @Test("A query name is escaped as a value is", arguments: values)
    func name(_ name: String, _ text: String) throws {
        #expect(try Probe(a: "v").url("q", [.query(name, path: \.a)]) == "https://h/q?\(text)=v")
        #expect(try Probe().url("q", [.queryValue(name, value: "v")]) == "https://h/q?\(text)=v")
    }

    @Test(
        "The name and value of an additional query item are escaped as declared ones are",
        arguments: values)
    func additionalItem(_ value: String, _ text: String) throws {
        let items = [URLQueryItem(name: value, value: value)]
        let url = try Probe(moreItems: items).url("q", [.query(contentsOf: \.moreItems)])
        #expect(url == "https://h/q?\(text)=\(text)")
    }

    @Test("Every ASCII character in a query value is either left raw or escaped")
    func everyASCIICharacter() throws {
        let raw = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/@")
        for byte in UInt8(0)...127 {
            let character = Character(UnicodeScalar(byte))
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            let escaped = "%" + (byte < 16 ? "0" : "") + hexadecimal
            let expected = raw.contains(character) ? String(character) : escaped
            let url = try Probe(a: String(character)).url("", [.query("k", path: \.a)])
            #expect(url == "https://h?k=\(expected)")
        }
    }

    typealias Row = (parameters: ParameterList<Probe>, values: Probe, query: String)

    static let items: [Row] = [
        ([], Probe(), ""),
        ([.query("x", path: \.x)], Probe(), ""),
        ([.query("x", path: \.x)], Probe(x: ""), "?x="),
        ([.query("x", path: \.x), .query("y", path: \.y)], Probe(y: "2"), "?y=2"),
        ([.query("x", path: \.x), .query("y", path: \.y)], Probe(x: "1"), "?x=1"),
        ([.query("b", path: \.b), .query("a", path: \.a)], Probe(a: "1", b: "2"), "?b=2&a=1"),
        ([.query("n", path: \.number), .queryValue("n", value: 1)], Probe(), "?n=0&n=1"),
        ([.queryValue("v", value: "c d"), .query("a", path: \.a)], Probe(a: "1"), "?v=c%20d&a=1"),
        ([.queryValue("v", value: String?.none)], Probe(), ""),
        ([.queryValue("v", value: [1, 2])], Probe(), "?v=1&v=2"),
        ([.query("", path: \.a)], Probe(a: "1"), "?=1"),
    ]

    @Test(
        "In a query, nil leaves the item out, an empty string keeps it, and order is kept",
        arguments: items)
    func item(_ row: Row) throws {
        #expect(try row.values.url("q", row.parameters) == "https://h/q" + row.query)
    }

    @Test("Additional query items follow the declared ones, and one without a value is left out")
    func additionalItems() throws {
        let items = [
            URLQueryItem(name: "z", value: "1"), URLQueryItem(name: "none", value: nil),
            URLQueryItem(name: "a", value: ""), URLQueryItem(name: "z", value: "2"),
        ]
        let url = try Probe(a: "0", moreItems: items).url(
            "q", [.query("a", path: \.a), .query(contentsOf: \.moreItems)])
        #expect(url == "https://h/q?a=0&z=1&a=&z=2")
    }
}
