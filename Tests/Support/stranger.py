"""Uses the library as a stranger does, who has README.md alone: a package that depends on a tag of the repository by URL.

A copy of this repository, as it is now, is tagged 0.1.0 in a folder of its own. The stranger's package is the
README's `Package.swift` with that folder's URL, the requests of "Declare", and the test of "Test" in a function. The
types that the README says are the reader's own are written here. Nothing on this machine but Swift and git is used:
the home folder, and with it each cache, is new."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
IMPORTS = "import Endpoints\nimport Foundation\n\n"
# What the README calls types of the reader's.
OWN = """struct User: Codable, Sendable {
    let id: Int
    let name: String
}

struct ServerError: Decodable, Sendable {
    let message: String
}
"""
TEST = """import Endpoints
import EndpointsTesting
import Testing

@testable import Tool

@Test("The README's test passes")
func readme() async throws {
%s}
"""


def block(heading, number=0):
    """A Swift block below a heading of the README."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"```swift.*?\n(.*?)```\n", section, re.DOTALL)[number]


def publish(folder, home):
    """A copy of the repository, as a git repository with a tag."""
    ls = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(ls, cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "0.1.0"], ["tag", "0.1.0"]):
        subprocess.run(["git", *author, *command], cwd=folder, env=home, check=True)


def write(package, url):
    """The stranger's package."""
    manifest, count = re.subn(r'url: "[^"]*"', f'url: "{url}"', block("Install"))
    assert count == 1, "the README's Package.swift names no URL"
    test = "".join(f"    {line}\n" if line else "\n" for line in block("Test").splitlines())
    for name, text in {
        "Package.swift": manifest,
        "Sources/Tool/Requests.swift": IMPORTS + block("Declare"),
        "Sources/Tool/Types.swift": OWN,
        "Tests/ToolTests/ToolTests.swift": TEST % test,
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)


def main():
    """Builds and tests the stranger's package; returns the exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = {"PATH": os.environ["PATH"], "HOME": str(folder / "home")}
        (folder / "home").mkdir()
        publish(folder / "Endpoints", home)
        write(folder / "Tool", (folder / "Endpoints").as_uri())
        run = subprocess.run(
            ["swift", "test", "--disable-xctest", "-debug-info-format", "none"], cwd=folder / "Tool", env=home, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    passed = run.returncode == 0 and "Test run with 1 test" in run.stdout
    print("a stranger's package depends on the tag 0.1.0 by URL, builds and passes its test" if passed else run.stdout)
    return not passed


sys.exit(main())
