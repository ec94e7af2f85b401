"""Imports each document of a folder, makes all its requests from values of its schemas, and compares them with what
OpenAPI says: python3 wire.py FOLDER [SEED]. `make wire DOCUMENTS=folder` calls it.

Prints a table: operations, those that are equal, those that differ, those that the values don't fit, those that
openapi-core reads as what they were made of, those that it reads as something else, those that it can't read, seconds of
the import, lines an operation, the seconds and memory of a debug build, the examples that became tests, those that fail,
those that the import lists as not fitting, and the differences of the declarations' document. What differs is listed
after it, with the reasons why openapi-core can't read some, and each example and difference in `.build/wire/documents`.
The tests that compare the declarations with the document, and look for
problems in them, are listed too if they fail. The exit status tells of these and of requests."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from calls import compare, not_called, text
from schemas import Document

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "wire"
COMMAND = ROOT / ".build" / "debug" / "endpoints-import"
PACKAGE = """// swift-tools-version: 6.2
import PackageDescription

let products = ["Endpoints", "EndpointsFormats", "EndpointsStreams", "EndpointsTesting", "EndpointsOpenAPI"]
let names: [String] = %s
let package = Package(
    name: "Wire", platforms: [.macOS(.v14)],
    dependencies: [.package(name: "Endpoints", path: "%s")],
    targets: names.flatMap { name -> [Target] in
        let used = products.map { Target.Dependency.product(name: $0, package: "Endpoints") }
        return [
            .executableTarget(name: name, dependencies: used),
            .testTarget(name: name + "Tests", dependencies: [.target(name: name)] + used),
        ]
    })
"""
MAIN = """import Endpoints
import EndpointsOpenAPI
import Foundation

guard let file = CommandLine.arguments.dropFirst().first else {
    try Calls.printAll()
    exit(0)
}
var types: [any RequestType.Type] = []
for make in Calls.requests {
    let type: any RequestType.Type = type(of: try make())
    if !types.contains(where: { $0 == type }) { types.append(type) }
}
let document = OpenAPIDocument(of: types, servers: [%s])
let theirs = try OpenAPIDocument(contentsOf: URL(fileURLWithPath: file))
let differences = document.differences(from: theirs, includingUndeclared: true)
for text in differences.map(\\.description) + document.unprobed.map({ "unprobed: \\($0)" }) {
    print(text.replacing("\\n", with: " "))
}
"""


def run(arguments, **options):
    """Runs a command; gives its exit status, the seconds, and the megabytes of its largest process."""
    began = time.monotonic()
    process = subprocess.Popen([str(one) for one in arguments], **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, time.monotonic() - began, usage.ru_maxrss / (1 if sys.platform == "darwin" else 1024)


def read(path, folder):
    """The document as a file of JSON."""
    target = folder / "document.json"
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".json":
        import yaml

        text = json.dumps(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)), default=str)
    target.write_text(text, encoding="utf-8")
    return target


def import_all(paths, seed):
    """Writes the package, and gives what each import said."""
    rows = {}
    for path in paths:
        name = re.sub(r"\W", "_", path.stem)
        folder, sources = WORK / "documents" / name, WORK / "Sources" / name
        folder.mkdir(parents=True, exist_ok=True)
        document = read(path, folder)
        subprocess.run(
            [sys.executable, "-B", ROOT / "Tests/Import/values.py", document, folder / "values.json", seed], check=True)
        with open(folder / "said.txt", "w", encoding="utf-8") as said:
            status, seconds, _ = run(
                [COMMAND, document, "--into", sources, "--calls", folder / "values.json", "--tests",
                 WORK / "Tests" / f"{name}Tests", "--notes", folder / "notes.txt", "--allow-skipped"],
                stdout=said, stderr=subprocess.STDOUT)
        said = (folder / "said.txt").read_text(encoding="utf-8")
        texts = [file.read_text(encoding="utf-8") for file in sources.glob("*.swift") if file.name != "Calls.swift"]
        rows[name] = {
            "status": status, "import": seconds, "said": said, "folder": folder,
            "operations": len(list(Document(document).operations())),
            "lines": sum(text.count("\n") for text in texts)}
        if sources.exists():
            (sources / "main.swift").write_text(MAIN % ", ".join(servers(sources)))
    return rows


def servers(sources):
    """The servers that the import wrote, as Swift."""
    text = (sources / "Server.swift").read_text(encoding="utf-8")
    constants = re.findall(r"static let (\w+) = (\w+Server)\(", text)
    functions = re.findall(r"static func (\w+)\(([^)]*)\) -> (\w+Server)\b", text)
    return [f"{type}.{name}" for name, type in constants] + [
        f"{type}.{name}({', '.join(arguments(given))})" for name, given, type in functions]


def arguments(parameters):
    """What a function must be given: a host, or a text."""
    for parameter in parameters.split(","):
        name, _, type = parameter.strip().partition(":")
        if type and "=" not in type:
            value = 'URL(string: "https://server.invalid")!' if type.strip() == "URL" else '"x"'
            yield f"{name.split()[0]}: {value}"


def package(*names):
    (WORK / "Package.swift").write_text(PACKAGE % (json.dumps(names), ROOT))


def build(*arguments):
    command = ["swift", "build", "--package-path", WORK, "-Xswiftc", "-warnings-as-errors", *arguments]
    with open(WORK / "build.log", "w", encoding="utf-8") as log:
        return run(command, stdout=log, stderr=subprocess.STDOUT)


def measure(name, row):
    """Builds and runs the calls of a document, and compares them."""
    package(name)
    status, row["build"], row["memory"] = build("--product", name)
    if status != 0:
        log = (WORK / "build.log").read_text(encoding="utf-8")
        errors = re.findall(r"^.*error: .*$", log, re.MULTILINE)
        row["found"] = [("build", sorted(set(errors))[:20])]
        return
    with open(row["folder"] / "calls.jsonl", "w", encoding="utf-8") as calls:
        run([WORK / ".build/debug" / name], stdout=calls)
    files = ["document.json", "values.json", "calls.jsonl", "notes.txt"]
    row["found"] = compare(*(row["folder"] / file for file in files))
    row["uncalled"] = len(not_called(row["folder"] / "notes.txt"))
    row["equal"] = row["operations"] - len(row["found"]) - row["uncalled"]
    from core import judge  # Only this one needs openapi-core.

    verdicts = judge(*(row["folder"] / file for file in files))
    counts = collections.Counter(verdict for _, verdict, _ in verdicts)
    row["core"] = [counts[verdict] for verdict in ("equal", "different", "not judged")]
    row["unread"] = collections.Counter(reason for _, verdict, reason in verdicts if verdict == "not judged")
    row["found"] += [(f"{what} by openapi-core", [reason]) for what, verdict, reason in verdicts if verdict == "different"]
    differences = subprocess.run(
        [WORK / ".build/debug" / name, row["folder"] / "document.json"], capture_output=True, text=True, check=False)
    (row["folder"] / "differences.txt").write_text(differences.stdout + differences.stderr)
    row["differences"] = differences.stdout.count("\n") if differences.returncode == 0 else "ended"
    run_tests(row)


def run_tests(row):
    """Runs the tests of the document's examples, and keeps what those that fail say."""
    row["listed"] = text(row["folder"] / "notes.txt").count("the example isn't tested")
    if build("--product", "WirePackageTests")[0] != 0:
        (WORK / "build.log").rename(row["folder"] / "tests.txt")
        row["examples"] = row["failing"] = "build"
        return
    with open(row["folder"] / "tests.txt", "w", encoding="utf-8") as log:
        subprocess.run(
            ["swift", "test", "--package-path", WORK, "--skip-build", "--disable-xctest", "-Xswiftc",
             "-warnings-as-errors"], stdout=log, stderr=subprocess.STDOUT, check=False)
    ends = re.findall(
        r'^. +Test "An example of .*" (passed|failed) after', text(row["folder"] / "tests.txt"), re.MULTILINE)
    row["examples"], row["failing"] = len(ends), ends.count("failed")
    # The others compare the declarations with the document, and look for problems of the declarations.
    others = re.findall(
        r'^. +Test "((?!An example of ).*)" recorded an issue.*?: ([\s\S]*?)(?=^. +(?:Test|Suite) )',
        text(row["folder"] / "tests.txt"), re.MULTILINE)
    row["found"] += [(f"the test {name!r}", [" ".join(issue.split())[-600:]]) for name, issue in others]


