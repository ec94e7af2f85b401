"""Checks that CONTRIBUTING.md sends nobody to a place that isn't there.

Each file and folder in its table of places must exist, and each name of code must stand in one of the row's files."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
# Where the table's paths begin: the core, another module, and the tests.
ROOTS = [ROOT / "Sources/Endpoints", ROOT / "Sources", ROOT / "Tests"]


def found(place, first):
    """The files of a place: a file, or all of a folder. A file without a folder is in that of the row's first place."""
    if "/" not in place:
        place = f"{first.rpartition('/')[0]}/{place}"
    paths = [root / place for root in ROOTS if (root / place).exists()]
    return [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.swift"))]


def wrong(what, where):
    """What isn't there of a row."""
    spans = re.findall(r"`([^`]+)`", where)
    places = [span for span in spans if span.endswith((".swift", "/"))]
    files = [file for place in places for file in found(place, places[0])]
    yield from (f"{what}: there is no {place}" for place in places if not found(place, places[0]))
    code = "".join(file.read_text() for file in files)
    for span in spans:
        name = re.sub(r"\(.*", "", span).split(".")[-1]
        if span not in places and not any((root / span).is_dir() for root in ROOTS) and not re.search(rf"\b{name}\b", code):
            yield f"{what}: {span} isn't in {', '.join(places) or 'any file of the row'}"


def main():
    """Prints what isn't there; returns whether something isn't."""
    table = re.search(r"^\| where is \| look in \|\n.*\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE)[1]
    rows = [row.strip("|\n ").split(" | ") for row in table.splitlines()]
    problems = [problem for what, where in rows for problem in wrong(what, where)]
    print("\n".join(problems) or f"{len(rows)} places of CONTRIBUTING.md are there")
    return bool(problems)


sys.exit(main())
