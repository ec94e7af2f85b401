"""Checks that no room of the sources names a type of a room that it may not know.

The life of a request has one direction: describe, encode, load, decode. Errors are the ground floor: every
room names them, and they name no room. The files at the top (`RequestType`, `Endpoint`) may name all rooms,
and every room may name them."""

import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Endpoints"
# The rooms that each room may name, besides itself and the files at the top.
MAY_NAME = {
    "Errors": [],
    "Describe": ["Errors"],
    "Encode": ["Describe", "Errors"],
    "Decode": ["Describe", "Errors"],
    "Load": ["Describe", "Encode", "Decode", "Errors"],
    "Middleware": ["Describe", "Decode", "Load", "Errors"],
}
DEFINITION = re.compile(r"[{}]|\b(?:struct|class|enum|actor|protocol|typealias) (\w+)")
COMMENT_OR_STRING = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*')


def code(file):
    """A file without its comments and strings."""
    return COMMENT_OR_STRING.sub("", file.read_text())


def definitions(text):
    """The names of the types that some code defines, other than those nested in another type."""
    depth = 0
    for match in DEFINITION.finditer(text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if match[1] and depth == 0:
            yield match[1]


def main():
    """Prints each arrow that runs the wrong way; returns whether there is one."""
    files = {room: [(file, code(file)) for file in sorted((SOURCES / room).rglob("*.swift"))] for room in MAY_NAME}
    unknown = {folder.name for folder in SOURCES.iterdir() if folder.is_dir()} - set(MAY_NAME)
    home = {name: room for room in files for _, text in files[room] for name in definitions(text)}
    wrong = [f"{room} is a folder that arrows.py doesn't know" for room in unknown]
    for room, known in MAY_NAME.items():
        for file, text in files[room]:
            for name in sorted(set(re.findall(r"\b[A-Z]\w+", text))):
                if home.get(name, room) not in [room, *known]:
                    wrong.append(f"{file.relative_to(SOURCES)} names {name}, which is {home[name]}'s")
    print("\n".join(wrong) if wrong else f"no arrow runs the wrong way ({len(home)} types)")
    return bool(wrong)


sys.exit(main())
