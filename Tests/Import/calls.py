"""Compares the requests that imported declarations make with those that the document says:

    python3 calls.py DOCUMENT VALUES CALLS

CALLS has what `Calls.printAll()` printed."""

import json
import pathlib
import re
import sys

from oracle import differences
from schemas import Document


def not_called(notes):
    """The places of the values of which no call could be made, by what the import says."""
    return {int(number) for number in re.findall(r"^skipped: #/operations/(\d+)", text(notes), re.MULTILINE)}


def text(notes):
    """The notes of an import, which writes no file if it has none."""
    notes = pathlib.Path(notes)
    return notes.read_text(encoding="utf-8") if notes.exists() else ""


def read(values, calls, notes=None):
    """The values of which calls were made, and the calls."""
    with open(values, encoding="utf-8") as file:
        values = json.load(file)["operations"]
    with open(calls, encoding="utf-8") as file:
        calls = [json.loads(line) for line in file]
    left_out = not_called(notes) if notes else set()
    return [value for number, value in enumerate(values) if number not in left_out], calls


def compare(document, values, calls, notes=None):
    """The calls that differ, each with what is different in it."""
    document = Document(document)
    values, calls = read(values, calls, notes)
    operations = {(one.method, one.path): one for one in document.operations()}
    if len(calls) != len(values):
        return [("all", [f"{len(calls)} of {len(values)} calls are there"])]
    found = []
    for value, call in zip(values, calls):
        different = differences(operations[value["method"], value["path"]], value, call, document)
        if different:
            found.append((f"{value['method']} {value['path']}", different))
    return found


if __name__ == "__main__":
    different = compare(*sys.argv[1:4])
    for name, parts in different:
        print(f"{name}: {'; '.join(parts)}")
    print(f"{len(different)} requests differ" if different else "all requests are what the document says")
    sys.exit(bool(different))
