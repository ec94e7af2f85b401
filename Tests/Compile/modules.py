"""Compiles modules that use the library with other settings than the tests', each without a warning. Also compiles the
part that logs with a stand-in for the module `os`, which only Apple platforms have."""

import re
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
PART = "EndpointsMiddleware"
# As SwiftPM names the package of the modules that it builds: by its folder.
PACKAGE = re.sub(r"\W", "_", ROOT.name.lower())


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
            settings = ["-module-name", PART, "-package-name", PACKAGE, *LIBRARY, f"-I{folder}"]
            files = sorted((ROOT / "Sources" / PART).rglob("*.swift"))
            compiled, output = swiftc("-warnings-as-errors", *settings, *files)
    return None if compiled else f"{PART} with `os`:\n{output}"


results = in_parallel(lambda work: work[0](work[1]), [(compile_with_os, None), *((compile, module) for module in MODULES)])
failures = [problem for problem in results if problem]
sys.exit(report(failures, len(results), "modules compile with their settings"))
