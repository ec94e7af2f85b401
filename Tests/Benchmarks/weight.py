"""Prints how many bytes a declaration and its calls add to a program, and where they are.

Files of 50 and of 100 declarations are compiled and linked as for a release, and stripped; a declaration is a
fiftieth of the difference. `weight.py where` lists the parts of one declaration."""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from declarations import (
    HEAD, ROOT, Shape, by_hand, flat, further_call, module, nested, plain, plain_protocol)
from progress import report

COUNT = 50
RELEASE = ROOT / ".build/release"
SWIFTC = ["swiftc", "-O", "-wmo", "-swift-version", "6", "-parse-as-library"]
# The most bytes, by the form of the declaration and for a further call: what they were once, which must not grow.
LIMITS = {flat: 4803, nested: 5900, "further": 409}
LOADS = ["async", "callback", "urlRequest"]


class Program:
    """A program that is compiled, linked as SwiftPM does it, and stripped."""

    def __init__(self, folder, name, text, objects, modules):
        source, self.path = folder / f"{name}.swift", folder / name
        source.write_text(text + "@main enum Main { static func main() {} }\n")
        run(*SWIFTC, "-module-name", "App", "-I", modules, "-c", source, "-o", f"{self.path}.o")
        run("swiftc", f"{self.path}.o", *objects, "-o", self.path, "-Xlinker", "--gc-sections")

    def sections(self):
        """The bytes of each section that is part of the stripped file."""
        run("strip", "-o", f"{self.path}.stripped", self.path)
        lines = run("size", "-A", "-d", f"{self.path}.stripped").splitlines()
        rows = [line.split() for line in lines if re.match(r"\S+ +\d+ +\d+$", line)]
        return {name: int(size) for name, size, _ in rows if name not in (".bss", "Total")}


def run(*command, folder=None):
    """What a command prints; it must succeed."""
    result = subprocess.run([*map(str, command)], cwd=folder, text=True, stdout=subprocess.PIPE, check=True)
    return result.stdout


def further(way, servers):
    """Requests that are public, so that functions that are given one stay, and such functions."""
    def text(numbers):
        shapes = [Shape(number) for number in numbers]
        declared = "".join(flat(shape) for shape in shapes)
        declared = re.sub(r"^(struct|    static|    typealias)", r"public \1", HEAD + declared, flags=re.M)
        return declared + "".join(further_call(shape, way, server) for shape in shapes for server in servers)
    return text


class Scale:
    """Weighs what a function writes for some numbers."""

    def __init__(self, folder):
        self.folder = folder
        # Those of sources that are gone would stay in the build folder.
        names = sorted(path.name for path in (ROOT / "Sources/Endpoints").rglob("*.swift")
                       if ".docc/" not in str(path))
        self.library = ([RELEASE / f"Endpoints.build/{name}.o" for name in names], RELEASE / "Modules")
        self.plain = self.module("Plain", self.write("protocol.swift", plain_protocol()))
        # A caller's compiler sees nothing of its functions.
        least = Path(__file__).with_name("Least.swift")
        self.least = self.module("Endpoints", least, "-disable-cmo")
        self.tiny = self.module("Endpoints", least, "-disable-cmo", "-DTINY")

    def module(self, name, source, *flags):
        """The object and the folder of a module of one file."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        run(*SWIFTC, *flags, "-module-name", name, "-emit-module-path", folder / f"{name}.swiftmodule",
            "-c", source, "-o", folder / f"{name}.o")
        return [folder / f"{name}.o"], folder

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def weigh(self, item):
        """The bytes that each of the second COUNT declarations adds."""
        name, text = item
        objects, modules = {"plain": self.plain, "least": self.least, "tiny": self.tiny}.get(name.split()[0], self.library)
        less, more = [
            Program(self.folder, f"{name.replace(' ', '-')}-{count}", text(range(count)), objects, modules)
            for count in (COUNT, 2 * COUNT)]
        return (sum(more.sections().values()) - sum(less.sections().values())) / COUNT


def weigh_all(folder):
    """The bytes of everything by its name."""
    texts = {"by hand": lambda n: module(by_hand, n, "value"), "plain": lambda n: module(plain, n, "plain"),
             "value": lambda n: module(flat, n, "value")}
    for form in (flat, nested):
        for way in LOADS:
            texts[f"{form.__name__} {way}"] = lambda n, form=form, way=way: module(form, n, way)
    for way in LOADS:
        texts[f"one {way}"] = further(way, ["production"])
        texts[f"two {way}"] = further(way, ["production", "staging"])
    for name in ("flat async", "nested async", "one async", "two async"):
        texts[f"least {name}"] = texts[name]
    texts["tiny flat async"] = texts["flat async"]
    scale = Scale(folder)
    bytes = {}
    with ThreadPoolExecutor(2) as pool:
        for name, weight in zip(texts, pool.map(scale.weigh, texts.items())):
            bytes[name] = weight
            report(f"weighing: {len(bytes)} of {len(texts)}")
    return bytes


def print_all(bytes):
    """Prints the table."""
    def row(what, size, limit=None):
        # The linker's padding is a part of a byte for each declaration; the limits are whole bytes too.
        size = round(size)
        verdict = f"≤ {limit} {'yes' if size <= limit else 'MISS'}" if limit else ""
        print(f"{what:74}{size:6}  {verdict}".rstrip())

    print("\nBytes that a declaration adds to a stripped release, its call included\n")
    for form in (flat, nested):
        for way in LOADS:
            row(f"a {form.__name__} declaration, {way}", bytes[f"{form.__name__} {way}"], LIMITS[form])
    for way in LOADS:
        row(f"a further call, {way}", bytes[f"two {way}"] - bytes[f"one {way}"], LIMITS["further"])
    for form in (flat, nested):
        row(f"a {form.__name__} declaration, async, of a library without hooks", bytes[f"least {form.__name__} async"])
    row("a flat declaration, async, if that library's protocol has 3 requirements", bytes["tiny flat async"])
    row("a further call, async, of that library", bytes["least two async"] - bytes["least one async"])
    row("a flat declaration whose value is made and not used", bytes["value"])
    row("a struct with a protocol of as many requirements that do nothing", bytes["plain"])
    row("a function that makes the URLRequest by hand", bytes["by hand"])


def print_parts(folder):
    """Prints the parts of one declaration."""
    objects, modules = Scale(folder).library
    program = Program(folder, "parts", module(flat, range(40), "async"), objects, modules)
    symbols = run("nm", "-S", "--size-sort", program.path)
    lines = [line.split(maxsplit=3)[1:] for line in symbols.splitlines() if re.search(r"Get37V|async37", line)]
    names = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(line[2] for line in lines), text=True,
        stdout=subprocess.PIPE, check=True).stdout.splitlines()
    for (size, kind, _), name in zip(lines, names):
        if kind.lower() != "b":
            print(f"{int(size, 16):5}  {name}")


def main():
    report("weighing: building the library")
    run("swift", "build", "--package-path", ROOT, "-c", "release", "--target", "Endpoints")
    with tempfile.TemporaryDirectory() as name:
        if sys.argv[1:] == ["where"]:
            print_parts(Path(name))
        else:
            print_all(weigh_all(Path(name)))


if __name__ == "__main__":
    main()
