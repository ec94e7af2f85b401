"""The fault server: `python -m faults`.

    /                   the table: [{"name", "what", "kind", "takes"}, ...]
    /NAME               misbehaves, whatever the method; what a query may set is under "takes"
    /-/fine             {"ok": true}: where valid redirects lead
    /-/open             {"open": N}, the other connections open now; with ?key=K those
                        that sent a request with key=K; with ?most=N&ms=2000 the response waits
                        until at most N are open, or those milliseconds have passed
    /-/asked/KEY        {"asked": N}, how many requests came with key=KEY so far
    /-/stream/NAME      see streams.py"""

import json

from message import response
from listening import ClientLeft, Malformed, run

from . import codings, connections, contents, errors, framing, heads, redirects, statuses, streams, timing
from .ledger import Ledger
from .table import FAULTS

KINDS = [connections, timing, heads, statuses, framing, contents, codings, errors, redirects]
LEDGER = Ledger()


def handle(connection):
    """Responds to a connection's requests until either side ends it."""
    LEDGER.opened(connection)
    try:
        while not connection.ended:
            sink = streams.Sink()
            request = connection.read_request(sink.drain)
            LEDGER.asked(connection, request.query.get("key"))
            respond(connection, request, sink)
            if request.is_last:
                connection.close()
    except ClientLeft:
        pass
    except (Malformed, ValueError) as error:
        say(connection, {"error": repr(error)}, 400)
    finally:
        connection.close()
        LEDGER.closed(connection)


def respond(connection, request, sink):
    """Does what the path names."""
    name, query = request.path.removeprefix("/"), request.query
    if name in FAULTS:
        FAULTS[name].run(connection, query)
    elif name == "":
        say(connection, [row.row for row in FAULTS.values()])
    elif name == "-/fine":
        say(connection, {"ok": True})
    elif name == "-/open":
        most, ms = int(query.get("most", -1)), int(query.get("ms", 0))
        say(connection, {"open": LEDGER.open(connection, query.get("key"), most, ms)})
    elif name.startswith("-/asked/"):
        say(connection, {"asked": LEDGER.count(name.removeprefix("-/asked/"))})
    elif name == "-/stream/sink":
        say(connection, {"count": sink.count, "isFile": sink.is_file})
    elif name.startswith("-/stream/"):
        streams.run(
            connection, name.removeprefix("-/stream/"), request, LEDGER.count(query.get("key")))
    else:
        say(connection, {"error": "no such fault"}, 404)


def say(connection, value, status=200):
    """Responds with JSON, without any fault."""
    connection.send(response(status, json.dumps(value, indent=1).encode()))


if __name__ == "__main__":
    run("Misbehaves in one known way at each path; / lists them.", handle)
