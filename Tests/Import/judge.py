"""Serves an API made of its document alone, and lets openapi-core judge each request and response:

    python3 judge.py DOCUMENT -- COMMAND...

The command gets the server's address as its last argument. A request that isn't as the document says gets a 400
with the reasons. It fails if the command does, or if a request isn't valid."""

import http.server
import json
import subprocess
import sys
import threading
import urllib.parse

from openapi_core import Config, OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest, MockResponse
from werkzeug.datastructures import Headers, ImmutableMultiDict

from schemas import Document, is_json
from values import Values


def plain(node, name=""):
    """The document as openapi-core can read it: it knows no names in a discriminator's mapping, wants members that
    are only read in requests too, and has no text that is a file."""
    if isinstance(node, list):
        return [plain(one) for one in node]
    if not isinstance(node, dict):
        return node
    if node.get("format") == "binary":
        return {}
    if name == "mapping":
        pointer = "#/components/schemas/"
        return {key: one if one.startswith("#") else pointer + one for key, one in node.items()}
    node = {key: plain(one, key) for key, one in node.items()}
    if isinstance(node.get("required"), list):
        read = [key for key, one in node.get("properties", {}).items() if one.get("readOnly")]
        node["required"] = [key for key in node["required"] if key not in read]
    return node


def template(path, document):
    """The path of the document that matches; one without parameters wins."""
    given = path.split("/")
    for wanted in sorted(document.root["paths"], key=lambda one: (one.count("{"), -len(one))):
        parts = wanted.split("/")
        if len(parts) == len(given) and all(
                part == one or ("{" in part and one.endswith(part.partition("}")[2])) for part, one in zip(parts, given)):
            return wanted
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        split = urllib.parse.urlsplit(self.path)
        request = MockRequest(
            self.server.address, self.command, urllib.parse.unquote(split.path, errors="strict"),
            args=ImmutableMultiDict(urllib.parse.parse_qsl(split.query, keep_blank_values=True)),
            headers=Headers(self.headers.items()), data=body, content_type=self.headers.get("Content-Type", ""))
        # The path is matched as it was sent: an escaped slash is part of a value.
        request.path = split.path
        found = self.reasons(self.server.api.validate_request, request)
        self.server.judged.append((f"{self.command} {self.path}", found))
        if found:
            self.send(400, "application/json", json.dumps({"title": "; ".join(found)}).encode())
            return
        status, kind, text = self.made(split.path)
        response = MockResponse(text, int(status), content_type=kind or "application/json")
        if kind and is_json(kind):
            found = self.reasons(self.server.api.validate_response, request, response)
            self.server.judged.append((f"the response to {self.command} {self.path}", found))
        self.send(int(status), kind, text)

    def reasons(self, judge, *arguments):
        try:
            judge(*arguments)
        except OpenAPIError as error:
            causes = getattr(error.__cause__, "schema_errors", [error.__cause__])
            return [str(error)[:200], *(str(cause).splitlines()[0] for cause in causes)]
        return []

    def made(self, path):
        """The first success of the operation, with a value of its schema."""
        document = self.server.document
        item = document.root["paths"][template(path, document)]
        responses = item[self.command.lower()]["responses"]
        status = next(status for status in responses if status.startswith("2"))
        content = responses[status].get("content", {})
        kind = next(iter(content), None)
        if kind is None:
            return status, None, b""
        text = json.dumps(self.server.values.value(content[kind].get("schema", {})))
        return status, kind, (f"data: {text}\n\n" * 2 if kind == "text/event-stream" else text).encode()

    def send(self, status, kind, body):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.address = f"http://127.0.0.1:{server.server_port}"
    server.document = Document(sys.argv[1])
    server.values, server.judged = Values(server.document, "1", reads=True), []
    server.api = OpenAPI.from_dict(
        {**plain(server.document.root), "servers": [{"url": server.address}]},
        config=Config(extra_media_type_deserializers={"application/merge-patch+json": json.loads}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        status = subprocess.run([*sys.argv[3:], server.address], timeout=120).returncode
    except subprocess.TimeoutExpired:
        status = "the command hasn't ended after two minutes"
    server.shutdown()
    wrong = [(name, reasons) for name, reasons in server.judged if reasons]
    for name, reasons in wrong:
        print(f"{name}: {'; '.join(reasons)[:2000]}")
    print(f"openapi-core: {len(server.judged)} requests and responses, {len(wrong)} not valid")
    sys.exit(bool(wrong) or status or not server.judged)


if __name__ == "__main__":
    main()
