"""Prints how many instructions the making of a URLRequest takes, in this state of the library and in a former one.

The same program is built with both, and run by `valgrind --tool=callgrind`. Each case is run twice, and only the
difference counts, so that start-up cancels out. `instructions.py where CASE` prints the functions of this state that
take the most."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from progress import report

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build/instructions"
# The state before streams, uploads and middleware.
FORMER = "26fd7ff"
CASES = ["constant GET", "GET, 2 path, 3 query, 2 headers", "POST form of six", "POST JSON body of five fields",
         "GET with 100 query values"]
COUNTS = (640, 1920)
GOAL = 1.00
PACKAGE = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "Instructions", platforms: [.macOS(.v13)],
    dependencies: [.package(name: "Endpoints", path: "LIBRARY")],
    targets: [.executableTarget(
        name: "Instructions", dependencies: [.product(name: "Endpoints", package: "Endpoints")])],
    swiftLanguageModes: [.v6])
"""


def hundred():
    """The request of the last case."""
    names = [f"p{number}" for number in range(100)]
    items = ", ".join(f'.query("{name}", path: \\.{name})' for name in names)
    return f"""
struct Hundred: FlatRequest, Decodable {{
    let {", ".join(names)}: String
    static let endpoint = Endpoint<Hundred>(method: .get, path: "hundred", parameters: [{items}])
    typealias Response = Void
}}
"""


def write(path, text):
    """Writes a file, unless it has that text already: it would be compiled again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def program(name, library):
    """Builds the program with a state of the library, and returns its path."""
    folder = FOLDER / name
    write(folder / "Package.swift", PACKAGE.replace("LIBRARY", str(library)))
    source = Path(__file__).with_name("Instructions.swift").read_text()
    write(folder / "Sources/Instructions/Instructions.swift", source + hundred())
    # SwiftPM keeps the list of a dependency's files in it, and doesn't see that one is gone or new.
    (folder / ".build/release.yaml").unlink(missing_ok=True)
    subprocess.run(["swift", "build", "--quiet", "-c", "release", "--package-path", folder], check=True)
    return folder / ".build/release/Instructions"


def former():
    """The folder of the former state; `None` if the repository doesn't have it."""
    folder = FOLDER / FORMER / "Endpoints"
    if not folder.exists():
        archive = subprocess.run(["git", "archive", FORMER], cwd=ROOT, capture_output=True)
        if archive.returncode:
            return None
        folder.mkdir(parents=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
    return folder


def run(program, case, count):
    """Runs a case so many times; returns the file that has its instructions by function."""
    out = FOLDER / f"callgrind.{program.parents[2].name}.{case}.{count}"
    # With the usual random hashing, each run would take another number of instructions.
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, str(case), str(count)],
        env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}, text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"case {case} failed:\n{result.stderr}")
    return out


def total(file):
    """All instructions but those in which the runtime looks up a generic type.

    It does that in a table by address, so their number depends on where the linker put the types."""
    text = subprocess.run(
        ["callgrind_annotate", "--auto=no", "--tree=none", "--threshold=100", file], text=True, check=True,
        capture_output=True).stdout
    rows = re.findall(r"^ *([\d,]+) \([ \d.]+%\) +(.*)", text, re.M)
    counts = [(int(number.replace(",", "")), name) for number, name in rows]
    return counts[0][0] - sum(number for number, name in counts[1:] if re.search("GenericCacheEntry|MetadataCacheKey", name))


def instructions(program, case):
    """The instructions of one request."""
    few, many = (total(run(program, case, count)) for count in COUNTS)
    return (many - few) / (COUNTS[1] - COUNTS[0])


def main():
    """Compares all cases, or those that are given by number."""
    if not shutil.which("valgrind"):
        print("instructions: not counted, as valgrind isn't installed (on Debian, apt-get install valgrind)")
        return 0
    if sys.argv[1:2] == ["where"]:
        out = run(program("current", ROOT), int(sys.argv[2]), COUNTS[1])
        return subprocess.run(["callgrind_annotate", "--threshold=90", "--tree=caller", out]).returncode
    if not (library := former()):
        print(f"instructions: not counted, as this repository has no commit {FORMER} (a shallow clone has no history)")
        return 0
    report(f"instructions: building with {FORMER}")
    before = program(FORMER, library)
    report("instructions: building")
    now = program("current", ROOT)
    print(f"instructions a URLRequest\n{'':<36}{FORMER:>9}{'now':>9}{'ratio':>8}{'goal':>8}")
    missed = 0
    for case in [int(text) for text in sys.argv[1:]] or range(1, len(CASES) + 1):
        report(f"instructions: {case} of {len(CASES)}")
        old, new = instructions(before, case), instructions(now, case)
        missed += new > GOAL * old
        mark = "" if new <= GOAL * old else "  MISSED"
        print(f"{case} {CASES[case - 1]:<34}{old:>9.0f}{new:>9.0f}{new / old:>8.2f}  ≤ {GOAL:.2f}{mark}", flush=True)
    report("")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
