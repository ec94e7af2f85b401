"""Runs every check there is; `make test` calls it.

    make test                 every check
    make test CHECK=fuzz      one check, with the builds that it needs
    make test CHECK=list      the checks' names

The checks that only compute run several at a time, and then those one by one whose loads have a deadline. A check that fails
doesn't hold up those after it, but fails the whole. What can't be checked on this machine is said at the end; under
CI=true it is a failure."""

import os
import platform
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from shutil import which
from typing import NamedTuple

from browser import program

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("ENDPOINTS_SHARED") or ROOT.parent / "shared")
PYTHON = f"{sys.executable} -B"
SERVE = f"{sys.executable} Tests/Support/serve.py"
# Builds with the same options for all checks, so that each module is compiled once.
BUILD = "Tests/Support/build.sh"
RELEASE = "Tests/.build/release"
TEST = "swift test --quiet --skip-build"
LIBRARY = f"{SERVE} -- {TEST} --disable-xctest --scratch-path .build/checks"
# The programs that the checks run, optimized.
RELEASED = ["Matrix", "Benchmarks", "CacheKills", "DownloadKills", "UploadKills", "OutboxKills", "OneGet", "OneGetWithParts", "OneLoad", "Big", "Linear"]
# Twice what a host's machine has of processors, as each check also waits for the disk, a server or a browser.
WORKERS = 4
# How much of a failed check's output is printed once more at the end.
LAST_LINES = 40


class Check(NamedTuple):
    """A command that fails if something is wrong."""

    name: str
    what: str
    command: str
    # What it needs to have run before, also if it is run by its name.
    needs: tuple = ()
    # What it can use if it has run before.
    after: tuple = ()
    # Whether nothing may run beside it.
    alone: bool = False
    # Why it can't be run on this machine.
    missing: str | None = None


NO_SHARED = None if (SHARED / "seeds").is_dir() else "there is no ../shared beside this clone"
NO_VALGRIND = (None if which("valgrind") else "there is no valgrind (on Debian, apt-get install valgrind)"
               ) if platform.machine() == "x86_64" else "the limits are those of x86-64"
