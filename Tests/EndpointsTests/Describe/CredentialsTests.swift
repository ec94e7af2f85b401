import Endpoints
import Foundation
import Testing

@Suite struct CredentialsTests {
    static let pairs: [(username: String, password: String, text: String)] = [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("", "", "Basic Og=="),
        ("u", "", "Basic dTo="),
        ("", "p", "Basic OnA="),
        ("u", "p:q:", "Basic dTpwOnE6"),
        ("test", "123£", "Basic dGVzdDoxMjPCow=="),
        ("é", "漢", "Basic w6k65ryi"),
        ("u\u{85}", "\u{A0}", "Basic dcKFOsKg"),
        ("anystring", "key-us6", "Basic YW55c3RyaW5nOmtleS11czY="),
    ]

    @Test("Basic credentials are sent as UTF-8 in Base64 (RFC 7617, section 2)", arguments: pairs)
    func basic(_ username: String, _ password: String, _ text: String) throws {
        let credentials = Credentials.basic(username: username, password: password)
        #expect(try header(credentials) == text)
    }

    static let schemes: [(scheme: String, parameters: String, text: String?)] = [
        ("DPoP", "t0k3n", "DPoP t0k3n"),
        ("Digest", #"username="a b", nc=1"#, #"Digest username="a b", nc=1"#),
        ("", "x", nil), ("a b", "x", nil), ("Token", "", nil), ("Token", "a\n", nil),
        ("Token", "é", nil), ("Basic", "ann:pass", nil), ("basic", "ann:", nil),
        ("BASIC", ":", nil), ("Basic", "YTpi", "Basic YTpi"), ("Token", "a:b", "Token a:b"),
    ]

    @Test("Credentials of any scheme are sent, or refused if they aren't valid", arguments: schemes)
    func scheme(_ scheme: String, _ parameters: String, _ text: String?) {
        let credentials = Credentials.scheme(scheme, parameters)
        #expect((try? header(credentials)) == text)
        #expect(!String(describing: credentials).contains(parameters) || parameters.isEmpty)
    }

    @Test(
        "The error of credentials says whether the scheme or the text after it is wrong",
        arguments: [
            (
                "a b", "x",
                "the scheme of the credentials is empty or has an illegal character, such "
                    + "as a space; use a name like `DPoP`"
            ),
            (
                "Token", "",
                "the credentials after the scheme must not be empty, and may have only ASCII "
                    + "characters other than control characters"
            ),
            (
                "Basic", "ann:pass",
                "Basic credentials are sent in Base64; write .basic(username:password:)"
            ),
        ])
    func refusedScheme(_ scheme: String, _ parameters: String, _ reason: String) {
        let error = #expect(throws: EndpointError.self) {
            try header(.scheme(scheme, parameters))
        }
        #expect(error?.reason == "can't be written as text: \(reason)")
    }

    private func header(_ credentials: Credentials) throws -> String? {
        let endpoint = Endpoint<Probe>(
            method: .get, path: "p", headers: [.authorization: .fieldValue(value: credentials)])
        return try Probe().urlRequest(of: endpoint).allHTTPHeaderFields?["Authorization"]
    }

    @Test("Long Basic credentials are sent as one line")
    func long() throws {
        let password = String(repeating: "p", count: 1_000)
        let text = try #require(try header(.basic(username: "u", password: password)))
        #expect(text.utf8.allSatisfy { $0 > 31 })
        let pair = try #require(Data(base64Encoded: String(text.dropFirst(6))))
        #expect(String(decoding: pair, as: UTF8.self) == "u:" + password)
    }

    @Test(
        "A colon in the user name of Basic credentials is refused",
        arguments: [":", "a:b", "a:", ":\u{301}", "a:\u{301}b"])
    func colon(_ username: String) throws {
        let credentials = Credentials.basic(username: username, password: "p")
        let refusal = try Probe().refusal(
            headers: [.authorization: .fieldValue(value: credentials)])
        #expect(
            refusal == """
                Probe: the header "Authorization" can't be written as text: the user name of Basic \
                credentials has a `:`, which a server would take for the end of the name; remove it
                """)
    }

    @Test(
        "Basic credentials with a control character are refused (RFC 7617, section 2)",
        arguments: [("u\n", "p"), ("u", "p\u{0}"), ("u", "p\r\n"), ("\u{7F}", ""), ("u\t", "p")])
    func control(_ username: String, _ password: String) throws {
        let credentials = Credentials.basic(username: username, password: password)
        let refusal = try Probe().refusal(
            headers: [.authorization: .fieldValue(value: credentials)])
        #expect(
            refusal == """
                Probe: the header "Authorization" can't be written as text: the user name or password of Basic \
                credentials has a control character; remove it
                """)
    }

    @Test(
        "A bearer token is sent as it is", arguments: ["t0k3n.a-b_c~+/==", "1|abc", "{a:b}", "!"])
    func bearer(_ token: String) throws {
        #expect(try header(.bearer(token)) == "Bearer \(token)")
    }

    @Test(
        "A bearer token that is empty or has a space, a control character or no ASCII is refused",
        arguments: [
            "", " ", "Bearer t", "t ", "t\r\nX: y", "t\n", "\u{0}", "t\u{7F}", "t\t", "é",
            "t\u{301}",
        ])
    func brokenToken(_ token: String) throws {
        let refusal = try Probe().refusal(
            headers: [.authorization: .fieldValue(value: Credentials.bearer(token))])
        #expect(
            refusal == """
                Probe: the header "Authorization" can't be written as text: a bearer token must \
                not be empty, and may have only ASCII characters other than spaces and control \
                characters
                """)
    }

    @Test(
        "No description of credentials shows a secret",
        arguments: [
            Credentials.basic(username: "s3cr3t", password: "s3cr3t"), .bearer("s3cr3t"),
        ])
    func description(_ credentials: Credentials) {
        var dumped = ""
        dump(credentials, to: &dumped)
        dump(["k": [credentials]], to: &dumped)
        let texts = [
            String(describing: credentials), String(reflecting: credentials), "\([credentials])",
            dumped,
            "\(Mirror(reflecting: credentials).children.map(\.value))",
        ]
        for text in texts { #expect(!text.contains("s3cr3t") && !text.contains("czNjcjN0")) }
        #expect(String(describing: Credentials.bearer("t")) == "Bearer (not shown)")
    }
}
