"""HTTP messages as bytes: reads the parts of a request, and makes a response.

HTTP libraries change what they read and write; a test of bytes needs the exact bytes."""

from dataclasses import dataclass
from http.client import responses
from urllib.parse import parse_qsl


@dataclass(frozen=True)
class Request:
    """One request as it arrived: the head with its empty line, and the body without its framing."""

    head: bytes
    body: bytes = b""

    @property
    def line(self):
        """The request line without its CR LF."""
        return self.head.partition(b"\r\n")[0]

    @property
    def method(self):
        """The first word of the request line."""
        return self.line.partition(b" ")[0]

    @property
    def target(self):
        """The text between the method and the version."""
        return self.line.partition(b" ")[2].rpartition(b" ")[0]

    @property
    def path(self):
        """The target before its query, as text in which each character is one byte."""
        return self.target.partition(b"?")[0].decode("latin-1")

    @property
    def query(self):
        """The target's query as a dictionary of decoded text, with the last value of each name."""
        query = self.target.partition(b"?")[2].decode("latin-1")
        return dict(parse_qsl(query, keep_blank_values=True))

    @property
    def field_lines(self):
        """The lines between the request line and the empty line."""
        return self.head.split(b"\r\n")[1:-2]

    @property
    def fields(self):
        """Names and values in order, without the blanks around a value."""
        cut = (line.partition(b":") for line in self.field_lines if b":" in line)
        return [(name, value.strip(b" \t")) for name, _, value in cut]

    @property
    def is_last(self):
        """Whether the client wants the connection closed after the response."""
        value = (self.field(b"Connection") or b"").lower()
        return b"close" in value or self.line.endswith(b"HTTP/1.0") and b"keep-alive" not in value

    def field(self, name):
        """The first value of a header, with its name in any case; None where it is absent."""
        return next((v for n, v in self.fields if n.lower() == name.lower()), None)


def head(status=200, *fields):
    """A response's head: the status line, the fields given as text, and the empty line."""
    lines = [f"HTTP/1.1 {status} {responses.get(status, '')}", *fields]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def response(status=200, body=b"", *fields, kind="application/json"):
    """A whole response with the right Content-Length."""
    return head(status, f"Content-Type: {kind}", f"Content-Length: {len(body)}", *fields) + body
