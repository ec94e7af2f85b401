"""Random messages, signed by the library and verified by http-message-signatures, and the other way round.

    python3 Tests/Auth/message_signatures.py [COUNT] [--program PATH] [--seed N]

Half of the COUNT messages (2,000 unless given) are requests that the library signs, half are responses that it
verifies. Of each, one in four is changed on the way, and must be refused. The program is `MessageSignatures` of
Tests/Package.swift, which `Tests/Support/build.sh Tests --product MessageSignatures` builds. Needs
Tests/Auth/requirements.txt.

Then the program loads from a server on this machine, which verifies each request and signs each response.
"""

import argparse
import base64
import datetime
import gzip
import json
import random
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, unquote_plus

from http_message_signatures import (
    HTTPMessageSigner, HTTPMessageVerifier, HTTPSignatureKeyResolver, InvalidSignature, algorithms)

PROGRAM = Path(__file__).resolve().parents[2] / ".build/checks/debug/MessageSignatures"
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
VISIBLE = "".join(chr(code) for code in range(0x21, 0x7F))


class Keys(HTTPSignatureKeyResolver):
    def __init__(self, secret):
        self.secret = secret

    def resolve_public_key(self, key_id):
        return self.secret

    def resolve_private_key(self, key_id):
        return self.secret


