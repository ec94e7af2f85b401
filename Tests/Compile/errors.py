"""Checks that wrong declarations don't compile, and that the compiler says what is wrong with them.

Each file of Errors/ begins with `// expect:` and words that the compiler must say, in an error or in a note to
it. A second line may have the compiler's `// settings:`. The file must fail with WRONG defined, and compile
without a warning otherwise: nothing else is wrong with it.

A file of Crashes/ ends the compiler itself with WRONG defined. It shows what causes that, and what to write instead.

The page of the documentation about these messages has each of them, and no other, in the first column of its tables."""

import re
import sys

from compiler import LIBRARY, ROOT, in_parallel, report, swiftc

FOLDER = ROOT / "Tests/Compile/Errors"
CRASHES = ROOT / "Tests/Compile/Crashes"
PAGE = ROOT / "Sources/Endpoints/Endpoints.docc/CompilerMessages.md"


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
    if file.parent == CRASHES:
        return None if words[1] in output else f"the compiler doesn't end with `{words[1]}`:\n{output}"
    messages = re.findall(r"(?:error|note): (.*)$", output, re.MULTILINE)
    if not any(words[1] in message for message in messages):
        return f"no error says `{words[1]}`:\n{output}"
    return None


def unexplained(files):
    """The messages that the page doesn't have, and those that it has and no file expects."""
    expected = [re.match(r"// expect: (.+)", file.read_text())[1].replace("`", "") for file in files]
    cells = re.findall(r"^\| (`.*?) \| ", PAGE.read_text(), re.MULTILINE)
    shown = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    for words in dict.fromkeys(expected):
        if not any(words in text for text in shown):
            yield f"{PAGE.name} doesn't explain `{words}`"
    # The name of another member, or of a type, may stand for the one in the message.
    for text in shown:
        if " " in text and not text.startswith("catch "):
            if not any(words in text or text in words for words in expected):
                yield f"{PAGE.name} explains `{text}`, which no file expects"


def main():
    files = sorted(FOLDER.glob("*.swift"))
    crashes = sorted(CRASHES.glob("*.swift"))
    results = zip(files + crashes, in_parallel(check, files + crashes))
    failures = [f"{file.relative_to(ROOT)}: {problem}" for file, problem in results if problem]
    failures += unexplained(files)
    missing = [words for file in crashes if (words := file.read_text().partition("expect: ")[2].partition("\n")[0])
               not in PAGE.read_text()]
    failures += [f"{PAGE.name} doesn't explain `{words}`, which ends the compiler" for words in missing]
    return report(failures, len(files) + len(crashes), "wrong declarations are refused in the right words")


sys.exit(main())
