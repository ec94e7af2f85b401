import Foundation

/// Bodies as people meet them every day, with nothing to hide.
struct OrdinaryBody: Sendable, CustomStringConvertible {
    let type: String
    let body: String

    var description: String { "\(type): \(body.prefix(60))" }

    private static let json = "application/json"

    static let all: [OrdinaryBody] = [
        .init(
            type: json,
            body:
                #"{"id": 1, "full_name": "ann/bee", "license": {"key": "mit", "name": "MIT License"}}"#
        ),
        .init(
            type: json,
            body: #"{"keys": ["a", "b"], "session": {"id": 7}, "pin": {"x": 1}, "auth": "none"}"#),
        .init(
            type: json,
            body:
                #"{"message": "Bad credentials", "documentation_url": "https://docs.example.com/rest"}"#
        ),
        .init(type: json, body: #"{"message": "Invalid token"}"#),
        .init(
            type: json,
            body:
                #"{"error": {"code": "invalid_api_key", "message": "Incorrect API key provided"}}"#),
        .init(
            type: json,
            body: #"{"error": "invalid_grant", "error_description": "The code has expired"}"#),
        .init(
            type: json,
            body:
                #"{"usage": {"prompt_tokens": 12, "completion_tokens": 34, "total_tokens": 46}, "max_tokens": 100}"#
        ),
        .init(
            type: json,
            body:
                #"{"model": "m-1", "tokens": 512, "choices": [{"text": "Hi", "finish_reason": "stop"}]}"#
        ),
        .init(
            type: json,
            body: #"{"items": [], "nextPageToken": "CAUQAA", "pageInfo": {"totalResults": 0}}"#),
        .init(
            type: json,
            body:
                #"{"Contents": [{"Key": "photos/a.jpg", "Size": 1}], "MaxKeys": 1000, "KeyCount": 1}"#
        ),
        .init(
            type: json,
            body: #"{"next": "https://api.example.com/items?page=2&per_page=30&sort=key"}"#),
        .init(
            type: json,
            body: #"{"url": "https://h/a/b;v=1?q=fish%20%26%20chips#top", "etag": "\"abc\""}"#),
        .init(
            type: json,
            body: #"{"data": {"user": {"id": "VXNlcjox", "authored": 3}}, "errors": null}"#),
        .init(
            type: json, body: #"{"status": "ok", "code": 200, "state": "CA", "country_code": "US"}"#
        ),
        .init(
            type: json,
            body: #"{"public_key": "AAAAB3NzaC1yc2E", "key_id": "568250167242549743", "kid": "k1"}"#
        ),
        .init(
            type: json,
            body:
                #"{"two_factor_authentication": true, "mfa": false, "password": null, "secret": false}"#
        ),
        .init(
            type: json,
            body:
                #"{"time_signature": 4, "key": 5, "tests": {"pass": 12, "fail": 0}, "check": "pass"}"#
        ),
        .init(
            type: json,
            body: #"{"errors": {"password": ["is too short"], "token": "has expired"}}"#),
        .init(
            type: "text/event-stream",
            body: "event: token\ndata: {\"text\": \"Hi\"}\n\nevent: done\ndata: {}\n\n"),
        .init(
            type: json,
            body: #"{"passenger": "Ann", "boarding_pass": "1A", "compass": "N", "passed": 3}"#),
        .init(
            type: json,
            body: #"{"address": {"pincode": "560001", "zip_code": "10001", "city": "Bengaluru"}}"#),
        .init(
            type: json,
            body: #"{"name": "password_policy", "value": "strict", "id": "color", "values": [1]}"#),
        .init(
            type: json,
            body:
                #"{"price": 1.10, "big": 12345678901234567890123, "e": 1E5, "list": [1, 2.50, -0]}"#
        ),
        .init(type: json, body: #"{"text": "a \"quoted\" word, a \\ and \u00e9, a tab\t"}"#),
        .init(
            type: json,
            body:
                #"{"image": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "sha": "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"}"#
        ),
        .init(
            type: json,
            body: #"{"log": "GET /a?b=1 took 12 ms: ok", "time": "12:30:01", "ratio": "16:9"}"#),
        .init(
            type: json,
            body:
                #"{"event": "user.signed_in", "author": "ann", "authority": "example", "assigned": ["bee"]}"#
        ),
        .init(type: json, body: #"["token", "password", "secret"]"#),
        .init(
            type: json,
            body:
                #"{"scopes": ["read:user", "write:token"], "token_type": "bearer", "expires_in": 3600}"#
        ),
        .init(
            type: "application/problem+json",
            body:
                #"{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no such pet"}"#
        ),
        .init(
            type: "application/vnd.api+json",
            body:
                #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "JSON:API"}}]}"#
        ),
        .init(
            type: "application/geo+json", body: #"{"type": "Point", "coordinates": [125.6, 10.1]}"#),
        .init(type: "application/x-ndjson", body: "{\"id\": 1}\n{\"id\": 2, \"key\": \"a\"}\n"),
        .init(
            type: "text/event-stream",
            body:
                "event: delta\nid: 7\ndata: {\"delta\": {\"content\": \"Hello\"}}\n\ndata: [DONE]\n\n"
        ),
        .init(
            type: "application/xml",
            body:
                "<Error><Code>NoSuchKey</Code><Key>photos/a.jpg</Key><Resource>/b?list-type=2&amp;max-keys=3</Resource></Error>"
        ),
        .init(
            type: "application/xml",
            body:
                "<ListBucketResult><MaxKeys>1000</MaxKeys><Contents><Key>a</Key></Contents></ListBucketResult>"
        ),
        .init(
            type: "application/rss+xml",
            body: "<rss><channel><title>News</title><item><guid>1</guid></item></channel></rss>"),
        .init(
            type: "text/html",
            body: "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>"),
        .init(
            type: "text/plain", body: "upstream connect error or disconnect/reset before headers"),
        .init(type: "text/csv", body: "id,name,author,key\n1,Ann,Bee,a\n"),
        .init(
            type: "text/calendar",
            body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nUID:1@example.com\r\nEND:VCALENDAR\r\n"),
        .init(
            type: "application/x-www-form-urlencoded",
            body: "name=Ann+Bee&page=2&key=photos%2Fa.jpg&grant_type=client"),
        .init(
            type: "multipart/form-data; boundary=b",
            body:
                "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nphotos/a.jpg\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"),
        .init(
            type: "application/yaml",
            body: "openapi: 3.1.0\ninfo:\n  title: Pets\n  version: 1.0.0\n"),
        .init(
            type: "image/svg+xml",
            body: "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h1\"/></svg>"),
        .init(type: "application/octet-stream", body: "\u{0}\u{1}\u{2}PNG pw 2fa \u{3}"),
        .init(type: "", body: "OK"), .init(type: "", body: "42"), .init(type: "", body: "\"done\""),
    ]
}
