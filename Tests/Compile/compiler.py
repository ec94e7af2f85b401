"""The Swift compiler, for files that are no part of a package."""

import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Where Tests/Support/build.sh puts the library's modules: as the root package builds it, and with OpenCombine. The first
# is read beside builds, by the path that stays.
LIBRARY = [f"-I{folder}" for folder in ROOT.glob(".build/checks/*/debug/Modules")]
COMBINE = [
    f"-I{ROOT}/Tests/Combine/.build/debug/Modules",
    f"-I{ROOT}/Tests/Combine/.build/debug/COpenCombineHelpers.build",
]
# Where a Package.swift's module is: beside the compiler.
TOOLCHAIN = Path(os.path.realpath(shutil.which("swiftc") or "swiftc")).parents[1]
MANIFEST = [f"-I{TOOLCHAIN}/lib/swift/pm/ManifestAPI", "-package-description-version", "6.2"]
COMPILE = ["-wmo", "-parse-as-library", "-swift-version", "6", "-c"]


def swiftc(*arguments):
    """Runs the compiler from the root; returns whether it succeeded, and all it said."""
    # Not to /dev/null: a compiler that fails removes what it was to write, and root may remove that.
    with tempfile.TemporaryDirectory() as folder:
        command = ["swiftc", *COMPILE, "-o", f"{folder}/compiled.o", *map(str, arguments)]
        run = subprocess.run(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode == 0, run.stdout


def in_parallel(work, items):
    """The results of some work for each item, in order, as many at once as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))


def report(failures, count, what):
    """Prints what failed and how many there were; returns the exit code."""
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} of {count} {what}")
    return 1 if failures or not count else 0
