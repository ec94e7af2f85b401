"""Measures the memory of many loads that wait for a server at once, and of open event streams: waiting.py [500 10000]

The first number is for `URLSession`, the second for AsyncHTTPClient. When a request is sent on a new connection,
`URLSession` on Linux goes on waiting until it can write, which it always can (Swift 6.3.1), so a waiting load keeps a
processor busy.

Each way is measured in a process of its own, with `URLSession` and, if `make bench` has built it, with AsyncHTTPClient. The
server, in another process, is this file as an ASGI app, which never ends a response."""

import os
import resource
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from loads import ASYNC_HTTP_CLIENT, PROGRAM, free_port

WAYS = ["by hand", "the library", "all four", "limited, 6 at once", "event streams by hand", "event streams"]
OPEN = set()


async def app(scope, receive, send):
    """Counts the requests that wait at /silence and /events, and says at /count how many they are."""
    if scope["type"] != "http":
        return
    path = scope["path"]
    kind = b"text/event-stream" if path == "/events" else b"text/plain"
    head = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]}
    if path == "/count":
        await send(head)
        await send({"type": "http.response.body", "body": str(len(OPEN)).encode()})
        return
    OPEN.add(id(scope))
    try:
        if path == "/events":
            await send(head)
            await send({"type": "http.response.body", "body": b'data: {"id": 1}\n\n', "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        OPEN.discard(id(scope))


def main(arguments):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    port = free_port()
    # A connection that is kept for `/count` isn't closed in the meantime.
    server = subprocess.Popen(
        [sys.executable, "-B", "-m", "uvicorn", "waiting:app", "--port", str(port), "--backlog", "8192", "--lifespan", "off",
         "--log-level", "error", "--timeout-keep-alive", "600"], cwd=Path(__file__).parent, stdin=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait(f"{url}/count", server)
        counts = [int(argument) for argument in arguments] or [500, 10_000]
        if len(counts) != 2:
            sys.exit("waiting.py [500 10000]")
        clients = [("URLSession", PROGRAM), ("AsyncHTTPClient", ASYNC_HTTP_CLIENT)]
        for (client, program), count in zip(clients, counts):
            if not program.exists():
                continue
            # Each load has a connection, and so a file in each of the two processes.
            count = min(count, most - 1000)
            print(f"\n{client}: memory of each of {count:,} loads that wait at once, how much of a processor all take, and "
                  "what is left of the memory when they have ended; then the same again", flush=True)
            print("| way | each | processor | left | each, again | processor | left, again |\n|---|---|---|---|---|---|---|",
                  flush=True)
            for way in WAYS:
                subprocess.run([program, "waiting", url, str(count), way], check=True, timeout=300, stdin=subprocess.DEVNULL)
    finally:
        server.terminate()
        server.wait(30)


def wait(url, server):
    """Returns when the server responds."""
    end = time.monotonic() + 20
    while time.monotonic() < end and server.poll() is None:
        try:
            return urllib.request.urlopen(url, timeout=5).read()
        except OSError:
            time.sleep(0.05)
    sys.exit("uvicorn doesn't start")


if __name__ == "__main__":
    main(sys.argv[1:])
