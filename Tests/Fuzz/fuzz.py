"""Property tests: random declarations and values, read back by parsers nobody here wrote.

    fuzz.py PROGRAM --cases 200000 --seed 1     PROGRAM is `declare`, which is the library's side

First tries the cases that were found once (found.py). Prints the seed, what ran, and each failure in its
smallest form, which `--keep` adds to those; ends with 1 if there is one."""

import argparse
import collections
import multiprocessing
import os
import secrets
import sys
import time

import cases
import found
import oracles
import shrink
from program import Program
from progress import report as report_progress
from recording import Wire


class Library(Program):
    """The library, which returns the outcome of each case."""

    def __init__(self, program):
        self.wire = Wire()
        super().__init__(program, self.wire.address)

    def disagreement(self, case):
        """(what became of the case, the `Disagreement` if there is one)."""
        self.wire.arrived()
        outcome = self.outcome(case)
        if outcome is None:
            return "trapped", oracles.Disagreement(
                "trap", f"the library's process ended: {self.ended}", "an outcome"
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
    """A failure in words, and its case as small as can be."""

    def fails(candidate):
        try:
            found = library.disagreement(candidate)[1]
        except ValueError:
            return False
        return found is not None and found.oracle == disagreement.oracle

    small = shrink.shrink(case, fails)
    reason = library.disagreement(small)[1] or disagreement
    return f"{number}: {reason}\n  case: {found.shortened(small)}", small


def run_found(program):
    """Runs the cases that were found once; returns how many there are, and those that fail again."""
    library, kept = Library(program), found.cases("declaration")
    outcomes = [(number, library.disagreement(case)[1]) for number, case in kept]
    return len(kept), [f"line {number} of {found.FILE.name}: {why}" for number, why in outcomes if why]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--seed", default=None, help="a text; usually a new one each run")
    parser.add_argument("--case", type=int, help="only the case of this number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="add what fails to the found cases")
    options = parser.parse_args()
    seed = options.seed or secrets.token_hex(4)
    print(f"fuzz: seed {seed}", flush=True)
    begin = time.monotonic()
    known, again = run_found(options.program)
    numbers = range(options.cases) if options.case is None else [options.case]
    parts = [
        (options.program, seed, numbers[job :: options.jobs], 5) for job in range(options.jobs)
    ]
    with multiprocessing.Pool(options.jobs) as pool:
        results = pool.starmap(run, parts)
    counts = sum((counts for counts, _ in results), collections.Counter())
    failures = {oracle: failure for _, own in results for oracle, failure in own.items()}
    print(
        f"fuzz: {known} found cases, {counts.total()} cases in {time.monotonic() - begin:.0f} s: "
        + ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    )
    for text in again:
        print(f"fuzz: FAILURE, {text}")
    for text, small in failures.values():
        print(f"fuzz: FAILURE, case {text}")
        if options.keep:
            found.keep("declaration", small)
    count = len(again) + counts["failed"] + counts["trapped"]
    print(
        f"fuzz: failures: {count or 'none'}"
        + f" (again with --seed {seed} --cases {options.cases})" * bool(failures)
    )
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