class Lines:
    """Header fields as `items()`, each line alone."""

    def __init__(self, lines):
        self.lines = list(lines)

    def items(self):
        return self.lines

    def __iter__(self):
        return iter(dict.fromkeys(name for name, _ in self.lines))

    def __contains__(self, name):
        return any(own.lower() == name.lower() for own, _ in self.lines)

    def __setitem__(self, name, value):
        del self[name]
        self.lines.append((name, value))

    def __delitem__(self, name):
        self.lines = [line for line in self.lines if line[0].lower() != name.lower()]

    def combined(self):
        """The fields as a client gives them to a program: trimmed lines, with commas between them."""
        fields = {}
        for name, value in self.lines:
            value = value.strip(" \t")
            fields[name.lower()] = f"{fields[name.lower()]}, {value}" if name.lower() in fields else value
        return fields


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, share):
        return self.random.random() < share

    def text(self, characters, least, most):
        return "".join(self.random.choice(characters) for _ in range(self.random.randint(least, most)))

    def escaped(self, extra, least, most):
        """A text of a URL, with escapes."""
        pieces = []
        for _ in range(self.random.randint(least, most)):
            if self.chance(0.15):
                pieces.append("".join(f"%{byte:02X}" for byte in self.random.choice("é/ü 日+&=%~*").encode()))
            else:
                pieces.append(self.random.choice(UNRESERVED + extra))
        return "".join(pieces)

    def url(self, is_plain):
        """An absolute URL; a plain one has a host in lower case and no usual port."""
        scheme = self.random.choice(["http", "https"])
        host = self.random.choice(["api.example.com", "a-b.example", "127.0.0.1", "[2001:db8::1]", "x.test"])
        port = self.random.choice(["", "", "", ":8443", ":1", ":443" if scheme == "http" else ":80"])
        if not is_plain:
            if self.chance(0.5):
                host = host.upper()
            if self.chance(0.3):
                port = ":80" if scheme == "http" else ":443"
        path = "".join("/" + self.escaped("!$&'()*+,;=:@", 1, 8) for _ in range(self.random.randint(0, 4)))
        # A client removes dot segments before it sends them.
        path = path.replace("/.", "/x").replace("%2E", "x")
        names, items = [], []
        for _ in range(self.random.randint(0, 4)):
            name, value = self.escaped("", 1, 6), self.escaped("!$'()*,;:@/?+", 0, 8)
            names.append(name)
            items.append(name if self.chance(0.1) else f"{name}={value}")
        query = "?" + "&".join(items) if items else self.random.choice(["", "", "?"])
        return f"{scheme}://{host}{port}{path}{query}", names

    def value(self):
        """The value of a field, with spaces and tabs in it and around it."""
        words = [self.text(VISIBLE, 1, 10) for _ in range(self.random.randint(0, 4))]
        inner = self.random.choice([" ", "  ", "\t", ", "]).join(words)
        return self.random.choice(["", " ", "\t"]) + inner + self.random.choice(["", " "])

    def bare_item(self):
        kind = self.random.randrange(6)
        if kind == 0:
            return str(self.random.randint(-10**15 + 1, 10**15 - 1))
        if kind == 1:
            return f"{self.random.randint(-9999, 9999)}.{self.random.randint(0, 999):03d}"
        if kind == 2:
            text = self.text(VISIBLE + " ", 0, 8).replace("\\", "\\\\").replace('"', '\\"')
            return f'"{text}"'
        if kind == 3:
            return self.random.choice("abcXYZ*") + self.text("abc:/!#-._~09", 0, 6)
        if kind == 4:
            return f":{base64.b64encode(self.random.randbytes(self.random.randint(0, 9))).decode()}:"
        return self.random.choice(["?0", "?1"])

    def key(self):
        return self.random.choice("abcxyz*") + self.text("abc019_-.*", 0, 4)

    def parameters(self):
        pieces = []
        for _ in range(self.random.choice([0, 0, 1, 2])):
            blank = self.random.choice(["", " "])
            pieces.append(f";{blank}{self.key()}" + ("" if self.chance(0.3) else f"={self.bare_item()}"))
        return "".join(pieces)

    def member(self):
        if self.chance(0.25):
            items = [self.bare_item() + self.parameters() for _ in range(self.random.randint(0, 3))]
            return "(" + self.random.choice(["", " "]) + "  ".join(items) + ")" + self.parameters()
        return self.bare_item() + self.parameters()

    def dictionary(self):
        keys = list(dict.fromkeys(self.key() for _ in range(self.random.randint(1, 4))))
        members = []
        for key in keys:
            members.append(key + self.parameters() if self.chance(0.2) else f"{key}={self.member()}")
        return self.random.choice([", ", ",", " ,\t"]).join(members), keys

    def fields(self):
        """Lines of fields, and the components that cover them."""
        lines, components = [], []
        for index in range(self.random.randint(0, 4)):
            name = self.random.choice(["X-Note", "Date", "ETag", "x-trace", "Accept-Language"]) + str(index)
            lines.append((name, self.value()))
            components.append(component(name.lower()))
            if self.chance(0.15):
                # Of an empty last line, a client keeps only the comma before it.
                lines.append((name, self.value() + "."))
            elif self.chance(0.2):
                components[-1] = component(name.lower(), isBytes=True)
        if self.chance(0.4):
            text, keys = self.dictionary()
            lines.append(("Priority", text))
            components.append(component("priority", kind="dictionary"))
            for key in keys:
                if self.chance(0.5):
                    components.append(component("priority", key=key))
        if self.chance(0.3):
            lines.append(("Cache-Status", ", ".join(self.member() for _ in range(self.random.randint(1, 3)))))
            components.append(component("cache-status", kind="list"))
        return lines, components

    def request(self, is_plain=True):
        url, names = self.url(is_plain)
        derived = ["@method", "@authority", "@scheme", "@path", "@query", "@request-target"]
        if is_plain and not url.partition("://")[2].endswith(("com", "example", "1", "test", "]")):
            derived.append("@target-uri")
        components = [component(name) for name in self.random.sample(derived, self.random.randint(1, len(derived)))]
        decoded = [unquote_plus(name) for name in names]
        for name in set(decoded):
            if decoded.count(name) == 1 and self.chance(0.5):
                components.append(component("@query-param", parameter=name))
        lines, covered = self.fields()
        components += covered
        self.random.shuffle(components)
        method = self.random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "QUERY", "HEAD"])
        return method, url, lines, components

    def body(self):
        return self.random.randbytes(self.random.choice([1, 5, 63, 64, 65, 200, 1000]))


def component(name, **parameters):
    return {"name": name, **parameters}


