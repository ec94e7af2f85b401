"""Compiles modules that use the library with other settings than the tests', each without a warning. Also compiles the
library with a stand-in for the module `os`, which only Apple platforms have."""

import sys
import tempfile

from compiler import LIBRARY, ROOT, in_parallel, report, swiftc

# Without it, Swift 5 warns of each key path literal where it checks concurrency completely.
SENDABLE_KEY_PATHS = ["-enable-upcoming-feature", "InferSendableFromCaptures"]
# The folder of the module, and what it is compiled with.
MODULES = [
    ("MainActor", ["-default-isolation", "MainActor"]),
    ("Swift5", ["-swift-version", "5"]),
    ("Swift5", ["-swift-version", "5", "-strict-concurrency=complete", *SENDABLE_KEY_PATHS]),
]
LIBRARY_SOURCES = sorted((ROOT / "Sources/Endpoints").rglob("*.swift"))


def compile(module):
    """What the compiler says, if it refuses the module."""
    folder, settings = module
    files = sorted((ROOT / "Tests/Compile" / folder).glob("*.swift"))
    compiled, output = swiftc(*LIBRARY, "-warnings-as-errors", *settings, *files)
    return None if compiled else f"{folder} {settings}:\n{output}"


def compile_with_os(_):
    """What the compiler says, if it refuses the library where there is a module `os`."""
    with tempfile.TemporaryDirectory() as folder:
        stand_in = ["-module-name", "os", "-emit-module", "-emit-module-path", f"{folder}/os.swiftmodule"]
        compiled, output = swiftc(*stand_in, ROOT / "Tests/Compile/OSLog/os.swift")
        if compiled:
            library = ["-module-name", "Endpoints", "-package-name", "endpoints", f"-I{folder}"]
            compiled, output = swiftc("-warnings-as-errors", *library, *LIBRARY_SOURCES)
    return None if compiled else f"the library with `os`:\n{output}"


results = in_parallel(lambda work: work[0](work[1]), [(compile_with_os, None), *((compile, module) for module in MODULES)])
failures = [problem for problem in results if problem]
sys.exit(report(failures, len(results), "modules compile with their settings"))
