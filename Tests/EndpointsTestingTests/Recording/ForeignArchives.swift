/// Archives as several programs write them: with members that the format doesn't have, and without
/// some that it requires.
enum ForeignArchives {
    static let all: [(program: String, text: String)] = [
        ("Firefox", firefox), ("Charles", charles), ("mitmproxy", mitmproxy),
        ("an inspector in an app", inspector),
    ]

    /// Without `headersSize`, and with a request that was blocked.
    static let firefox = """
        {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "128.0"},
        "browser": {"name": "Firefox", "version": "128.0"}, "pages": [{"id": "page_1",
        "pageTimings": {"onContentLoad": -50, "onLoad": 612}, "startedDateTime": "x", "title": "t"}],
        "entries": [
        {"startedDateTime": "2026-03-01T10:00:00.000+01:00", "request": {"bodySize": 0,
        "method": "GET", "url": "https://api.example.com/item", "httpVersion": "HTTP/2",
        "headers": [{"name": "Accept", "value": "*/*"}], "cookies": [], "queryString": []},
        "response": {"status": 200, "statusText": "", "httpVersion": "HTTP/2",
        "headers": [{"name": "content-type", "value": "application/json"}], "cookies": [],
        "content": {"mimeType": "application/json", "size": 8, "text": "{\\"n\\": 1}"},
        "redirectURL": "", "bodySize": 34}, "cache": {}, "timings": {"blocked": -1},
        "time": 21, "_securityState": "secure", "serverIPAddress": "1.1.1.1", "pageref": "page_1"},
        {"startedDateTime": "2026-03-01T10:00:01.000+01:00", "request": {"bodySize": 9,
        "method": "POST", "url": "https://api.example.com/form", "httpVersion": "HTTP/2",
        "headers": [], "cookies": [], "queryString": [], "postData":
        {"mimeType": "application/x-www-form-urlencoded", "params":
        [{"name": "city", "value": "Köln & Bonn"}], "text": "city=K%C3%B6ln+%26+Bonn"}},
        "response": {"status": 204, "statusText": "", "httpVersion": "HTTP/2", "headers": [],
        "cookies": [], "content": {"mimeType": "text/plain", "size": 0, "text": ""},
        "redirectURL": "", "bodySize": 0}, "cache": {}, "timings": {}, "time": 3}]}}
        """

    /// With `redirectURL: null`, numbers as null, and a form as its `params` alone.
    static let charles = """
        {"log": {"version": "1.2", "creator": {"name": "Charles Proxy", "version": "4.6"},
        "entries": [
        {"startedDateTime": "2026-03-01T10:00:00.000+01:00", "time": 21, "request": {
        "method": "GET", "url": "https://api.example.com/item", "httpVersion": "HTTP/1.1",
        "cookies": [], "headers": [{"name": "Host", "value": "api.example.com"}],
        "queryString": [], "headersSize": 100, "bodySize": null}, "response": {
        "_charlesStatus": "COMPLETE", "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
        "cookies": [], "headers": [{"name": "Content-Type", "value": "application/json"}],
        "content": {"size": 8, "mimeType": "application/json", "text": "eyJuIjogMX0=",
        "encoding": "base64"}, "redirectURL": null, "headersSize": 0, "bodySize": 8},
        "serverIPAddress": "1.1.1.1", "cache": {}, "timings": {"dns": -1, "wait": 20}},
        {"startedDateTime": "2026-03-01T10:00:00.000+01:00", "time": null, "request": {
        "method": "POST", "url": "https://api.example.com/form", "httpVersion": "HTTP/1.1",
        "cookies": [], "headers": [], "queryString": [], "postData":
        {"mimeType": "application/x-www-form-urlencoded",
        "params": [{"name": "city", "value": "Köln & Bonn"}]}}, "response": {
        "status": 204, "statusText": null, "headers": null, "content": null, "redirectURL": null}}
        ]}}
        """

    /// With `content: {}` where nothing arrived.
    static let mitmproxy = """
        {"log": {"version": "1.2", "creator": {"name": "mitmproxy", "version": "10.3.0"},
        "pages": [], "entries": [
        {"startedDateTime": "2026-03-01T10:00:00.000000+00:00", "time": 21.3, "request": {
        "method": "GET", "url": "https://api.example.com/item", "httpVersion": "HTTP/2.0",
        "cookies": [], "headers": [{"name": ":authority", "value": "api.example.com"}],
        "queryString": [], "headersSize": 100, "bodySize": 0}, "response": {"status": 200,
        "statusText": "", "httpVersion": "HTTP/2.0", "cookies": [],
        "headers": [{"name": "content-type", "value": "application/json"}],
        "content": {"size": 8, "compression": 0, "mimeType": "application/json",
        "text": "{\\"n\\": 1}"}, "redirectURL": "", "headersSize": 0, "bodySize": 8},
        "cache": {}, "timings": {"connect": -1.0}},
        {"startedDateTime": "2026-03-01T10:00:00.000000+00:00", "time": 0, "request": {
        "method": "POST", "url": "https://api.example.com/form", "httpVersion": "HTTP/2.0",
        "cookies": [], "headers": [], "queryString": [], "headersSize": 0, "bodySize": 9,
        "postData": {"mimeType": "application/x-www-form-urlencoded",
        "text": "city=K%C3%B6ln+%26+Bonn", "params": []}}, "response": {"status": 204,
        "statusText": "", "httpVersion": "", "headers": [], "cookies": [], "content": {},
        "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 0,
        "_error": null}, "cache": {}, "timings": {}}]}}
        """

    /// Without any `mimeType`, and with escaped `params`.
    static let inspector = """
        {"log": {"version": "1.2", "creator": {"name": "inspector", "version": "1"}, "entries": [
        {"request": {"method": "GET", "url": "https://api.example.com/item", "headers": []},
        "response": {"status": 200, "headers": [{"name": "Content-Type"}],
        "content": {"size": 8, "text": "{\\"n\\": 1}"}, "_error": {"code": 0}}},
        {"request": {"method": "POST", "url": "https://api.example.com/form", "headers": [
        {"name": "Content-Type", "value": "application/x-www-form-urlencoded"}],
        "postData": {"params": [{"name": "city", "value": "K%C3%B6ln+%26+Bonn"}]}},
        "response": {"status": 204}}]}}
        """
}
