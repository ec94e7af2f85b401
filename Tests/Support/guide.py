"""Does what the guide and the tutorial of the documentation say, step by step, and fails where a step does.

In FirstClient.md a comment before a block says what it is: `<!-- file NAME -->` a file that the reader writes, and
`<!-- run -->` commands. In the tutorial, a step's code is a file of the catalog, and its name is where the reader
writes it; after each step the package must build, and its tests pass when all are done. Both are followed in
.build/guide. This repository is taken instead of the clone that the reader has beside the package, and built where the
other checks build it, so that what these have compiled of the library isn't compiled again."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/Endpoints/Endpoints.docc"
GUIDE = CATALOG / "FirstClient.md"
TUTORIAL = CATALOG / "Tutorials/ToyShop.tutorial"
FOLDER = ROOT / ".build/guide"
STEP = re.compile(r"<!-- (?:file (\S+)|run) -->\n```\w+\n(.*?)```\n", re.DOTALL)
CODE = re.compile(r'@Code\(name: "([^"]+)", file: ([\w.-]+)\)')
BUILD = f"'{ROOT}/Tests/Support/build.sh' ."
TEST = f"{BUILD} --build-tests; swift test --quiet --disable-xctest --skip-build --scratch-path '{ROOT}/.build/checks'"
# What a Package.swift says of the reader's clone, and what stands for it.
CLONE = '.package(path: "../Endpoints")'
HERE = f'.package(name: "Endpoints", path: "{ROOT}")'
BEGIN = time.time()


def dated(name, number):
    """The command that makes a step's file newer than the build before. The compiler takes a file that is written in
    the second in which the last build began for the one which that build has read."""
    return f"touch -t {time.strftime('%Y%m%d%H%M.%S', time.localtime(BEGIN + 3600 + 2 * number))} {name}\n"


def written(name, text, number):
    """The command that writes a step's file."""
    if name == "Package.swift":
        assert text.count(CLONE) == 1, "a Package.swift doesn't name the clone"
        text = text.replace(CLONE, HERE)
    return f"cat > {name} <<'END'\n{text}END\n{dated(name, number)}"


def guide():
    """The commands of the guide; `None` if a block of it is neither a file nor commands."""
    text = GUIDE.read_text()
    steps = STEP.findall(text)
    if len(steps) != len(re.findall(r"^```\w", text, re.MULTILINE)):
        return None
    # One shell, as the reader has: a directory that a step changes to is that of the next.
    return [
        written(name, text, number) if name else text.replace("swift build", BUILD).replace("swift test", TEST)
        for number, (name, text) in enumerate(steps)
    ]


def tutorial():
    """The commands of the tutorial; `None` if a step of it has no code, or a file of its code isn't in a step."""
    text = TUTORIAL.read_text()
    files = {file.name: file for file in CATALOG.glob("Resources/Tutorial/*.swift")}
    steps = CODE.findall(text)
    if len(steps) != text.count("@Step {") or {file for _, file in steps} != set(files):
        return None
    commands = ["mkdir -p Toys/Sources/Toys Toys/Tests/ToysTests; cd Toys\n"]
    for number, (name, file) in enumerate(steps):
        commands.append(written(name, files[file].read_text(), number))
        # A package's folder has sources when its Package.swift is read.
        if name.startswith("Sources"):
            commands.append(f"{BUILD}\n")
        elif name.startswith("Tests"):
            commands.append(f"{TEST}\n")
    return commands


def main():
    """Prints each step; returns whether one failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in [*FOLDER.glob("*/Sources"), *FOLDER.glob("*/Tests")]:
        shutil.rmtree(old)
    for name, steps in [("guide", guide()), ("tutorial", tutorial())]:
        if steps is None:
            print(f"a step of the {name} has no code, or code has no step")
            return True
        run = subprocess.run(["bash", "-ec", "".join(steps)], cwd=FOLDER)
        print(f"{name}: {len(steps)} steps" if run.returncode == 0 else f"the {name}'s steps FAILED")
        if run.returncode:
            return True
    return False


sys.exit(main())
