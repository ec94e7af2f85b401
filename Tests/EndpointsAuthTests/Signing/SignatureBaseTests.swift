import Endpoints
import EndpointsShared
import EndpointsStructuredFields
import Foundation
import Testing

@testable import EndpointsAuth

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Signature bases (RFC 9421)")
struct SignatureBaseTests {
    /// The request and the response of RFC 9421, appendix B.2.
    static let request = Message.request(
        "POST", "https://example.com/foo?param=Value&Pet=dog",
        [
            "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json",
            "Content-Digest":
                "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
        ], body: #"{"hello": "world"}"#)
    private static let response = try? Message.head(
        200,
        [
            "Date": "Tue, 20 Apr 2021 02:07:56 GMT", "Content-Type": "application/json",
            "Content-Digest":
                "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
            "Content-Length": "23",
        ])

    private static func text(
        of components: [MessageComponent], _ parameters: [(String, StructuredValue)],
        response: HTTPURLResponse? = nil
    ) throws -> String {
        var urlRequest = request.urlRequest
        urlRequest.setValue("18", forHTTPHeaderField: "Content-Length")
        let message = SignedMessage(request: urlRequest, response: response)
        let base = try message.base(of: components, Message.member(components, parameters))
        return String(decoding: base, as: UTF8.self)
    }

    private static let created = ("created", StructuredValue.integer(1_618_884_473))

    @Test("The signature bases are those of RFC 9421, appendix B.2")
    func appendix() throws {
        let digest =
            "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
        #expect(
            try Self.text(
                of: [],
                [
                    Self.created, ("keyid", .string("test-key-rsa-pss")),
                    ("nonce", .string("b3k2pp5k7z-50gnwp.yemd")),
                ]) == """
                    "@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"
                    """)
        #expect(
            try Self.text(
                of: [.authority, "content-digest", .query("Pet")],
                [
                    Self.created, ("keyid", .string("test-key-rsa-pss")),
                    ("tag", .string("header-example")),
                ]) == """
                    "@authority": example.com
                    "content-digest": \(digest)
                    "@query-param";name="Pet": dog
                    "@signature-params": ("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"
                    """)
        #expect(
            try Self.text(
                of: [
                    "date", .method, .path, .query, .authority, "content-type", "content-digest",
                    "content-length",
                ], [Self.created, ("keyid", .string("test-key-rsa-pss"))]) == """
                    "date": Tue, 20 Apr 2021 02:07:55 GMT
                    "@method": POST
                    "@path": /foo
                    "@query": ?param=Value&Pet=dog
                    "@authority": example.com
                    "content-type": application/json
                    "content-digest": \(digest)
                    "content-length": 18
                    "@signature-params": ("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"
                    """)
        #expect(
            try Self.text(
                of: [.status, "content-type", "content-digest", "content-length"],
                [Self.created, ("keyid", .string("test-key-ecc-p256"))], response: Self.response)
                    == """
                    "@status": 200
                    "content-type": application/json
                    "content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
                    "content-length": 23
                    "@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"
                    """)
        #expect(
            try Self.text(
                of: ["date", .method, .path, .authority, "content-type", "content-length"],
                [Self.created, ("keyid", .string("test-key-ed25519"))]) == """
                    "date": Tue, 20 Apr 2021 02:07:55 GMT
                    "@method": POST
                    "@path": /foo
                    "@authority": example.com
                    "content-type": application/json
                    "content-length": 18
                    "@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"
                    """)
    }

    @Test("The signature by HMAC is that of RFC 9421, appendix B.2.5")
    func hmac() async throws {
        let key = try #require(
            Data(
                base64Encoded:
                    "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
            ))
        let signer = MessageSigner(
            key: .hmacSHA256(key, id: "test-shared-secret"),
            covering: ["Date", .authority, "Content-Type"], digest: nil, label: "sig-b25")
        var request = Self.request
        try await signer.sign(&request, at: Date(timeIntervalSince1970: 1_618_884_473.9))
        let fields = request.urlRequest.allHTTPHeaderFields ?? [:]
        #expect(
            fields["Signature-Input"]
                == #"sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret""#
        )
        #expect(
            fields["Signature"] == "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:")
    }

    @Test(
        "A component of the URL is as it is sent, but for the case of the host and a usual port",
        arguments: [
            ("https://A.example.com", .targetURI, "https://a.example.com/"),
            ("HTTPS://a.example.com:443/B?c=D#e", .targetURI, "https://a.example.com/B?c=D"),
            ("http://a.example.com:80?x", .targetURI, "http://a.example.com/?x"),
            ("http://a.example.com:443/", .authority, "a.example.com:443"),
            ("https://u:p@a.example.com:8443/", .authority, "a.example.com:8443"),
            ("https://[2001:DB8::1]:443/", .authority, "[2001:db8::1]"),
            ("https://[::1]:8080/", .authority, "[::1]:8080"),
            ("https://a.example.com/x%2Fy/%C3%BC", .path, "/x%2Fy/%C3%BC"),
            ("https://a.example.com", .path, "/"), ("https://a.example.com/", .query, "?"),
            ("https://a.example.com/?", .query, "?"),
            ("https://a.example.com/?a=1&b", .query, "?a=1&b"),
            ("https://a.example.com/p?q=/?", .requestTarget, "/p?q=/?"),
            ("http://a.example.com/", .scheme, "http"),
            ("https://a.example.com/?q=a%20b+c~%2F*", .query("q"), "a%20b%20c%7E%2F*"),
            ("https://a.example.com/?q=%2BF", .query("q"), "%2BF"),
            ("https://a.example.com/?x&q", .query("q"), ""),
            ("https://a.example.com/?f%C3%BC+r=1&g=2", .query("fü r"), "1"),
        ] as [(String, MessageComponent, String)])
    func url(url: String, component: MessageComponent, value: String) throws {
        let message = SignedMessage(request: Message.request("GET", url).urlRequest)
        #expect(try message.value(of: component) == value)
    }

    private static let fields = [
        "X-Two": "  a,  b ", "X-Dict": "a=1,  b=2;x, c=(a   b), d", "X-List": "a;q=0.50,b",
        "X-Item": "1.50;  p", "X-Empty": "", "X-Tab": "a\tb", "Priority": "u=1,i",
    ]

    @Test(
        "A header is as it is sent, in its canonical form, as one member, or as bytes",
        arguments: [
            ("x-two", "a,  b"), ("x-empty", ""), ("x-tab", "a\tb"),
            (.field("X-Dict", as: .dictionary), "a=1, b=2;x, c=(a b), d"),
            (.field("X-List", as: .list), "a;q=0.5, b"), (.field("X-Item", as: .item), "1.5;p"),
            (.field("X-Dict", key: "b"), "2;x"), (.field("X-Dict", key: "c"), "(a b)"),
            (.field("X-Dict", key: "d"), "?1"), (.bytes("X-Two"), ":YSwgIGI=:"),
        ] as [(MessageComponent, String)])
    func field(component: MessageComponent, value: String) throws {
        let request = Message.request("GET", "https://a.example.com/", Self.fields)
        #expect(try SignedMessage(request: request.urlRequest).value(of: component) == value)
    }

    @Test(
        "A component is written with its parameters, and is equal in whatever order they are",
        arguments: [
            (.method.ofRequest, #""@method";req"#),
            (.method.ofRequest.ofRequest, #""@method";req"#),
            (.query("a b"), #""@query-param";name="a%20b""#), ("Content-Type", #""content-type""#),
            (.field("X", key: "k").ofRequest, #""x";key="k";req"#), (.bytes("X"), #""x";bs"#),
        ] as [(MessageComponent, String)])
    func written(component: MessageComponent, text: String) throws {
        #expect(component.description == text)
        let item = try #require(StructuredItem(parsing: text))
        #expect(MessageComponent(item, kindsOf: []) == component)
    }

    @Test("Components with other parameters are other components")
    func different() {
        #expect(MessageComponent.method != .method.ofRequest)
        #expect(MessageComponent.query("a") != .query("b"))
        #expect(MessageComponent.field("X", key: "a") != "x")
    }
}
