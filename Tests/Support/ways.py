"""Follows the calls of loads, and compares the files that these run with the ways in CONTRIBUTING.md.

    ways.py           says what differs
    ways.py --write   writes the ways into CONTRIBUTING.md

Each load is done by Tests/Ways, compiled so that each place of the library's code says when it first runs. A load is
done twice, and the second one counts, as the first one prepares the declaration."""

import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Tests"
PAGE = ROOT / "CONTRIBUTING.md"
# The ways, and what each is called in CONTRIBUTING.md.
WAYS = {
    "get": "A GET", "post": "A POST with a JSON body", "failing": "A load that fails with a status",
    "stream": "A stream", "cached": "A load from the cache",
}
# What is made by the compiler, such as the place of a constant, and isn't code that one reads.
MADE = re.compile(r"vau$|WZ$|Wl$|WL$|Ma$|Mm$|TR$|TW$|WOh$|WOe$|WOd$|WOb$|WOc$|WOf$|WOr$|WOs$|fD$|fd$|fE$|Tm$|fA\d*_$")
PREFIXES = re.compile(r"^(?:\(\d+\) (?:await|suspend) resume partial function for |(?:implicit )?closure #\d+ (?:\S+ )*?in |"
                      r"merged |specialized |static |thunk for .* of |protocol witness for )")


class Server(BaseHTTPRequestHandler):
    """Responds with a user that may be stored, or with a 404."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        failing = self.path.startswith("/failing")
        body = json.dumps({"name": "Ann"}).encode()
        self.send_response(404 if failing else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def run(*command, **options):
    return subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE, **options).stdout


def build():
    """Builds the program, and returns its file."""
    build = ["swift", "build", "--quiet", "--package-path", str(PACKAGE), "--scratch-path", str(PACKAGE / ".build-ways"),
             "--product", "Ways", "--disable-index-store", "--sanitize", "address"]
    options = ["-sanitize-coverage=edge,trace-pc-guard", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2"]
    build += [word for option in options for word in ("-Xswiftc", option)]
    print(run(*build), end="")
    return Path(run(*build, "--show-bin-path").strip()) / "Ways"


def simple(name):
    """A function's name without what the compiler adds."""
    while (shorter := PREFIXES.sub("", name)) != name:
        name = shorter
    name = re.sub(r"<[^()]*?>(?=\()", "", name)
    return name.split(" in ")[-1] if name.startswith("closure") else name


def steps(program, way, url):
    """Each file of the library that a way runs, once, with the first function in it."""
    places = run(program, way, f"{url}/{way}", env={"ASAN_OPTIONS": "detect_leaks=0"})
    symbolizer = Path(run("which", "swift").strip()).resolve().parent / "llvm-symbolizer"
    lines = run(symbolizer, f"--obj={program}", "-i", input=places)
    found, names = {}, {}
    for place in lines.strip().split("\n\n"):
        frames = place.split("\n")
        for function, where in reversed(list(zip(frames[::2], frames[1::2]))):
            path = where.rsplit(":", 2)[0]
            if not path.startswith(f"{ROOT}/Sources/") or MADE.search(function):
                continue
            found.setdefault(path.removeprefix(f"{ROOT}/Sources/"), function)
    shown = run("swift", "demangle", "--compact", "--simplified", *found.values()).strip().split("\n")
    return [(path, simple(name)) for path, name in zip(found, shown)]


def table(way, steps, known):
    """The steps as the page shows them; those of the GET are left out of the others."""
    rows = [(path, name) for path, name in steps if way == "get" or path not in known]
    width = max((len(path) for path, _ in rows), default=0)
    text = "\n".join(f"{path:<{width}}  {name}" for path, name in rows)
    title = WAYS[way] + ("" if way == "get" else ", besides the files of a GET")
    return f"{title}:\n\n```text\n{text}\n```\n"


def files(text):
    """The files of each way in a text. Which function of a file runs first depends on the threads, so it isn't compared."""
    return [{line.split()[0] for line in block.split("\n")} for block in re.findall(r"```text\n(.*?)\n```", text, re.DOTALL)]


def main():
    """Prints how the page differs; returns whether it does."""
    program = build()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = {way: steps(program, way, f"http://127.0.0.1:{server.server_port}") for way in WAYS}
    known = {path for path, _ in found["get"]}
    text = "\n".join(table(way, found[way], known) for way in WAYS) + "\n"
    page = PAGE.read_text()
    pattern = re.compile(r"(?<=<!-- ways -->\n\n).*?(?=<!-- end of the ways -->)", re.DOTALL)
    if "--write" in sys.argv:
        PAGE.write_text(pattern.sub(lambda _: text, page))
        return False
    if (written := pattern.search(page)) and files(written.group()) == files(text):
        print("the ways in CONTRIBUTING.md are those of the calls")
        return False
    print(f"the ways in CONTRIBUTING.md differ from the calls: run Tests/Support/ways.py --write\n\n{text}")
    return True


if __name__ == "__main__":
    sys.exit(main())
