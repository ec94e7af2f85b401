"""Redirects that loop, never end, lead nowhere, or lead to a forbidden place."""

import socket

from message import head, response

from .connections import OK
from .table import fault

# Bound but not listening: a connection is refused, and no other process can take the port.
NOWHERE = socket.socket()
NOWHERE.bind(("127.0.0.1", 0))


def moved(to, status=302):
    """A redirect with exactly this Location."""
    return response(status, b"moved\n", f"Location: {to}", kind="text/plain")


@fault()
def redirect_loop(c):
    """A redirect to itself."""
    c.send(moved("/redirect-loop"))


@fault()
def redirect_ping(c):
    """A redirect to /redirect-pong, which redirects back."""
    c.send(moved("/redirect-pong"))


@fault()
def redirect_pong(c):
    """A redirect to /redirect-ping, which redirects back."""
    c.send(moved("/redirect-ping"))


@fault()
def redirect_chain(c, hops=30):
    """`hops` redirects, one after the other, then a valid response."""
    c.send(moved(f"/redirect-chain?hops={hops - 1}") if hops > 0 else OK)


@fault()
def redirect_growing(c, length=10):
    """A redirect to itself whose query grows tenfold each time, up to a megabyte."""
    c.send(moved(f"/redirect-growing?length={length * 10}&pad={'a' * min(length, 1_000_000)}"))


@fault()
def redirect_nowhere(c):
    """A redirect to a port on which no server listens."""
    c.send(moved("http://127.0.0.1:%d/" % NOWHERE.getsockname()[1]))


@fault()
def redirect_to_unknown_host(c):
    """A redirect to a host that can't exist."""
    c.send(moved("http://nobody.invalid/"))


@fault()
def redirect_without_location(c):
    """A 302 without a Location."""
    c.send(response(302, b"moved\n", kind="text/plain"))


@fault()
def redirect_without_location_after_hints(c):
    """A 103, then a 302 without a Location."""
    c.send(head(103, "Link: </style.css>; rel=preload") + response(302, b"moved\n", kind="text/plain"))


@fault()
def redirect_empty_location(c):
    """A 302 whose Location is empty."""
    c.send(moved(""))


@fault()
def redirect_two_locations(c):
    """A 302 with two different Locations."""
    c.send(response(302, b"moved\n", "Location: /-/fine", "Location: /redirect-loop"))


@fault()
def redirect_to_ftp(c):
    """A redirect to an ftp: URL."""
    c.send(moved("ftp://127.0.0.1/file"))


@fault()
def redirect_to_file(c):
    """A redirect to a file: URL."""
    c.send(moved("file:///etc/hostname"))


@fault()
def redirect_to_data(c):
    """A redirect to a data: URL that holds JSON."""
    c.send(moved("data:application/json,%7B%22ok%22%3A%20true%7D"))


@fault()
def redirect_to_javascript(c):
    """A redirect to a javascript: URL."""
    c.send(moved("javascript:alert(1)"))


@fault()
def redirect_to_https(c):
    """A redirect to an https port on which no server listens."""
    c.send(moved("https://127.0.0.1:%d/" % NOWHERE.getsockname()[1]))


@fault()
def redirect_control_characters(c):
    """A redirect whose Location has a NUL, a BEL and a DEL."""
    c.send(moved("/-/fine?a=\0b\x07c\x7f"))


@fault()
def redirect_bare_cr(c):
    """A redirect whose Location has a CR without its LF, then what looks like a header."""
    c.send(moved("/-/fine?a=b\rX-Injected: yes"))


@fault()
def redirect_blanks(c):
    """A redirect whose Location has blanks."""
    c.send(moved("/-/fine?a=b c d"))


@fault()
def redirect_invalid_utf8(c):
    """A redirect whose Location isn't valid UTF-8."""
    c.send(moved("/-/fine?a=\xff\xfe"))


@fault()
def redirect_invalid_percent(c):
    """A redirect whose Location has a % without two hex digits."""
    c.send(moved("/-/fine?a=%zz%"))


@fault()
def redirect_dot_segments(c):
    """A redirect to a relative path with `..` that leads to a valid response."""
    c.send(moved("a/../../../-/fine"))


@fault()
def redirect_fragment_only(c):
    """A redirect whose Location is only a fragment, so it leads to itself."""
    c.send(moved("#top"))


@fault()
def redirect_without_host(c):
    """A redirect to `http://`."""
    c.send(moved("http://"))


@fault()
def redirect_port_too_large(c):
    """A redirect to port 99999."""
    c.send(moved("http://127.0.0.1:99999/"))


@fault()
def redirect_with_user_info(c):
    """A redirect to a valid response on this server, with a user and a password in the URL."""
    c.send(moved("http://user:secret@%s:%d/-/fine" % c.sock.getsockname()[:2]))


@fault()
def redirect_long_location(c, bytes=1_000_000):
    """A redirect whose Location is `bytes` bytes long."""
    c.send(moved("/-/fine?" + "a" * bytes))


@fault()
def redirect_with_large_body(c, mb=5):
    """A redirect with a body of `mb` megabytes, to a valid response."""
    c.send(response(302, b" " * (mb * 1_000_000), "Location: /-/fine"))


@fault()
def redirect_multiple_choices(c):
    """A 300 with a Location."""
    c.send(moved("/-/fine", 300))


@fault()
def redirect_use_proxy(c):
    """A 305, which names a proxy in its Location and must not be followed."""
    c.send(moved("http://127.0.0.1:%d/" % NOWHERE.getsockname()[1], 305))


@fault()
def redirect_closed(c):
    """A redirect without a body to a valid response; then the connection is closed."""
    c.send(head(302, "Location: /-/fine", "Content-Length: 0", "Connection: close"))
    c.close()
