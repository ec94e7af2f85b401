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
GZIP = "the platform's: libcurl unpacks gzip, deflate and, where it was built with them, br and zstd"
HELLO, TEXT = "200 13 bytes", '200 "Hello, world!"'
MOVED = {
    301: ('200 "GET "', '200 "PUT 1048576"'), 302: ('200 "GET "', '200 "PUT 1048576"'),
    303: ('200 "GET "', '200 "GET "'), 307: ('200 "POST 11"', '200 "PUT 1048576"'),
    308: ('200 "POST 11"', '200 "PUT 1048576"'),
}

SECTIONS = {
    "Kept connections": [
        Row("kept", "Keeps the connection for a GET, a POST and a GET.", f'{HELLO}, 200 "POST 11", {HELLO}'),
        Row("idle-get", "Closes the connection after a second without a request; then a GET.", f"{HELLO}, {HELLO}", port="idle"),
        Row("idle-post", "The same, then a POST.", '200 "POST 11", 200 "POST 11"', port="idle"),
        Row("once-post", "Closes the connection after each response to a POST.", '200 "POST 11", 200 "POST 11"'),
        Row("closed-head", "Closes a new connection instead of a response.", "urlLoadError(networkConnectionLost)"),
        Row("closed-head-kept", "Responds to a GET, and closes the kept connection instead of the next response.",
            f"{HELLO}, urlLoadError(networkConnectionLost)"),
        Row("closed-head-post", "The same, where the second request is a POST.", f"{HELLO}, urlLoadError(networkConnectionLost)"),
        Row("closed-body", "Closes the connection after half of the body.", "urlLoadError(networkConnectionLost)"),
        Row("closed-chunks", "The same, with a body in chunks.", "urlLoadError(networkConnectionLost)"),
        Row("closed-stream", "The same, where the body is read as it arrives.", "urlLoadError(networkConnectionLost)"),
    ],
    "Bodies": [
        Row("json", "JSON with a Content-Length.", "Response(ok: true)"),
        Row("large", "1 MB.", "200 1048576 bytes"),
        Row("chunked", "A text in chunks.", TEXT),
        Row("unknown-length", "A text that the end of the connection ends.", TEXT),
        Row("slow-body", "30 kB within some seconds.", "200 30000 bytes"),
        Row("slow-stream", "The same, read as it arrives.", "30000 bytes, as they arrive"),
        Row("trailers", "A text in chunks, with a trailer field.", TEXT, {"URLSession": (TRAP, TRAILERS)}),
        Row("post-empty", "Reads a POST without a body.", '200 "POST 0"'),
        Row("post-large", "Reads 1 MB from memory.", '200 "POST 1048576"'),
        Row("post-file", "Reads a file of 1 MB.", '200 "PUT 1048576"'),
        Row("post-form", "Reads a form with a file of 1 MB.", '200 "POST"'),
        Row("expect", "Reads 1 MB after Expect: 100-continue, which the request declares.", '200 "POST 1048576"'),
        Row("early-hints", "Sends a 103 before the response.", TEXT),
    ],
    "Responses without a body": [
        Row("head", "A HEAD of 13 bytes.", "200 Content-Length 13"),
        Row("head-large", "A HEAD of 1 MB, then a GET on the same connection.", f"200 Content-Length 1048576, {HELLO}"),
        Row("no-content", "A 204.", "204 0 bytes"),
        Row("no-content-with-body", "A 204 for which the server is configured to send a body; then a GET.", f"204 0 bytes, {HELLO}"),
        Row("no-content-delete", "A 204 to a DELETE.", "204"),
        Row("not-modified", "A 304 to an If-None-Match that the request declares.", "unexpectedResponse 304"),
    ],
    "Content codings": [
        *[Row(coding, f"A text of 98,000 bytes; the request declares Accept-Encoding: {coding}.", "200 98000 bytes")
          for coding in ["gzip", "deflate", "br", "zstd", "identity"]],
        Row("usual-coding", "The same text, without an Accept-Encoding of the request's own.", "200 98000 bytes"),
        Row("usual-coding-head", "The same text, with HEAD.", "200 Content-Length none"),
    ],
    "Ranges": [
        Row("range", "The first 5 of 13 bytes.", "206 5 bytes"),
        Row("range-last", "The last 6 of 13 bytes.", "206 6 bytes"),
        Row("ranges", "Two ranges.", "206 multipart/byteranges"),
        Row("range-too-far", "A range behind the end.", "errorResponse 416"),
        Row("range-of-gzip", "The first 5 bytes of a text that the server compresses.", "206 5 bytes",
            {"nginx": ("200 98000 bytes", "nginx ignores the range of what it compresses, which a server may")}),
        Row("if-range", "A range, with the ETag that the file has.", "206 5 bytes"),
        Row("if-range-changed", "A range, with another ETag.", HELLO),
    ],
    "Redirects": [
        *[row for status, (post, file) in MOVED.items() for row in (
            Row(f"redirect-{status}", f"A {status} to a POST.", post),
            Row(f"redirect-{status}-file", f"A {status} to a PUT of a file of 1 MB.", file))],
        Row("redirect-get", "A 302 with a path as its Location, to a GET.", HELLO),
        Row("redirect-slash", "A folder without the slash at its end.", "200 8 bytes"),
    ],
    "What is too long": [
        Row("too-large", "A 413 to 10 kB.", "errorResponse 413"),
        Row("too-large-8-mb", "A 413 while 8 MB are sent.", "errorResponse 413"),
        Row("too-large-file", "A 413 while a file of 8 MB is sent.", "errorResponse 413"),
        Row("too-large-expect", "A 413 to Expect: 100-continue, with 8 MB.", "errorResponse 413"),
        Row("too-large-then-get", "A 413 while 8 MB are sent; then a GET.", f"errorResponse 413, {HELLO}"),
        Row("long-header", "A request's header of 6 kB.", HELLO),
        Row("too-long-header", "A request's header of 100 kB.", "errorResponse 431",
            {"nginx": ("errorResponse 400", "nginx has no 431")}),
        Row("1-mb-of-headers", "A request's header of 1 MB.", "urlLoadError(unknown)"),
        Row("long-response-header", "A response with 50 headers of 1 kB.", TEXT),
        Row("1-mb-of-response-headers", "A response with 1,000 headers of 1 kB.", TEXT),
    ],
    "TLS and HTTP/2": [
        secure("tls-1.2", "TLS 1.2 alone.", HELLO, port="tls12"),
        secure("tls-1.3", "TLS 1.3 alone.", HELLO, port="tls13"),
        secure("tls-name", "Gets the host's name with the handshake (SNI).", '200 "localhost"'),
        secure("tls-client-certificate", "Requires a certificate of the client, which has none.", "errorResponse 400", port="client"),
        secure("tls-unknown-authority", "A certificate by an authority that isn't trusted.",
               "urlLoadError(serverCertificateUntrusted)", port="unknown"),
        secure("tls-wrong-name", "A certificate for another name.", "urlLoadError(serverCertificateUntrusted)", port="wrong"),
        secure("tls-expired", "A certificate that has expired.", "urlLoadError(serverCertificateHasBadDate)", port="expired"),
        secure("version", "Offers HTTP/2.", '200 "HTTP/2.0"'),
        secure("goaway", "HTTP/2: a GOAWAY after each third request; eight GETs, one after another.", HELLO, port="goaway"),
        secure("goaway-at-once", "The same, with twenty GETs at once.", HELLO, {
            "URLSession": ((HELLO, f"{HELLO}, urlLoadError(unknown)"),
                           "the platform's: libcurl doesn't send again what the GOAWAY refuses; `retrying()` does")}, "goaway"),
        secure("flow-control", "HTTP/2: 8 MB to the client, and 8 MB from it.", '200 8388608 bytes, 200 "POST 8388608"'),
        secure("reset-stream", "HTTP/2: resets the stream after half of the body.", "urlLoadError(networkConnectionLost)"),
    ],
    "Caches": [
        Row("cached-twice", "A counter that may be stored for a minute, twice.", '200 "1", 200 "1"'),
        Row("cached-vary", "A counter that varies by language: en, de, en.", '200 "1", 200 "2", 200 "1"'),
        Row("cached-age", "The same counter once more.", "Age"),
        Row("library-cache", "A counter that may be stored for a minute, twice by `cached(in:)`.", '200 "1", 200 "1"'),
        Row("library-revalidates", "A file with an ETag, twice by `cached(in:)`.", f"{HELLO}, {HELLO}"),
    ],
}
ROWS = [row for rows in SECTIONS.values() for row in rows]