NO_NGINX = None if which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") else "there is no nginx (on Debian, apt-get install nginx-light)"
NO_BROWSER = None if program() else "there is no Chromium"
CHECKS = [
    # These only compute. First what others need, and what takes long.
    Check("build", "the library, the demo and the tests build without a warning",
          f"{BUILD} . --build-tests"),
    Check("release", "the programs under Tests are built for release, without a warning",
          " && ".join(f"{BUILD} Tests -c release --product {program}" for program in RELEASED)),
    Check("opencombine", "the library with OpenCombine builds without a warning", f"{BUILD} Tests/Combine --build-tests"),
    Check("examples", "the examples, with stubs, and with XCTest; the programs that no other check builds compile",
          " && ".join(f"{BUILD} Tests --product {program}" for program in ["ProgramsPackageTests", "Soak", "Chat", "Loads", "Servers"])
          + f" && {TEST} --package-path Tests --scratch-path .build/checks", after=("build",)),
    Check("fuzz", "random declarations and multipart forms, read back by others, and random documents",
          "Tests/Fuzz/fuzz.sh --minutes 0 --forms 400 --cases 5000 --imports 500 --seed 1", ("build",), ("examples",)),
    Check("stranger", "a stranger's package depends on a tag by URL, with the README alone",
          f"{PYTHON} Tests/Support/stranger.py"),
    Check("apple", "the library compiles for Apple platforms' oldest versions, as far as Linux can say",
          f"{PYTHON} Tests/Compile/apple.py", ("opencombine",)),
    Check("import", "an OpenAPI document is imported: the declarations compile and send what it says",
          "Tests/Import/check.sh", ("build",), ("examples",)),
    Check("guide", "the steps of the guide and of the tutorial, from an empty folder", f"{PYTHON} Tests/Support/guide.py",
          ("build",), ("examples", "import")),
    Check("matrix", "each stack of middleware, kind of body and of response, and ending of a load",
          f"{RELEASE}/Matrix", ("release",)),
    Check("blocks", "the documentation's blocks compile", f"{PYTHON} Tests/Compile/docs.py", ("opencombine",)),
    Check("apple-blocks", "the documentation's blocks compile for iOS, at its oldest version",
          f"{PYTHON} Tests/Compile/apple.py blocks", ("opencombine", "apple")),
    Check("ways", "the ways of a request in CONTRIBUTING.md are those of the calls", f"{PYTHON} Tests/Support/ways.py"),
    Check("errors", "what must not compile does not, and the compiler says why",
          f"{PYTHON} Tests/Compile/errors.py", ("build",)),
    Check("api", "the public API is as Tests/API lists it, and breaks no code for the last version",
          f"{PYTHON} Tests/Compile/api.py", ("build", "opencombine"), ("apple", "apple-blocks")),
    Check("docs", "the documentation's pages and comments have no warning, and a host shows them too",
          f"{PYTHON} Tests/Support/docs.py --skip-build --host", ("build",)),
    Check("site", "the documentation's site in a browser: no dead link, light and dark, on a phone",
          f"{PYTHON} Tests/Support/visit.py", ("docs",), missing=NO_BROWSER),
    Check("seed", "the seed's blocks compile and do what its text says",
          "Tests/Compile/seed.sh", ("opencombine",), ("blocks", "apple", "apple-blocks", "api"), missing=NO_SHARED),
    Check("corpora", "public tables of URLs, forms and escapes, read back",
          "Tests/Fuzz/corpora.sh", ("build",), ("fuzz", "guide"), missing=NO_SHARED),
    Check("kills", "processes that are killed while they store responses leave a folder that can be read",
          f"{PYTHON} Tests/Benchmarks/kills.py 100", ("release",)),
    Check("uploads", "processes that are killed while they upload to a tus server send a file whole and unmixed",
          "make --silent .build/durable-venv/ready && .build/durable-venv/bin/python -B Tests/Durable/uploads.py 12 --only tus",
          ("release",)),
    Check("replay", "tests of servers, with the servers off", "SKIP_BUILD=1 Tests/Support/replay.sh", ("build",), ("guide",)),
    Check("modules", "modules with other settings", f"{PYTHON} Tests/Compile/modules.py", ("build",)),
    Check("allocations", "a request takes no more allocations than it may",
          f"{RELEASE}/Benchmarks allocations", ("release",)),
    Check("instructions", "a load, and each middleware, takes no more instructions than it may",
          f"{PYTHON} Tests/Benchmarks/load_instructions.py --check", ("release",), missing=NO_VALGRIND),
    Check("bytes", "a program with one GET has no more bytes than it may",
          f"{PYTHON} Tests/Benchmarks/programs.py --check", ("release",)),
    Check("progress", "progress is a line on a terminal, and nothing in a file", f"{PYTHON} Tests/Support/progress.py --test"),
    Check("charts", "the charts show what their tables say", f"{PYTHON} Tests/Benchmarks/charts.py --check"),
    Check("pages", "the examples' pages say what the examples do", f"{PYTHON} Tests/Support/pages.py --check"),
    Check("workflow", "the files for public hosts have no mistake, and call the Makefile's targets",
          f"{PYTHON} Tests/Support/workflow.py"),

    # These have deadlines, or measure.
    Check("unit", "unit and server tests", f'{LIBRARY} --skip "$TIMED"', ("build",), alone=True),
    Check("timed", "tests that must end in time, apart from those that need the processor",
          f'{LIBRARY} --filter "$TIMED"', ("build",), alone=True),
    Check("servers", "what a user gets from nginx, as make servers has it for all servers, and the page of it",
          f"{BUILD} Tests --product Servers && {PYTHON} Tests/Servers/servers.py --only nginx --transport URLSession",
          after=("examples",), alone=True, missing=NO_NGINX),
    # Beside builds, the processor's cache is not its own, and a text takes longer than one half as long would say.
    Check("linear", "whatever reads a text of 512 KB doesn't take 2.6 times as long for 1 MB, and again for 2 and 4",
          f"{RELEASE}/Linear 512 1/2 & {RELEASE}/Linear 512 2/2; second=$?; wait $! && exit $second",
          ("release",), alone=True),
    # Bodies, as they arrive, saved and read slowly, may not be in memory.
    Check("big", "bodies of 64 MB take little memory",
          f"{SERVE} --only faults -- {RELEASE}/Big 64", ("release",), alone=True),
    # These wait for the disk, and so does whatever runs beside them.
    Check("downloads", "processes that are killed while they download leave a file that is whole or absent",
          f"{PYTHON} Tests/Durable/downloads.py 20", ("release",), alone=True, missing=NO_NGINX),
    Check("outbox", "processes that are killed while they send lose no request, and send none twice in effect",
          f"{PYTHON} Tests/Durable/outbox.py 40", ("release",), alone=True),
    Check("publisher", "the publisher, with OpenCombine",
          f"{SERVE} -- {TEST} --disable-xctest --package-path Tests/Combine --filter CombineTests", ("opencombine",), alone=True),
]


