"""Puts the blocks of a document where Swift allows their code: see docs.py for what they may hold."""

import re

IMPORTS = """\
import Endpoints
import EndpointsCache
import EndpointsFormats
import EndpointsMiddleware
import EndpointsStreams
import Foundation
import FoundationNetworking
@testable import Preamble
"""
# What a block needs besides, by what it says.
MORE_IMPORTS = {"#expect": "import Testing\n", "cancellables": "import OpenCombine\n"}
# Words of EndpointsTesting, in a block or in a source file of its.
TESTING = re.compile(r"\b(stub|StubTransport|Recorder|Replay|recorded|snapshot|problems|difference)\b")
# Words of EndpointsOpenAPI.
OPENAPI = re.compile(r"\b(differences|OpenAPIDocument)\b")

# What begins a declaration.
DECLARATION = re.compile(
    r"((@\w+|public|final|nonisolated) )*"
    r"(struct|class|enum|actor|protocol|extension|func|typealias|@Test|@Suite)\b")
# What begins a piece of a declaration, and what is to be around it; `%` stands for the line.
PIECES = [
    (r"static ", "enum Example% { ", "}"),
    (r"path: ", 'let example% = Endpoint<Example>(method: .post, ', ")"),
    (r"(headers|parameters): ", 'let example% = Endpoint<Example>(method: .post, path: "", ', ")"),
    (r'("[^"]*"|\.\w+): ', "let example%: HeaderList<Example> = [", "]"),
    (r"\.(query|form|part)", "let example%: ParameterList<Example> = [", "]"),
    (r"\.scheme", "let example%: [Credentials] = [", "]"),
    (r'"[^"]*\\\((path|segments|secret|list|commaSeparated|value):', "let example%: PathTemplate<Example> = ", ""),
]
# What begins an expression whose value nobody uses.
UNUSED = re.compile(r'(try )?[A-Z]\w*(<\w+>)?[.(]|"')
FIRST_LINE = re.compile(r"^(?=[^\s/])", re.MULTILINE)


def chunks(code):
    """The top-level parts of some code, each with the number of its first line, counted from 0.

    A part begins at a line that begins in the first column, with the comments before it."""
    part, start, has_begun = [], 0, False
    for number, line in enumerate(code.split("\n")):
        if has_begun and re.match(r"[^\s})\]]", line):
            yield start, "\n".join(part)
            part, start, has_begun = [], number, False
        has_begun = has_begun or bool(FIRST_LINE.match(line))
        part.append(line)
    yield start, "\n".join(part)


def around(text, before, after):
    """Some code with other code around it, on its first line and after its last."""
    return FIRST_LINE.sub(lambda _: before, text, count=1) + f"\n{after}"


def piece(text, at, line):
    """A piece of a declaration as a declaration of its own; `None` if the code is none."""
    for begins, before, after in PIECES:
        if re.compile(begins).match(text, at):
            return around(text, before.replace("%", str(line)), after)
    return None


def statement(text, at):
    """A statement; the values that it makes count as used."""
    names = re.findall(r"^let (\w+)", text, re.MULTILINE)
    uses = "".join(f"_ = {name}\n" for name in names)
    return around(text, "_ = " if UNUSED.match(text, at) else "", uses)


def in_scope(block):
    """A block as a file of its document's module."""
    declarations, statements = "", ""
    for start, text in chunks(block.code):
        begin = FIRST_LINE.search(text)
        at = begin.start() if begin else 0
        declaration = text if DECLARATION.match(text, at) else piece(text, at, block.line + start)
        if declaration:
            declarations += block.located(declaration, start)
        else:
            statements += block.located(statement(text, at), start)
    imports = IMPORTS + "".join(more for word, more in MORE_IMPORTS.items() if word in block.code)
    if TESTING.search(block.code):
        imports += "import EndpointsTesting\n"
    if "EndpointsAuth" in str(block.file) or "import EndpointsAuth" in block.file.read_text():
        imports += "import EndpointsAuth\n"
    if "EndpointsDurable" in str(block.file) or "import EndpointsDurable" in block.file.read_text():
        imports += "import EndpointsDurable\n"
    if OPENAPI.search(block.code):
        imports += "import EndpointsOpenAPI\n"
    if statements:
        arguments = "_ cancellables: inout Set<AnyCancellable>" if "cancellables" in block.code else ""
        statements = f"func block{block.line}({arguments}) async throws {{\n{statements}}}\n"
    return imports + declarations + statements


def in_package(block):
    """A dependency as Package.swift has it."""
    before = "nonisolated(unsafe) let dependencies: [Package.Dependency] = ["
    return "import PackageDescription\n" + block.located(around(block.code, before, "]"))