def main():
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    paths = sorted(
        path for path in pathlib.Path(sys.argv[1]).iterdir() if path.suffix in (".json", ".yaml", ".yml"))
    if not paths:
        sys.exit(f"wire.py: {sys.argv[1]} has no document, no file that ends in .json, .yaml or .yml")
    subprocess.run(["swift", "build", "--quiet", "--package-path", ROOT, "--product", "endpoints-import"], check=True)
    subprocess.run(["rm", "-rf", WORK / "Sources", WORK / "Tests"], check=True)
    rows = import_all(paths, seed)
    # The library is built before, so that it isn't in any document's time.
    package(*[name for name, row in rows.items() if row["status"] == 0][:1])
    for product in ["EndpointsTesting", "EndpointsOpenAPI", "EndpointsStreams"]:
        if build("--target", product)[0] != 0:
            sys.exit((WORK / "build.log").read_text(encoding="utf-8"))
    head = "document operations equal differ uncalled core-equal differ unread import-s lines/op build-s build-MB examples failing listed differences"
    print(" ".join(f"{word:>10}" for word in head.split()), flush=True)
    for name, row in rows.items():
        row["equal"], row["uncalled"], row["build"], row["memory"], row["found"] = 0, 0, 0, 0, []
        row["core"], row["unread"] = [0, 0, 0], {}
        row["examples"] = row["failing"] = row["listed"] = row["differences"] = "-"
        if row["status"] == 0:
            measure(name, row)
        else:
            row["found"] = [("import", row["said"].splitlines()[-5:])]
        count = max(row["operations"], 1)
        cells = [name[:10], row["operations"], row["equal"], row["operations"] - row["equal"] - row["uncalled"], row["uncalled"],
                 *row["core"],
                 f"{row['import']:.1f}",
                 f"{row['lines'] / count:.1f}", f"{row['build']:.0f}", f"{row['memory']:.0f}",
                 *(row[key] for key in ("examples", "failing", "listed", "differences"))]
        print(" ".join(f"{cell:>10}" for cell in cells), flush=True)
    for name, row in rows.items():
        for reason, count in row["unread"].items():
            print(f"{name}: openapi-core can't read {count}: {reason}")
        for what, parts in row["found"]:
            print(f"{name}: {what}: " + "\n    ".join(part[:600] for part in parts))
    sys.exit(any(row["found"] for row in rows.values()))


if __name__ == "__main__":
    main()
