"""A server that reports what arrives, byte for byte.

It responds to any request with 200 and a JSON document of the request:

    line, method, target  text, as the headers are
    headers               [[name, value], ...] in order
    malformed             header lines without a colon
    encoding              the encoding of the text above: "utf-8", or "latin-1" if the head isn't
                          valid UTF-8 (each character is then one byte)
    head_base64           the head's exact bytes, the empty line included
    body_base64           the body's exact bytes, without chunked framing
    body                  the same as text, null if it isn't valid UTF-8
    origin, connection    the server's address, and the number of its connection

Targets that do something else:

    /-/redirect?status=302&to=URL   this status, with URL (percent-encoded here) as the Location
    /-/echo?status=500              the document under another status; with only=NAME, {"only": VALUE}
                                    of its member or of the header of this name
    /-/private                      a 401 with a Basic challenge unless the user is ann, with the
                                    password right
    /-/log/KEY                      {"requests": [document, ...]} in order of arrival, then removes
                                    them: the requests whose query has key=KEY or whose header
                                    X-Key is KEY, redirects included"""

import base64
import json
import threading
from collections import defaultdict

from message import response
from listening import ClientLeft, Malformed, run


class Log:
    """Keeps documents by key, so that tests that run at the same time don't mix."""

    def __init__(self):
        self.lock, self.kept = threading.Lock(), defaultdict(list)

    def add(self, keys, document):
        """Keeps the document under each of the keys."""
        with self.lock:
            for key in keys:
                self.kept[key].append(document)

    def take(self, key):
        """Removes the documents of the key and returns them in order."""
        with self.lock:
            return self.kept.pop(key, [])


LOG = Log()
ANN = b"Basic " + base64.b64encode(b"ann:right")


def handle(connection):
    """Responds to a connection's requests until the client leaves or sends a malformed one."""
    try:
        while not connection.ended:
            request = connection.read_request()
            connection.send(without_body(request, respond(request, connection)))
            if request.is_last:
                connection.close()
    except ClientLeft:
        pass
    except (Malformed, KeyError, ValueError) as error:
        connection.send(response(400, as_json({"error": repr(error)}), "Connection: close"))
    finally:
        connection.close()


def respond(request, connection):
    """The response's bytes; the request is logged before the client receives them."""
    if request.path.startswith("/-/log/"):
        return response(200, as_json({"requests": LOG.take(request.path.removeprefix("/-/log/"))}))
    document = describe(request, connection)
    LOG.add(keys(request), document)
    status = int(request.query.get("status", 302 if request.path == "/-/redirect" else 200))
    if request.path == "/-/redirect":
        to = "Location: " + latin_1(request.query["to"])
        return response(status, b"moved\n", to, kind="text/plain")
    if request.path == "/-/private" and request.field(b"Authorization") != ANN:
        return response(401, b"{}", 'WWW-Authenticate: Basic realm="private"')
    if request.path != "/-/echo":
        return response(200, as_json(document))
    if only := request.query.get("only"):
        header = request.field(only.encode()) or b""
        document = {"only": document.get(only, header.decode("latin-1"))}
    return response(status, as_json(document))


def without_body(request, whole):
    """The response, without its body if the method is HEAD."""
    return whole.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if request.method == b"HEAD" else whole


def keys(request):
    """The keys under which the request is logged."""
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
        "origin": connection.origin,
        "connection": connection.number,
    }


def is_utf_8(data):
    """Whether the bytes can be read as UTF-8."""
    try:
        return data.decode() is not None
    except UnicodeDecodeError:
        return False


def latin_1(text):
    """The text's UTF-8 bytes, one character each, as `response` writes its fields."""
    return text.encode().decode("latin-1")


def as_json(document):
    """A document as bytes."""
    return json.dumps(document, indent=1).encode()


if __name__ == "__main__":
    run("Responds to each request with a JSON document of what arrived.", handle)
