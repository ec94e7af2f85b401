"""Compiles modules that use the library with other settings than the tests', each without a warning."""

import sys

from compiler import LIBRARY, ROOT, in_parallel, report, swiftc

# Without it, Swift 5 warns of each key path literal where it checks concurrency completely.
SENDABLE_KEY_PATHS = ["-enable-upcoming-feature", "InferSendableFromCaptures"]
# The folder of the module, and what it is compiled with.
MODULES = [
    ("MainActor", ["-default-isolation", "MainActor"]),
    ("Swift5", ["-swift-version", "5"]),
    ("Swift5", ["-swift-version", "5", "-strict-concurrency=complete", *SENDABLE_KEY_PATHS]),
]


def compile(module):
    """What the compiler says, if it refuses the module."""
    folder, settings = module
    files = sorted((ROOT / "Tests/Compile" / folder).glob("*.swift"))
    compiled, output = swiftc(*LIBRARY, "-warnings-as-errors", *settings, *files)
    return None if compiled else f"{folder} {settings}:\n{output}"


results = in_parallel(compile, MODULES)
failures = [problem for problem in results if problem]
sys.exit(report(failures, len(results), "modules compile with their settings"))
