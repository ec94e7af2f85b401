"""Checks that each room of the core uses only the rooms before it.

The compiler checks it: the files of the first room are type-checked alone, then with those of the second room, and so
on. A name that a room may not know can't be found. (Between the modules, the compiler sees to it in every build.)"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "Sources/Endpoints"
# The rooms, each of which may use those before it.
ROOMS = ["Base", "Secrets", "Errors", "Describe", "Encode", "Request", "Decode", "Load"]
TYPECHECK = ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-package-name", "endpoints", "-module-name", "Endpoints"]


def errors(count):
    """What the compiler says of the first rooms alone."""
    files = [file for room in ROOMS[:count] for file in sorted((CORE / room).rglob("*.swift"))]
    run = subprocess.run([*TYPECHECK, *files], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = re.findall(rf"^{CORE}/(.*: error: .*)$", run.stdout, re.MULTILINE)
    return found or ([run.stdout] if run.returncode else [])


def main():
    """Prints what uses a room that it may not know; returns whether something does."""
    unknown = {path.name for path in CORE.iterdir() if path.suffix != ".docc"} - set(ROOMS)
    wrong = [f"{name} is not a room of Sources/Endpoints: add it to rooms.py, or move it" for name in sorted(unknown)]
    with ThreadPoolExecutor(2) as pool:
        for room, found in zip(ROOMS, pool.map(errors, range(1, len(ROOMS) + 1))):
            wrong += [f"{room} uses a room that comes after it: {error}" for error in dict.fromkeys(found)]
    print("\n".join(wrong) if wrong else f"each of the {len(ROOMS)} rooms uses only those before it")
    return bool(wrong)


sys.exit(main())
