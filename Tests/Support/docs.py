"""Builds the documentation of all library products into .build/docs, one site; a warning fails it.

    docs.py                 builds the library first
    docs.py --skip-build    the library is built already
    docs.py --host          also builds each module's documentation alone, as a host of documentation does

The products are those that Package.swift lists, and each has a catalogue in its target. The guides are in that of
Endpoints. Comments and guides link to a symbol of any product by its name alone, such as ``ByteStream``; here the module is
put before it where that is another one. A guide that neither Endpoints.md nor another guide lists is a failure too.

A host makes an archive of each target that .spi.yml names, with what swift-docc-plugin passes to DocC, and serves all of
them below one path. It doesn't know the other modules' symbols: a link to one of those is shown as code. So what the pages
of one module say of another's pages is a link by its path, such as /documentation/endpoints/streams."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/docs-input"
SITE = ROOT / ".build/docs"
# Where Tests/Support/build.sh puts the library's modules, by the path that stays while another builds.
MODULES = ".build/checks/*/debug/Modules"
HOSTED = ROOT / ".build/docs-hosted"
# Below which path a host serves the pages.
BASE = "owner/endpoints/0.1.0"
# The module whose page is the site's first, and where the guides' links begin.
FIRST = "Endpoints"
LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")
# A link to a guide from another module's page.
GUIDE = re.compile(r"\]\(/documentation/endpoints/(\w+)\)")
# The site's first page. The pages are made by a script, which needs a path that it knows.
ROOT_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Endpoints</title>
<meta http-equiv="refresh" content="0; url=documentation/endpoints/">
<p><a href="documentation/endpoints/">The documentation of Endpoints</a></p>
</html>
"""
# A line of code has up to 100 columns. Without this, DocC's pages cut it off at 76 where the window has 1,280 pixels, and
# a tutorial is as wide as the window with its scroll bar.
STYLE = """<style>
@media (min-width: 736px) {
  .doc-content .container { max-width: 1120px !important; padding-left: 28px !important; padding-right: 28px !important }
  .doc-content pre code { font-size: 12px !important }
}
@media (min-width: 1500px) {
  .doc-content pre code { font-size: 15px !important }
}
html, body { overflow-x: clip }
</style>"""


def catalogue(module):
    """The catalogue of a module, which lies in its target."""
    return ROOT / f"Sources/{module}/{module}.docc"


