"""Content codings that are broken, missing, unknown or a bomb."""

import functools
import gzip
import zlib

from message import response

from .table import fault

BODY = b'{"ok": true}'
GZIPPED = gzip.compress(BODY, mtime=0)


def coded(body, coding, status=200):
    """A whole response with these bytes and a Content-Encoding."""
    return response(status, body, f"Content-Encoding: {coding}")


@fault()
def truncated_gzip(c):
    """Gzip cut off after two thirds, with the right Content-Length."""
    c.send(coded(GZIPPED[: len(GZIPPED) * 2 // 3], "gzip"))


@fault()
def corrupt_gzip(c):
    """Gzip with a valid header and garbage after it."""
    c.send(coded(GZIPPED[:10] + b"\xff" * 20, "gzip"))


@fault()
def gzip_with_wrong_checksum(c):
    """Gzip with a wrong checksum."""
    c.send(coded(GZIPPED[:-8] + b"\0\0\0\0" + GZIPPED[-4:], "gzip"))


@fault()
def gzip_with_trailing_garbage(c):
    """Gzip followed by other bytes."""
    c.send(coded(GZIPPED + b"garbage", "gzip"))


@fault()
def gzip_in_two_members(c):
    """Gzip in two members, each with half of the content."""
    c.send(coded(gzip.compress(BODY[:6], mtime=0) + gzip.compress(BODY[6:], mtime=0), "gzip"))


@fault()
def gzip_declared_only(c):
    """Plain JSON with Content-Encoding: gzip."""
    c.send(coded(BODY, "gzip"))


@fault()
def gzip_undeclared(c):
    """Gzip without a Content-Encoding."""
    c.send(response(200, GZIPPED))


@fault()
def gzip_empty(c):
    """An empty body with Content-Encoding: gzip."""
    c.send(coded(b"", "gzip"))


@fault()
def gzip_twice(c):
    """JSON compressed twice, with Content-Encoding: gzip, gzip."""
    c.send(coded(gzip.compress(GZIPPED, mtime=0), "gzip, gzip"))


@fault()
def deflate_raw(c):
    """Content-Encoding: deflate without the zlib wrapper that it requires."""
    c.send(coded(zlib.compress(BODY)[2:-4], "deflate"))


@fault()
def unknown_coding(c):
    """Plain JSON with Content-Encoding: x-unheard-of."""
    c.send(coded(BODY, "x-unheard-of"))


@fault()
def bomb(c, mb=100, kind=0):
    """Gzip of a JSON string of `mb` megabytes; a thousandth of that is sent."""
    # 1: a 103 has the Content-Encoding. 2: it isn't compressed. 3: each byte is a block of gzip and a chunk.
    if kind == 1:
        c.send(b"HTTP/1.1 103 Early Hints\r\nContent-Encoding: gzip\r\n\r\n" + response(200, gzipped_string(mb)))
    elif kind == 2:
        c.send(response(200, b'"' + b"0" * mb * 1_000_000 + b'"'))
    elif kind == 3:
        c.send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
        c.send(b"A\r\n" + gzip.compress(b"", mtime=0)[:10] + b"\r\n" + b"6\r\n\0\1\0\xfe\xff0\r\n" * mb * 1000 + b"0\r\n\r\n")
    else:
        c.send(coded(gzipped_string(mb), "gzip"))


@fault()
def error_bomb(c, mb=100):
    """A 500 whose body is gzip of a JSON string of `mb` megabytes."""
    c.send(coded(gzipped_string(mb), "gzip", 500))


@fault()
def bomb_twice(c, mb=1000):
    """Gzip in gzip of a JSON string of `mb` megabytes; some millionths of that are sent."""
    c.send(coded(gzipped_twice(mb), "gzip, gzip"))


@functools.cache
def gzipped_twice(mb):
    """A JSON string of zeros, compressed and compressed again, and kept."""
    return gzip.compress(gzipped_string(mb), mtime=0)


@functools.cache
def gzipped_string(mb):
    """A JSON string of zeros, compressed piece by piece and kept."""
    gzip_format = 31
    compressor = zlib.compressobj(9, wbits=gzip_format)
    pieces = [compressor.compress(b'"')]
    pieces += [compressor.compress(b"0" * 1_000_000) for _ in range(mb)]
    return b"".join([*pieces, compressor.compress(b'"'), compressor.flush()])
