"""Compares the public API with the lists in Tests/API, one of each product; where a version has a tag, also looks for
what breaks code that was written for it.

    api.py            compares
    api.py --write    writes the lists

A line is the path of a symbol and its declaration, or what a type conforms to. The compiler says them of the library for
Linux, and of that for iOS, so that what only one of them has is named so."""

import json
import re
import subprocess
import sys
import tempfile
from difflib import unified_diff
from pathlib import Path

from apple import PACKAGE, check
from apple_compiler import FOLDER, Platform, copy, output
from compiler import LIBRARY, ROOT, in_parallel, report

LISTS = ROOT / "Tests/API"
CHANGELOG = ROOT / "CHANGELOG.md"
GRAPH = "symbols.json"
# Every type has these, or the opposite is a part of its declaration.
USUAL = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def condition(constraints):
    """`where Base: Sendable, Value == Int`; nothing if there are no constraints."""
    signs = {"conformance": ": ", "superclass": ": ", "sameType": " == "}
    texts = [f"{each['lhs']}{signs[each['kind']]}{each['rhs']}" for each in constraints or []]
    return f" where {', '.join(sorted(texts))}" if texts else ""


def declared(symbol, required):
    """A symbol's line."""
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    outer = condition(symbol.get("swiftExtension", {}).get("constraints"))
    # The compiler repeats the constraints of an extension in some declarations, and leaves them out in others.
    extended = f"  // in an extension{outer}" if outer and " where " not in text else ""
    path = ".".join(symbol["pathComponents"])
    return f"{path}: {' '.join(text.split())}{extended}{'  // required' if required else ''}"


def lines(folder, module):
    """The lines of a module, each by what it is of: from its graphs, of which it has one for each module it extends."""
    graphs = [json.loads(file.read_text()) for file in folder.glob(f"{module}*.{GRAPH}")
              if re.match(rf"{module}[.@]", file.name)]
    symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    required = {relation["source"] for relation in relations if relation["kind"] == "requirementOf"}
    found = {
        name: declared(symbol, name in required) for name, symbol in symbols.items() if "::SYNTHESIZED::" not in name
    }
    for relation in relations:
        source = symbols.get(relation["source"])
        if relation["kind"] != "conformsTo" or not source:
            continue
        target = symbols.get(relation["target"])
        other = relation.get("targetFallback", "").partition(".")[2] or relation["target"]
        name = ".".join(target["pathComponents"]) if target else other
        if name not in USUAL:
            path = ".".join(source["pathComponents"])
            found[relation["source"], relation["target"]] = (
                f"{path}: conforms to {name}{condition(relation.get('swiftConstraints'))}")
    return found


def linux_lines(module):
    with tempfile.TemporaryDirectory() as folder:
        triple = json.loads(output("swiftc", "-print-target-info"))["target"]["triple"]
        output(
            "swift-symbolgraph-extract", "-module-name", module, *LIBRARY, "-target", triple,
            "-minimum-access-level", "public", "-output-dir", folder)
        return lines(Path(folder), module)


def lists(package):
    """The text of each product's list; what the compiler says, if it refuses the library."""
    products = [product["name"] for product in package["products"] if "library" in product["type"]]
    targets = [target["name"] for target in package["targets"] if target["type"] == "regular"]
    version = next(each["version"] for each in package["platforms"] if each["platformName"] == "ios")
    graphs = FOLDER / "graphs"
    # The check `apple` compiles the bodies.
    settings = ["-experimental-skip-all-function-bodies", "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs, "-symbol-graph-minimum-access-level", "public"]
    for old in graphs.glob("*.json"):
        old.unlink()
    graphs.mkdir(parents=True, exist_ok=True)
    platform = Platform("ios", version)
    modules = [(target, copy(f"Sources/{target}"), [*PACKAGE, *settings]) for target in targets]
    problem = check(platform, "api", modules, platform.name)
    if problem:
        return {}, problem
    texts = {}
    for product, linux in zip(products, in_parallel(linux_lines, products)):
        apple = lines(graphs, product)
        # A compiled module has the compiler's spelling of a type, and a source its author's.
        marked = [line if name in apple else f"{line}  // only Linux" for name, line in linux.items()]
        marked += [f"{line}  // only Apple" for name, line in apple.items() if name not in linux]
        texts[product] = "".join(f"{line}\n" for line in sorted(marked))
    return texts, None


def differences(texts):
    """What the lists and the API don't have in common."""
    for file in sorted({*LISTS.glob("*.txt"), *(LISTS / f"{product}.txt" for product in texts)}):
        old = file.read_text() if file.exists() else ""
        name = str(file.relative_to(ROOT))
        yield "\n".join(unified_diff(
            old.splitlines(), texts.get(file.stem, "").splitlines(), name, name, "as listed", "as it is", n=0, lineterm=""))


def breaking_changes():
    """What breaks code that was written for the last tagged version; the changelog may say that it is meant to."""
    tag = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0", "--match", "[0-9]*.[0-9]*.[0-9]*"], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    if not tag:
        print("no version has a tag yet, so none is compared")
        return None
    run = subprocess.run(
        ["swift", "package", "diagnose-api-breaking-changes", tag], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    unreleased = CHANGELOG.read_text().partition("\n## Unreleased\n")[2].partition("\n## ")[0]
    if run.returncode == 0:
        print(f"it breaks no code for {tag}")
        return None
    print("\n".join(re.findall(r"^.*API breakage:.*$", run.stdout, re.MULTILINE)) or run.stdout)
    if re.search(r"^#+ Breaking", unreleased, re.MULTILINE):
        print(f"it breaks code for {tag}, as CHANGELOG.md says under Breaking")
        return None
    return f"this breaks code for {tag}: deprecate before you remove, or say it under a heading Breaking in CHANGELOG.md"


def main(writes):
    if sys.platform != "linux":
        print("the lists are made on Linux")
        return 0
    texts, problem = lists(json.loads(output("swift", "package", "--scratch-path", FOLDER, "dump-package")))
    if problem:
        return report([problem], 1, "builds compile")
    found = [text for text in differences(texts) if text]
    if writes:
        LISTS.mkdir(exist_ok=True)
        for old in LISTS.glob("*.txt"):
            old.unlink()
        for product, text in texts.items():
            (LISTS / f"{product}.txt").write_text(text)
        print("\n".join(found) or "nothing has changed")
        return 0
    if found:
        found.append("the public API has changed: run `make api`, and add a line to CHANGELOG.md")
    broken = breaking_changes()
    count = sum(text.count("\n") for text in texts.values())
    for failure in [*found, *filter(None, [broken])]:
        print(failure)
    print(f"{count} lines of public API in {len(texts)} products")
    return 1 if found or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--write"]))
