"""Streams that tests read as they arrive, and what becomes of them when the connection is lost.

    /-/stream/file      `n` bytes under a strong ETag, and ranges of them. The responses to the first
                        requests with a key are cut: `cuts=100-2500` cuts the first after 100 bytes and the
                        second after 2500, counted from the beginning of the file
    /-/stream/events    events with the ids 1 to `n`, from the one after Last-Event-ID on; the first
                        `cuts` connections with a key end early
    /-/stream/lines     a JSON value in each of `n` lines
    /-/stream/sink      {"count": how many bytes the body has, "isFile": whether they are those of
                        /-/stream/file}; the body may have any size

With `how=rst` a connection is cut by a RST, else by a FIN."""

from message import head

PIECE = 1 << 16


def run(connection, name, request, count):
    """Responds to the request, which is the `count`th with its key."""
    {"file": file, "events": events, "lines": lines}[name](connection, request, count)


def cut(connection, query):
    """Ends the connection early."""
    connection.reset() if query.get("how") == "rst" else connection.close()


def content(start, end):
    """The bytes of the file from one index to another: each is told from its neighbours."""
    first = start - start % 251
    return (bytes(range(251)) * ((end - first) // 251 + 1))[start - first : end - first]


class Sink:
    """Counts a body that is not kept, and compares it with the file."""

    def __init__(self):
        self.count, self.is_file = 0, True

    def drain(self, request):
        """What gets the pieces of a request's body, if it is for the sink."""
        return self.take if request.path == "/-/stream/sink" else None

    def take(self, piece):
        """A piece of the body."""
        self.is_file = self.is_file and piece == content(self.count, self.count + len(piece))
        self.count += len(piece)


def file(connection, request, count):
    """A file that can be continued, unless a setting says otherwise."""
    query, n = request.query, int(request.query.get("n", 1000))
    version = query.get("etag", '"1"').replace("COUNT", str(count)).encode()
    given = (request.field(b"Range") or b"").decode()
    start = 0
    if given and request.field(b"If-Range") == version and not query.get("whole"):
        start = int(given.removeprefix("bytes=").removesuffix("-"))
    fields = [f"Content-Length: {n - start}", f"ETag: {version.decode()}"]
    if query.get("coding"):
        fields.append("Content-Encoding: identity")
    if start:
        fields.append(f"Content-Range: bytes {start}-{n - 1}/{n}")
    status = int(query.get("then", 0)) if count > 1 and "then" in query else 206 if start else 200
    connection.send(head(status, *fields))
    cuts = [int(text) for text in query.get("cuts", "").split("-") if text]
    end = min(max(cuts[count - 1], start), n) if count <= len(cuts) else n
    for at in range(start, end, PIECE):
        connection.send(content(at, min(at + PIECE, end)))
    if count <= len(cuts):
        cut(connection, query)


def events(connection, request, count):
    """Events, some of which are sent twice if the client asks again without their ids."""
    query, n = request.query, int(request.query.get("n", 10))
    cuts = int(query.get("cuts", 0))
    last = int(request.field(b"Last-Event-ID") or 0)
    if last >= n and not query.get("endless"):
        return connection.send(head(204))
    if count > 1 and "then" in query:
        kind = query.get("kind", "text/event-stream")
        return connection.send(head(int(query["then"]), f"Content-Type: {kind}", "Content-Length: 0"))
    end = min(n, last + n // (cuts + 1) + 1) if count <= cuts else n
    connection.send(head(200, "Content-Type: text/event-stream; charset=utf-8"))
    connection.send(b"retry: %d\n\n" % int(query.get("retry", 10)))
    for at in range(last, end, 1000):
        ids = range(at + 1, min(at + 1000, end) + 1)
        connection.send(b"".join(b'id: %d\ndata: {"id": %d}\n\n' % (i, i) for i in ids))
    if "last" in query:
        connection.send(b"data: %s\n\n" % query["last"].encode())
        return connection.wait(60_000)
    # The event that the cut is in is lost.
    connection.send(b'id: %d\ndata: {"id"' % (end + 1))
    if request.query.get("how") == "both":
        query = {"how": "rst" if count % 2 else "fin"}
    cut(connection, query)


def lines(connection, request, count):
    """JSON Lines."""
    n = int(request.query.get("n", 10))
    connection.send(head(200, "Content-Type: application/jsonl"))
    for at in range(0, n, 10_000):
        ids = range(at, min(at + 10_000, n))
        connection.send(b"".join(b'{"id": %d}\n' % i for i in ids))
    connection.close()
