"""A server that tells what arrived, byte for byte.

Any request is answered 200 with a JSON document of itself:

    line, method, target  text, as the headers are
    headers               [[name, value], ...] in the order they came
    malformed             header lines without a colon
    encoding              what the text above was read as: "utf-8", or "latin-1" where the head
                          isn't valid UTF-8 (each character is then one byte)
    head_base64           the head's exact bytes, the empty line included
    body_base64           the body's exact bytes, without chunked framing
    body                  the same as text, null where it isn't valid UTF-8
    origin, connection    which server and which of its connections it came over

Targets that do something else:

    /-/redirect?status=302&to=URL   that status, with URL (percent-encoded here) as the Location
    /-/echo?status=500              the document under another status
    /-/log/KEY                      {"requests": [document, ...]} in order of arrival, and forgets
                                    them: the requests whose query has key=KEY or whose header
                                    X-Key is KEY, redirects included"""

import base64
import json
import threading
from collections import defaultdict

from message import answer
from wire import ClientLeft, Malformed, run


class Log:
    """Keeps documents by key, so that tests which run at the same time don't mix."""

    def __init__(self):
        self.lock, self.kept = threading.Lock(), defaultdict(list)

    def add(self, keys, document):
        """Keeps the document once under each of the keys."""
        with self.lock:
            for key in keys:
                self.kept[key].append(document)

    def take(self, key):
        """The documents kept under the key, in order; they are forgotten."""
        with self.lock:
            return self.kept.pop(key, [])


LOG = Log()


def handle(connection):
    """Answers a connection's requests until the client leaves or can't be understood."""
    try:
        while not connection.ended:
            request = connection.read_request()
            connection.send(without_body(request, respond(request, connection)))
            if request.is_last:
                connection.close()
    except ClientLeft:
        pass
    except (Malformed, KeyError, ValueError) as error:
        connection.send(answer(400, as_json({"error": repr(error)}), "Connection: close"))
    finally:
        connection.close()


def respond(request, connection):
    """The answer's bytes; the request is in the log before the client can know of it."""
    if request.path.startswith("/-/log/"):
        return answer(200, as_json({"requests": LOG.take(request.path.removeprefix("/-/log/"))}))
    document = describe(request, connection)
    LOG.add(keys(request), document)
    status = int(request.query.get("status", 302 if request.path == "/-/redirect" else 200))
    if request.path == "/-/redirect":
        to = "Location: " + latin_1(request.query["to"])
        return answer(status, b"moved\n", to, kind="text/plain")
    return answer(status if request.path == "/-/echo" else 200, as_json(document))


def without_body(request, whole):
    """The answer, cut after its head where the method is HEAD."""
    return whole.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if request.method == b"HEAD" else whole


def keys(request):
    """The names under which the request is to be logged."""
    named = {request.query.get("key"), (request.field(b"X-Key") or b"").decode("latin-1")}
    return named - {None, ""}


def describe(request, connection):
    """The document of a request."""
    encoding = "utf-8" if is_utf_8(request.head) else "latin-1"
    return {
        "line": request.line.decode(encoding),
        "method": request.method.decode(encoding),
        "target": request.target.decode(encoding),
        "headers": [[n.decode(encoding), v.decode(encoding)] for n, v in request.fields],
        "malformed": [f.decode(encoding) for f in request.field_lines if b":" not in f],
        "encoding": encoding,
        "head_base64": base64.b64encode(request.head).decode(),
        "body_base64": base64.b64encode(request.body).decode(),
        "body": request.body.decode() if is_utf_8(request.body) else None,
        "origin": "http://%s:%d" % connection.sock.getsockname()[:2],
        "connection": connection.number,
    }


def is_utf_8(data):
    """Whether the bytes can be read as UTF-8."""
    try:
        return data.decode() is not None
    except UnicodeDecodeError:
        return False


def latin_1(text):
    """The text's UTF-8 bytes, one character each, as `answer` writes its fields."""
    return text.encode().decode("latin-1")


def as_json(document):
    """A document as bytes."""
    return json.dumps(document, indent=1).encode()


if __name__ == "__main__":
    run("Answers each request with a JSON document of what arrived.", handle)
