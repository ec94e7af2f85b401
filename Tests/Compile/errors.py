"""Checks that wrong declarations don't compile, and that the compiler says what is wrong with them.

Each file of Errors/ begins with `// expect:` and words that the compiler must say, in an error or in a note to
it. A second line may have the compiler's `// settings:`. The file must fail with WRONG defined, and compile
without a warning otherwise: nothing else is wrong with it."""

import re
import sys

from compiler import LIBRARY, ROOT, in_parallel, report, swiftc

FOLDER = ROOT / "Tests/Compile/Errors"


def check(file):
    """What is not as expected; `None` if all is."""
    words = re.match(r"// expect: (.+)\n(?:// settings: (.+)\n)?", file.read_text())
    if not words:
        return "it does not begin with `// expect:`"
    settings = [*LIBRARY, *(words[2] or "").split()]
    compiled, output = swiftc(*settings, "-warnings-as-errors", file)
    if not compiled:
        return f"it must compile without WRONG:\n{output}"
    compiled, output = swiftc(*settings, "-DWRONG", file)
    if compiled:
        return "it compiled"
    messages = re.findall(r"(?:error|note): (.*)$", output, re.MULTILINE)
    if not any(words[1] in message for message in messages):
        return f"no error says `{words[1]}`:\n{output}"
    return None


def main():
    files = sorted(FOLDER.glob("*.swift"))
    results = zip(files, in_parallel(check, files))
    failures = [f"{file.relative_to(ROOT)}: {problem}" for file, problem in results if problem]
    return report(failures, len(files), "wrong declarations are refused in the right words")


sys.exit(main())
