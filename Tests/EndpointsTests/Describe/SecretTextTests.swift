import Endpoints
import Foundation
import Testing

@Suite("Secrets in a text that is cut off")
struct SecretTextTests {
    @Test(
        "A value of a request's body is found whole, and up to a mark that may follow it",
        arguments: [
            ("password: hunter2, user: ann", ["hunter2, user: ann", "hunter2"]),
            (#"{"message": "password: hunter2", "to": "bob"}"#, ["hunter2", "hunter2"]),
            ("password=hunter2&x=1", ["hunter2", "hunter2"]), ("user=ann", []),
        ])
    func values(body: String, values: [String]) {
        #expect(SecretNames.usual.values(inBeginningOf: Data(body.utf8)) == values)
    }

    @Test(
        "A value of a secret name is hidden in every kind of text, and no other value",
        arguments: [
            (#"{"id": 1, "token": "t0k3n", "b": 2}"#, #"{"id": 1, "token": "…", "b": 2}"#),
            (#"{"token" : "a\"b", "c": 1}"#, #"{"token" : "…", "c": 1}"#),
            (#"{"password":12345,"b":2}"#, #"{"password":…,"b":2}"#),
            (#"{"secret": {"a": [1, "]}"]}, "b": 2}"#, #"{"secret": …, "b": 2}"#),
            (#"{"secret": [1, 2], "b": 2}"#, #"{"secret": …, "b": 2}"#),
            ("{\"token\"\n: \"t0k3n\"}", "{\"token\"\n: \"…\"}"),
            ("sent {\"token\"\r\n : \"t0k3n\"}", "sent {\"token\"\r\n : \"…\"}"),
            (#"{"token": "t0k"#, #"{"token": "…"#),
            (#"{"token": {"a": "t0k"#, #"{"token": …"#),
            (#"{"token": ""}"#, #"{"token": ""}"#),
            (#""{\"token\": \"t0k3n\", \"b\": 1}""#, #""{\"token\": \"…\", \"b\": 1}""#),
            (#""{\"token\":\"a\\\/b\",\"b\":1}""#, #""{\"token\":\"…\",\"b\":1}""#),
            (#""{\"token\":\"a\\\"b\",\"b\":1}""#, #""{\"token\":\"…\",\"b\":1}""#),
            (#""{\"token\":\"a\\\\\",\"b\":1}""#, #""{\"token\":\"…\",\"b\":1}""#),
            (#"{\\\"token\\\": \\\"t0k3n\\\", 1}"#, #"{\\\"token\\\": \\\"…\\\", 1}"#),
            (#"{"a": "\"token\": \"t0k"}, {"b": 1}"#, #"{"a": "\"token\": \"…"}, {"b": 1}"#),
            (#""{\"key\": {\"a\": \"}]\"}, \"b\": 1}""#, #""{\"key\": …, \"b\": 1}""#),
            ("a=1&access_token=t0k3n&b=2", "a=1&access_token=…&b=2"),
            ("user[password]=p&b=2", "user[password]=…&b=2"),
            ("user%5Bpassword%5D=p&b=2", "user%5Bpassword%5D=…&b=2"),
            ("Authorization: Bearer t0k3n\r\nDate: now", "Authorization: …\r\nDate: now"),
            (
                "Authorization: Digest username=\"a, b\", response=\"6629f\"\r\nDate: now",
                "Authorization: …\r\nDate: now"
            ),
            (#"{"error":"bad key: limit","b":"c"}"#, #"{"error":"bad key: …","b":"c"}"#),
            ("an error: token: t0k3n; see the log", "an error: token: …; see the log"),
            ("<a><token>t0k3n</token><b>1</b></a>", "<a><token>…</token><b>1</b></a>"),
            (#"<token type="jwt">t0k3n</token><b>1</b>"#, #"<token type="jwt">…</token><b>1</b>"#),
            ("<token><![CDATA[t0k3n]]></token><b>1</b>", "<token><![CDATA[…]]></token><b>1</b>"),
            ("<token><a>t0k3n</a></token><b>1</b>", "<token>…</token><b>1</b>"),
            (#"<s:token s:type="jwt">t0k</s:token>"#, #"<s:token s:type="jwt">…</s:token>"#),
            (#"<token value="t0k3n"/><b>1</b>"#, "<token …/><b>1</b>"),
            ("<token/><b>1</b>", "<token/><b>1</b>"), ("<token></token>", "<token></token>"),
            (#"<token value="t0k"#, "<token …"), ("<token>t0k", "<token>…"),
            ("<token><![CDATA[t0k", "<token><![CDATA[…"), ("<token", "<token"),
            ("<token><tokenType>x</tokenType><a>t0k3n</a></token>b", "<token>…</token>b"),
            ("<key><key>x</key><key/>t0k3n</key>b", "<key>…</key>b"),
            ("<key><![CDATA[</key>]]>t0k3n</key>b", "<key>…</key>b"),
            ("<key><!-- </key> -->t0k3n</key>b", "<key>…</key>b"),
            (#"<key value="t0k3n"></key>b"#, "<key …></key>b"),
            ("<key value='t0k3n'>\n</key>b", "<key …>\n</key>b"),
            (#"<key value="t0k3n"><![CDATA[ ]]></key>b"#, "<key …><![CDATA[ ]]></key>b"),
            (#"<key hint="a/>b">t0k3n</key>b"#, #"<key hint="a/>b">…</key>b"#),
            ("<key>\n  t0k3n\n</key>b", "<key>\n  …\n</key>b"),
            ("<password:s3cret>", "<password:…"), ("<key><!-- t0k", "<key>…"),
            (#"<a token="t0k3n" b="1">"#, #"<a token="…" b="1">"#),
            ("a key is a word, and so is a token", "34 bytes"),
            (#"["token", "password"]"#, #"["token", "password"]"#),
            (#"{"code": "late"}"#, #"{"code": "late"}"#),
            ("<code>late</code>", "<code>late</code>"),
            (#"<error code="4"/>"#, #"<error code="4"/>"#),
            (#"{"next": "/cb?code=c0d3&a=b"}"#, #"{"next": "/cb?code=…&a=b"}"#),
            ("", ""), ("é token: é", "é token: …"), ("token=", "token="), ("token", "5 bytes"),
        ])
    func named(text: String, masked: String) {
        #expect(SecretNames.usual.masked(beginningOf: Data(text.utf8)).text == masked)
    }

    @Test("A secret that is known is hidden wherever it is, also where it is cut off")
    func known() {
        let names = SecretNames.usual
        func masked(_ text: String, _ secrets: [String], _ limit: Int = 512) -> String {
            names.masked(beginningOf: Data(text.utf8), hiding: secrets, upTo: limit).text
        }
        #expect(masked("you sent t0k3n, t0k3n.", ["t0k3n"]) == "you sent …, ….")
        #expect(masked("ab t0k3n", ["t0k3n"], 5) == "ab …")
        #expect(masked("ab t0k3n", ["t0k3n"], 3) == "ab ")
        #expect(masked("aab", ["ab"]) == "a…")
        #expect(masked("Bearer t0k3n", ["Bearer t0k3n", "t0k3n"]) == "…")
        #expect(masked(#"{"token": "t0k3n"}"#, ["t0k3n"]) == #"{"token": "…"}"#)
        #expect(masked("abcdef", ["abcd", "cdef"]) == "…")
        #expect(masked("abc", [""]) == "abc")
    }

    @Test("Random texts are read to the end, and show no secret", arguments: 0..<4 as Range<UInt64>)
    func random(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        // Letters alone would hardly ever make the secret.
        let pieces = ["token", "tok", "en"] + #"token"':=>{}[]\&<, "#.map { "\($0)" }
        for _ in 0..<500 {
            let text = (0..<20).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let limit = Int.random(in: 0...50, using: &generator)
            let masked = SecretNames.usual.masked(
                beginningOf: Data(text.utf8), hiding: ["token"], upTo: limit
            ).text
            #expect(!masked.contains("token"), "\(text)")
        }
    }

    @Test("A secret's name in a URL is found although it is escaped twice")
    func escapedTwice() throws {
        let url = try #require(URL(string: "https://h/a?x[%74oken]=s3cret"))
        #expect(url.absoluteString.contains("%2574oken"))
        #expect(!SecretNames.usual.masked(url).contains("s3cret"))
    }
}