def identifier(component):
    """A component as a signature has it."""
    text = f'"{component["name"]}"'
    if "parameter" in component:
        text += f';name="{quote(component["parameter"], safe="*").replace("~", "%7E")}"'
    if "key" in component:
        text += f';key="{component["key"]}"'
    if "kind" in component:
        text += ";sf"
    if component.get("isBytes"):
        text += ";bs"
    return text + (";req" if component.get("isOfRequest") else "")


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the program ended at {json.dumps(message)}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def encoded(data):
    return base64.b64encode(data).decode()


def spoiled(maker, lines, names):
    """The lines with a covered field changed; `None` if there is none."""
    places = [index for index, (name, _) in enumerate(lines) if name.lower() in names]
    if not places:
        return None
    index = maker.random.choice(places)
    lines = list(lines)
    lines[index] = (lines[index][0], lines[index][1].strip() + "x")
    return lines


def sign(maker, program):
    """The library signs a request, and the reference verifies it."""
    method, url, lines, components = maker.request(is_plain=maker.chance(0.7))
    # A URLRequest has one line for each name.
    lines = list({name.lower(): (name, value) for name, value in lines}.values())
    secret = maker.random.randbytes(maker.random.choice([1, 32, 64, 100]))
    body = maker.body() if method not in ("GET", "HEAD") and maker.chance(0.7) else None
    now = int(time.time())
    message = {
        "method": method, "url": url, "fields": dict(lines), "components": components, "secret": encoded(secret),
        "keyid": maker.text(VISIBLE + " ", 0, 12), "date": now, "label": maker.key(),
        "digest": maker.random.choice(["sha-256", "sha-512"]), "namesAlgorithm": maker.chance(0.3)}
    if body is not None:
        message["body"] = encoded(body)
    if maker.chance(0.3):
        message["tag"] = maker.text(VISIBLE, 0, 8)
    if maker.chance(0.3):
        message["nonce"] = maker.text(VISIBLE, 0, 20)
    if maker.chance(0.3):
        message["expires"] = maker.random.randint(60, 10_000)
    result = program(message)
    if result.get("error"):
        return f"not signed: {result['error']}: {message}"
    fields = {name.lower(): value for name, value in result["fields"].items()}
    has_digest = body is not None or method in ("POST", "PUT", "PATCH")
    if has_digest != ("content-digest" in fields):
        return f"digest: {message} {fields}"
    received = Lines(fields.items())
    is_spoiled = maker.chance(0.25)
    sent_body = body or b""
    if is_spoiled:
        kind = maker.random.randrange(4)
        names = {c["name"] for c in components if not c["name"].startswith("@")}
        changed = spoiled(maker, received.lines, names) if kind == 0 else None
        if changed:
            received = Lines(changed)
        elif kind == 1 and has_digest:
            sent_body += b"!"
        elif kind == 2:
            secret = secret + b"!"
        else:
            text = fields["signature-input"]
            received["signature-input"] = text.replace(f"created={now}", f"created={now - 1}")
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=Keys(secret))
    request = SimpleNamespace(method=method, url=url, headers=received)
    required = [identifier(c) for c in components] + (["content-digest"] if has_digest else [])
    try:
        results = verifier.verify(
            request, max_age=datetime.timedelta(days=1), require_components=required,
            body=sent_body if has_digest else None)
    except InvalidSignature as error:
        return None if is_spoiled else f"refused by the reference: {error}: {message} {fields}"
    if is_spoiled:
        return f"a changed request was accepted: {message} {fields}"
    parameters = results[0].parameters
    expected = {"created": now, "keyid": message["keyid"]}
    for name in ("tag", "nonce"):
        if name in message:
            expected[name] = message[name]
    if "expires" in message:
        expected["expires"] = now + message["expires"]
    if message["namesAlgorithm"]:
        expected["alg"] = "hmac-sha256"
    return None if parameters == expected else f"parameters {parameters} are not {expected}: {message}"


