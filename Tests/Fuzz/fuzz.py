"""Property tests: random declarations and values, read back by parsers nobody here wrote.

    fuzz.py PROGRAM --cases 200000 --seed 1     PROGRAM is `declare`, which is the library's side

Prints the seed, what ran, and each failure in its smallest form; ends with 1 if there is one."""

import argparse
import collections
import json
import multiprocessing
import os
import secrets
import subprocess
import sys
import time

import cases
import oracles
import shrink
from progress import report as report_progress
from wire import Wire


class Library:
    """The library in a process of its own, which returns the outcome of each case."""

    def __init__(self, program):
        self.program, self.wire, self.process = program, Wire(), None

    def outcome(self, case):
        """What the library makes of a case; None if that ended the process."""
        if self.process is None:
            self.process = subprocess.Popen(
                [self.program, self.wire.address],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"SWIFT_BACKTRACE": "enable=no"},
            )
        try:
            self.process.stdin.write(json.dumps(case).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            self.process.kill()
            self.process.wait()
            self.process = None
            return None
        return json.loads(line)

    def disagreement(self, case):
        """(what became of the case, the `Disagreement` if there is one)."""
        self.wire.arrived()
        outcome = self.outcome(case)
        if outcome is None:
            return "trapped", oracles.Disagreement(
                "trap", "the library's process ended", "an outcome"
            )
        if "nonsense" in outcome:
            raise ValueError(outcome["nonsense"])
        try:
            what = oracles.check(case, outcome)
            if case["sends"] and what == "made":
                what = "sent"
                oracles.check_wire(case, outcome, self.wire.arrived())
            return what, None
        except oracles.Disagreement as disagreement:
            return "failed", disagreement
        except Exception as error:  # a reader that can't read what the library made
            return "failed", oracles.Disagreement(
                f"{type(error).__name__}: {error}"[:60], outcome, "to be read"
            )


def run(program, seed, numbers, most):
    """Runs cases; returns how many came to what, and the first failure of each kind, made small."""
    library, counts, failures = Library(program), collections.Counter(), {}
    for done, number in enumerate(numbers):
        # One of the processes speaks for all.
        if done % 100 == 0 and numbers[0] == 0:
            report_progress(f"declarations: {done * 100 // len(numbers)} %")
        case = cases.case(seed, number)
        what, disagreement = library.disagreement(case)
        counts[what] += 1
        if disagreement and disagreement.oracle not in failures and len(failures) < most:
            failures[disagreement.oracle] = report(library, case, number, disagreement)
    return counts, failures


def report(library, case, number, disagreement):
    """A failure in words, its case as small as can be."""

    def fails(candidate):
        try:
            found = library.disagreement(candidate)[1]
        except ValueError:
            return False
        return found is not None and found.oracle == disagreement.oracle

    small = shrink.shrink(case, fails)
    reason = library.disagreement(small)[1] or disagreement
    return f"case {number}: {reason}\n  keep as a test: {json.dumps(small, ensure_ascii=False)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--seed", default=None, help="a text; usually a new one each run")
    parser.add_argument("--case", type=int, help="only the case of this number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    seed = options.seed or secrets.token_hex(4)
    print(f"fuzz: seed {seed}", flush=True)
    begin = time.monotonic()
    numbers = range(options.cases) if options.case is None else [options.case]
    parts = [
        (options.program, seed, numbers[job :: options.jobs], 5) for job in range(options.jobs)
    ]
    with multiprocessing.Pool(options.jobs) as pool:
        results = pool.starmap(run, parts)
    counts = sum((counts for counts, _ in results), collections.Counter())
    failures = {oracle: text for _, found in results for oracle, text in found.items()}
    print(
        f"fuzz: {counts.total()} cases in {time.monotonic() - begin:.0f} s: "
        + ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    )
    for text in failures.values():
        print(f"fuzz: FAILURE, {text}")
    print(
        f"fuzz: failures: {counts['failed'] + counts['trapped'] or 'none'}"
        + f" (again with --seed {seed} --cases {options.cases})" * bool(failures)
    )
    return 1 if counts["failed"] or counts["trapped"] else 0


if __name__ == "__main__":
    sys.exit(main())
