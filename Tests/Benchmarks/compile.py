"""Prints how long a declaration takes to compile, against functions written by hand, and how that grows.

Files of declarations are compiled without optimization, as in a debug build, in rounds that take turns; what an
empty file takes is subtracted. Time is the compiler's own work, so that other programs don't count."""

import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from declarations import HEAD, ROOT, by_hand, by_hand_with_load, flat, module, nested
from progress import report
from weight import run

COUNT, ROUNDS = 100, 5
DEBUG = ROOT / ".build/debug"
SWIFTC = ["swiftc", "-Onone", "-enable-testing", "-swift-version", "6", "-parse-as-library", "-module-name", "App",
          "-I", DEBUG / "Modules"]
# How many times the time of a function that makes the same URLRequest a declaration may take: one of properties of
# ten types, and one of texts alone, of which the function is five short lines.
GOALS = {"flat": (14 / 6, 3), "nested": (17 / 6, 4)}
# How many times ten times a hundred declarations a thousand may take.
GROWTH = 1.1
# The milliseconds that the type of an expression in the documentation may take.
EXPRESSION = 50


def work(*command, folder):
    """The seconds of processor time that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, folder=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def verdict(number, goal):
    return f"≤ {goal:.2f} {'yes' if number <= goal else 'MISS'}"


def print_times(folder):
    """Prints the time of each form, and its ratio to that of a function."""
    texts = {("empty", False): HEAD} | {
        (form.__name__, texts_only): module(form, range(COUNT), texts_only=texts_only)
        for form in (flat, nested, by_hand, by_hand_with_load) for texts_only in (False, True)}
    times = {key: [] for key in texts}
    for turn in range(ROUNDS):
        for key, text in texts.items():
            report(f"compiling: turn {turn + 1} of {ROUNDS}, {key[0]}")
            (folder / "one.swift").write_text(text)
            times[key].append(work(*SWIFTC, "-c", "one.swift", "-o", "one.o", folder=folder))
    empty = statistics.median(times.pop(("empty", False)))
    each = {key: (statistics.median(all) - empty) / COUNT * 1000 for key, all in times.items()}
    print(f"\nCompiling one of {COUNT}, debug, type checking included")
    for texts_only in (False, True):
        print(f"\nwith properties of {'one type, String' if texts_only else 'ten types'}:")
        hand, whole = each["by_hand", texts_only], each["by_hand_with_load", texts_only]
        print(f"a function that makes the URLRequest: {hand:.1f} ms")
        print(f"a function that also loads it and decodes the response: {whole:.1f} ms")
        for name, goals in GOALS.items():
            time, goal = each[name, texts_only], goals[texts_only]
            print(f"a {name} declaration: {time:.1f} ms, {time / hand:.2f} of the first "
                  f"{verdict(time / hand, goal)}, {time / whole:.2f} of the second")


class Files:
    """A module of files with 50 declarations each."""

    def __init__(self, folder, count):
        self.folder = folder
        folder.mkdir()
        (folder / "Head.swift").write_text(HEAD)
        for number in range(count // 50):
            declared = module(flat, range(number * 50, number * 50 + 50), "urlRequest")
            (folder / f"Requests{number}.swift").write_text(
                HEAD.split("extension")[0] + declared.removeprefix(HEAD))
        self.files = sorted(path.name for path in folder.glob("*.swift"))

    def compile(self, *flags):
        """The seconds of processor time that compiling all files takes."""
        return work(*SWIFTC, *flags, "-c", *self.files, folder=self.folder)

    @property
    def bytes(self):
        """The bytes of code and data in the objects."""
        lines = run("size", *self.folder.glob("*.o")).splitlines()[1:]
        return sum(sum(map(int, line.split()[:2])) for line in lines)


def print_growth(folder):
    """Prints what ten times as many declarations take, in time and in bytes."""
    few, many = Files(folder / "100", 100), Files(folder / "1000", 1000)
    for what, flags in {"debug": [], "release": ["-O", "-wmo"]}.items():
        report(f"compiling: 1000 declarations, {what}")
        time = many.compile(*flags) / few.compile(*flags) / 10
        print(f"1000 declarations, {what}: {time:.2f} of the time of 10 × 100 {verdict(time, GROWTH)}")
    size = many.bytes / few.bytes / 10
    print(f"1000 declarations, release: {size:.2f} of the bytes of 10 × 100 {verdict(size, GROWTH)}")


def print_incremental(folder):
    """Prints which files are compiled again after a change of one declaration."""
    report("compiling: a change")
    files = Files(folder / "incremental", 200)
    outputs = ", ".join(
        f'"{name}": {{"object": "{name}.o", "swift-dependencies": "{name}.swiftdeps"}}' for name in files.files)
    (files.folder / "map.json").write_text(
        f'{{"": {{"swift-dependencies": "module.swiftdeps"}}, {outputs}}}')
    flags = ["-incremental", "-enable-batch-mode", "-output-file-map", "map.json"]
    files.compile(*flags)
    objects = {path: path.stat().st_mtime_ns for path in files.folder.glob("*.o")}
    changed = files.folder / "Requests1.swift"
    changed.write_text(changed.read_text().replace("things70/", "others70/"))
    files.compile(*flags)
    again = sorted(path.name for path, time in objects.items() if path.stat().st_mtime_ns > time)
    is_alone = again == ["Requests1.swift.o"]
    print(f"after a change of one declaration of 200 in 4 files, compiled again: {', '.join(again)} "
          f"{'yes' if is_alone else 'MISS'}")


def print_expressions():
    """Prints which expressions of the documentation take long to type-check."""
    report("compiling: the documentation")
    run("swift", "build", "--package-path", ROOT / "Tests/Combine", "--target", "Endpoints")
    check = subprocess.run(
        [sys.executable, "-B", ROOT / "Tests/Compile/docs.py", "-Xfrontend",
         f"-warn-long-expression-type-checking={EXPRESSION}"], cwd=ROOT, text=True, stdout=subprocess.PIPE)
    found = re.findall(r"^((\S+?):(\d+):\S+ \w+: expression took \d+ms.*)$", check.stdout, re.M)
    if check.returncode and not found:
        print(check.stdout)
    # The compiler starts a program of its own for the first macro of a file. That takes 35 ms without the library.
    slow = [text for text, file, line in found if "#expect" not in (ROOT / file).read_text().splitlines()[int(line) - 1]]
    print("\n".join(slow + [f"expressions of the documentation that take over {EXPRESSION} ms: {len(slow)} "
                            f"{'MISS' if slow else 'yes'}"]))


def main():
    report("compiling: the library")
    run("swift", "build", "--package-path", ROOT, "--target", "Endpoints")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print_times(folder)
        print_growth(folder)
        print_incremental(folder)
    print_expressions()


if __name__ == "__main__":
    main()
