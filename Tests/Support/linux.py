"""Follows the page about AsyncHTTPClient as a user on Linux does: its three commands, its program, and a call.

The branch that the page names is made of the last commit, and a clone of it stands for the public repository. What was
compiled is kept in .build/linux for the next time. It needs httpbin: serve.py --only httpbin -- linux.py"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "Sources/Endpoints/Endpoints.docc/AsyncHTTPClient.md").read_text()
FOLDER = ROOT / ".build/linux"
BRANCH = "async-http-client"


def main():
    """Returns whether a step failed."""
    subprocess.run([sys.executable, ROOT / "Tests/Support/branch.py"], check=True)
    clone, tool = FOLDER / "Endpoints", FOLDER / "Tool"
    shutil.rmtree(clone, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "clone", "--quiet", "--branch", BRANCH, ROOT, clone], check=True)
    for old in ("Package.swift", "Package.resolved", "Sources", "Tests"):
        path = tool / old
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    tool.mkdir(exist_ok=True)
    commands, = re.findall(r"<!-- run -->\n```sh\n(.*?)```", PAGE, re.DOTALL)
    commands, count = re.subn(r"https://example\.com/Endpoints\.git", clone.as_uri(), commands)
    (name, program), = re.findall(r"<!-- file (Sources/Tool/\S+) -->\n```swift\n(.*?)```", PAGE, re.DOTALL)
    if count != 1 or len(commands.splitlines()) != 3:
        print("the page has other commands than three, or another URL")
        return True
    script = f"set -e\nswift package init --quiet --type executable --name Tool\n{commands}"
    subprocess.run(["bash", "-c", script], cwd=tool, check=True)
    (tool / name).write_text(program.replace("https://api.example.com", os.environ["ENDPOINTS_HTTPBIN"]))
    # The branch has a new commit each time.
    subprocess.run(["swift", "package", "update", "--quiet", "Endpoints"], cwd=tool, check=True)
    run = subprocess.run(["swift", "run", "--quiet", "Tool"], cwd=tool, text=True, stdout=subprocess.PIPE)
    print(run.stdout, end="")
    if run.returncode or "fish & chips" not in run.stdout:
        print("the page's program FAILED")
        return True
    print("the page's three commands, and its program")
    return False


sys.exit(main())
