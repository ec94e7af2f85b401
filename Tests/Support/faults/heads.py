"""Heads that are too large or malformed."""

from message import response

from .connections import OK
from .table import CLOSE, fault

BODY = b'{"ok": true}'
END = b"Content-Type: application/json\r\nContent-Length: 12\r\n\r\n" + BODY


def with_line(line):
    """A valid response with one more header line, of these exact bytes."""
    return b"HTTP/1.1 200 OK\r\n" + line + b"\r\n" + END


@fault(after=CLOSE)
def endless_head(c, mb=64):
    """Endless header lines: closes after `mb` megabytes."""
    c.send(b"HTTP/1.1 200 OK\r\n")
    lines = b"".join(b"X-%06d: %s\r\n" % (n, b"a" * 1013) for n in range(1024))
    for _ in range(mb):
        c.send(lines)


@fault(after=CLOSE)
def endless_header_line(c, mb=64):
    """One endless header line: closes after `mb` megabytes."""
    c.send(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(mb):
        c.send(b"a" * (1 << 20))


@fault()
def long_header_line(c, bytes=1_000_000):
    """A valid response with one header of `bytes` bytes."""
    c.send(with_line(b"X-Long: " + b"a" * bytes))


@fault()
def many_headers(c, count=10_000):
    """A valid response with `count` headers."""
    c.send(with_line(b"\r\n".join(b"X-%d: %d" % (n, n) for n in range(count))))


@fault()
def same_header_many_times(c, count=10_000):
    """A valid response with the same header `count` times."""
    c.send(with_line(b"\r\n".join(b"X-Same: %d" % n for n in range(count))))


@fault()
def many_cookies(c, count=12_000):
    """A valid response with `count` cookies."""
    c.send(with_line(b"\r\n".join(b"Set-Cookie: c%d=%d" % (n, n) for n in range(count))))


@fault()
def folded_header(c):
    """A valid response with a header value folded onto a second line (obs-fold)."""
    c.send(with_line(b"X-Folded: one\r\n two"))


@fault()
def header_without_colon(c):
    """A valid response except for a header line without a colon."""
    c.send(with_line(b"no colon here"))


@fault()
def header_without_name(c):
    """A valid response except for a header line that begins with its colon."""
    c.send(with_line(b": nameless"))


@fault()
def blank_before_colon(c):
    """A valid response except for a blank between a header's name and its colon."""
    c.send(with_line(b"X-Blank : value"))


@fault()
def utf8_in_reason(c):
    """A valid response whose reason phrase is UTF-8."""
    c.send(b"HTTP/1.1 200 tr\xc3\xa8s bien\r\n" + END)


@fault()
def invalid_utf8_in_reason(c):
    """A valid response whose reason phrase isn't valid UTF-8."""
    c.send(b"HTTP/1.1 200 \xff\xfe\xc3(\r\n" + END)


@fault()
def invalid_utf8_in_header_value(c):
    """A valid response with a header whose value isn't valid UTF-8."""
    c.send(with_line(b"X-Bytes: \xff\xfe\xc3("))


@fault()
def invalid_utf8_in_header_name(c):
    """A valid response with a header whose name isn't valid UTF-8."""
    c.send(with_line(b"X-\xff\xfe: value"))


@fault()
def nul_in_reason(c):
    """A valid response except for a NUL in its reason phrase."""
    c.send(b"HTTP/1.1 200 O\0K\r\n" + END)


@fault()
def nul_in_header_value(c):
    """A valid response except for a NUL in a header's value."""
    c.send(with_line(b"X-Nul: before\0after"))


@fault()
def nul_in_header_name(c):
    """A valid response except for a NUL in a header's name."""
    c.send(with_line(b"X-\0Nul: value"))


@fault()
def bare_cr_in_header_value(c):
    """A valid response except for a CR without its LF in a header's value."""
    c.send(with_line(b"X-CR: before\rafter"))


@fault()
def bare_lf_head(c):
    """A valid response whose header lines end with LF alone."""
    head, _, body = OK.partition(b"\r\n\r\n")
    c.send(head.replace(b"\r\n", b"\n") + b"\n\n" + body)


@fault()
def empty_line_first(c):
    """A valid response with an empty line before its status line."""
    c.send(b"\r\n" + OK)


@fault()
def two_content_types(c):
    """A valid response with two Content-Type headers, text/html first."""
    c.send(response(200, BODY, "Content-Type: application/json", kind="text/html"))


@fault()
def empty_content_type(c):
    """JSON with a Content-Type without a value."""
    c.send(response(200, BODY, kind=""))


@fault()
def broken_content_type(c):
    """JSON with a malformed Content-Type: `;;=; charset="utf-8`."""
    c.send(response(200, BODY, kind=';;=; charset="utf-8'))