CATALOG = catalogue(FIRST)


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
    built = next(ROOT.glob(MODULES))
    sdk = ["-sdk", subprocess.getoutput("xcrun --show-sdk-path")] if sys.platform == "darwin" else []
    for name in names:
        run(
            "swift", "symbolgraph-extract", *sdk, "-module-name", name, "-I", built,
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
    """Writes the symbols and the guides with the links between modules, as one catalogue."""
    graphs = {file: json.loads(file.read_text()) for file in extract(names)}
    shutil.copytree(WORK / "graphs", WORK / "alone")
    links = Links(names, graphs)
    for file, graph in graphs.items():
        module = file.stem.partition("@")[0].removesuffix(".symbols")
        for symbol in graph["symbols"]:
            for line in symbol.get("docComment", {}).get("lines", []):
                line["text"] = links.written(line["text"], module)
        file.write_text(json.dumps(graph))
    shutil.copytree(CATALOG, WORK / CATALOG.name)
    guides = {file.stem.lower(): file.stem for file in CATALOG.glob("*.md")}
    for file in [file for name in names for file in catalogue(name).glob("*.md")]:
        # The first heading of a module's page is its name.
        head, rest = file.read_text().split("\n", 1)
        text = f"{head}\n{links.written(rest, file.stem if file.stem in names else FIRST)}"
        if file.stem == FIRST:
            others = "".join(f"- ``{name}``\n" for name in names if name != FIRST)
            text = text.replace("\n## Topics\n", f"\n### Other modules\n\n{others}\n## Topics\n")
        elif file.stem in names:
            # The page's list of topics is what the sidebar shows.
            listed = "".join(f"- <doc:{guides[slug]}>\n" for slug in dict.fromkeys(GUIDE.findall(text)))
            text = text.replace("\n## Topics\n", f"\n## Topics\n\n### Articles\n\n{listed}")
        (WORK / CATALOG.name / file.name).write_text(text)


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


def convert(catalog, graphs, output, name, *options):
    """Runs DocC; returns what it says."""
    command = [
        "docc", "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-path", output,
        "--fallback-display-name", name, "--fallback-bundle-identifier", name, *options]
    run = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        sys.exit(f"{name}:\n{run.stdout}")
    return run.stdout


def host(names):
    """What is missing where a host builds each module's documentation alone."""
    shutil.rmtree(HOSTED, ignore_errors=True)
    HOSTED.mkdir(parents=True)
    known = {
        part for file in (WORK / "alone").glob("*.json") for symbol in json.loads(file.read_text())["symbols"]
        for part in symbol["pathComponents"]} | set(names)
    for name in names:
        graphs = WORK / f"alone-{name}"
        graphs.mkdir()
        for file in (WORK / "alone").glob(f"{name}[.@]*.json"):
            shutil.copy(file, graphs)
        said = convert(
            catalogue(name), graphs, HOSTED / name, name, "--emit-digest", "--hosting-base-path", BASE,
            "--transform-for-static-hosting")
        # A symbol of another module is shown as code; nothing else may be unknown.
        for what, words in re.findall(r"^warning: '?([^'\n]*)'? ?(.*)$", said, re.MULTILINE):
            if re.sub(r"-\w+$", "", what.rpartition("/")[2]) not in known:
                yield f"{name} alone: {what} {words}"
    pages = {
        f"/{file.relative_to(HOSTED / name / 'data').with_suffix('')}".lower()
        for name in names for file in (HOSTED / name / "data").rglob("*.json")}
    own = {
        f"/{file.relative_to(SITE / 'data').with_suffix('')}".lower() for file in (SITE / "data").rglob("*.json")}
    yield from (f"a host has no page {path}" for path in sorted(own - pages))
    for name in names:
        for file in (HOSTED / name / "data").rglob("*.json"):
            for reference in json.loads(file.read_text()).get("references", {}).values():
                url = reference.get("url", "").partition("#")[0]
                # A chapter of the tutorials has no page, but is among their references.
                is_page = reference["type"] in ("link", "topic") and not url.startswith("/tutorials/tutorials/")
                if is_page and url.startswith("/") and url.lower() not in pages:
                    yield f"{name} alone: {file.stem} leads to {url}, which a host has not"


def main():
    """Builds the site; returns the exit code."""
    names = modules()
    if bare := [name for name in names if not (catalogue(name) / f"{name}.md").exists()]:
        print(f"there is no catalogue with a page of the module in the targets {', '.join(bare)}")
        return 1
    run(sys.executable, "Tests/Support/pages.py", *["--check"] * ("--skip-build" in sys.argv))
    if "--skip-build" not in sys.argv:
        run("Tests/Support/build.sh", ".")
    for folder in (WORK, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    prepare(names)
    print(convert(WORK / CATALOG.name, WORK / "graphs", SITE, FIRST, "--warnings-as-errors"), end="")
    for page in SITE.rglob("index.html"):
        page.write_text(page.read_text().replace("</head>", f"{STYLE}</head>", 1))
    (SITE / "index.html").write_text(ROOT_PAGE)
    absent = [name for name in names if not (SITE / f"data/documentation/{name.lower()}.json").exists()]
    for name in absent:
        print(f"the site has no page of {name}")
    guides = missing()
    for name in guides:
        print(f"{name}.md isn't listed in {FIRST}.md or another guide")
    wrong = list(host(names)) if "--host" in sys.argv else []
    print("".join(f"{line}\n" for line in wrong), end="")
    if absent or guides or wrong:
        return 1
    folder = SITE.relative_to(ROOT)
    print(f"the documentation of {', '.join(names)} is in {folder}")
    print(f"to read it: python3 -m http.server --bind 127.0.0.1 --directory {folder} 8000, then open http://127.0.0.1:8000")
    return 0


if __name__ == "__main__":
    sys.exit(main())
