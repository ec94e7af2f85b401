import Endpoints
import Foundation
import Testing

@Suite struct PathValueTests {
    static let values: [(value: String, segment: String)] = [
        ("42", "42"),
        ("a b", "a%20b"),
        ("a/b", "a%2Fb"),
        ("../..", "..%2F.."),
        ("a?b#c", "a%3Fb%23c"),
        ("100%", "100%25"),
        ("%2F", "%252F"),
        ("%2e", "%252e"),
        (#"a\b"#, "a%5Cb"),
        ("a;v=1", "a%3Bv=1"),
        ("zac@example.com", "zac@example.com"),
        ("a:b", "a:b"),
        ("!$&'()*+,=", "!$&'()*+,="),
        ("-._~", "-._~"),
        ("[]{}<>|^`\"", "%5B%5D%7B%7D%3C%3E%7C%5E%60%22"),
        ("café", "caf%C3%A9"),
        ("cafe\u{301}", "cafe%CC%81"),
        ("漢字", "%E6%BC%A2%E5%AD%97"),
        ("👩‍👩‍👧", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"),
        ("a\r\nb", "a%0D%0Ab"),
        ("a\u{0}b", "a%00b"),
        ("\u{7F}", "%7F"),
        ("\u{2028}\u{2029}", "%E2%80%A8%E2%80%A9"),
        ("\u{FEFF}x", "%EF%BB%BFx"),
        ("\u{FFFD}", "%EF%BF%BD"),
        ("\u{FFFF}", "%EF%BF%BF"),
        ("\u{10FFFF}", "%F4%8F%BF%BF"),
        ("/\u{301}", "%2F%CC%81"),
        ("\u{37E}", "%CD%BE"),
        ("...", "..."),
        (". .", ".%20."),
        (" ", "%20"),
        (BeyondASCII.text, BeyondASCII.escaped),
    ]

    @Test(
        "A path value is one segment, escaped as RFC 3986, section 3.3 says",
        arguments: values)
    func value(_ value: String, _ segment: String) throws {
        let url = try Probe(a: value).url("users/\(path: \.a)/posts")
        #expect(url == "https://h/users/\(segment)/posts")
    }

    @Test("Every ASCII character in a path value is either left raw or escaped")
    func everyASCIICharacter() throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let raw = Set(letters + "0123456789-._~:@!$&'()*+,=")
        for byte in UInt8(0)...127 {
            let character = Character(UnicodeScalar(byte))
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            let escaped = "%" + (byte < 16 ? "0" : "") + hexadecimal
            let expected = raw.contains(character) ? String(character) : escaped
            #expect(try Probe(a: "x\(character)").url("\(path: \.a)") == "https://h/x\(expected)")
        }
    }

    @Test("A long path value is written whole", arguments: [1_000, 100_000])
    func longValue(count: Int) throws {
        let url = try Probe(a: String(repeating: "é", count: count)).url("a/\(path: \.a)")
        #expect(url == "https://h/a/" + String(repeating: "%C3%A9", count: count))
    }
}
