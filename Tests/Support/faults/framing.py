"""Bodies whose length is given wrongly, twice or not at all."""

from message import head

from .table import CLOSE, fault

BODY = b'{"ok": true}'
CHUNKS = b"c\r\n" + BODY + b"\r\n0\r\n\r\n"


def framed(data, *fields):
    """A head with these fields, then these exact bytes."""
    return head(200, "Content-Type: application/json", *fields) + data


def chunked(data):
    """A head that announces chunks, then these exact bytes."""
    return framed(data, "Transfer-Encoding: chunked")


@fault(after=CLOSE)
def short_content_length(c):
    """Content-Length says 5, 12 bytes come, then closes."""
    c.send(framed(BODY, "Content-Length: 5"))


@fault()
def short_content_length_kept(c):
    """Content-Length says 5, 12 bytes come, and the connection stays open."""
    c.send(framed(BODY, "Content-Length: 5"))


@fault(after=CLOSE)
def long_content_length(c):
    """Content-Length says 100, 12 bytes come, then closes."""
    c.send(framed(BODY, "Content-Length: 100"))


@fault(after=CLOSE)
def two_lengths_differing(c):
    """Content-Length: 5 and Content-Length: 12, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: 5", "Content-Length: 12"))


@fault()
def two_lengths_equal(c):
    """Content-Length: 12 twice, then 12 bytes."""
    c.send(framed(BODY, "Content-Length: 12", "Content-Length: 12"))


@fault(after=CLOSE)
def length_list(c):
    """Content-Length: 12, 12, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: 12, 12"))


@fault(after=CLOSE)
def length_negative(c):
    """Content-Length: -1, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: -1"))


@fault(after=CLOSE)
def length_not_a_number(c):
    """Content-Length: twelve, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: twelve"))


@fault(after=CLOSE)
def length_hexadecimal(c):
    """Content-Length: 0x0c, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: 0x0c"))


@fault(after=CLOSE)
def length_with_sign(c):
    """Content-Length: +12, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: +12"))


@fault(after=CLOSE)
def length_empty(c):
    """Content-Length without a value, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length:"))


@fault(after=CLOSE)
def length_beyond_64_bits(c):
    """Content-Length: 18446744073709551628 (12 more than 64 bits hold), 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: 18446744073709551628"))


@fault(after=CLOSE)
def length_of_8_exabytes(c):
    """Content-Length: 9223372036854775807, then 12 bytes, then closes."""
    c.send(framed(BODY, "Content-Length: 9223372036854775807"))


@fault(after=CLOSE)
def length_and_chunks(c):
    """Content-Length: 5 and Transfer-Encoding: chunked, valid chunks, then closes."""
    c.send(framed(CHUNKS, "Content-Length: 5", "Transfer-Encoding: chunked"))


@fault(after=CLOSE)
def no_length(c):
    """A valid response without a length or chunks, which the close ends."""
    c.send(framed(BODY))


@fault(after=CLOSE)
def broken_chunk_size(c):
    """A chunk size of `xyz`."""
    c.send(chunked(b"xyz\r\n" + BODY + b"\r\n0\r\n\r\n"))


@fault(after=CLOSE)
def negative_chunk_size(c):
    """A chunk size of -1."""
    c.send(chunked(b"-1\r\n" + BODY + b"\r\n0\r\n\r\n"))


@fault(after=CLOSE)
def huge_chunk_size(c):
    """A chunk size of ffffffffffffffffff, then 12 bytes, then closes."""
    c.send(chunked(b"ffffffffffffffffff\r\n" + BODY))


@fault(after=CLOSE)
def chunk_longer_than_said(c):
    """A chunk of 12 bytes whose size says 5."""
    c.send(chunked(b"5\r\n" + BODY + b"\r\n0\r\n\r\n"))


@fault(after=CLOSE)
def last_chunk_missing(c):
    """A whole chunk, then closes without the last chunk."""
    c.send(chunked(b"c\r\n" + BODY + b"\r\n"))


@fault(after=CLOSE)
def final_line_missing(c):
    """All chunks, then closes without the empty line that ends the body."""
    c.send(chunked(b"c\r\n" + BODY + b"\r\n0\r\n"))


@fault()
def chunk_extension(c):
    """Valid chunks with extensions after their sizes."""
    c.send(chunked(b'c;name=value;other="x"\r\n' + BODY + b"\r\n0;last\r\n\r\n"))


@fault()
def trailers(c):
    """Valid chunks, then trailer fields, one of them a Content-Length."""
    c.send(chunked(CHUNKS[:-2] + b"X-Trailer: after\r\nContent-Length: 5\r\n\r\n"))


@fault(after=CLOSE)
def endless_trailers(c, mb=64):
    """Valid chunks, then endless trailer fields: closes after `mb` megabytes."""
    c.send(chunked(CHUNKS[:-2]))
    for _ in range(mb):
        c.send((b"X-Trailer: " + b"a" * 1011 + b"\r\n") * 1024)


@fault(after=CLOSE)
def unknown_transfer_encoding(c):
    """Transfer-Encoding: other, then 12 bytes, then closes."""
    c.send(framed(BODY, "Transfer-Encoding: other"))


@fault()
def unrequested_response(c):
    """A valid response, followed at once by another that nobody requested."""
    evil = head(200, "Content-Type: application/json", "Content-Length: 13") + b'{"ok": false}'
    c.send(framed(BODY, "Content-Length: 12") + evil)
