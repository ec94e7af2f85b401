"""Cuts the Swift blocks out of the seed document where it lies, and makes a module of each example.

    seed.py DOCUMENT FOLDER    writes FOLDER/<Module>/Example.swift, and prints the modules' names

An example's definition and usage are one module, as several examples declare the same name. Both are
compiled word for word, but for a `break` in the `case`s that hold only a comment. Blocks outside of the
examples are in FRAGMENTS: a block that is neither is an error."""

import re
import sys
from pathlib import Path

from blocks import cut

IMPORTS = """\
import Endpoints
import Foundation
import FoundationNetworking
import OpenCombine
import SeedSupport

"""


def whole(block):
    """A whole declaration."""
    return block.located()


def member(block):
    """A member of a request, which is declared around it."""
    rest = """\
    typealias Response = Void
    struct HeaderValues { let type: String }
    let headerValues: HeaderValues
"""
    return f"struct UserRequest: RequestType {{\n{block.located()}{rest}}}\n"


def description(block):
    """A listing of the library's own `Parameter`, as it once was: it says which cases there are.

    Its payloads are key paths that have lost the type of their values, so that a wrong declaration would
    compile (design.md, decision 1). Hence the listing itself isn't compiled, but a use of each case is."""
    values = {"path": r"\.text", "value": '"text"'}
    cases = re.findall(r"case (\w+)\(String, (\w+): ", block.code)
    calls = "".join(f'.{name}("name", {label}: {values[label]}),\n' for name, label in cases)
    return f"struct Values {{ let text: String }}\nlet parameters: ParameterList<Values> = [\n{calls}]\n"


# Blocks outside of the examples, by the word that their heading begins with.
FRAGMENTS = {"`PathComponents`": whole, "`Parameters`": description, "`HeaderValues`": member}


def add_statements(code):
    """The code with a statement in each `case` that holds only comments, as Swift wants one."""
    body = r"(\n *//.*)+(?=\n *(case |default:|\}))"
    return re.sub(rf"(\n *case .*:)(?={body})", r"\1 break", code)


def camel_case(heading):
    """A heading as a module's name."""
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", heading))


def modules(blocks):
    """The modules' names and their code; the one block that is no Swift is the output URL."""
    result, output = {}, None
    for block in blocks:
        if not block.is_swift:
            output = block
            continue
        heading = block.headings[2] if len(block.headings) > 2 else ""
        word = heading.split(" ")[0]
        if block.headings[1:2] == ("Examples",):
            name = camel_case(heading)
            code = block.located(add_statements(block.code))
            if block.headings[3] == "Usage":
                code = f"public func use(_ cancellables: inout Set<AnyCancellable>) {{\n{code}}}\n"
        elif word in FRAGMENTS:
            name, code = f"{camel_case(word)}Fragment", FRAGMENTS[word](block)
        else:
            sys.exit(f"{block}: a Swift block that seed.py knows nothing of")
        result[name] = result.get(name, IMPORTS) + code
    return result | {"OutputURL": f'let outputURL = "{output.code}"\n'}


def main(document, folder):
    blocks = list(cut(Path(document)))
    count = sum(block.is_swift for block in blocks)
    print(
        f"{count} Swift blocks: {count - 1} compile word for word; of the listing of `Parameter`, as it"
        " once was, a use of each case does", file=sys.stderr)
    for name, code in modules(blocks).items():
        file = Path(folder, name, "Example.swift")
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text() != code:
            file.write_text(code)
        print(name)


main(*sys.argv[1:])
