"""Writes the code of the examples into their pages of the documentation: `pages.py`, or `pages.py --check`.

In a page, a comment names a file of Tests/Examples, and perhaps a declaration in it; the block after it is the
code, which nobody writes by hand:

    <!-- from GitHub/Requests.swift -->
    <!-- from GitHub/GitHubTests.swift: func list() -->

`--check` changes nothing, and fails if a block is not what its file says."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "Sources/Endpoints/Endpoints.docc"
EXAMPLES = ROOT / "Tests/Examples"
BLOCK = re.compile(r"(<!-- from ([^\s:]+)(?:: (.+?))? -->\n+```(?:swift|kotlin)\n)(.*?)(```\n)", re.DOTALL)


def code(name, declaration):
    """What a file says, without its imports, or one declaration in it with what stands before it."""
    text = (EXAMPLES / name).read_text()
    if not declaration:
        return re.sub(r"^import [\w.]+\n|^#if canImport\(FoundationNetworking\)\n.*?\n#endif\n", "", text, flags=re.M).strip() + "\n"
    lines = text.split("\n")
    at = next((number for number, line in enumerate(lines) if declaration in line), None)
    if at is None:
        raise SystemExit(f"{name} has no `{declaration}`")
    indent = re.match(r" *", lines[at])[0]
    first, last = at, at
    while re.match(rf"{indent}(@|///)", lines[first - 1]):
        first -= 1
    while lines[last] != f"{indent}}}":
        last += 1
    return "\n".join(line.removeprefix(indent) for line in lines[first:last + 1]) + "\n"


def main():
    """Writes the pages, or says which are not up to date."""
    stale, count = [], 0
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text()
        count += len(BLOCK.findall(text))
        written = BLOCK.sub(lambda match: match[1] + code(match[2], match[3]) + match[5], text)
        if written != text:
            stale.append(page.name)
            if "--check" not in sys.argv:
                page.write_text(written)
    if "--check" in sys.argv:
        for name in stale:
            print(f"{name} is not what its examples say: run Tests/Support/pages.py")
        print(f"{count} blocks of examples")
        return bool(stale) or not count
    print(f"{count} blocks of examples, {len(stale)} pages changed")
    return False


sys.exit(main())
