import Foundation
import Testing

@testable import Endpoints

@Suite("Secrets in texts")
struct SecretTextTests {
    private func beginning(
        _ text: String, _ type: String = "", _ known: [String] = [], upTo limit: Int = 512
    ) -> String {
        var masking = Masking(.usual, known: KnownSecrets(known))
        let data = Data(text.utf8)
        return masking.beginning(of: data, type, size: data.count, upTo: limit).text
    }

    @Test(
        "A value of a secret name is hidden where there is structure, and any other value is shown",
        arguments: [
            (#"{"id": 1, "token": "t0k3n", "b": 2}"#, #"{"id": 1, "token": "…", "b": 2}"#),
            (#"{"token" : "a\"b", "c": 1}"#, #"{"token" : "…", "c": 1}"#),
            (#"{"password":12345,"b":2}"#, #"{"password":…,"b":2}"#),
            (#"{"password":true,"secret":null}"#, #"{"password":true,"secret":null}"#),
            (#"{"secret": {"a": [1, "]}"]}, "b": 2}"#, #"{"secret": …, "b": 2}"#),
            (#"{"secret": [1, 2], "b": 2}"#, #"{"secret": …, "b": 2}"#),
            ("{\"token\"\n: \"t0k3n\"}", "{\"token\"\n: \"…\"}"),
            (#"{"token": ""}"#, #"{"token": ""}"#),
            (#"{"a": "{\"token\": \"x\"}"}"#, #"{"a": "{\"token\": \"…\"}"}"#),
            (#"{"\u0074oken": "x"}"#, #"{"\u0074oken": "…"}"#),
            (#"{"name": "password", "value": "x"}"#, #"{"name": "password", "value": "…"}"#),
            (#"{"value": "x", "name": "color"}"#, #"{"value": "x", "name": "color"}"#),
            (#"{"a": "<param name=\"password\" value=\"x\">"}"#, #"{"a": "…"}"#),
            (#"{"a": "key: api_token, value: x"}"#, #"{"a": "…"}"#),
            (#"{"a": "<header id='x-api-key'/><b text='x'/>"}"#, #"{"a": "…"}"#),
            (#"{"a": "<b name='color' value='x'>"}"#, #"{"a": "<b name='color' value='x'>"}"#),
            (#"{"a": "<input type='password'>"}"#, #"{"a": "<input type='password'>"}"#),
            (#"{"a": "token\\u003dx"}"#, #"{"a": "…"}"#),
            (#"{"a": "\\u0074oken: x"}"#, #"{"a": "…"}"#),
            (#"{"a": "C:\\token=x"}"#, #"{"a": "…"}"#),
            (#"{"a": "C:\\users\\color=x"}"#, #"{"a": "C:\\users\\color=x"}"#),
            (#"{"error":"bad token: limit","b":"c"}"#, #"{"error":"…","b":"c"}"#),
            (#"{"error":"the token is bad"}"#, #"{"error":"the token is bad"}"#),
            (#"{"next": "/cb?code=c0d3&a=b"}"#, #"{"next": "/cb?code=…&a=b"}"#),
            (#"{"a": "<password>x</password>"}"#, #"{"a": "…"}"#),
            (#"{"a": "no postgres://ann:x@db/b"}"#, #"{"a": "…"}"#),
            (
                #"{"a": "ssh to git://ann@h, mail a:b@c"}"#,
                #"{"a": "ssh to git://ann@h, mail a:b@c"}"#
            ),
            (#"{"type": "password", "value": "x"}"#, #"{"type": "password", "value": "…"}"#),
            (
                #"{"field": "token", "old_value": "x", "newValue": "y"}"#,
                #"{"field": "token", "old_value": "…", "newValue": "…"}"#
            ),
            (
                #"[{"op": "add", "path": "/ann/password", "value": "x"}]"#,
                #"[{"op": "add", "path": "/ann/password", "value": "…"}]"#
            ),
            (#"{"path": "a/token", "content": "x"}"#, #"{"path": "a/token", "content": "x"}"#),
            (
                #"{"errors": {"password": ["is too short"], "token": "x"}}"#,
                #"{"errors": {"password": ["is too short"], "token": "…"}}"#
            ),
            (#"{"password": ["is too short"]}"#, #"{"password": …}"#),
            (#"["token", "password"]"#, #"["token", "password"]"#),
            (
                #"{"h": [["Authorization", "Bearer x"], ["Accept", "a"], ["token", 5]]}"#,
                #"{"h": [["Authorization", "…"], ["Accept", "a"], ["token", …]]}"#
            ),
            (
                #"{"unique": [["token", "name", "id"], ["secret"], "token", "b"]}"#,
                #"{"unique": [["token", "name", "id"], ["secret"], "token", "b"]}"#
            ),
            (
                #"[{"token": "Hi", "logprob": -0.5, "top": [{"logprob": -1, "token": "a"}]}]"#,
                #"[{"token": "Hi", "logprob": -0.5, "top": [{"logprob": -1, "token": "a"}]}]"#
            ),
            (
                #"{"tokens": ["Hi", "you"], "token_logprobs": [-1.5], "secret": "x"}"#,
                #"{"tokens": ["Hi", "you"], "token_logprobs": [-1.5], "secret": "…"}"#
            ),
            (#"{"logprob": "token", "password": "x"}"#, #"{"logprob": "token", "password": "…"}"#),
            (#"{"a": "token&#61;x"}"#, #"{"a": "…"}"#),
            (#"{"a": "{&quot;token&quot;:&quot;x&quot;}"}"#, #"{"a": "…"}"#),
            (#"{"a": "b &amp; c&lt;d"}"#, #"{"a": "b &amp; c&lt;d"}"#),
            (#"{"code": "late"}"#, #"{"code": "late"}"#), (#""token: x""#, #""…""#),
            ("", ""), ("a key is a word", "a key is a word"),
        ])
    func named(text: String, masked: String) {
        #expect(beginning(text) == masked)
    }

    @Test(
        "An event's data is read line by line, and what follows the beginning of JSON goes with it",
        arguments: [
            ("data: {\"token\":\ndata: \"x\"}\n\ndata: \"y\"\n\n", "…\n…\n\ndata: \"y\"\n\n"),
            (
                "event: token\ndata: {\"text\": \"a\"}\n\n",
                "event: token\ndata: {\"text\": \"a\"}\n\n"
            ),
            ("data: {\"text\":\ndata: \"x\"}\n\n", "data: {\"text\":\ndata: \"x\"}\n\n"),
            ("data: token: x\ndata: y\n\n", "…\ndata: y\n\n"),
            ("event: token=x\ndata: y\n\n", "…\ndata: y\n\n"),
            ("data: {\"token\":\nevent: a\ndata: \"x\"}\n\n", "…\n…\n…\n\n"),
            (
                "data: -----BEGIN PRIVATE KEY-----\ndata: MIIE\ndata: -----END\n\ndata: y\n\n",
                "data: …\n…\n…\n\ndata: y\n\n"
            ),
        ])
    func events(text: String, masked: String) {
        #expect(beginning(text, "text/event-stream") == masked)
    }

    @Test(
        "A secret header of a part is hidden in all its lines, and a form's field in all its bytes",
        arguments: [
            (
                "--b\r\nX-Api-Key: k1\r\n k2\r\n\tk3\r\nX-Note: a\r\n b\r\n\r\nc\r\n--b--",
                "multipart/form-data; boundary=b",
                "--b\r\nX-Api-Key:…\n…\n…\nX-Note: a\r\n b\r\n\r\nc\r\n--b--"
            ),
            ("password=%22%22&a=1", "application/x-www-form-urlencoded", "password=…&a=1"),
            ("password=%20&a=1", "application/x-www-form-urlencoded", "password=…&a=1"),
            ("password=&a=1", "application/x-www-form-urlencoded", "password=&a=1"),
        ])
    func parts(text: String, type: String, masked: String) {
        #expect(beginning(text, type) == masked)
    }

    @Test(
        "The token of a challenge is hidden",
        arguments: ["Negotiate YIIB6wYJKoZIhvc=", "NTLM TlRMTVNTUAACAAAA", "Basic, negotiate YIIB"])
    func challenge(_ header: String) {
        var masking = Masking(.usual)
        #expect(masking.header(header) == "…")
        #expect(masking.header("Negotiate, NTLM") == "Negotiate, NTLM")
    }

    @Test(
        "A text without structure is shown whole, or by its size if a secret name is in it",
        arguments: [
            ("token", "5 bytes"), ("Invalid token.", "14 bytes"),
            ("a=1&access_token=t0k3n", "22 bytes"),
            ("{'token': 't0k3n'}", "18 bytes"), ("no redis://:x@h", "15 bytes"),
            (#"{"token": "t0k3n""#, "17 bytes"),
            ("<a><token>t</token></a>", "23 bytes"), ("password%3Dx", "12 bytes"),
            ("<a><Key>t</Key></a>", "<a><Key>t</Key></a>"), ("/?max-keys=3", "/?max-keys=3"),
            ("/?key=3", "7 bytes"), ("tokenizers pass by", "18 bytes"),
            ("tokenizers", "tokenizers"),
            ("t\0o\0k\0e\0n\0", "10 bytes"), ("\0\u{1}pw\0", "\0\u{1}pw\0"), ("é", "é"),
            ("p\0w\0=\0x\0", "8 bytes"), ("\u{1}Pw#", "\u{1}Pw#"), ("\u{1}?otp=", "\u{1}?otp="),
            ("\u{2}P[W\u{1F}", "\u{2}P[W\u{1F}"), ("\u{1}jwt:\u{3}", "\u{1}jwt:\u{3}"),
            ("\u{1}abcPw=a", "\u{1}abcPw=a"), ("\u{1}://a:b@", "\u{1}://a:b@"),
            ("\u{1}token=t0k3n\u{2}", "13 bytes"), ("\u{1}api_key\u{2}", "9 bytes"),
            ("\u{1}ws://a:b@h", "11 bytes"),
        ])
    func unparsed(text: String, shown: String) {
        #expect(beginning(text) == shown)
        var masking = Masking(.usual)
        masking.showsUnparsedBodies = true
        #expect(masking.beginning(of: Data(text.utf8), size: text.utf8.count).text == text)
    }

    @Test(
        "A secret that is known is hidden in each encoding, wherever it is",
        arguments: [
            ("you sent s3cr3t/+v, s3cr3t/+v.", "you sent …, …."), ("xs3cr3t/+vx", "x…x"),
            ("a s3cr3t&#x2F;&#43;v &amp; b", "a … &amp; b"),
            ("s3cr3t%2F%2Bv", "…"), ("s3cr3t%2f%2bv", "…"), ("s3cr3t/%2Bv", "…"),
            (#"{"a": "s3cr3t\/+v"}"#, #"{"a": "…"}"#),
            (#"{"a": "\u0073\u0033cr3t/+v"}"#, #"{"a": "…"}"#),
            ("czNjcjN0Lyt2", "…"), ("YTpzM2NyM3QvK3Y6YQ==", "YTp…Y6YQ=="), ("s3cr3t", "s3cr3t"),
            (#"{"s3cr3t/+v": 1}"#, #"{"…": 1}"#),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "…"),
            ("at eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn, now", "at …, now"),
            (#"{"a": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}"#, #"{"a": "…"}"#),
            ("eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9"),
            ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nb", "…\nb"),
            (#"{"a": "-----BEGIN EC PRIVATE KEY-----\nMI"}"#, #"{"a": "…"}"#),
            ("-----BEGIN CERTIFICATE-----\nMIIE", "-----BEGIN CERTIFICATE-----\nMIIE"),
        ])
    func known(text: String, masked: String) {
        #expect(beginning(text, "", ["s3cr3t/+v"]) == masked)
    }

    @Test(
        "A known secret with signs of HTML is hidden where they are escaped",
        arguments: [
            "a&b<c>\"d'e", "a&amp;b&lt;c&gt;&quot;d&#39;e", "a&#38;b&#x3c;c>&#34;d&apos;e",
            "a%26b%3Cc%3E%22d%27e",
        ])
    func references(secret: String) {
        let text = "<p>\(secret) &amp; &unknown; &#xFFFFFF; &#; more</p>"
        let shown = "<p>… &amp; &unknown; &#xFFFFFF; &#; more</p>"
        #expect(beginning(text, "text/html", ["a&b<c>\"d'e"]) == shown)
    }

    @Test(
        "A known secret with a character beyond U+FFFF is hidden where it is escaped",
        arguments: ["s3cr3t🐈", #"s3cr3t\ud83d\uDC08"#, "s3cr3t%F0%9F%90%88", "s3cr3t&#x1F408;"])
    func longCharacter(text: String) {
        #expect(beginning("a \(text) b", "", ["s3cr3t🐈"]) == "a … b")
    }

    @Test(
        "A secret that is sent with escapes is hidden where a server shows it without them",
        arguments: ["s3cr3t%2Fv", "s3cr3t/v", #"s3cr3t\/v"#, "s3cr3t%252Fv"])
    func sentWithEscapes(text: String) {
        #expect(beginning("a \(text) b", "", ["s3cr3t%2Fv"]) == "a … b")
    }

    @Test("The beginning of a JSON body that is longer than what is read shows no secret")
    func longBody() {
        let list = Array(repeating: "1", count: 50_000).joined(separator: ",")
        let text = #"{"password": "hunter2", "list": [\#(list)]}"#
        let shown = beginning(text, "application/json", upTo: 32)
        #expect(shown == #"{"password": "…", "list": [1,1"#)
    }

    @Test("A known secret is hidden where it is cut off, with others in it, and not if it is short")
    func cut() {
        #expect(beginning("ab t0k3n1", "", ["t0k3n1"], upTo: 6) == "ab …")
        #expect(beginning("ab t0k3n1", "", ["t0k3n1"], upTo: 4) == "ab ")
        #expect(beginning("abcdefghi", "", ["abcdef", "defghi"]) == "…")
        #expect(beginning("Scheme1 t0k3n1", "", ["Scheme1 t0k3n1", "t0k3n1"]) == "…")
        #expect(beginning("abcde", "", ["abcde", ""]) == "abcde")
        let many = (0..<200).map { "prefix-\($0)" }
        #expect(beginning("a prefix-7 b", "", many) == "a … b")
        #expect(
            beginning(#"{"password": "hunter2!", "a": "is hunter2!"}"#)
                == #"{"password": "…", "a": "is …"}"#)
    }

    @Test(
        "The secret of a header is what comes after its scheme, and a cookie's value",
        arguments: [
            ("Authorization", "Bearer t0k3n", ["Bearer t0k3n", "t0k3n"]),
            ("Authorization", "Basic YTpi", ["Basic YTpi", "YTpi", "a:b", "b"]),
            (
                "Authorization", "Basic YTpiYw==",
                ["Basic YTpiYw==", "YTpiYw==", "YTpiYw", "a:bc", "bc"]
            ),
            ("Authorization", "SharedKey a:c2ln", ["SharedKey a:c2ln", "a:c2ln", "c2ln"]),
            ("X-Api-Key", "k3y", ["k3y"]), ("Cookie", "a=1; b=\"2\"", ["1", "2"]),
            ("Set-Cookie", "a=1; Path=/", ["1"]),
            (
                "Authorization", "Digest realm=\"r\", response=\"6629\"",
                ["Digest realm=\"r\", response=\"6629\"", "6629"]
            ),
        ])
    func headers(name: String, value: String, secrets: [String]) {
        #expect(Masking.secrets(inHeader: name, value) == secrets)
    }

    @Test(
        "A header's value keeps what isn't secret",
        arguments: [
            ("Digest realm=\"a\", nonce=\"abc\"", "Digest realm=\"a\", nonce=…"),
            ("<https://h/?token=s>; rel=\"next\"", "<https://h/?token=…>; rel=\"next\""),
            ("https://u:p@h/a?b=1,2&token=s#top", "https://h/a?b=1,2&token=…#top"),
            ("a=1; token=s, b=2", "a=1; token=…, b=2"), ("0; url=/a?token=s", "0; url=…"),
            ("token: abc", "…"), (#"{"token": "x"}"#, #"{"token": "…"}"#),
            ("text/html; charset=utf-8", "text/html; charset=utf-8"),
            ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00 GMT"),
        ])
    func fields(value: String, shown: String) {
        var masking = Masking(.usual)
        #expect(masking.header(value) == shown)
    }

    @Test(
        "Random texts are read to the end, and show no known secret",
        arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        // Letters alone would hardly ever make the secret.
        let pieces = ["s3cr3t", "s3c", "r3t"] + #"token"':=>{}[]\&<, %25"#.map { "\($0)" }
        for _ in 0..<500 {
            let text = (0..<20).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let limit = Int.random(in: 0...50, using: &generator)
            let masked = beginning(text, "", ["s3cr3t"], upTo: limit)
            #expect(!masked.contains("s3cr3t"), "\(text)")
        }
    }

    @Test("Random bytes, as a picture has them, are kept", arguments: 0..<4 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for size in [1_000, 30_000, 300_000] {
            let body = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var masking = Masking(.usual)
            #expect(masking.body(body, "image/png").bytes == body)
        }
    }

    @Test("A secret's name in a URL is found although it is escaped twice")
    func escapedTwice() throws {
        let url = try #require(URL(string: "https://h/a?x[%74oken]=s3cret"))
        #expect(url.absoluteString.contains("%2574oken"))
        #expect(!SecretNames.usual.masked(url).contains("s3cret"))
    }
}
