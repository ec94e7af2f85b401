"""Checks the files that a public host reads: the workflows, by actionlint, and .spi.yml.

A workflow may call no target that the Makefile lacks, and .spi.yml names the modules of all library products."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def products():
    """The modules of the library products, as Package.swift lists them."""
    manifest = (ROOT / "Package.swift").read_text()
    lists = re.findall(r"\.library\([^)]*targets: \[([^\]]*)\]", manifest)
    return [name for targets in lists for name in re.findall(r'"(\w+)"', targets)]


def unknown_targets():
    """What the workflows call that isn't in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for file in WORKFLOWS:
        jobs = yaml.safe_load(file.read_text())["jobs"].values()
        for command in (step.get("run", "") for job in jobs for step in job.get("steps", [])):
            for target in re.findall(r"(?:^|&& |; )make ([a-z-]+)", command, re.MULTILINE):
                if target not in targets:
                    yield f"{file.name}: the Makefile has no target {target}"


def main():
    """Prints what is wrong; returns whether something is."""
    linter = Path(sys.executable).with_name("actionlint")
    wrong = subprocess.run([linter, "-no-color", *WORKFLOWS], cwd=ROOT).returncode != 0 or not WORKFLOWS
    found = list(unknown_targets())
    config, = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    if config["documentation_targets"] != products():
        found.append(f".spi.yml: documentation_targets isn't {products()}")
    print("\n".join(found) or f"{len(WORKFLOWS)} workflow, {len(products())} documentation targets")
    return wrong or bool(found)


sys.exit(main())
