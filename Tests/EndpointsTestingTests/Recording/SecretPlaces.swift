import Foundation

/// Names of secrets, as APIs write them.
let secretNames = [
    "auth_token", "X-Api-Key", "private_key", "client_assertion", "code_verifier", "SessionToken",
    "apiKey", "X-Amz-Signature", "access_token", "user-password", "client_secret", "otp",
    "webhookSecret", "sessionId", "db_passwd", "Credentials", "device_code", "pass", "hmac",
    "SAMLRequest", "DPoP", "mfa_code", "email_code", "2fa", "pw", "creds", "bearer",
]

/// A place in which a request or a response has a secret: a body of a media type.
struct SecretBody: Sendable {
    let place: String
    let type: String
    /// The body with `NAME` and `s3cr3t`.
    let body: String
    var encoding = String.Encoding.utf8

    func data(_ name: String) -> Data {
        let text = body.replacingOccurrences(of: "NAME", with: name)
        return text.data(using: encoding) ?? Data()
    }

    static let form = "application/x-www-form-urlencoded"
    static let parts = "multipart/form-data; boundary=b"

    static let all: [SecretBody] = [
        .init(place: "a field", type: form, body: "a=1&NAME=s3cr3t&b=2"),
        .init(place: "a field with commas", type: form, body: "NAME=a,+s3cr3t;+b, s3cr3t&b=2"),
        .init(
            place: "a field in brackets", type: form, body: "user%5BNAME%5D=s3cr3t&NAME[]=s3cr3t"),
        .init(
            place: "JSON in a field", type: form,
            body: "payload=%7B%22NAME%22%3A%22s3cr3t%22%7D&a=1"),
        .init(
            place: "a URL in a field", type: form,
            body: "next=https%3A%2F%2Fh%2F%3Fa%3D1%26NAME%3Ds3cr3t&a=1"),
        .init(place: "JSON", type: "application/json", body: #"{"id": 1, "NAME": "s3cr3t"}"#),
        .init(place: "a list", type: "application/json", body: #"{"NAME": ["s3cr3t", "s3cr3t"]}"#),
        .init(
            place: "an object", type: "application/json",
            body: #"[{"NAME": {"a": "s3cr3t", "b": {"c": ["s3cr3t"]}}, "d": 1}]"#),
        .init(
            place: "JSON deep inside", type: "application/vnd.api+json",
            body: #"{"a": [{"b": {"NAME": "\"s3cr3t\\"}}]}"#),
        .init(
            place: "JSON in a string", type: "application/json",
            body: #"{"a": "{\"NAME\": \"s3cr3t\", \"b\": 1}"}"#),
        .init(
            place: "JSON in strings", type: "application/json",
            body: #"{"a": "{\"b\": \"{\\\"NAME\\\": \\\"x\\\\\\\"s3cr3t\\\"}\"}"}"#),
        .init(
            place: "JSON in a string with escapes", type: "application/json",
            body: #"{"a": "{\u0022NAME\u0022: \u0022s3cr3t\u0022}"}"#),
        .init(
            place: "XML in a string", type: "application/json",
            body: #"{"a": "<b><NAME>s3cr3t<\/NAME></b>"}"#),
        .init(
            place: "a URL in JSON", type: "application/json",
            body: #"{"next": "https:\/\/h\/a?b=1&NAME=s3cr3t"}"#),
        .init(
            place: "a URL in JSON with escapes", type: "application/json",
            body: #"{"next": "https://h/a?b=1\u0026NAME=s3cr3t#x"}"#),
        .init(
            place: "a URL's fragment in JSON", type: "application/json",
            body: #"{"next": "https://h/a#NAME=s3cr3t"}"#),
        .init(
            place: "user info in JSON", type: "application/json",
            body: #"{"next": "https://NAME:s3cr3t@h/a"}"#),
        .init(
            place: "a URL in a URL in JSON", type: "application/json",
            body: #"{"next": "https://h/a?to=https%3A%2F%2Fh%2F%3FNAME%3Ds3cr3t"}"#),
        .init(
            place: "a message in JSON", type: "application/problem+json",
            body: #"{"detail": "bad NAME: s3cr3t"}"#),
        .init(
            place: "JSON that is cut off", type: "application/json",
            body: #"{"a": {"NAME": "s3cr3t"#),
        .init(place: "JSON of no type", type: "", body: #" {"NAME" : "s3cr3t"}"#),
        .init(
            place: "JSON in UTF-16", type: "application/json; charset=utf-16",
            body: #"{"NAME" : "s3cr3t"}"#, encoding: .utf16),
        .init(
            place: "JSON that isn't valid", type: "application/json",
            body: #"{"a": «1», "NAME" - "s3cr3t"}"#),
        .init(
            place: "JSON Lines", type: "application/jsonl",
            body: "{\"a\": 1}\n{\"NAME\": \"s3cr3t\"}\n{}"),
        .init(
            place: "a line of JSON Lines that isn't valid", type: "application/x-ndjson",
            body: "{\"a\": 1}\n{\"NAME\": \"s3cr3t\", ?\nNAME=s3cr3t\n"),
        .init(
            place: "an event stream", type: "text/event-stream",
            body: "event: a\ndata: {\"NAME\": \"s3cr3t\"}\n\n"),
        .init(place: "XML", type: "application/xml", body: "<a><NAME>s3cr3t</NAME><b>1</b></a>"),
        .init(
            place: "XML with a prefix", type: "text/xml; charset=utf-8",
            body: "<?xml version=\"1.0\"?>\n<s:a><s:NAME s:Type=\"x\">\n s3cr3t</s:NAME></s:a>"),
        .init(place: "an attribute", type: "application/xml", body: "<a b=\"1\" NAME=\"s3cr3t\"/>"),
        .init(
            place: "an attribute of an element", type: "application/xml",
            body: "<NAME value='s3cr3t'/>"),
        .init(
            place: "CDATA", type: "application/soap+xml",
            body: "<a><NAME><![CDATA[s3cr3t]]></NAME></a>"),
        .init(
            place: "JSON in XML", type: "application/xml",
            body: "<a>{&quot;NAME&quot;: &quot;s3cr3t&quot;}</a>"),
        .init(
            place: "JSON in CDATA", type: "application/xml",
            body: "<a><![CDATA[{\"NAME\": \"s3cr3t\"}]]></a>"),
        .init(
            place: "a URL in XML", type: "application/xml",
            body: "<a>https://h/?b=1&amp;NAME=s3cr3t</a>"),
        .init(
            place: "a URL in an attribute", type: "application/xml",
            body: "<a href=\"https://h/?b=1&amp;NAME=s3cr3t\"/>"),
        .init(
            place: "a comment", type: "application/xml", body: "<a><!-- NAME: s3cr3t --></a>"),
        .init(
            place: "a web page", type: "text/html",
            body: "<!DOCTYPE html><input name=\"NAME\" value=\"s3cr3t\">"),
        .init(
            place: "a part", type: parts,
            body:
                "--b\r\nContent-Disposition: form-data; name=\"NAME\"\r\n\r\ns3cr3t\r\n--b--\r\n"),
        .init(
            place: "JSON in a part", type: parts,
            body:
                "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
                + "Content-Type: application/json\r\n\r\n{\"NAME\": \"s3cr3t\"}\r\n--b--\r\n"),
        .init(
            place: "a part in a part", type: parts,
            body:
                "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                + "--c\r\nContent-Disposition: form-data; name=NAME\r\n\r\ns3cr3t\r\n--c--\r\n"
                + "--b--\r\n"),
        .init(
            place: "a form without its boundary", type: "multipart/form-data",
            body:
                "--b\r\nContent-Disposition: form-data; name=\"NAME\"\r\n\r\ns3cr3t\r\n--b--\r\n"),
        .init(
            place: "a pair", type: "application/json",
            body: #"{"fields": [{"name": "NAME", "value": "s3cr3t"}]}"#),
        .init(
            place: "a pair the other way round", type: "application/json",
            body: #"{"value": ["s3cr3t"], "a": {"name": "b"}, "key": "NAME"}"#),
        .init(
            place: "a header of a part", type: parts,
            body: "--b\r\nContent-Type: text/plain\r\nX-NAME: s3cr3t\r\n\r\nb\r\n--b--\r\n"),
        .init(
            place: "JSON in two lines of an event", type: "text/event-stream",
            body: "data: {\"NAME\":\ndata: \"s3cr3t\"}\n\n"),
        .init(
            place: "a change of JSON Patch", type: "application/json-patch+json",
            body: #"[{"op": "add", "path": "/a/NAME", "value": "s3cr3t"}]"#),
        .init(
            place: "a part with a name by RFC 5987", type: parts,
            body: "--b\r\nContent-Disposition: form-data; name*=UTF-8''NAME\r\n\r\ns3cr3t\r\n--b--"),
        .init(
            place: "a part whose header is folded", type: parts,
            body:
                "--b\r\nContent-Disposition: form-data;\r\n\tname=\"NAME\"\r\n\r\ns3cr3t\r\n--b--"),
        .init(
            place: "a file's name", type: parts,
            body:
                "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"NAME=s3cr3t\"\r\n\r\n"
                + "x\r\n--b--"),
        .init(
            place: "a parameter in XML", type: "application/xml",
            body: "<param name=\"NAME\" value=\"s3cr3t\"/>"),
        .init(place: "a value with a quote", type: form, body: "NAME=a's3cr3t&b=2"),
        .init(
            place: "two values in a text", type: "text/plain",
            body: "a=b NAME=\"s3cr3t\" c='s3cr3t'"),
        .init(
            place: "two values in JSON", type: "application/json",
            body: #"{"log": "a=b NAME=\"x\" NAME='s3cr3t"}"#),
        .init(
            place: "a folded header in a text", type: "message/http",
            body: "GET / HTTP/1.1\r\nX-NAME:\r\n s3cr3t\r\n\r\n"),
        .init(place: "a text", type: "text/plain", body: "the NAME is s3cr3t"),
        .init(place: "a line", type: "text/plain", body: "a\nNAME: s3cr3t, a=s3cr3t\nb"),
        .init(place: "an assignment", type: "text/plain; charset=utf-8", body: "NAME=s3cr3t"),
        .init(place: "an assignment in a text", type: "", body: "bad NAME = 's3cr3t' here"),
        .init(place: "a table", type: "text/csv", body: "id,NAME\n1,s3cr3t"),
        .init(place: "YAML", type: "application/yaml", body: "a:\n  NAME: s3cr3t\n"),
        .init(
            place: "YAML in lines", type: "application/yaml", body: "NAME: |\n  s3cr3t\n  s3cr3t\n"),
        .init(
            place: "bytes", type: "application/octet-stream", body: "\u{0}\u{1}NAME\u{2}s3cr3t"),
    ]
}

/// A place in a header or URL: a header's name and its value with `NAME` and `s3cr3t`. The header
/// `:url` is the URL of the request.
struct SecretHeader: Sendable {
    let place: String
    let header: String
    let value: String

    static let all: [SecretHeader] = [
        .init(place: "a header", header: "NAME", value: "s3cr3t"),
        .init(place: "a header with X-", header: "X-NAME", value: "s3cr3t"),
        .init(place: "Authorization", header: "Authorization", value: "NAME s3cr3t"),
        .init(place: "Cookie", header: "Cookie", value: "NAME=s3cr3t; a=s3cr3t"),
        .init(place: "Set-Cookie", header: "Set-Cookie", value: "a=s3cr3t; Path=/"),
        .init(place: "Location", header: "Location", value: "https://h/a?b=1&NAME=s3cr3t"),
        .init(place: "Location's fragment", header: "Location", value: "/cb#NAME=s3cr3t&a=1"),
        .init(place: "Location's route", header: "Location", value: "#/cb?NAME=s3cr3t&a=1"),
        .init(place: "Location's user info", header: "Location", value: "//NAME:s3cr3t@h/a"),
        .init(place: "Location's code", header: "Location", value: "/cb?code=s3cr3t&NAME=s3cr3t"),
        .init(
            place: "Authentication-Info", header: "Authentication-Info",
            value: "nextnonce=\"s3cr3t\""),
        .init(
            place: "a challenge", header: "WWW-Authenticate",
            value: "NAME realm=\"a\", nonce=\"s3cr3t\", NAME=s3cr3t"),
        .init(place: "a segment", header: ":url", value: "https://h/a/NAME%3Ds3cr3t/b"),
        .init(
            place: "a URL that is escaped often", header: ":url",
            value: "https://h/?to=a%25252525253FNAME%25252525253Ds3cr3t"),
        .init(
            place: "a file's name in a header", header: "Content-Disposition",
            value: "attachment; filename=\"NAME=s3cr3t\""),
        .init(place: "Referer", header: "Referer", value: "https://h/;NAME=s3cr3t"),
        .init(place: "Link", header: "Link", value: "<https://h/?NAME=s3cr3t>; rel=\"next\""),
        .init(place: "Refresh", header: "Refresh", value: "0; url=/a?NAME=s3cr3t"),
        .init(place: "a field of a header", header: "X-Debug", value: "a=1; NAME=s3cr3t, b=2"),
        .init(place: "JSON in a header", header: "X-Debug", value: #"{"NAME": "s3cr3t"}"#),
        .init(place: "a query", header: ":url", value: "https://h/a?b=1&NAME=s3cr3t"),
        .init(place: "a query in brackets", header: ":url", value: "https://h/?u%5BNAME%5D=s3cr3t"),
        .init(place: "a code", header: ":url", value: "https://h/a?code=s3cr3t&NAME=s3cr3t"),
        .init(place: "a fragment", header: ":url", value: "https://h/a#NAME=s3cr3t"),
        .init(place: "user info", header: ":url", value: "https://NAME:s3cr3t@h/a"),
        .init(place: "a parameter of a path", header: ":url", value: "https://h/a;NAME=s3cr3t"),
        .init(
            place: "a URL in a query", header: ":url",
            value: "https://h/?to=https%3A%2F%2Fh%2F%3FNAME%3Ds3cr3t"),
        .init(
            place: "JSON in a query", header: ":url",
            value: "https://h/?filter=%7B%22NAME%22%3A%22s3cr3t%22%7D"),
    ]
}
