import Foundation
import Testing

@testable import Endpoints

@Suite("Location")
struct LocationTests {
    @Test(
        "A relative Location is resolved against the request's URL (RFC 3986 5.4.1)",
        arguments: [
            ("./g", "/b/c/g"), ("g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"),
            ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q#s"), ("g#s", "/b/c/g#s"),
            ("g?y#s", "/b/c/g?y#s"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
            ("g;x?y#s", "/b/c/g;x?y#s"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"),
            ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"),
        ])
    func relative(text: String, expected: String) {
        #expect(outcome(text, at: "http://a/b/c/d;p?q") == "http://a" + expected)
    }

    @Test(
        "Dot segments of a Location can't leave the host (RFC 3986 5.4.2)",
        arguments: [
            ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
            ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"),
            ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
            ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/../x", "/b/c/g?y/../x"),
            ("g#s/../x", "/b/c/g#s/../x"),
        ])
    func dots(text: String, expected: String) {
        #expect(outcome(text, at: "http://a/b/c/d;p?q") == "http://a" + expected)
    }

    @Test(
        "A Location may be a whole URL or begin with a host",
        arguments: [
            ("https://other/x", "https://other/x"), ("//other/x", "https://other/x"),
            ("//other:8443", "https://other:8443"), ("HTTPS://Other/x", "https://Other/x"),
            ("Http://other", "http://other"), ("http://[::1]:80/x", "http://[::1]:80/x"),
            ("https://other?a=b", "https://other?a=b"), ("/a//b@c:d", "https://h/a//b@c:d"),
            ("https://other/a@b:c", "https://other/a@b:c"), ("?to=//u@v", "https://h/p?to=//u@v"),
        ])
    func absolute(text: String, expected: String) {
        #expect(outcome(text, at: "https://h/p") == expected)
    }

    @Test(
        "A Location without a fragment gets the request's (RFC 9110 10.2.2)",
        arguments: [
            ("/b", "https://h/a#top", "https://h/b#top"),
            ("/b#own", "https://h/a#top", "https://h/b#own"),
            ("/b#", "https://h/a#top", "https://h/b#"),
            ("https://other/b", "https://h/a#top", "https://other/b#top"),
            ("/b?q", "https://h/a#t%20o/p?", "https://h/b?q#t%20o/p?"),
            ("/b", "https://h/a", "https://h/b"),
        ])
    func fragment(text: String, base: String, expected: String) {
        #expect(outcome(text, at: base) == expected)
    }

    @Test(
        "A Location is escaped where the server forgot to, and never twice",
        arguments: [
            ("/a b", "/a%20b"), ("/a%20b c", "/a%20b%20c"), ("/é", "/%C3%A9"),
            ("/日本?q=🍕", "/%E6%97%A5%E6%9C%AC?q=%F0%9F%8D%95"), ("/cafe\u{301}", "/cafe%CC%81"),
            ("/%zz", "/%25zz"), ("/%", "/%25"), ("/%2", "/%252"), ("/%2f%2F", "/%2f%2F"),
            ("/100%?a=%", "/100%25?a=%25"), ("/%zz%20%2", "/%25zz%20%252"),
            (#"/a\b"#, "/a%5Cb"), ("/?q={x}|\"<>^`", "/?q=%7Bx%7D%7C%22%3C%3E%5E%60"),
            ("/[1]?a[]=2", "/%5B1%5D?a%5B%5D=2"), ("/a#b#c", "/a#b%23c"),
            ("/a#é b", "/a#%C3%A9%20b"),
            ("/[1]%20", "/%5B1%5D%20"), ("/?a[]=%20", "/?a%5B%5D=%20"),
            ("/#b%20#c", "/#b%20%23c"), ("/?a=b+c&d=e;f", "/?a=b+c&d=e;f"),
            ("/\u{85}\u{A0}", "/%C2%85%C2%A0"),
        ])
    func escaped(text: String, expected: String) {
        #expect(outcome(text, at: "https://h/p") == "https://h" + expected)
    }

    @Test(
        "A Location with a control character is refused",
        arguments: ["/a\u{0}b", "/a\tb", "/a\nb", "/a\rb", "/a\r\nX: 1", "/\u{1F}", "/\u{7F}"])
    func controlCharacters(text: String) {
        #expect(
            outcome(text, at: "https://h/p")
                == "not valid")
    }

    @Test(
        "A Location with user info is refused (RFC 9110 4.2.4)",
        arguments: [
            "https://u:p@h/x", "https://u@h/x", "//u@h", "https://h@evil", "https://@h",
            "https://h%40evil@x/", "https://%75@h/",
        ])
    func userInfo(text: String) {
        #expect(
            outcome(text, at: "https://h/p")
                == "not valid")
    }

    @Test(
        "A Location without a valid host and port is refused",
        arguments: [
            "http:///x", "https:x", "http:", "//", "///x", "http://", "http://[", "http://[::1",
            "http://a b/", "http://a%20b/", "http://a%2Fb/", #"http:\\evil\x"#, "http://h:x/",
            "http://h:65536/", "http://h:99999999999999999999/", "http://[google.com]/",
            "http://[]/", "http://[1]/", "http://[:::]/", "http://[::g]/", "http://[1.2.3.4]/",
            "http://[::1.2.3]/", "http://[1:2:3:4:5:6:7]/", "http://[1:2:3:4:5:6:7:8:9]/",
            "http://[::1::]/", "http://[v1.x]/", "http://[::1%25eth0]/", "//[google.com]:80/x",
        ])
    func noHost(text: String) {
        #expect(
            outcome(text, at: "https://h/p")
                == "not valid")
    }

    @Test(
        "A Location with a scheme other than http and https is refused",
        arguments: [
            "ftp://h/x", "file:///etc/passwd", "FILE:///etc/passwd", "data:text/plain,hi",
            "mailto:a@b", "javascript:alert(1)", "ws://h", "httpx://h", "urn:a:b", "g:h",
        ])
    func scheme(text: String) {
        #expect(outcome(text, at: "https://h/p") == "unsupportedURL")
    }

    /// The URL or the error's text, which never shows what the server sent.
    private func outcome(_ text: String, at base: String) -> String {
        do throws(URLError) {
            guard let base = URL(string: base) else { return "no base" }
            return try Location(text: text).url(at: base).absoluteString
        } catch {
            return switch error.code {
            case .unsupportedURL: "unsupportedURL"
            case .redirectToNonExistentLocation: "not valid"
            default: "\(error)"
            }
        }
    }
}
