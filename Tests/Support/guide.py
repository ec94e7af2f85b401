"""Does what the guide and the tutorial of the documentation say, step by step, and fails where a step does.

In FirstClient.md a comment before a block says what it is: `<!-- file NAME -->` a file that the reader writes, and
`<!-- run -->` commands. In the tutorial, a step's code is a file of the catalog, and its name is where the reader
writes it; after each step the package must build, and its tests pass when all are done. Both are followed in
.build/guide, beside a link that stands for the reader's clone of this repository. What was compiled is kept for the
next time."""

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
# Both packages are built in one folder, so that they share what is compiled of the library.
SCRATCH = "--scratch-path ../build"
TEST = f"swift test --quiet --disable-xctest {SCRATCH}"
BEGIN = time.time()


def dated(name, number):
    """The command that makes a step's file newer than the build before. The compiler takes a file that is written in
    the second in which the last build began for the one which that build has read."""
    return f"touch -t {time.strftime('%Y%m%d%H%M.%S', time.localtime(BEGIN + 3600 + 2 * number))} {name}\n"


def guide():
    """The commands of the guide; `None` if a block of it is neither a file nor commands."""
    text = GUIDE.read_text()
    steps = STEP.findall(text)
    if len(steps) != len(re.findall(r"^```\w", text, re.MULTILINE)):
        return None
    # One shell, as the reader has: a directory that a step changes to is that of the next.
    return [
        f"cat > {name} <<'END'\n{text}END\n{dated(name, number)}" if name else text.replace("swift test", TEST)
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
        commands.append(f"cp '{files[file]}' {name}\n{dated(name, number)}")
        # A package's folder has sources when its Package.swift is read.
        if name.startswith("Sources"):
            commands.append(f"swift build --quiet {SCRATCH}\n")
        elif name.startswith("Tests"):
            commands.append(f"{TEST}\n")
    return commands


def main():
    """Prints each step; returns whether one failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / "Endpoints").exists():
        (FOLDER / "Endpoints").symlink_to(ROOT)
    for old in [*FOLDER.glob("*/Sources"), *FOLDER.glob("*/Tests")]:
        if old.parent.name != "Endpoints":
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
