"""The rows: what a server does, and what a user gets."""

from typing import NamedTuple

# How a row ends that ends the process.
TRAP = "trap"


class Row(NamedTuple):
    """One row. What is sent stands in Sources/Rows."""

    name: str
    what: str
    # What a user gets from most servers; a tuple if it is one of several.
    usual: str | tuple
    # What differs, and why, by the server's kind, by the transport, or by both: "nginx URLSession".
    but: dict = {}
    # The server's port, and the name in the URL.
    port: str = "http"
    host: str = "127.0.0.1"

    @property
    def scheme(self):
        return "http" if self.port in ("http", "idle") else "https"

    def expected(self, kind, transport):
        """What a user may get from a kind of server, with a transport."""
        found = self.usual
        for name in transport, kind, f"{kind} {transport}":
            if name in self.but:
                found = self.but[name][0]
        return (found,) if isinstance(found, str) else found


def secure(name, what, usual, but={}, port="tls"):
    """A row with TLS."""
    return Row(name, what, usual, but, port, "localhost")


# Why something isn't as it should be.
TRAILERS = "the platform's: FoundationNetworking takes trailers for another head (see <doc:Faults>)"
LONG_HEADS = "the platform's: libcurl reads heads of at most 300 kB"
LONG_HEADS_NIO = "the platform's: NIO reads heads of at most 80 kB"
EARLY = "the platform's: the server closes the connection while the request is sent, and its response isn't read"
TRUNCATED = "Caddy's 2.6: with `encode`, it ends a response properly that the server behind it has cut"
CADDY_413 = "Caddy's 2.6: it may take its own limit for a fault of the server behind it"
CODED = "AsyncHTTPClient unpacks gzip and deflate alone: the body is as it came, with its `Content-Encoding`"
BAD = "it has no 431"
GATEWAY = "a proxy's own response"
LOST = "urlLoadError(networkConnectionLost)"


def gateway(before="", **more):
    """What proxies respond to a server that closes the connection."""
    found = {"nginx-proxy": 502, "squid": 502, "varnish": 503}
    return {kind: (f"{before}errorResponse {status}", GATEWAY) for kind, status in found.items()}


HELLO, TEXT = "200 13 bytes", '200 "Hello, world!"'
MOVED = {
    301: ('200 "GET 0"', '200 "PUT 1048576"'), 302: ('200 "GET 0"', '200 "PUT 1048576"'),
    303: ('200 "GET 0"', '200 "GET 0"'), 307: ('200 "POST 11"', '200 "PUT 1048576"'),
    308: ('200 "POST 11"', '200 "PUT 1048576"'),
}

