"""Connections that end early: by a RST, by a FIN, or between two requests."""

from message import head, response

from .table import CLOSE, fault

OK = response(200, b'{"ok": true}')
PROMISED = head(200, "Content-Type: application/json", "Content-Length: 1000")
CHUNKED = head(200, "Content-Type: application/json", "Transfer-Encoding: chunked")


@fault()
def reset_before_head(c):
    """Resets the connection (RST) instead of responding."""
    c.reset()


@fault(after=CLOSE)
def fin_before_head(c):
    """Closes the connection (FIN) instead of responding."""


@fault()
def reset_within_status_line(c):
    """Resets after half a status line."""
    c.send(b"HTTP/1.1 2")
    c.reset()


@fault(after=CLOSE)
def fin_within_status_line(c):
    """Closes after half a status line."""
    c.send(b"HTTP/1.1 2")


@fault()
def reset_within_head(c):
    """Resets after the first header lines, within the head."""
    c.send(b"HTTP/1.1 200 OK\r\nContent-Type: applica")
    c.reset()


@fault(after=CLOSE)
def fin_within_head(c):
    """Closes after the first header lines, within the head."""
    c.send(b"HTTP/1.1 200 OK\r\nContent-Type: applica")


@fault()
def reset_after_head(c):
    """Resets after the head, which announces 1000 bytes, and before the body."""
    c.send(PROMISED)
    c.reset()


@fault(after=CLOSE)
def fin_after_head(c):
    """Closes after the head, which announces 1000 bytes, and before the body."""
    c.send(PROMISED)


@fault()
def reset_within_body(c):
    """Resets after 500 of 1000 announced bytes."""
    c.send(PROMISED + b" " * 500)
    c.reset()


@fault()
def reset_within_chunks(c):
    """Resets after a chunk and before the last chunk."""
    c.send(CHUNKED + b"3\r\n{}\n\r\n")
    c.reset()


@fault(after=CLOSE)
def fin_within_chunk(c):
    """Closes within a chunk, after 3 of its 100 bytes."""
    c.send(CHUNKED + b"64\r\n{}\n")


@fault()
def reset_without_length(c):
    """A body that only the end of the connection can end, and then a RST."""
    c.send(head(200, "Content-Type: application/json") + b'{"ok": true}')
    c.reset()


@fault(after=CLOSE)
def keep_alive_closed(c):
    """A valid response that says keep-alive, then the connection is closed."""
    c.send(response(200, b'{"ok": true}', "Connection: keep-alive", "Keep-Alive: timeout=60"))


@fault()
def keep_alive_reset(c):
    """A valid response that says keep-alive, then the connection is reset."""
    c.send(response(200, b'{"ok": true}', "Connection: keep-alive", "Keep-Alive: timeout=60"))
    c.reset()


@fault()
def second_request_closed(c):
    """The first request on a connection gets a response, and the next one a FIN."""
    c.send(OK) if c.requests == 1 else c.close()


@fault()
def second_request_reset(c):
    """The first request on a connection gets a response, and the next one a RST."""
    c.send(OK) if c.requests == 1 else c.reset()
