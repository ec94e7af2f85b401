"""Prints how many lines an operation has on average, and of which kind they are, for documents in JSON:
python3 lines.py COMMAND DOCUMENT..., where COMMAND is the built `endpoints-import`."""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ["requests", "their values", "endpoints", "responses", "comments", "structs", "properties", "coding keys",
         "enums", "unions", "blank", "imports", "server, support"]


def heads(line):
    """What a line begins: the kind of the lines up to its closing brace."""
    if re.match(r"(@|struct \w+: \w+(Request|Call)\b)", line):
        return "requests"
    if re.match(r"struct ", line):
        return "structs"
    if line.startswith("enum CodingKeys"):
        return "coding keys"
    if re.match(r"(indirect )?enum \w+: (Read|Written)?OneOf", line):
        return "unions"
    return "enums" if line.startswith("enum ") else None


def kinds(text):
    """The kind of each line of a file with requests and models."""
    blocks, depth, open_statement = [], 0, None
    for whole in text.splitlines():
        line = whole.strip()
        kind = heads(line)
        inside = blocks[-1] if blocks else "requests"
        if not line:
            yield "blank"
        elif line.startswith("//"):
            yield "comments"
        elif line.startswith(("import ", "#")) or whole.startswith("    import"):
            yield "imports"
        elif open_statement:
            yield open_statement
        elif kind:
            yield kind
        elif line.startswith(("static let endpoint", "static let paging")):
            open_statement = "endpoints"
            yield "endpoints"
        elif line.startswith("typealias"):
            yield "responses"
        elif line == "}" or inside not in ("requests", "structs"):
            yield inside
        else:
            yield "their values" if inside == "requests" else "properties"
        code = re.sub(r'"(\\.|[^"\\])*"', "", line)
        depth += sum(map(code.count, "([")) - sum(map(code.count, ")]"))
        if depth <= 0:
            depth, open_statement = 0, None
        change = code.count("{") - code.count("}")
        if change > 0:
            blocks.append(kind or inside)
        elif change < 0 and blocks:
            blocks.pop()


def measure(command, document):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([command, document, "--into", folder, "--allow-skipped"], check=True,
                             capture_output=True, text=True)
        counts = collections.Counter()
        for file in pathlib.Path(folder).glob("*.swift"):
            text = file.read_text(encoding="utf-8")
            if file.name in ("Server.swift", "Support.swift"):
                counts["server, support"] += len(text.splitlines())
            else:
                counts.update(kinds(text))
        return int(run.stdout.split()[0]), counts


def main():
    command, *documents = sys.argv[1:]
    columns = [(pathlib.Path(path).stem, *measure(command, path)) for path in documents]
    columns.append(("all", sum(column[1] for column in columns), sum((column[2] for column in columns),
                                                                    collections.Counter())))

    def row(name, cells):
        print(f"{name:16}" + "".join(f"{cell:>10}" for cell in cells))

    row("", [name for name, _, _ in columns])
    row("operations", [operations for _, operations, _ in columns])
    row("lines", [sum(counts.values()) for _, _, counts in columns])
    row("an operation", [f"{sum(counts.values()) / max(operations, 1):.1f}" for _, operations, counts in columns])
    for kind in KINDS:
        row(f"  {kind}", [f"{counts[kind] / max(operations, 1):.1f}" for _, operations, counts in columns])


main()
