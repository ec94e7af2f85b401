"""An application for hypercorn, which speaks HTTP/2 where TLS agrees on it.

Each response has the request's version as HTTP-Version, and the client's port as Client-Port.

    /           the body of the request
    /lines      a JSON value in each of `n` lines
    /short      half of the body that its Content-Length promises"""

from urllib.parse import parse_qsl


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
    match scope["path"]:
        case "/lines":
            n = int(dict(parse_qsl(scope["query_string"].decode()))["n"])
            for start in range(0, n, 1000):
                yield b"".join(b'{"id": %d}\n' % i for i in range(start, min(start + 1000, n)))
        case "/short":
            yield bytes(100_000)
        case _:
            event = {"more_body": True}
            while event.get("more_body"):
                event = await receive()
                yield event.get("body", b"")
