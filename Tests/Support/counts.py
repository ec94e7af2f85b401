"""Counts what must stay small in the core: its files, its `package` declarations, and the ways of a request.

The ways are the lists in CONTRIBUTING.md, which Tests/Support/ways.py compares with the calls."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "Sources/Endpoints"
# What is counted, and the most that there may be. A border is a step from a file of one room into one of another.
# Of the package declarations there should be 100: lower this with each that goes.
LIMITS = {
    "files of Endpoints": 60, "package declarations of Endpoints": 100,
    "files of a GET": 18, "borders of a GET": 9,
    "more files of a failing load": 4, "more files of a stream": 9, "more files of a cached load": 10,
}


def room(path):
    """The room of a file of the core, or another module's name."""
    parts = path.split("/")
    return parts[1] if parts[0] == "Endpoints" else parts[0]


def counts():
    sources = [path.read_text() for path in CORE.rglob("*.swift") if ".docc" not in str(path)]
    lines = [line for text in sources for line in text.splitlines() if not line.lstrip().startswith("//")]
    page = (ROOT / "CONTRIBUTING.md").read_text()
    page = re.search(r"<!-- ways -->(.*)<!-- end of the ways -->", page, re.DOTALL).group(1)
    ways = {title: [line.split()[0] for line in block.strip().splitlines()]
            for title, block in re.findall(r"^(\S[^\n]*):\n\n```text\n(.*?)```", page, re.DOTALL | re.MULTILINE)}
    get, _, failing, stream, cached = ways.values()
    rooms = [room(path) for path in get]
    return dict(zip(LIMITS, [
        len(sources), sum(bool(re.search(r"\bpackage\b", line)) for line in lines),
        len(get), sum(one != other for one, other in zip(rooms, rooms[1:])),
        len(failing), len(stream), len(cached),
    ]))


def main():
    """Prints the counts; returns whether one is too large."""
    found = counts()
    for what, count in found.items():
        word = "" if count <= LIMITS[what] else ", which is too many"
        print(f"{count} {what}, at most {LIMITS[what]}{word}")
    return any(count > LIMITS[what] for what, count in found.items())


sys.exit(main())
