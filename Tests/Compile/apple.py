"""Compiles the library for Apple platforms, at the oldest versions that Package.swift declares, as far as Linux can: its
types, and that what is newer than these versions has an `#available`. See apple_compiler.py for how.

    apple.py           the products, and modules that use them in the language mode 5 and on the main actor
    apple.py blocks    the blocks of the documentation, and the examples of the comments, for iOS, with the products that
                       `apple.py` has compiled before"""

import json
import re
import sys

from apple_compiler import FOLDER, PLATFORMS, Platform, copy, output, rewritten, write
from compiler import ROOT, in_parallel, report

SETTINGS = ["-parse-as-library", "-swift-version", "6"]
PACKAGE = [*SETTINGS, "-package-name", "endpoints"]
# The folders of the modules that use the library.
USERS = {
    "MainActor": [*SETTINGS, "-default-isolation", "MainActor"],
    "Swift5": ["-parse-as-library", "-swift-version", "5"],
}


def first_lines(words):
    """What the compiler says, without the lines of code."""
    lines = [line for line in words.splitlines() if re.match(r"\S+: (error|warning):", line)]
    return "\n".join(lines[:40]) or words


def without_repetitions(problems):
    """What the compiler says of each place in the sources, of the first platform alone of which it does."""
    seen = set()
    for problem in filter(None, problems):
        head, *lines = problem.splitlines()
        new = [line for line in lines if line.partition(" ")[0] not in seen]
        seen |= {line.partition(" ")[0] for line in lines}
        yield "\n".join([head, *(new or ["as before"])])


def check(platform, folder, modules, what):
    """What the compiler refuses of some modules, which may use those before them; `None` if nothing."""
    for name, files, settings in modules:
        is_right, words = platform.compile(FOLDER / platform.folder / folder, name, files, *settings)
        if not is_right:
            return f"{what}, {name}:\n{first_lines(words)}"
    return None


def check_products(platforms, products):
    """Each platform with all products, and with the modules that use them."""
    users = [(name, copy(f"Tests/Compile/{name}"), settings) for name, settings in USERS.items()]

    def check_platform(platform):
        return check(platform, "products", products + users, platform.name)

    problems = in_parallel(check_platform, platforms)
    return report(list(without_repetitions(problems)), len(problems), "platforms compile")


def check_blocks(platforms, _):
    """Each document for the platform that most apps are for, as the others' versions are of the same year."""
    from docs import PREAMBLE, VALUES, documents
    from scope import in_scope

    platform = platforms[0]
    for file in (PREAMBLE, VALUES):
        write(FOLDER / file, rewritten((ROOT / file).read_text()).encode())
    preamble = ("Preamble", [PREAMBLE], [*SETTINGS, "-enable-testing"])
    problem = check(platform, "products", [preamble], platform.name)
    if problem:
        return report([problem], 1, "preambles compile")

    def compile_document(work):
        number, (file, blocks) = work
        paths = [f"blocks/{number}-{block.line}.swift" for block in blocks]
        for path, block in zip(paths, blocks):
            write(FOLDER / path, rewritten(in_scope(block)).encode())
        return check(platform, "products", [(f"Document{number}", [VALUES, *paths], SETTINGS)], str(file))

    everything = [(file, blocks) for file, blocks, put, _ in documents(has_os=True) if blocks and put is in_scope]
    problems = in_parallel(compile_document, list(enumerate(everything)))
    return report([problem for problem in problems if problem], len(everything), "documents compile")


def main(what):
    if sys.platform != "linux":
        print("not needed here: `swift build` says more")
        return 0
    package = json.loads(output("swift", "package", "--scratch-path", FOLDER, "dump-package"))
    versions = {platform["platformName"]: platform["version"] for platform in package["platforms"]}
    targets = [target["name"] for target in package["targets"] if target["type"] == "regular"]
    products = [(target, copy(f"Sources/{target}"), PACKAGE) for target in targets]
    names = ["ios"] if what == check_blocks else PLATFORMS
    return what(in_parallel(lambda name: Platform(name, versions[name]), names), products)


if __name__ == "__main__":
    sys.exit(main(check_blocks if sys.argv[1:] == ["blocks"] else check_products))
