"""An application for hypercorn, which speaks HTTP/2 where TLS agrees on it.

Each response has the request's version as HTTP-Version, and the client's port as Client-Port.

    /           the body of the request
    /lines      a JSON value in each of `n` lines
    /end        how the lines with the same `key` ended, as soon as they have: "whole", or "left" if
                the client has ended the stream
    /short      half of the body that its Content-Length promises"""

import asyncio
from collections import defaultdict
from urllib.parse import parse_qsl

# By key, how the lines ended.
ENDS = defaultdict(asyncio.Queue)


async def app(scope, receive, send):
    """Responds to one request."""
    if scope["type"] != "http":
        return
    fields = {"http-version": scope["http_version"], "client-port": scope["client"][1]}
    if scope["path"] == "/short":
        fields["content-length"] = 200_000
    headers = [(name.encode(), str(value).encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    async for piece in body(scope, receive):
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body"})


async def body(scope, receive):
    """The pieces of a response's body."""
    query = dict(parse_qsl(scope["query_string"].decode()))
    match scope["path"]:
        case "/lines":
            n, end = int(query["n"]), ENDS[query.get("key")]
            watch = asyncio.create_task(leaving(receive, end))
            for start in range(0, n, 1000):
                yield b"".join(b'{"id": %d}\n' % i for i in range(start, min(start + 1000, n)))
            if watch.cancel():
                end.put_nowait(b"whole")
        case "/end":
            yield await ENDS[query["key"]].get()
        case "/short":
            yield bytes(100_000)
        case _:
            event = {"more_body": True}
            while event.get("more_body"):
                event = await receive()
                yield event.get("body", b"")


async def leaving(receive, end):
    """Says so if the client ends the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    end.put_nowait(b"left")
