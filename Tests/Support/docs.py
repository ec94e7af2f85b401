"""Builds the documentation of all library products into .build/docs, one site; a warning fails it.

    docs.py                 builds the library first
    docs.py --skip-build    the library is built already

The products are those that Package.swift lists, so a new one needs nothing here. Comments and guides link to a
symbol of any product by its name alone, such as ``ByteStream``; here the module is put before it where that is
another one. A guide that neither Endpoints.md nor another guide lists is a failure too."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/Endpoints/Endpoints.docc"
WORK = ROOT / ".build/docs-input"
SITE = ROOT / ".build/docs"
# The module whose page is the site's first, and where the guides' links begin.
FIRST = "Endpoints"
LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")


def run(*command):
    """Runs a command; ends this program if it fails."""
    if code := subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(code)


def modules():
    """The modules of the library products."""
    manifest = (ROOT / "Package.swift").read_text()
    return [
        name
        for targets in re.findall(r"\.library\([^)]*targets: \[([^\]]*)\]", manifest)
        for name in re.findall(r'"(\w+)"', targets)
    ]


def extract(names):
    """Writes what the compiler knows of each module's public symbols; returns the files."""
    graphs = WORK / "graphs"
    graphs.mkdir(parents=True)
    target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]
    built = subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True).strip()
    sdk = ["-sdk", subprocess.getoutput("xcrun --show-sdk-path")] if sys.platform == "darwin" else []
    for name in names:
        run(
            "swift", "symbolgraph-extract", *sdk, "-module-name", name, "-I", f"{built}/Modules",
            "-target", target["triple"], "-output-dir", graphs,
            "-emit-extension-block-symbols", "-minimum-access-level", "public")
    return sorted(graphs.glob("*.json"))


class Links:
    """Where each symbol is in the site, by its path in the source."""

    def __init__(self, names, graphs):
        self.names, self.places = names, {}
        for file, graph in graphs.items():
            module, _, extended = file.stem.removesuffix(".symbols").partition("@")
            for symbol in graph["symbols"]:
                path = "/".join(symbol["pathComponents"])
                place = f"{module}/{extended}/{path}" if extended else f"{module}/{path}"
                self.places.setdefault(path, {})[module] = place

    def written(self, text, module):
        """A text of a module with its links to other modules' symbols as DocC reads them."""
        return LINK.sub(lambda match: f"``{self.place(match[1], module)}``", text)

    def place(self, link, module):
        """Where a link leads: the link itself if its symbol is declared in its own module, or isn't known."""
        path = link if link in self.places else re.sub(r"-[^/]*$", "", link)
        found = self.places.get(path, {})
        name = next((name for name in [module, *self.names] if name in found), None)
        if name is None or found[name] == f"{module}/{path}":
            return link
        return found[name] + link.removeprefix(path)


def prepare(names):
    """Writes the symbols and the guides with the links between modules."""
    graphs = {file: json.loads(file.read_text()) for file in extract(names)}
    links = Links(names, graphs)
    for file, graph in graphs.items():
        module = file.stem.partition("@")[0].removesuffix(".symbols")
        for symbol in graph["symbols"]:
            for line in symbol.get("docComment", {}).get("lines", []):
                line["text"] = links.written(line["text"], module)
        file.write_text(json.dumps(graph))
    shutil.copytree(CATALOG, WORK / CATALOG.name)
    for page in (WORK / CATALOG.name).glob("*.md"):
        text = page.read_text()
        # The first heading of a module's page is its name.
        head, rest = text.split("\n", 1)
        text = f"{head}\n{links.written(rest, FIRST)}"
        if page.stem == FIRST:
            others = "".join(f"- ``{name}``\n" for name in names if name != FIRST)
            text = text.replace("\n## Topics\n", f"\n### Other modules\n\n{others}\n## Topics\n")
        page.write_text(text)


def missing():
    """The guides that neither the site's first page lists nor a guide that it lists."""
    data = SITE / "data/documentation"
    first = data / f"{FIRST.lower()}.json"
    guides = [data / FIRST.lower() / f"{file.stem.lower()}.json" for file in CATALOG.glob("*.md") if file.stem != FIRST]
    listed = {
        name.rpartition("/")[2]
        for file in [first, *guides]
        for section in json.loads(file.read_text()).get("topicSections", [])
        for name in section["identifiers"]
    }
    return sorted({file.stem for file in CATALOG.glob("*.md")} - {FIRST} - listed)


def main():
    """Builds the site; returns the exit code."""
    names = modules()
    run(sys.executable, "Tests/Support/pages.py", *["--check"] * ("--skip-build" in sys.argv))
    if "--skip-build" not in sys.argv:
        run("swift", "build", "--quiet")
    for folder in (WORK, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    prepare(names)
    run(
        "docc", "convert", WORK / CATALOG.name, "--additional-symbol-graph-dir", WORK / "graphs",
        "--output-path", SITE, "--fallback-display-name", FIRST, "--fallback-bundle-identifier", FIRST,
        "--warnings-as-errors")
    absent = [name for name in names if not (SITE / f"data/documentation/{name.lower()}.json").exists()]
    for name in absent:
        print(f"the site has no page of {name}")
    guides = missing()
    for name in guides:
        print(f"{name}.md isn't listed in {FIRST}.md or another guide")
    if absent or guides:
        return 1
    print(f"the documentation of {', '.join(names)} is in {SITE.relative_to(ROOT)}")
    return 0


sys.exit(main())
