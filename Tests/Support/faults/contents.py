"""Well-framed responses whose content isn't what it says, or is unusual JSON."""

from message import head, response

from .table import fault

LATIN_1 = '{"name": "café"}'.encode("latin-1")
UTF_8 = '{"name": "café"}'.encode()


def json(body, charset=None):
    """A 200 with these bytes as application/json."""
    kind = "application/json" + (f"; charset={charset}" if charset else "")
    return response(200, body, kind=kind)


@fault()
def wrong_charset(c):
    """JSON in UTF-8 that says charset=utf-16."""
    c.send(json(UTF_8, "utf-16"))


@fault()
def wrong_charset_text(c):
    """Text in ISO-8859-1 that says charset=utf-8."""
    c.send(response(200, "café".encode("latin-1"), kind="text/plain; charset=utf-8"))


@fault()
def unknown_charset(c):
    """JSON that says charset=x-unheard-of."""
    c.send(json(UTF_8, "x-unheard-of"))


@fault()
def unknown_charset_text(c):
    """Text that says charset=x-unheard-of."""
    c.send(response(200, "café".encode(), kind="text/plain; charset=x-unheard-of"))


@fault()
def latin_1_without_charset(c):
    """JSON in ISO-8859-1 without a charset."""
    c.send(json(LATIN_1))


@fault()
def latin_1_text_without_charset(c):
    """Text in ISO-8859-1 without a charset."""
    c.send(response(200, "café".encode("latin-1"), kind="text/plain"))


@fault()
def latin_1_with_charset(c):
    """JSON in ISO-8859-1 with that charset."""
    c.send(json(LATIN_1, "iso-8859-1"))


@fault()
def no_content_type(c):
    """JSON without a Content-Type."""
    c.send(head(200, f"Content-Length: {len(UTF_8)}") + UTF_8)


@fault()
def html_for_json(c):
    """A 200 with a page of HTML, as a captive portal sends it."""
    c.send(response(200, b"<!doctype html><title>Log in</title>", kind="text/html"))


@fault()
def utf8_bom(c):
    """JSON in UTF-8 that begins with a byte order mark."""
    c.send(json(b"\xef\xbb\xbf" + UTF_8))


@fault()
def utf16_bom(c):
    """JSON in UTF-16 that begins with a byte order mark, without a charset."""
    c.send(json('\ufeff{"name": "café"}'.encode("utf-16-le")))


@fault()
def utf32(c):
    """JSON in big-endian UTF-32 without a byte order mark."""
    c.send(json('{"name": "café"}'.encode("utf-32-be"), "utf-32"))


@fault()
def invalid_utf8_in_body(c):
    """JSON with a string that isn't valid UTF-8."""
    c.send(json(b'{"name": "\xff\xfe\xc3("}'))


@fault()
def nul_in_body(c):
    """JSON followed by a NUL."""
    c.send(json(UTF_8 + b"\0"))


@fault()
def empty_json(c):
    """Blanks alone, with a Content-Type of JSON."""
    c.send(json(b" \r\n\t"))


@fault()
def null_json(c):
    """The JSON document `null`."""
    c.send(json(b"null"))


@fault()
def truncated_json(c):
    """Half a JSON document with the right Content-Length."""
    c.send(json(b'{"name": "caf'))


@fault()
def trailing_garbage(c):
    """A JSON document followed by another."""
    c.send(json(UTF_8 + b' {"name": "again"}'))


@fault()
def nested_json(c, depth=100_000):
    """JSON arrays nested `depth` deep."""
    c.send(json(b"[" * depth + b"]" * depth))


@fault()
def nested_objects(c, depth=100_000):
    """JSON objects nested `depth` deep."""
    c.send(json(b'{"name":' * depth + b"1" + b"}" * depth))


@fault()
def huge_integer(c, digits=100_000):
    """JSON whose number is an integer of `digits` digits."""
    c.send(json(b'{"number": ' + b"9" * digits + b"}"))


@fault()
def huge_exponent(c):
    """JSON whose number is 1e999999."""
    c.send(json(b'{"number": 1e999999}'))


@fault()
def integer_beyond_64_bits(c):
    """JSON whose number is 18446744073709551616, one more than 64 bits hold."""
    c.send(json(b'{"number": 18446744073709551616}'))


@fault()
def not_a_number_json(c):
    """JSON whose number is NaN, which isn't valid JSON."""
    c.send(json(b'{"number": NaN}'))


@fault()
def duplicate_keys(c):
    """JSON with the same key twice and different values."""
    c.send(json(b'{"name": "first", "name": "second"}'))


@fault()
def lone_surrogate(c):
    """JSON whose string has one half of a surrogate pair as an escape."""
    c.send(json(rb'{"name": "\ud83d"}'))


@fault()
def nul_escaped(c):
    """JSON whose string has a NUL as an escape."""
    c.send(json(rb'{"name": "a\u0000b"}'))
