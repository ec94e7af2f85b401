"""Malformed or unexpected status lines, and statuses with a body that they can't have."""

from message import head, response

from .connections import OK
from .heads import END
from .table import CLOSE, fault


@fault()
def continue_first(c):
    """A 100 that nobody requested, then a valid response."""
    c.send(head(100) + OK)


@fault()
def early_hints_first(c):
    """A 103 with a Link header, then a valid response."""
    c.send(head(103, "Link: </style.css>; rel=preload") + OK)


@fault()
def many_interim_responses(c, count=1000):
    """`count` responses with status 103, then a valid response."""
    c.send(head(103) * count + OK)


@fault(after=CLOSE)
def endless_interim_responses(c, mb=64):
    """Endless responses with status 103: closes after `mb` megabytes."""
    for _ in range(mb):
        c.send(head(103, "X-Long: " + "a" * 1000) * 1000)


@fault(after=CLOSE)
def switching_protocols(c):
    """A 101 that nobody requested, some bytes of another protocol, then closes."""
    c.send(head(101, "Upgrade: other/1", "Connection: Upgrade") + b"\x00\x01other")


@fault()
def no_content_with_body(c):
    """A 204 with a Content-Length and a body, on a connection kept open."""
    c.send(response(204, b'{"ok": true}'))


@fault()
def reset_content_with_body(c):
    """A 205 with a Content-Length and a body, on a connection kept open."""
    c.send(response(205, b'{"ok": true}'))


@fault()
def not_modified_with_body(c):
    """A 304 with a Content-Length and a body, on a connection kept open."""
    c.send(response(304, b'{"ok": true}', 'ETag: "a"'))


@fault()
def not_modified_unasked(c):
    """A 304 without a body, to a request that set no condition."""
    c.send(head(304, 'ETag: "a"'))


@fault()
def ok_without_body(c):
    """A 200 that says application/json and has no body (Content-Length: 0)."""
    c.send(response(200))


@fault()
def partial_content_unasked(c):
    """A 206 with half the content, to a request that asked for no range."""
    c.send(response(206, b'{"ok"', "Content-Range: bytes 0-4/12"))


def status_line(line):
    """A valid response with another status line, of these exact bytes."""
    return line + b"\r\n" + END


@fault()
def status_999(c):
    """JSON with the status 999."""
    c.send(status_line(b"HTTP/1.1 999 Whatever"))


@fault()
def status_600(c):
    """JSON with the status 600."""
    c.send(status_line(b"HTTP/1.1 600 Whatever"))


@fault()
def status_99(c):
    """JSON with the two-digit status 99."""
    c.send(status_line(b"HTTP/1.1 99 Whatever"))


@fault()
def status_000(c):
    """JSON with the status 000."""
    c.send(status_line(b"HTTP/1.1 000 Whatever"))


@fault()
def status_2000(c):
    """JSON with the four-digit status 2000."""
    c.send(status_line(b"HTTP/1.1 2000 Whatever"))


@fault()
def status_negative(c):
    """JSON with the status -200."""
    c.send(status_line(b"HTTP/1.1 -200 Whatever"))


@fault()
def status_not_a_number(c):
    """JSON with the status `abc`."""
    c.send(status_line(b"HTTP/1.1 abc Whatever"))


@fault()
def status_missing(c):
    """JSON with a status line that is only a version."""
    c.send(status_line(b"HTTP/1.1"))


@fault()
def reason_missing(c):
    """A valid response whose status line has no reason and no blank before it."""
    c.send(status_line(b"HTTP/1.1 200"))


@fault(after=CLOSE)
def version_0_9(c):
    """A response as in HTTP/0.9: the body without a head."""
    c.send(b'{"ok": true}')


@fault()
def version_1_0(c):
    """A valid response in HTTP/1.0 with keep-alive."""
    c.send(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + END)


@fault()
def version_9_9(c):
    """JSON with a status line of HTTP/9.9."""
    c.send(status_line(b"HTTP/9.9 200 OK"))


@fault(after=CLOSE)
def version_2_preface(c):
    """A SETTINGS frame of HTTP/2 instead of a response."""
    c.send(b"\0\0\0\x04\0\0\0\0\0")


@fault(after=CLOSE)
def other_protocol(c):
    """The greeting of a mail server instead of a response."""
    c.send(b"220 mail.example ESMTP\r\n")


@fault(after=CLOSE)
def tls_alert(c):
    """A TLS alert instead of a response, as a server that wants https sends it."""
    c.send(b"\x15\x03\x01\x00\x02\x02\x16")