def verify(maker, program):
    """The reference signs a response, and the library verifies it."""
    method, url, lines, request_components = maker.request(is_plain=maker.chance(0.7))
    lines = list({name.lower(): (name, value) for name, value in lines}.values())
    status = maker.random.choice([200, 201, 204, 206, 400, 404, 500])
    secret = maker.random.randbytes(maker.random.choice([1, 32, 64, 100]))
    has_content = method != "HEAD" and status != 204
    body = maker.body() if has_content else None
    response_lines, components = maker.fields()
    # It isn't known which lines a response had.
    components = [c for c in components if not c.get("isBytes")]
    components += [{**c, "isOfRequest": True} for c in request_components] + [component("@status")]
    maker.random.shuffle(components)
    headers = Lines(response_lines)
    request = SimpleNamespace(method=method, url=url, headers=Lines(lines))
    response = SimpleNamespace(status_code=status, headers=headers, request=request)
    signer = HTTPMessageSigner(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=Keys(secret))
    if maker.chance(0.5):
        signer.content_digest_class = type("Long", (signer.content_digest_class,), {"algorithm": "sha-512"})
    label, key_id = maker.key(), maker.text(VISIBLE, 1, 12)
    tag = maker.text(VISIBLE, 1, 8) if maker.chance(0.3) else None
    moment = datetime.datetime.now()
    signer.sign(
        response, key_id=key_id, created=moment, label=label, tag=tag, include_alg=maker.chance(0.5),
        nonce=maker.text(VISIBLE, 1, 8) if maker.chance(0.3) else None,
        expires=moment + datetime.timedelta(seconds=100) if maker.chance(0.3) else None,
        covered_component_ids=[identifier(c) for c in components], body=body)
    received, url_received, status_received, body_received, now = headers, url, status, body, int(time.time())
    is_spoiled = maker.chance(0.25)
    if is_spoiled:
        kind = maker.random.randrange(6)
        names = {c["name"] for c in components if not c["name"].startswith("@") and not c.get("isOfRequest")}
        changed = spoiled(maker, headers.lines, names | {"content-digest"}) if kind == 0 else None
        if changed:
            received = Lines(changed)
        elif kind == 1 and has_content:
            body_received = body[:-1]
        elif kind == 2 and any(c["name"] in ("@target-uri", "@path") for c in components):
            url_received = url.replace("://x.test", "://x.test/extra", 1)
            if url_received == url:
                status_received = status + 1
        elif kind == 3:
            now += 1000
        elif kind == 4:
            secret += b"!"
        else:
            status_received = status + 1
    message = {
        "method": method, "url": url_received, "fields": dict(lines), "components": components,
        "secret": encoded(secret), "keyid": key_id, "date": now, "label": label, "status": status_received,
        "responseFields": received.combined()}
    if tag is not None:
        message["tag"] = tag
    if body_received:
        message["responseBody"] = encoded(body_received)
    error = program(message).get("error")
    if is_spoiled:
        return None if error else f"a changed response was accepted: {message}"
    return f"refused by the library: {error}: {message}" if error else None


