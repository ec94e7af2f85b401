"""Does what the guide of the documentation says, step by step, and fails where a step does.

In FirstClient.md a comment before a block says what it is: `<!-- file NAME -->` a file that the reader writes, and
`<!-- run -->` commands. They are followed in .build/guide, beside a link that stands for the reader's clone of this
repository. What was compiled is kept for the next time."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Docs/Endpoints.docc/FirstClient.md"
FOLDER = ROOT / ".build/guide"
STEP = re.compile(r"<!-- (?:file (\S+)|run) -->\n```\w+\n(.*?)```\n", re.DOTALL)


def main():
    """Prints each step; returns whether one failed."""
    steps = STEP.findall(GUIDE.read_text())
    if len(steps) != len(re.findall(r"^```\w", GUIDE.read_text(), re.MULTILINE)):
        print("a block of the guide is neither a file nor commands")
        return True
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not (FOLDER / "Endpoints").exists():
        (FOLDER / "Endpoints").symlink_to(ROOT)
    for old in [*FOLDER.glob("*/Sources"), *FOLDER.glob("*/Tests")]:
        if old.parent.name != "Endpoints":
            shutil.rmtree(old)
    # One shell, as the reader has: a directory that a step changes to is that of the next.
    script = "set -e\n"
    for name, text in steps:
        script += f"cat > {name} <<'END'\n{text}END\n" if name else text.replace("swift test", "swift test --quiet --disable-xctest")
    run = subprocess.run(["bash", "-c", script], cwd=FOLDER)
    print(f"{len(steps)} steps" if run.returncode == 0 else "the guide's steps FAILED")
    return run.returncode != 0


sys.exit(main())
