"""Connections that end early: with a RST, with a FIN, or between two requests."""

from message import answer, head

from .table import CLOSE, fault

OK = answer(200, b'{"ok": true}')
PROMISED = head(200, "Content-Type: application/json", "Content-Length: 1000")
CHUNKED = head(200, "Content-Type: application/json", "Transfer-Encoding: chunked")


@fault()
def reset_before_head(c):
    """Resets the connection (RST) instead of answering."""
    c.reset()


@fault(after=CLOSE)
def fin_before_head(c):
    """Closes the connection (FIN) instead of answering."""


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
    """Resets after the first header lines, the head unfinished."""
    c.send(b"HTTP/1.1 200 OK\r\nContent-Type: applica")
    c.reset()


@fault(after=CLOSE)
def fin_within_head(c):
    """Closes after the first header lines, the head unfinished."""
    c.send(b"HTTP/1.1 200 OK\r\nContent-Type: applica")


@fault()
def reset_after_head(c):
    """Resets after a whole head that promises 1000 bytes, none of which come."""
    c.send(PROMISED)
    c.reset()


@fault(after=CLOSE)
def fin_after_head(c):
    """Closes after a whole head that promises 1000 bytes, none of which come."""
    c.send(PROMISED)


@fault()
def reset_within_body(c):
    """Resets after 500 of 1000 promised bytes."""
    c.send(PROMISED + b" " * 500)
    c.reset()


@fault()
def reset_within_chunks(c):
    """Resets after a chunk, the last chunk missing."""
    c.send(CHUNKED + b"3\r\n{}\n\r\n")
    c.reset()


@fault(after=CLOSE)
def fin_within_chunk(c):
    """Closes within a chunk: 3 of its 100 bytes come."""
    c.send(CHUNKED + b"64\r\n{}\n")


@fault()
def reset_without_length(c):
    """A body that only the end of the connection delimits, and that end is a RST."""
    c.send(head(200, "Content-Type: application/json") + b'{"ok": true}')
    c.reset()


@fault(after=CLOSE)
def keep_alive_closed(c):
    """A right answer that says keep-alive, then the connection closes all the same."""
    c.send(answer(200, b'{"ok": true}', "Connection: keep-alive", "Keep-Alive: timeout=60"))


@fault()
def keep_alive_reset(c):
    """A right answer that says keep-alive, then the connection is reset."""
    c.send(answer(200, b'{"ok": true}', "Connection: keep-alive", "Keep-Alive: timeout=60"))
    c.reset()


@fault()
def second_request_closed(c):
    """The first request on a connection is answered; the next one on it gets a FIN instead."""
    c.send(OK) if c.requests == 1 else c.close()


@fault()
def second_request_reset(c):
    """The first request on a connection is answered; the next one on it gets a RST instead."""
    c.send(OK) if c.requests == 1 else c.reset()
