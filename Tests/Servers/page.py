"""The text of Sources/Endpoints/Endpoints.docc/Servers.md: the rows, and what a user gets."""

from kinds import KINDS
from table import SECTIONS, TRAP

BEGINNING = """# Servers that people run

What a user gets from well-behaved servers, by row.

## Overview

Use this page to see what you get from a server that follows the rules, or to compare your
server with those that people run. For servers that break the rules, see <doc:Faults>.

`make servers` starts {kinds}, from Debian's packages,
on the loopback, sends each row's requests with each transport, and compares what a user gets
with this table. It has {count} rows, most of them for each server. `make test` does the same with nginx and `URLSession`. The
table was made on Linux with Swift 6.3.1.

The right column has a response's status with its bytes or its text, or the case of the
``EndpointTaskError`` with its code or status; commas are between several requests of a row.
What is different with one server or transport stands after it, with the cause. `trap` means that
the process ends inside `URLSession`, with this library or without it.
"""


def text():
    """The page."""
    count = sum(map(len, SECTIONS.values()))
    names = [kind.title for kind in KINDS]
    listed = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    parts = [BEGINNING.format(kinds=listed, count=count)]
    for title, rows in SECTIONS.items():
        rows = [row for row in rows if any(row.name not in kind.lacks for kind in KINDS)]
        parts.append(f"\n## {title}\n\n| row | what the server does | what a user gets |\n|---|---|---|\n")
        parts += [f"| `{row.name}` | {row.what} | {outcome(row)} |\n" for row in rows]
    parts.append(left_out())
    return "".join(parts)


def outcome(row):
    """What a user gets, and what differs."""
    words = [code(row.usual)]
    titles = {kind.name: kind.title for kind in KINDS}
    for name, (found, why) in row.but.items():
        who = " with ".join(titles.get(part, f"`{part}`") for part in name.split(" "))
        words.append(f"{who}: {code(found)} (*{why}*)")
    return "; ".join(words)


def code(found):
    """What is one of several, with `or` between."""
    return " or ".join(f"`{one}`" for one in ((found,) if isinstance(found, str) else found))


def left_out():
    """The rows that a server isn't asked for, and why."""
    parts = ["\n## What is left out\n\n| server | rows | why |\n|---|---|---|\n"]
    for kind in KINDS:
        reasons = {}
        for name, why in kind.lacks.items():
            reasons.setdefault(why, []).append(f"`{name}`")
        parts += [f"| {kind.title} | {', '.join(names)} | {why} |\n" for why, names in reasons.items()]
    return "".join(parts)
