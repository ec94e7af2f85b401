"""Fails if a comment line of the Swift code has more than 100 columns: `swift format` doesn't check
comments. Rows of a table can't be broken, so they may be longer."""

import re
import sys
from pathlib import Path

LIMIT = 100
files = [
    file
    for folder in ("Sources", "Tests")
    for file in sorted(Path(folder).rglob("*.swift"))
    if not any(part.startswith(".build") for part in file.parts)
]
long = [
    f"{file}:{number}: {len(line)} columns"
    for file in files
    for number, line in enumerate(file.read_text().splitlines(), 1)
    if len(line) > LIMIT and re.match(r"\s*///? (?!\|)", line)
]
print("\n".join(long) or f"no comment line has more than {LIMIT} columns ({len(files)} files)")
sys.exit(bool(long))
