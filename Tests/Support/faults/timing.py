"""Responses that come late, slowly, in part or never; each ends when the client leaves."""

import time

from message import head, response

from .connections import CHUNKED, OK, PROMISED
from .table import CLOSE, fault


@fault(after=CLOSE)
def no_response(c, ms=60_000):
    """Reads the request, sends nothing for `ms` milliseconds, then closes."""
    c.wait(ms)


@fault()
def late(c, ms=300):
    """A valid response, `ms` milliseconds late."""
    c.wait(ms)
    c.send(OK)


@fault(after=CLOSE)
def silence_within_head(c, ms=60_000):
    """Half a head, then nothing for `ms` milliseconds, then closes."""
    c.send(b"HTTP/1.1 200 OK\r\nContent-Type: applica")
    c.wait(ms)


@fault(after=CLOSE)
def silence_within_body(c, ms=60_000):
    """500 of 1000 announced bytes, then nothing for `ms` milliseconds, then closes."""
    c.send(PROMISED + b" " * 500)
    c.wait(ms)


@fault(after=CLOSE)
def silence_after_body(c, ms=60_000):
    """A valid response without a length; the close that ends it comes after `ms` milliseconds."""
    c.send(head(200, "Content-Type: application/json") + b'{"ok": true}')
    c.wait(ms)


@fault(after=CLOSE)
def silence_before_last_chunk(c, ms=60_000):
    """All the content in one chunk, no last chunk for `ms` milliseconds, then closes."""
    c.send(CHUNKED + b'c\r\n{"ok": true}\r\n')
    c.wait(ms)


@fault()
def dripped_head(c, ms=1000):
    """A valid response whose head comes byte by byte over `ms` milliseconds."""
    at = OK.index(b"\r\n\r\n") + 4
    drip(c, OK[:at], ms)
    c.send(OK[at:])


@fault()
def dripped_body(c, ms=1000):
    """A valid response whose body comes byte by byte over `ms` milliseconds."""
    body = b'{"ok": true}'
    whole = response(200, body)
    c.send(whole[: -len(body)])
    drip(c, body, ms)


@fault(after=CLOSE)
def endless_body(c, ms=120_000, mb=256):
    """A 200 in chunks that never end: closes after `ms` milliseconds or `mb` megabytes."""
    c.send(CHUNKED)
    endless(c, ms, mb)


@fault(after=CLOSE)
def endless_body_without_length(c, ms=120_000, mb=256):
    """A 200 without a length or chunks, whose body ends by the close, after `ms` or `mb`."""
    c.send(head(200, "Content-Type: application/octet-stream"))
    endless(c, ms, mb, lambda data: data)


def drip(c, data, ms):
    """Sends the bytes one by one, evenly over the time."""
    for byte in data:
        c.send(bytes([byte]))
        c.wait(ms / len(data))


def chunk(data):
    """The data as one chunk."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def endless(c, ms, mb, framed=chunk):
    """Sends blanks at up to 8 MB a second until time or size is up, or the client leaves."""
    piece = framed(b" " * (1 << 16))
    end = time.monotonic() + ms / 1000
    for _ in range(mb * 16):
        c.send(piece)
        c.wait(8)
        if time.monotonic() > end:
            return
