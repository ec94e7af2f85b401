"""Checks the files that a public host reads: the workflows, by actionlint, the forms for issues, and .spi.yml.

A workflow may call no target that the Makefile lacks, `make help` shows each target, .spi.yml names the modules of all
library products, and the form for issues asks for an error's `debugDescription` and the platform."""

import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))


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


def hidden_targets():
    """The Makefile's targets that `make help` doesn't show."""
    shown = subprocess.run(["make", "--no-print-directory", "help"], cwd=ROOT, text=True, stdout=subprocess.PIPE).stdout
    names = {line.split()[0] for line in shown.splitlines()}
    phony, = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    targets = {*phony.split(), *re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)}
    yield from (f"`make help` doesn't show {target}" for target in sorted(targets - names))


def unclear_forms():
    """What a form for issues doesn't ask for."""
    for file in FORMS:
        form = yaml.safe_load(file.read_text())
        if missing := {"name", "description", "body"} - set(form):
            yield f"{file.name} has no {', '.join(sorted(missing))}"
            continue
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        asked = {field["id"] for field in fields if field.get("validations", {}).get("required")}
        if "platform" not in asked or "debugDescription" not in str(fields):
            yield f"{file.name} asks neither for the platform nor for `debugDescription`, or leaves one open"


def main():
    """Prints what is wrong; returns whether something is."""
    linter = Path(sys.executable).with_name("actionlint")
    wrong = subprocess.run([linter, "-no-color", *WORKFLOWS], cwd=ROOT).returncode != 0 or not WORKFLOWS
    found = [*unknown_targets(), *hidden_targets(), *unclear_forms()]
    if not FORMS:
        found.append("there is no form for issues")
    config, = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    if config["documentation_targets"] != products():
        found.append(f".spi.yml: documentation_targets isn't {products()}")
    print("\n".join(found) or f"{len(WORKFLOWS)} workflow, {len(FORMS)} form, {len(products())} documentation targets")
    return wrong or bool(found)


sys.exit(main())
