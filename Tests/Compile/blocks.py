"""Cuts the code blocks out of a Markdown file, and the examples out of doc comments."""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Block:
    """A code block: what its fence says, the headings above it, and where its code begins."""

    file: Path
    line: int
    words: tuple[str, ...]
    headings: tuple[str, ...]
    code: str
    # Whether a comment before it says what it is: a file that is compiled elsewhere.
    is_file: bool = False

    @property
    def is_swift(self):
        return self.words[:1] in [("swift",), ("Swift",)]

    def located(self, code=None, line=0):
        """The code, or a part of it, so that the compiler speaks of it where it was cut out."""
        code = self.code if code is None else code
        start = f'#sourceLocation(file: "{self.file}", line: {self.line + line})'
        return f"{start}\n{code}\n#sourceLocation()\n"

    def __str__(self):
        return f"{self.file.name}:{self.line}"


def cut(file):
    """The blocks of a file, in order."""
    headings, block, before = [], None, ""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if block:
            if line.startswith("```"):
                first, words, lines, is_file = block
                yield Block(file, first, words, tuple(headings), "\n".join(lines), is_file)
                block = None
            else:
                block[2].append(line)
        elif line.startswith("```"):
            block = (number + 1, tuple(line[3:].split()), [], before.startswith("<!-- "))
        elif heading := re.match(r"(#+) (.*)", line):
            del headings[len(heading[1]) - 1:]
            headings.append(heading[2])
        before = line


def is_internal(lines, number):
    """Whether the declaration in or below a line, counted from 1, is not public."""
    rest = (line for line in lines[number - 1:] if not re.match(r"\s*(@|//)", line))
    declaration = next(rest, "")
    if re.search(r"\bpublic\b", declaration) or declaration.lstrip().startswith("case "):
        return False
    outer = [line for line in lines[:number] if re.match(r"\w", line)]
    return not (declaration.startswith(" ") and outer and outer[-1].startswith("public protocol"))


def cut_comments(file):
    """The examples in the doc comments of what is public: lines that are indented by four spaces more, after an empty one.

    Such a line after another one goes on with a paragraph or a list."""
    lines = file.read_text().splitlines()
    code, first, before, found = [], 0, "", []
    for number, line in enumerate([*lines, ""], 1):
        if not line.lstrip().startswith("///"):
            found = [] if is_internal(lines, number) else found
            yield from found
            found = []
        comment = re.match(r" *///(?:     (.*)| ?)$", line)
        is_text = before.strip(" /") and not code
        before = line if line.lstrip().startswith("///") else ""
        if comment and (code or comment[1] is not None and not is_text):
            first = first or number
            code.append(comment[1] or "")
        elif code:
            block = Block(file, first, ("swift",), (), "\n".join(code).rstrip())
            code, first = [], 0
            # A comment may end in an example; then this is the line of its declaration.
            if line.lstrip().startswith("///"):
                found.append(block)
            elif not is_internal(lines, number):
                yield block
