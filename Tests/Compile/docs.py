"""Compiles every Swift block of README.md and the catalogues, and every example in the doc comments of what is public.

How to write a block that compiles:
- The blocks of one document are one module, so that a block can use what another one declares. So can each
  use what Preamble.swift declares, unless the document declares that name itself, and extend the types of
  Values.swift.
- Declarations stand for themselves. Statements run in an async throwing function, one for each block; what
  they `let` at the top need not be used.
- A member of a request (`static …`) or a piece of a declaration (`headers: […]`, `.query(…)`,
  `"users/\\(path: \\.id)"`) may stand alone: its key paths lead to the `Example` in Preamble.swift.
- The fence says ```swift. What a comment on the line before says to be a file is compiled as one of the
  Tests/Examples, or by guide.py or others.py. If the word `package` follows, it is a dependency as in Package.swift; other
  words are for the reader. What isn't Swift has another fence.

The blocks of a page compile in a module whose code is on the main actor by default, too: what several requests share is
`nonisolated`.

Arguments are passed on to the compiler."""

import sys
import tempfile
from pathlib import Path

from blocks import cut, cut_comments
from compiler import COMBINE, MANIFEST, in_parallel, report, swiftc
from scope import in_package, in_scope

PREAMBLE = "Tests/Compile/Preamble.swift"
VALUES = "Tests/Compile/Values.swift"
# Xcode's setting for new apps.
MAIN_ACTOR = ["-default-isolation", "MainActor"]


def documents(has_os=False):
    """Each document with its blocks, as lists of those that share a module."""
    for file in [Path("README.md"), *sorted(Path("Sources").glob("*/*.docc/**/*.md"))]:
        blocks = [block for block in cut(file) if block.is_swift and not block.is_file]
        yield file, [block for block in blocks if "package" not in block.words], in_scope, COMBINE
        yield file, [block for block in blocks if "package" in block.words], in_package, MANIFEST
    for file in sorted(file for file in Path("Sources").glob("Endpoints*/**/*.swift") if ".docc/" not in str(file)):
        text = file.read_text()
        # What only Apple platforms have doesn't compile here.
        is_here = "public " in text and (has_os or not text.startswith("#if canImport(os)"))
        blocks = list(cut_comments(file)) if is_here else []
        yield file, blocks, in_scope, COMBINE


def check(document, number, folder):
    """What the compiler says, if it refuses a document, also in a module whose code is on the main actor by default."""
    file, blocks, put, settings = document
    paths = [folder / f"{number}-{block.line}.swift" for block in blocks]
    for path, block in zip(paths, blocks):
        path.write_text(put(block))
    is_page = file.suffix == ".md" and put is in_scope
    for isolation in [[], MAIN_ACTOR] if is_page else [[]]:
        compiled, output = swiftc(
            *settings, f"-I{folder}", "-warnings-as-errors", "-module-name", f"Document{number}",
            *isolation, *sys.argv[1:], VALUES, *paths)
        if not compiled:
            return f"{file} {' '.join(isolation)}:\n{output}"
    return None


def main():
    everything = [document for document in documents() if document[1]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled, output = swiftc(
            *COMBINE, "-enable-testing", "-module-name", "Preamble",
            "-emit-module-path", folder / "Preamble.swiftmodule", PREAMBLE)
        if not compiled:
            return report([output], 1, "preambles compile")
        numbers = range(len(everything))
        results = in_parallel(lambda number: check(everything[number], number, folder), numbers)
    count = sum(len(document[1]) for document in everything)
    print(f"{count} blocks")
    return report([problem for problem in results if problem], len(everything), "documents compile")


if __name__ == "__main__":
    sys.exit(main())
