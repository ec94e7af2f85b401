"""The rows' paths as an ASGI app, for uvicorn and hypercorn: SERVERS_FILES names the folder of the files."""

import asyncio
import gzip
import os
from pathlib import Path

FILES = Path(os.environ["SERVERS_FILES"])
TYPES = {"txt": b"text/plain", "json": b"application/json", "bin": b"application/octet-stream"}
COUNTS = {}


class Exchange:
    """A request and its response."""

    def __init__(self, scope, receive, send):
        self.scope, self.receive, self.send = scope, receive, send
        self.method = scope["method"]
        self.headers = dict(scope["headers"])

    async def head(self, status, *headers):
        """Begins the response."""
        await self.send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain"), *headers]})

    async def body(self, data, more=False):
        """Sends a part of the body."""
        await self.send({"type": "http.response.body", "body": data, "more_body": more})

    async def text(self, status, text, *headers):
        """Sends a whole response."""
        data = text.encode() if isinstance(text, str) else text
        await self.head(status, (b"content-length", str(len(data)).encode()), *headers)
        await self.body(data)

    async def read(self):
        """The number of the body's bytes."""
        count, more = 0, True
        while more:
            message = await self.receive()
            count += len(message.get("body", b""))
            more = message.get("more_body", False)
        return count

    async def echo(self, _, *headers):
        await self.text(200, f"{self.method} {await self.read()}", *headers)

    async def form(self, _):
        await self.read()
        await self.text(200, self.method)

    async def once(self, _):
        await self.echo(_, (b"connection", b"close"))

    async def small(self, _):
        # Responds before it has read the body, as programs do that look at Content-Length.
        await self.text(413, "too large")

    async def cut(self, _):
        await self.head(200, (b"content-length", b"1000"))
        await self.body(b"a" * 500, more=True)
        raise RuntimeError("the program fails after half of the body")

    async def cut_chunked(self, _):
        await self.head(200)
        await self.body(b"a" * 500, more=True)
        raise RuntimeError("the program fails after half of the body")

    async def close(self, _):
        raise RuntimeError("the program fails before the head")

    async def chunked(self, _):
        await self.head(200)
        await self.body(b"Hello, ", more=True)
        await self.body(b"world!")

    async def unknown(self, _):
        await self.head(200, (b"connection", b"close"))
        await self.body(b"Hello, ", more=True)
        await self.body(b"world!")

    async def slow(self, _):
        await self.head(200, (b"content-length", b"30000"))
        for left in reversed(range(15)):
            await asyncio.sleep(0.1)
            await self.body(b"a" * 2000, more=left > 0)

    async def hints(self, _):
        await self.send({"type": "http.response.early_hint", "links": [b"</style.css>; rel=preload"]})
        await self.text(200, "Hello, world!")

    async def trailers(self, _):
        await self.send({
            "type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain"), (b"trailer", b"x-sum")],
            "trailers": True})
        await self.body(b"Hello, world!")
        await self.send({"type": "http.response.trailers", "headers": [(b"x-sum", b"13")]})

    async def long(self, count):
        await self.text(200, "Hello, world!", *[(f"x-{i}".encode(), b"a" * 1000) for i in range(int(count))])

    async def counted(self, kind):
        COUNTS[kind] = COUNTS.get(kind, 0) + 1
        await self.text(200, str(COUNTS[kind]), (b"cache-control", b"max-age=60"))

    async def empty(self, _):
        await self.head(204)
        await self.body(b"")

    async def empty_body(self, _):
        await self.head(204)
        await self.body(b"a body")

    async def move(self, to):
        await self.read()
        place = b"/hello.txt" if to == "hello" else b"/echo"
        await self.text(302 if to == "hello" else int(to), "", (b"location", place))

    async def circle(self, _):
        await self.text(302, "", (b"location", b"/circle"))

    async def status(self, _):
        await self.text(999, "")

    async def many(self, _):
        await self.text(200, "", (b"x-many", b"a"), (b"x-many", b"b"))

    async def header(self, _):
        await self.text(200, self.headers.get(b"x-foo", b"none"))

    async def version(self, _):
        await self.text(200, f"HTTP/{self.scope['http_version']}")

    async def file(self, name):
        """A file, which has an ETag."""
        data = (FILES / name).read_bytes()
        headers = [(b"etag", b'"%d"' % len(data))]
        if self.headers.get(b"if-none-match") == headers[0][1]:
            await self.head(304, *headers)
            return await self.body(b"")
        if name == "text.txt" and b"gzip" in self.headers.get(b"accept-encoding", b""):
            data = gzip.compress(data)
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
        await self.text(200, data, *headers)


PATHS = {
    "cut-chunked": Exchange.cut_chunked, "empty-body": Exchange.empty_body, "headers": Exchange.long,
    **{name: getattr(Exchange, name) for name in [
        "echo", "form", "once", "small", "cut", "close", "chunked", "unknown", "slow", "hints", "trailers", "counted",
        "empty", "move", "version", "circle", "status", "many", "header"]},
}


async def app(scope, receive, send):
    """Answers a request."""
    if scope["type"] != "http":
        return
    exchange = Exchange(scope, receive, send)
    first, *rest = scope["path"].strip("/").split("/")
    if first in PATHS:
        await PATHS[first](exchange, rest[0] if rest else "")
    elif (FILES / first).is_file():
        await exchange.file(first)
    else:
        await exchange.text(404, "")
