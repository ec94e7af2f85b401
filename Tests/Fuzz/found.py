"""The cases that fuzzing found once, each a line of found.jsonl, which every run tries first.

A line says of what kind its case is, a `declaration` (fuzz.py) or a `form` (parts.py). A text that repeats
another one many times is kept as that one and how often: `{"text": "ab", "times": 9000}`."""

import json
from pathlib import Path

FILE = Path(__file__).with_name("found.jsonl")


def lines():
    """The file's lines."""
    return FILE.read_text().splitlines() if FILE.exists() else []


def cases(kind):
    """(line number, case) of each case of that kind."""
    rows = [(number, json.loads(line)) for number, line in enumerate(lines(), 1)]
    return [(number, unpacked(row[kind])) for number, row in rows if kind in row]


def keep(kind, case):
    """Adds a case, if it isn't there."""
    line = json.dumps({kind: packed(case)})
    if line not in lines():
        with FILE.open("a") as file:
            file.write(line + "\n")


def shortened(case, most=1000):
    """A case in one line that can be read."""
    line = json.dumps(packed(case), ensure_ascii=False)
    return line if len(line) <= most else f"{line[:most]}… ({len(line)} characters)"


def packed(value):
    """A value with each long text as what it repeats."""
    if isinstance(value, str) and len(value) > 100:
        # A text that repeats a shorter one is found in itself before its end.
        length = (value + value).find(value, 1)
        return {"text": value[:length], "times": len(value) // length} if length < len(value) else value
    return mapped(value, packed)


def unpacked(value):
    """A value as it was before `packed`."""
    if isinstance(value, dict) and value.keys() == {"text", "times"}:
        return value["text"] * value["times"]
    return mapped(value, unpacked)


def mapped(value, change):
    """A value with every value in it changed."""
    if isinstance(value, dict):
        return {key: change(inner) for key, inner in value.items()}
    return [change(inner) for inner in value] if isinstance(value, list) else value
