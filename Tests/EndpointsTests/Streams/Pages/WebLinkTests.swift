import Foundation
import Testing

@testable import Endpoints
@testable import EndpointsStreams

@Suite("Links of a response")
struct WebLinkTests {
    static let base = "https://api.example.com/repos/list?page=1#top"

    /// A `Link` field and its links as `relations url`.
    static let fields: [(field: String, links: [String])] = [
        ("<https://h/a>; rel=next", ["next https://h/a"]),
        (#"<https://h/a>; rel="next""#, ["next https://h/a"]),
        (
            #"<https://h/a>;rel="next",<https://h/b>;rel="last""#,
            ["next https://h/a", "last https://h/b"]
        ),
        (
            #" <https://h/a> ; rel = "next" , <https://h/b> ; rel = last "#,
            ["next https://h/a", "last https://h/b"]
        ),
        (#"<https://h/a>; rel="next last  UP""#, ["next,last,up https://h/a"]),
        (#"<https://h/a>; rel="http://example.net/Foo""#, ["http://example.net/foo https://h/a"]),
        ("<https://h/a>; REL=Next", ["next https://h/a"]),
        (#"<https://h/a>; rel=next; rel=last"#, ["next https://h/a"]),
        ("<https://h/a,b;c>; rel=next", ["next https://h/a,b;c"]),
        (#"<https://h/a>; title="a, <b>; rel=last"; rel=next"#, ["next https://h/a"]),
        (#"<https://h/a>; title="\"\\, "; rel=next"#, ["next https://h/a"]),
        (#"<https://h/a>; foo; rel=next; bar=; ; =x"#, ["next https://h/a"]),
        (
            "<https://h/a>; rel=next,,, <https://h/b>; rel=last,",
            ["next https://h/a", "last https://h/b"]
        ),
        ("\t<https://h/a>\t;\trel=next", ["next https://h/a"]),
        (#"<https://h/a>; rel=n\ext"#, [#"n\ext https://h/a"#]),
    ]

    @Test("A Link header is read whole: lists, quotes, escapes and blanks", arguments: fields)
    func field(row: (field: String, links: [String])) throws {
        #expect(links(row.field).map(Self.text) == row.links)
    }

    static let references: [(reference: String, url: String)] = [
        ("?page=2", "https://api.example.com/repos/list?page=2"),
        ("next", "https://api.example.com/repos/next"),
        ("/next", "https://api.example.com/next"),
        ("../x/./y", "https://api.example.com/x/y"),
        ("", "https://api.example.com/repos/list?page=1"),
        ("#a%20#b", "https://api.example.com/repos/list?page=1#a%20%23b"),
        ("#end", "https://api.example.com/repos/list?page=1#end"),
        ("//other/a", "https://other/a"),
        ("//other:8443", "https://other:8443"),
        ("HTTP://Other/a", "HTTP://Other/a"),
        (" /a ", "https://api.example.com/a"),
        ("/a b?q=é", "https://api.example.com/a%20b?q=%C3%A9"),
        ("/a%20b?q=[1]&r=100%", "https://api.example.com/a%20b?q=%5B1%5D&r=100%25"),
        ("http://[::1]:80/[a]", "http://[::1]:80/%5Ba%5D"),
        ("mailto:ann@example.com", "mailto:ann@example.com"),
        ("urn:isbn:0451450523", "urn:isbn:0451450523"),
        ("/a//b@c:d", "https://api.example.com/a//b@c:d"),
        ("?to=//u@v", "https://api.example.com/repos/list?to=//u@v"),
    ]

    @Test("A link's target is read against the response's URL", arguments: references)
    func target(row: (reference: String, url: String)) throws {
        #expect(links("<\(row.reference)>; rel=x").map(\.url.absoluteString) == [row.url])
    }

    @Test(
        "The reference resolution of RFC 3986, section 5.4, holds for links",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ])
    func resolution(reference: String, expected: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(URL(reference: reference, at: base)?.absoluteString == expected)
    }

    @Test(
        "Malformed links are skipped, and those around them are kept",
        arguments: [
            "https://h/x; rel=x", "x", "<https://h/x>", "<https://h/x>; title=x",
            #"<https://h/x>; rel="""#, "<https://h/x>; rel", "<https://h/x> rel=x",
            "<https://u:p@h/x>; rel=x", "<//u@h/x>; rel=x", "<https://%75@h/>; rel=x",
            "<http:///x>; rel=x", "<https:x>; rel=x", "<https://h/\u{0}x>; rel=x",
            "<https://h/\rx>; rel=x", "<https://h:99999999999/ x>; anchor=\"https://u@h\"; rel=x",
            #"x="a, <https://h/y>; rel=y""#, "x <https://h/y, z>; rel=x", "<http://[>; rel=x",
            "<http://a b/>; rel=x",
        ])
    func malformed(member: String) throws {
        let field = "<https://h/a>; rel=a, \(member), <https://h/b>; rel=b"
        #expect(
            WebLink.links(in: field, at: URL(string: Self.base)).map(Self.text)
                == ["a https://h/a", "b https://h/b"])
    }

    static let ends: [(field: String, links: [String])] = [
        ("", []), ("<", []), ("<>", []), (">", []), (",,,", []), ("<https://h/a", []),
        ("<https://h/a>", []), ("<https://h/a>;", []), ("<https://h/a>; rel=", []),
        (#"<https://h/a>; rel="next"#, ["next https://h/a"]),
        (#"<https://h/a>; rel="next\"#, ["next https://h/a"]),
        (#"<https://h/a>; rel=next; title=""#, ["next https://h/a"]),
        ("<https://h/a>; rel=next <https://h/b>; rel=last", ["next,<https://h/b> https://h/a"]),
    ]

    @Test("A Link header that is cut off has the links before the cut", arguments: ends)
    func end(row: (field: String, links: [String])) throws {
        #expect(links(row.field).map(Self.text) == row.links)
    }

    static let titles: [(parameters: String, title: String?)] = [
        ("title=plain", "plain"), (#"title="a \"b\" \c""#, #"a "b" c"#), ("title", ""),
        ("x=y", nil), ("title=first; title=second", "first"), ("TITLE=x", "x"),
        ("title*=UTF-8'de'n%c3%a4chstes%20Kapitel", "nächstes Kapitel"),
        ("title*=utf-8''%E2%82%AC%20rates", "€ rates"),
        ("title=plain; title*=UTF-8''%C3%A9", "é"), ("title*=UTF-8''%C3%A9; title=plain", "é"),
        ("title=plain; title*=ISO-8859-1''%E9", "plain"), ("title*=ISO-8859-1''%E9", nil),
        ("title=plain; title*=ISO-8859-1''a", "plain"), ("title*=''a", nil),
        ("title=plain; title*=UTF-8''%C3", "plain"), ("title=plain; title*=UTF-8''%zz", "plain"),
        ("title=plain; title*=plain", "plain"), ("title=plain; title*=UTF-8'x", "plain"),
        ("title*=UTF-8''a'b", "a'b"), ("title*=UTF-8''", ""),
        (#"title*="UTF-8''%C3%A9""#, "é"), ("title*=UTF-8''%C3%A9; title*=UTF-8''x", "é"),
        ("title=日本", "日本"),
    ]

    @Test("A link's title is title*, where that can be read, or title", arguments: titles)
    func title(row: (parameters: String, title: String?)) throws {
        let link = try #require(links("<a>; rel=x; \(row.parameters)").first)
        #expect(link.title == row.title)
    }

    @Test("A link has its other parameters as attributes, and the first value of each")
    func attributes() throws {
        let field =
            #"<a>; rel=x; Type="text/html"; hreflang=de; hreflang=fr; foo; anchor="""#
            + "; rel*=UTF-8''y; anchor*=UTF-8''z; type**=UTF-8''t; *=UTF-8''u"
        let link = try #require(links(field).first)
        #expect(link.attributes == ["type": "text/html", "hreflang": "de", "foo": ""])
        #expect(link.type == .html)
        #expect(link.anchor == nil)
    }

    @Test("A link that is about something else has an anchor, and is not found by its relation")
    func anchor() throws {
        let links = links(
            "</a>; rel=next; anchor=\"#top\", </b>; rel=next; anchor=\"?page=1\", </c>; rel=Next"
        )
        #expect(links.map(\.anchor?.fragment) == ["top", nil, nil])
        #expect(links[rel: "next"]?.url.path == "/b")
        #expect(links[rel: "NEXT"]?.url.path == "/b")
        #expect(links[rel: "prev"] == nil)
    }

    @Test("A response has the links of its Link header, in any case, and none without one")
    func response() throws {
        let fields = ["link": #"<?page=2>; rel="next", <?page=9>; rel="last""#]
        let response = try CannedResponse(200, "", fields: fields).httpResponse
        #expect(response.links.count == 2)
        #expect(try CannedResponse(200, "").httpResponse.links.isEmpty)
    }

    private static func text(_ link: WebLink) -> String {
        "\(link.relations.joined(separator: ",")) \(link.url.absoluteString)"
    }

    private func links(_ field: String) -> [WebLink] {
        WebLink.links(in: field, at: URL(string: Self.base))
    }
}
