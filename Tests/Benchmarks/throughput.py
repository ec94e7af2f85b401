"""Measures how many megabytes a second the library's readers and writers take, beside the least that the same bytes take,
and well-known parsers of Python and Node: throughput.py

Node is left out where it isn't installed."""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sseclient
from werkzeug.datastructures import FileStorage
from werkzeug.test import stream_encode_multipart

PROGRAM = Path(__file__).resolve().parents[2] / "Tests/.build/release/Benchmarks"
COUNT = 100_000
KINDS = {
    "events": "server-sent events with JSON, decoded",
    "lines": "JSON Lines, decoded",
    "part": "a form with a part of 32 MB, written",
    "archive.har": "an archive (HAR) of 1,000 responses of 16 KB, replayed",
    "stored": "responses of 1 MB, from a cache's folder",
}
NODE = """
const fs = require("fs"), [, file, kind] = process.argv, rates = [];
for (let turn = 0; turn < 5; turn += 1) {
    const start = process.hrtime.bigint(), text = fs.readFileSync(file, "utf8");
    let count = 0;
    if (kind === "lines") for (const line of text.split("\\n")) { if (line) count += JSON.parse(line).id; }
    else count = JSON.parse(text).log.entries.length;
    if (count < 0) throw count;
    rates.push(fs.statSync(file).size / 1e6 / Number(process.hrtime.bigint() - start) * 1e9);
}
console.log(rates.sort((a, b) => a - b)[2]);
"""


def write(folder):
    """Writes what is read."""
    items = [json.dumps({"id": number, "name": f"item {number} of a list", "isOpen": number % 2 == 0}) for number in range(COUNT)]
    (folder / "events").write_text("".join(f"id: {number}\nevent: item\ndata: {item}\n\n" for number, item in enumerate(items)) + "data: [DONE]\n\n")
    (folder / "lines").write_text("".join(f"{item}\n" for item in items))
    (folder / "part").write_bytes(bytes(range(256)) * (32 << 12))
    text = "The quick brown fox jumps over the lazy dog. " * 364
    head = {"httpVersion": "HTTP/1.1", "cookies": [], "headersSize": -1, "bodySize": -1}
    entries = [{
        "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "cache": {}, "timings": {"send": 0, "wait": 1, "receive": 0},
        "request": head | {"method": "GET", "url": f"https://api.example.com/v1/blobs/{number}", "headers": [], "queryString": []},
        "response": head | {
            "status": 200, "statusText": "OK", "redirectURL": "", "headers": [{"name": "Content-Type", "value": "text/plain"}],
            "content": {"size": len(text), "mimeType": "text/plain", "text": text}}} for number in range(1000)]
    log = {"version": "1.2", "creator": {"name": "throughput.py", "version": "1"}, "entries": entries}
    (folder / "archive.har").write_text(json.dumps({"log": log}))


def events(file):
    with file.open("rb") as opened:
        for event in sseclient.SSEClient(iter(lambda: opened.read(16 << 10), b"")).events():
            if event.data != "[DONE]":
                json.loads(event.data)


def lines(file):
    with file.open("rb") as opened:
        for line in opened:
            json.loads(line)


def part(file):
    with file.open("rb") as opened:
        stream, _, _ = stream_encode_multipart({"title": "a", "file": FileStorage(opened, "a")}, use_tempfile=False)
        stream.read()


def archive(file):
    by_url = {entry["request"]["url"]: entry for entry in json.loads(file.read_bytes())["log"]["entries"]}
    for number in range(len(by_url)):
        by_url[f"https://api.example.com/v1/blobs/{number}"]["response"]["content"]["text"].encode()


PYTHON = {
    "events": ("sseclient-py, json", events), "lines": ("json", lines), "part": ("Werkzeug", part), "archive.har": ("json", archive),
}


def rate(read, file):
    """Megabytes a second, the median of five."""
    rates = []
    for _ in range(5):
        start = time.perf_counter()
        read(file)
        rates.append(file.stat().st_size / 1e6 / (time.perf_counter() - start))
    return statistics.median(rates)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        output = subprocess.run([PROGRAM, "throughput", folder], check=True, text=True, stdout=subprocess.PIPE).stdout
        swift = dict(line.split("\t") for line in output.splitlines())
        print("\nMegabytes a second; in brackets, what was measured beside the library\n")
        print("| | library | each byte looked at | Python | Node |\n|---|---|---|---|---|")
        for kind, text in KINDS.items():
            cells = [f"{float(swift[kind]):.0f}", f"{float(swift[f'least {kind}']):.0f}"]
            if kind in PYTHON:
                what, read = PYTHON[kind]
                cells.append(f"{rate(read, folder / kind):.0f} ({what})")
            if kind in ("lines", "archive.har") and (node := shutil.which("node")):
                done = subprocess.run([node, "-e", NODE, folder / kind, kind], check=True, text=True, stdout=subprocess.PIPE)
                cells.append(f"{float(done.stdout):.0f} (JSON.parse)")
            cells += ["–"] * (4 - len(cells))
            print(f"| {text} | {' | '.join(cells)} |")


sys.exit(main())