# How many bytes the coded text has where AsyncHTTPClient doesn't unpack it.
CODINGS = {
    "br": {"httpd": 26, "lighttpd": 26, **dict.fromkeys(["haproxy", "nginx-proxy", "squid", "node"], 31)},
    "zstd": {"lighttpd": 31, "caddy": 39},
}
# What a user may get instead of a 413.
REFUSED = {
    "caddy": (("errorResponse 413", "errorResponse 502"), CADDY_413),
    **{kind: (("errorResponse 413", LOST), EARLY) for kind in ["haproxy", "squid"]},
}
SECTIONS = {
    "Kept connections": [
        Row("kept", "Keeps the connection for a GET, a POST and a GET.", f'{HELLO}, 200 "POST 11", {HELLO}'),
        Row("idle-get", "Closes the connection after a second without a request; then a GET.", f"{HELLO}, {HELLO}", port="idle"),
        Row("idle-post", "The same, then a POST.", '200 "POST 11", 200 "POST 11"', port="idle"),
        Row("once-post", "Closes the connection after each response to a POST.", '200 "POST 11", 200 "POST 11"'),
        Row("closed-head", "Closes a new connection instead of a response.", LOST, gateway()),
        Row("closed-head-kept", "Responds to a GET, and closes the kept connection instead of the next response.",
            f"{HELLO}, {LOST}", gateway(f"{HELLO}, ")),
        Row("closed-head-post", "The same, where the second request is a POST.", f"{HELLO}, {LOST}", gateway(f"{HELLO}, ")),
        Row("closed-body", "Closes the connection after half of the body.", LOST, {"caddy": ("200 500 bytes", TRUNCATED)}),
        Row("closed-chunks", "The same, with a body in chunks.", LOST, {"caddy": ("200 500 bytes", TRUNCATED)}),
        Row("closed-stream", "The same, where the body is read as it arrives.", LOST, {"caddy": ("500 bytes", TRUNCATED)}),
    ],
    "Bodies": [
        Row("json", "JSON with a Content-Length.", "Response(ok: true)"),
        Row("large", "1 MB.", "200 1048576 bytes"),
        Row("chunked", "A text in chunks.", TEXT),
        Row("unknown-length", "A text that the end of the connection ends.", TEXT),
        Row("slow-body", "30 kB within some seconds.", "200 30000 bytes"),
        Row("slow-stream", "The same, read as it arrives.", "30000 bytes, as they arrive",
            {"caddy": ("30000 bytes, at once", "Caddy's `encode` collects what it compresses")}),
        Row("cancelled", "The same; the load is cancelled meanwhile; then a GET.", f"cancelled, {HELLO}"),
        Row("cancelled-at-once", "The same, cancelled before the request is sent.", f"cancelled, {HELLO}"),
        Row("left-stream", "The same, read as it arrives until some bytes have come; then a GET.", f"some bytes, {HELLO}"),
        Row("hundred-at-once", "A file, to a hundred GETs at once.", HELLO),
        Row("trailers", "A text in chunks, with a trailer field.", TEXT, {
            "URLSession": (TRAP, TRAILERS), "nginx-proxy": (TEXT, "it leaves them out"),
            "squid": (TEXT, "it leaves them out"), "varnish": (("errorResponse 503", LOST), "it refuses them")}),
        Row("post-empty", "Reads a POST without a body.", '200 "POST 0"'),
        Row("post-large", "Reads 1 MB from memory.", '200 "POST 1048576"'),
        Row("post-file", "Reads a file of 1 MB.", '200 "PUT 1048576"'),
        Row("post-form", "Reads a form with a file of 1 MB.", '200 "POST"'),
        Row("expect", "Reads 1 MB after Expect: 100-continue, which the request declares.", '200 "POST 1048576"'),
        Row("early-hints", "Sends a 103 before the response.", TEXT, {"varnish": ("errorResponse 503", "it takes the 103 for an error")}),
    ],
    "Statuses and headers": [
        Row("not-found", "A 404.", "errorResponse 404"),
        Row("unknown-status", "A 999.", "unexpectedResponse 999", {
            "squid": ("errorResponse 502", "it refuses the status"), "uvicorn": (LOST, "it refuses the status")}),
        Row("many-values", "A header twice, with the values a and b.", "a, b"),
        Row("own-header", "Sends back the value of a header that the request declares.", '200 "BARbaz"'),
    ],
    "Responses without a body": [
        Row("head", "A HEAD of 13 bytes.", "200 Content-Length 13"),
        Row("head-large", "A HEAD of 1 MB, then a GET on the same connection.", f"200 Content-Length 1048576, {HELLO}"),
        Row("no-content", "A 204.", "204 0 bytes"),
        Row("no-content-with-body", "A 204 for which the server is configured to send a body; then a GET.", f"204 0 bytes, {HELLO}"),
        Row("no-content-delete", "A 204 to a DELETE.", "204"),
        Row("not-modified", "A 304 to an If-None-Match that the request declares.", "unexpectedResponse 304", {
            "httpd URLSession": (HELLO, "httpd compresses the file with br, and then doesn't know its own ETag"),
            "squid": (HELLO, "squid asks the server behind it, and sends what it has stored")}),
    ],
    "Content codings": [
        *[Row(coding, f"A text of 98,000 bytes; the request declares Accept-Encoding: {coding}.", "200 98000 bytes", {
              f"{kind} AsyncHTTPClient": (f"200 {count} bytes", CODED)
              for kind, count in CODINGS.get(coding, {}).items()})
          for coding in ["gzip", "deflate", "br", "zstd", "identity"]],
        Row("usual-coding", "The same text, without an Accept-Encoding of the request's own.", "200 98000 bytes"),
        Row("usual-coding-head", "The same text, with HEAD.", "200"),
    ],
    "Ranges": [
        Row("range", "The first 5 of 13 bytes.", "206 5 bytes"),
        Row("range-last", "The last 6 of 13 bytes.", "206 6 bytes"),
        Row("ranges", "Two ranges.", "206 multipart/byteranges", {
            "lighttpd": ("206 text/plain", "it sends the first"), "squid": ("200 text/plain", "it sends all"),
            "varnish": ("errorResponse 416", "it knows one range")}),
        Row("range-too-far", "A range behind the end.", "errorResponse 416", {"squid": (HELLO, "it sends all")}),
        Row("range-of-gzip", "The first 5 bytes of a text that the server compresses, which the request then refuses.", "206 5 bytes", {
            kind: (("206 5 bytes", "200 98000 bytes"), "all, until it has stored the text") for kind in ["squid", "varnish"]}),
        Row("if-range", "A range, with the ETag that the file has.", "206 5 bytes"),
        Row("if-range-changed", "A range, with another ETag.", HELLO),
    ],
    "Redirects": [
        *[row for status, (post, file) in MOVED.items() for row in (
            Row(f"redirect-{status}", f"A {status} to a POST.", post),
            Row(f"redirect-{status}-file", f"A {status} to a PUT of a file of 1 MB.", file))],
        Row("redirect-get", "A 302 with a path as its Location, to a GET.", HELLO),
        Row("redirect-circle", "A 302 to itself.", "urlLoadError(httpTooManyRedirects)"),
        Row("redirect-slash", "A folder without the slash at its end.", "200 8 bytes"),
    ],
    "What is too long": [
        Row("too-large", "A 413 to 10 kB.", "errorResponse 413", {"caddy": REFUSED["caddy"]}),
        Row("too-large-8-mb", "A 413 while 8 MB are sent.", "errorResponse 413", REFUSED),
        Row("too-large-file", "A 413 while a file of 8 MB is sent.", "errorResponse 413", REFUSED),
        Row("too-large-expect", "A 413 to Expect: 100-continue, with 8 MB.", "errorResponse 413", REFUSED),
        Row("too-large-then-get", "A 413 while 8 MB are sent; then a GET.", f"errorResponse 413, {HELLO}",
            {
            kind: (tuple(f"{one}, {HELLO}" for one in found), why) for kind, (found, why) in REFUSED.items()}),
        Row("long-header", "A request's header of 6 kB.", HELLO),
        Row("too-long-header", "A request's header of 100 kB.", "errorResponse 431", {
            **{kind: ("errorResponse 400", BAD) for kind in ["nginx", "httpd", "haproxy", "nginx-proxy"]},
            **{kind: (HELLO, "its limit is higher") for kind in ["caddy", "uvicorn"]},
            **{kind: (("errorResponse 431", LOST), EARLY) for kind in ["varnish", "node"]}}),
        Row("1-mb-of-headers", "A request's header of 1 MB.", "errorResponse 431", {
            "URLSession": ("urlLoadError(unknown)", "the platform's: libcurl sends less than 1 MB"),
            **{f"{kind} AsyncHTTPClient": ("errorResponse 400", BAD) for kind in ["nginx", "httpd", "haproxy", "nginx-proxy"]},
            "caddy AsyncHTTPClient": (HELLO, "its limit is higher"),
            **{f"{kind} AsyncHTTPClient": (("errorResponse 431", "errorResponse 400", LOST), EARLY)
               for kind in ["varnish", "node", "uvicorn"]}}),
        Row("long-response-header", "A response with 50 headers of 1 kB.", TEXT, {
            "haproxy": ("errorResponse 502", "a proxy's own limit"), "nginx-proxy": ("errorResponse 502", "a proxy's own limit"),
            "varnish": ("errorResponse 503", "a proxy's own limit")}),
        Row("1-mb-of-response-headers", "A response with 1,000 headers of 1 kB.", TEXT, {
            "URLSession": ("urlLoadError(cannotParseResponse)", LONG_HEADS),
            "AsyncHTTPClient": ("urlLoadError(cannotParseResponse)", LONG_HEADS_NIO),
            **{kind: ("errorResponse 502", "a proxy's own limit") for kind in ["lighttpd", "haproxy", "nginx-proxy", "squid"]},
            "varnish": ("errorResponse 503", "a proxy's own limit")}),
    ],
    "TLS and HTTP/2": [
        secure("tls-1.2", "TLS 1.2 alone.", HELLO, port="tls12"),
        secure("tls-1.3", "TLS 1.3 alone.", HELLO, port="tls13"),
        secure("tls-name", "Gets the host's name with the handshake (SNI).", '200 "localhost"'),
        secure("tls-client-certificate", "Requires a certificate of the client, which has none.", "urlLoadError(clientCertificateRequired)", {
            "nginx": ("errorResponse 400", "nginx says so in a response"),
            "caddy": (("urlLoadError(secureConnectionFailed)", LOST), "it closes the connection"),
            "haproxy": (("urlLoadError(clientCertificateRequired)", LOST), "it closes the connection")}, "client"),
        secure("tls-unknown-authority", "A certificate by an authority that isn't trusted.",
               "urlLoadError(serverCertificateUntrusted)", port="unknown"),
        secure("tls-wrong-name", "A certificate for another name.", "urlLoadError(serverCertificateUntrusted)", port="wrong"),
        secure("tls-expired", "A certificate that has expired.", "urlLoadError(serverCertificateHasBadDate)", {
            "AsyncHTTPClient": ("urlLoadError(serverCertificateUntrusted)", "BoringSSL doesn't say why")}, "expired"),
        secure("version", "Offers HTTP/2.", '200 "HTTP/2.0"', {
            "hypercorn": ('200 "HTTP/2"', "its word for it"), "uvicorn": ('200 "HTTP/1.1"', "it has no HTTP/2")}),
        secure("goaway", "HTTP/2: a GOAWAY after each tenth request; 24 GETs, one after another.", HELLO, port="goaway"),
        secure("goaway-at-once", "The same, with twenty GETs at once.", HELLO, {
            "URLSession": ((HELLO, f"{HELLO}, {LOST}"),
                           "the platform's: libcurl doesn't send again what the GOAWAY refuses; `retrying()` does")}, "goaway"),
        secure("flow-control", "HTTP/2: 8 MB to the client, and 8 MB from it.", '200 8388608 bytes, 200 "POST 8388608"'),
        secure("reset-stream", "HTTP/2: resets the stream after half of the body.", LOST, {"caddy": ("200 500 bytes", TRUNCATED)}),
    ],
    "Caches": [
        Row("cached-twice", "A counter that may be stored for a minute, twice.", '200 "1", 200 "1"'),
        Row("cached-vary", "A counter that varies by language: en, de, en.", '200 "1", 200 "2", 200 "1"', {
            "haproxy": ('200 "1", 200 "2", 200 "3"', "HAProxy stores nothing that varies by language")}),
        Row("cached-age", "The same counter once more.", "Age", {"nginx-proxy": ("no Age", "nginx sends none")}),
        Row("library-cache", "A counter that may be stored for a minute, twice by `cached(in:)`.", '200 "1", 200 "1"'),
        Row("library-revalidates", "A file with an ETag, twice by `cached(in:)`.", f"{HELLO}, {HELLO}"),
    ],
}
ROWS = [row for rows in SECTIONS.values() for row in rows]