class Run:
    """The checks that are run, as threads."""

    def __init__(self, checks, live):
        self.checks, self.live = checks, live
        self.waiting, self.running, self.passed = list(checks), [], {}
        self.changed = threading.Condition()
        self.summary, self.failures = [], []

    def start(self):
        """Runs all checks; returns when the last has ended."""
        with self.changed:
            while self.waiting or self.running:
                check = self.next()
                if check is None:
                    self.changed.wait()
                    continue
                self.waiting.remove(check)
                self.running.append(check)
                threading.Thread(target=self.run, args=(check,), daemon=True).start()

    def next(self):
        """The first check that may begin now. None overtakes one that has to run alone."""
        if len(self.running) == WORKERS or any(check.alone for check in self.running):
            return None
        for check in self.waiting:
            if check.alone:
                return None if self.running else check
            others = {*check.needs, *check.after} & {one.name for one in self.checks}
            if others <= set(self.passed):
                return check
        return None

    def run(self, check):
        """Runs a check, and keeps how it ended."""
        began, text, seconds = time.monotonic(), "", 0
        failed = [name for name in check.needs if not self.passed[name]]
        shown = self.live or check.alone
        if shown:
            print(f"\n== {check.name}: {check.what}", flush=True)
        if failed:
            text, passed = f"it needs {' and '.join(failed)}\n", False
        else:
            text, passed, seconds = execute(check.command, shown)
        word = "passed" if passed else "FAILED"
        elapsed = round(time.monotonic() - began)
        tests = ", ".join(re.findall(r"Test run with (.* suites?) ", text))
        with self.changed:
            if not shown:
                print(f"\n== {check.name}: {check.what}\n{text}", end="")
            print(f"-- {check.name} {word} in {elapsed} s, {seconds:.0f} s of the processors", flush=True)
            self.summary.append(f"  {word}: {check.name}, {elapsed} s: {check.what}{f' ({tests})' if tests else ''}")
            if not passed:
                self.failures += ["", f"the end of what {check.name} printed:", *text.splitlines()[-LAST_LINES:]]
            self.passed[check.name] = passed
            self.running.remove(check)
            self.changed.notify()


def execute(command, shown):
    """Runs a command; returns what it prints, whether it succeeded, and the processor time that it took."""
    process = subprocess.Popen(
        ["bash", "-uc", f". Tests/Support/timed.sh; {command}"], cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
        errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if shown:
            print(line, end="", flush=True)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return "".join(lines), process.returncode == 0, used.ru_utime + used.ru_stime


def left_out(checks):
    """What can't be checked on this machine, and why."""
    found = [(check.what, check.missing) for check in checks if check.missing]
    # Without this, nobody would see that tests were left out.
    if any(check.name == "unit" for check in checks):
        words = subprocess.run(
            [*SERVE.split(), "--", "printenv", "ENDPOINTS_RECORDER_TLS"], cwd=ROOT, text=True, stdout=subprocess.PIPE).stdout
        if words.strip() == "impossible":
            found.append(("the tests with TLS", "this machine lets no test add a certificate to trust"))
    return found


def wanted(name):
    """A check with all that it needs, in their order."""
    names, size = {name}, 0
    while len(names) != size:
        size = len(names)
        names |= {need for check in CHECKS if check.name in names for need in check.needs}
    return [check for check in CHECKS if check.name in names]


def main(only):
    """Runs the checks; returns the exit code."""
    began = time.monotonic()
    if only == "list":
        print("\n".join(f"{check.name:14}{check.what}" for check in CHECKS))
        return 0
    checks = wanted(only) if only else CHECKS
    if not checks:
        print(f'make test: there is no check "{only}"; `make test CHECK=list` lists them', file=sys.stderr)
        return 1
    # Without this, tests that need a server would be left out where none has an address.
    os.environ["ENDPOINTS_SERVERS"] = "required"
    # The seed and the corpora lie beside the repository, where they do.
    os.environ.pop("ENDPOINTS_SHARED", None)
    if not NO_SHARED:
        os.environ["ENDPOINTS_SHARED"] = str(SHARED)
    out = left_out(checks)
    run = Run([check for check in checks if not check.missing], live=bool(only))
    run.start()
    print("", *run.summary, *(f"  left out: {what}, as {why}" for what, why in out), sep="\n")
    # What failed is far above by now.
    if run.failures and not only:
        print(*run.failures, "", sep="\n")
    failed = sum(not passed for passed in run.passed.values())
    failed += len(out) if os.environ.get("CI") == "true" else 0
    print(f"{sum(run.passed.values())} passed, {failed} failed")
    seconds = round(time.monotonic() - began)
    print(f"make test: FAILED after {seconds} s" if failed else f"make test: {only or 'all checks'} passed in {seconds} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(os.environ.get("CHECK", "")))
