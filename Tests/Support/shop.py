"""The server of `make demo`: a shop that is as unreliable as servers are.

    /toys/KIND          the request's own line, as it arrived
    /toys/0             a 404 with the shop's error
    /prices             server-sent events, of which the first connection has three; it then breaks off
    /orders/N           a 401 without the token that /token gives
    /token              that token, for a POST
    /stock              a 503 the first time, with Retry-After: 1
    /menu               may be stored for a minute
    /catalogue          4 MB; the first connection breaks off in the middle
    /manual             4 MB; the first response stops in the middle until the client leaves
    /-/seen             how many requests there were for each path, a JSON object"""

import json
import threading
from collections import Counter

from listening import ClientLeft, Malformed, run
from message import head, response

SEEN, LOCK = Counter(), threading.Lock()
TOKEN = b"Bearer second"
FILE = bytes(range(256)) * 16384
PRICES = [3, 5, 4, 8, 7, 9]


def handle(connection):
    """Responds to a connection's requests until one of the two leaves."""
    try:
        while not connection.ended:
            request = connection.read_request()
            path = "/orders" if request.path.startswith("/orders/") else request.path
            with LOCK:
                SEEN[f"{request.method.decode()} {path}"] += 1
                count = SEEN[f"{request.method.decode()} {path}"]
            respond(connection, request, count)
    except (ClientLeft, Malformed):
        pass
    finally:
        connection.close()


def respond(connection, request, count):
    """Sends the response; `count` says the how manieth request for its path it is."""
    path = request.path
    if path == "/-/seen":
        connection.send(as_json(200, SEEN))
    elif path == "/toys/0":
        connection.send(as_json(404, {"message": "We have no toy 0."}))
    elif path == "/prices":
        prices(connection, int(request.field(b"Last-Event-ID") or 0))
    elif path == "/token":
        connection.send(as_json(200, {"token": TOKEN.decode().removeprefix("Bearer ")}))
    elif path.startswith("/orders/"):
        known = request.field(b"Authorization") == TOKEN
        number = int(path.rpartition("/")[2])
        connection.send(as_json(200, {"number": number}) if known else as_json(401, {"message": "The token has expired."}))
    elif path == "/stock":
        connection.send(as_json(503, {"message": "busy"}, "Retry-After: 1") if count == 1 else as_json(200, {"toys": 12}))
    elif path == "/menu":
        connection.send(as_json(200, {"dish": "soup"}, "Cache-Control: max-age=60"))
    elif path == "/catalogue":
        file(connection, request.field(b"Range"), 200)
    elif path == "/manual":
        file(connection, request.field(b"Range"), 10_000)
    else:
        connection.send(as_json(200, {"line": request.line.decode("latin-1")}))


def prices(connection, first):
    """Three events from a number on, and the end of the connection; a 204 after the last one."""
    events = list(enumerate(PRICES, 1))[first:first + 3]
    if not events:
        connection.send(head(204))
        return
    connection.send(head(200, "Content-Type: text/event-stream", "Connection: close") + b"retry: 100\n\n")
    for number, euros in events:
        connection.send(b'id: %d\ndata: {"euros": %d}\n\n' % (number, euros))
        connection.wait(100)
    connection.close()


def file(connection, wanted, milliseconds):
    """The whole file, of which half arrives before the connection breaks off; or the rest, which a `Range` names."""
    size = len(FILE)
    if not wanted:
        connection.send(head(200, f"Content-Length: {size}", 'ETag: "1"') + FILE[:size // 2])
        connection.wait(milliseconds)
        connection.reset()
        return
    first = int(wanted.removeprefix(b"bytes=").partition(b"-")[0])
    rest = FILE[first:]
    range_of = f"Content-Range: bytes {first}-{size - 1}/{size}"
    connection.send(head(206, f"Content-Length: {len(rest)}", range_of, 'ETag: "1"') + rest)


def as_json(status, document, *fields):
    """A response with a document."""
    return response(status, json.dumps(document).encode(), *fields)


if __name__ == "__main__":
    run("The shop of `make demo`.", handle)
