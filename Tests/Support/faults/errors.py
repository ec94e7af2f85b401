"""Error statuses whose body isn't the expected error document."""

from message import head, response

from .contents import LATIN_1
from .table import CLOSE, fault
from .timing import endless

CHUNKED_ERROR = head(500, "Content-Type: application/json", "Transfer-Encoding: chunked")


@fault(after=CLOSE)
def error_endless(c, ms=120_000, mb=256):
    """A 500 in chunks that never end: closes after `ms` milliseconds or `mb` megabytes."""
    c.send(CHUNKED_ERROR)
    endless(c, ms, mb)


@fault(after=CLOSE)
def error_silent(c, ms=60_000):
    """A 500 with the beginning of a body, then nothing for `ms` milliseconds, then closes."""
    c.send(CHUNKED_ERROR + b'9\r\n{"error":\r\n')
    c.wait(ms)


@fault()
def error_reset(c):
    """A 500 that is reset within its body."""
    c.send(head(500, "Content-Type: application/json", "Content-Length: 1000") + b'{"error":')
    c.reset()


@fault()
def error_large(c, mb=5):
    """A 500 with a valid JSON error of `mb` megabytes."""
    c.send(response(500, b'{"error": "' + b"a" * (mb * 1_000_000 - 13) + b'"}'))


@fault()
def error_empty(c):
    """A 500 that says application/json and has no body."""
    c.send(response(500))


@fault()
def error_in_html(c):
    """A 502 with a page of HTML, as a proxy sends it."""
    c.send(response(502, b"<!doctype html><title>502 Bad Gateway</title>", kind="text/html"))


@fault()
def error_html_as_json(c):
    """A 502 with a page of HTML that says application/json."""
    c.send(response(502, b"<!doctype html><title>502 Bad Gateway</title>"))


@fault()
def error_json_as_html(c):
    """A 500 with a valid JSON error that says text/html."""
    c.send(response(500, b'{"error": "broken"}', kind="text/html"))


@fault()
def error_of_wrong_shape(c):
    """A 422 whose JSON has other members than the error's type."""
    c.send(response(422, b'{"unexpected": [1, 2, 3]}'))


@fault()
def error_truncated(c):
    """A 500 with half a JSON document."""
    c.send(response(500, b'{"error": "brok'))


@fault()
def error_invalid_utf8(c):
    """A 500 whose JSON isn't valid UTF-8."""
    c.send(response(500, b'{"error": "\xff\xfe\xc3("}'))


@fault()
def error_latin_1(c):
    """A 500 in ISO-8859-1 with that charset."""
    c.send(response(500, LATIN_1, kind="application/json; charset=iso-8859-1"))


@fault()
def error_nested(c, depth=100_000):
    """A 500 with JSON arrays nested `depth` deep."""
    c.send(response(500, b"[" * depth + b"]" * depth))


@fault()
def error_unauthorized_unknown_scheme(c):
    """A 401 that asks for an unknown scheme."""
    c.send(response(401, b'{"error": "who?"}', 'WWW-Authenticate: Unheard realm="x"'))


@fault()
def error_unauthorized_basic(c):
    """A 401 that asks for a user and a password."""
    c.send(response(401, b'{"error": "who?"}', 'WWW-Authenticate: Basic realm="x"'))


@fault()
def error_unauthorized_without_challenge(c):
    """A 401 without the required WWW-Authenticate."""
    c.send(response(401, b'{"error": "who?"}'))


@fault()
def error_broken_retry_after(c):
    """A 503 whose Retry-After is neither seconds nor a date."""
    c.send(response(503, b'{"error": "busy"}', "Retry-After: soon, maybe"))
