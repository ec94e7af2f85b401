"""Mutates OpenAPI documents, and imports them: each gives files that compile, or an error with a pointer.

    python imports.py PROGRAM --cases 20000 --compile 40 [--seed S]

PROGRAM imports many documents in one process, so that nothing may trap. Some of the imports, evenly spread, are
type-checked, each with a compiler of its own. What fails is written into .build/imports, and named."""

import argparse
import base64
import concurrent.futures
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PLACE = HERE / ".build" / "imports"
sys.path.insert(0, str(ROOT / "Tests" / "Import"))

from document import document, values  # noqa: E402
from mutations import mutated  # noqa: E402
from program import ending  # noqa: E402

# A program may take this long for one document.
SECONDS = 20


class Importer:
    """The program; it's started again when it has trapped."""

    def __init__(self, program):
        self.program, self.process, self.errors = program, None, None

    def outcome(self, data):
        """The files or the error of a document, or how the program ended."""
        if not self.process:
            # A pipe that nobody reads would fill, and the program would wait.
            self.errors = tempfile.TemporaryFile()
            self.process = subprocess.Popen(
                [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
            self.send(json.dumps(values).encode())
        begin = time.monotonic()
        self.send(data)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            line = pool.submit(self.process.stdout.readline)
            try:
                text = line.result(SECONDS)
            except concurrent.futures.TimeoutError:
                self.process.kill()
                self.end()
                return {"ended": f"it took longer than its {SECONDS} seconds, and was killed"}
        if text:
            return json.loads(text)
        seconds = time.monotonic() - begin
        how, error = self.end()
        lines = re.findall(r"Fatal error.*", error) or error.splitlines()[:3] or ["no text"]
        return {"ended": f"{how} after {seconds:.1f} of its {SECONDS} seconds: {lines[0]}"}

    def end(self):
        """How the program has ended, and what it wrote about it; the next document starts another one."""
        process, self.process = self.process, None
        how = ending(process.wait())
        self.errors.seek(0)
        return how, self.errors.read()[-100_000:].decode(errors="replace")

    def send(self, data):
        try:
            self.process.stdin.write(base64.b64encode(data) + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def close(self):
        if self.process:
            self.process.kill()
            self.process.communicate()


def leads(pointer, root):
    """Whether a JSON pointer leads to a value of the document."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        try:
            root = root[int(token)] if isinstance(root, list) else root[token]
        except (KeyError, IndexError, ValueError, TypeError):
            return False
    return True


def fault(outcome, data):
    """What is wrong with an outcome, or nothing."""
    if "ended" in outcome:
        return f"the program ended: {outcome['ended']}"
    if "files" in outcome:
        names = [name for name in outcome["files"] if not re.fullmatch(r"\w+\.swift", name)]
        return f"files with strange names: {names}" if names else None
    found = re.match(r"(#(?:/.*?)?): \S", outcome["error"], re.DOTALL)
    if not found:
        return f"an error without a pointer: {outcome['error']}"
    try:
        root = json.loads(data)
    except (ValueError, RecursionError):
        return None
    # A name may have a colon: the longest text that leads somewhere is the pointer.
    ends = [place.start() for place in re.finditer(": ", outcome["error"])]
    if not any(leads(outcome["error"][:end], root) for end in ends):
        return f"a pointer that leads nowhere: {outcome['error']}"
    return None


def compiles(files, name):
    """The compiler's errors and warnings for the files of a document."""
    folder = PLACE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    command = [
        "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", "Fuzzed",
        "-I", next(ROOT.glob(".build/checks/*/debug/Modules")), *folder.glob("*.swift")]
    process = subprocess.run([str(one) for one in command], capture_output=True, text=True, timeout=600)
    lines = [line for line in process.stderr.splitlines() if re.search(r": (error|warning): ", line)]
    if process.returncode == 0 and not lines:
        shutil.rmtree(folder)
        return None
    return "\n    ".join(lines[:4]) or f"the compiler ended with {process.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--compile", type=int, default=40)
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**9)))
    options, _ = parser.parse_known_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    importer, faults, imported, compiled = Importer(options.program), [], 0, []
    step = max(options.cases // max(options.compile, 1), 1)
    for number in range(options.cases):
        data = mutated(document, random.Random(f"{options.seed} {number}"))
        outcome = importer.outcome(data)
        wrong = fault(outcome, data)
        if "files" in outcome:
            imported += 1
        if wrong is None and "files" in outcome and len(compiled) <= number // step < options.compile:
            compiled.append((number, outcome["files"], data))
        if wrong:
            (PLACE / f"{options.seed}-{number}.json").write_bytes(data)
            faults.append(f"{options.seed}-{number}: {wrong}")
            print(faults[-1], flush=True)
    importer.close()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        names = [f"{options.seed}-{number}" for number, _, _ in compiled]
        for name, (_, _, data), wrong in zip(
                names, compiled, pool.map(compiles, [files for _, files, _ in compiled], names)):
            if wrong:
                (PLACE / f"{name}.json").write_bytes(data)
                faults.append(f"{name}: doesn't compile: {wrong}")
                print(faults[-1], flush=True)
    print(f"imports: seed {options.seed}, {options.cases} documents, {imported} imported, {len(compiled)} "
          f"compiled, failures: {len(faults) or 'none'}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