class Server(BaseHTTPRequestHandler):
    """Verifies each request, and signs each response. Some paths have a fault."""

    protocol_version = "HTTP/1.1"
    secret = b"0123456789abcdef0123456789abcdef"
    nonces = set()
    faults = []

    def log_message(self, *arguments):
        pass

    def verified(self):
        """The body of the request, if it is the one that was signed."""
        length = self.headers.get("Content-Length")
        body = self.rfile.read(int(length)) if length else None
        request = SimpleNamespace(
            method=self.command, url=f"http://{self.headers['Host']}{self.path}", headers=Lines(self.headers.items()))
        required = ["@method", "@target-uri", "@authority", "@path", "@query"]
        required += [name for name in ("content-type", "x-note", "date") if name in self.headers]
        if "q=" in self.path:
            required.append('"@query-param";name="q"')
        verifier = HTTPMessageVerifier(
            signature_algorithm=algorithms.HMAC_SHA256, key_resolver=Keys(self.secret))
        result = verifier.verify(
            request, require_components=required, body=body if length or self.command == "POST" else None)[0]
        if result.nonce in self.nonces:
            raise InvalidSignature("the nonce was used before")
        self.nonces.add(result.nonce)
        self.request_view = request
        return body or b""

    def respond(self):
        try:
            body = self.verified()
        except Exception as error:
            self.faults.append(f"{self.command} {self.path}: {error}")
            return self.send(400, f"{error}".encode())
        name = self.path.strip("/").partition("?")[0]
        if name == "redirect":
            return self.send(307, b"", {"Location": "/add"})
        if name == "thing":
            return self.send(204, b"")
        if name.endswith("archive"):
            return self.send(200, bytes(range(256)) * 12_000, {"ETag": '"1"'}, fault=name.partition("-")[0])
        if name == "gzip":
            coding = {} if self.headers["Accept-Encoding"] == "identity" else {"Content-Encoding": "gzip"}
            return self.send(200, gzip.compress(b"zip") if coding else b"plain", coding)
        return self.send(200, f"{self.command} {self.path} {len(body)}".encode(), fault=name)

    do_GET = do_POST = do_PUT = do_DELETE = respond

    def send(self, status, body, fields={}, fault=""):
        headers = Lines([("Content-Type", "text/plain; charset=utf-8"), *fields.items()])
        request = getattr(self, "request_view", None)
        if request and fault == "other-request":
            request.method = "PUT"
        response = SimpleNamespace(status_code=status, headers=headers, request=request)
        moment = datetime.datetime.now() - datetime.timedelta(seconds=1000 if fault == "old" else 0)
        if request and fault != "unsigned":
            signer = HTTPMessageSigner(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=Keys(self.secret))
            signer.sign(
                response, key_id="server", created=moment, body=body if status != 204 else None,
                covered_component_ids=["@status", "content-type", '"@method";req', '"@target-uri";req'])
        if fault == "changed":
            body = body[:-1] + b"!"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if fault == "lost":
            self.wfile.write(body[:2_000_000])
            self.wfile.flush()
            self.close_connection = True
            return
        for start in range(0, len(body), 100_000):
            self.wfile.write(body[start:start + 100_000])


# What each load must get: the beginning of its line.
LOADS = {
    "get": "GET /things/a%2Fb%20%C3%BC~*'()!?q=", "post": "POST /add 13", "put": "PUT /file 5000003", "delete": "done",
    "redirect": "POST /add 12", "save": "3072000 bytes", "gzip": "plain",
    "changed file": "GetArchive: the load failed: the response with status 200 can't be trusted: its body isn't",
    "lost file": "GetArchive: the load failed: the response with status 200 can't be trusted: the connection ended",
    "changed": "AddThing: the load failed: the response with status 200 can't be trusted: its body isn't",
    "unsigned": "AddThing: the load failed: the response with status 200 can't be trusted: it has no signature",
    "other-request": "AddThing: the load failed: the response with status 200 can't be trusted: its signature isn't valid",
    "old": "AddThing: the load failed: the response with status 200 can't be trusted: its signature is too old",
}


def load(path):
    """Runs the program's loads, and returns how many went wrong."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    run = subprocess.run([path, url, Server.secret.decode()], capture_output=True, text=True, timeout=120)
    server.shutdown()
    lines = dict(line.partition(": ")[::2] for line in run.stdout.splitlines())
    wrong = [f"{name}: {lines.get(name)!r} is not {text!r}"
             for name, text in LOADS.items() if not lines.get(name, "").startswith(text)]
    for line in [*wrong, *Server.faults, run.stderr] if wrong or Server.faults else []:
        print(line[:2000])
    print(f"{len(LOADS)} loads from a server, {len(wrong) + len(Server.faults)} failures")
    return len(wrong) + len(Server.faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    program, maker, failures = Program(arguments.program), Maker(arguments.seed), []
    began = time.monotonic()
    for index in range(arguments.count):
        failure = (sign if index % 2 == 0 else verify)(maker, program)
        if failure:
            failures.append(failure)
            print(f"message {index}: {failure[:2000]}")
            if len(failures) == 10:
                break
    program.close()
    print(f"{arguments.count} messages (seed {arguments.seed}), {len(failures)} failures,"
          f" {time.monotonic() - began:.0f} s")
    return 1 if failures or load(arguments.program) else 0


if __name__ == "__main__":
    sys.exit(main())
