"""Prints how many instructions a whole load takes, by hand and by the library, and what each middleware adds.

    load_instructions.py          prints them
    load_instructions.py --check  fails above a limit

The load is of small JSON, from a transport that responds at once, so the network's work isn't in it. All its jobs run on one
thread, as valgrind can't follow Swift's own. The limits are those of Swift 6.3.1 on Linux, x86-64, and 3 to 8 % more, the
library's 75 %."""

import os
import re
import subprocess
import sys
from pathlib import Path

from progress import report

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "Tests/.build/release/OneLoad"
COUNT = 100
# What each way of OneLoad, in its order, may add: the library to code by hand, and any other to the library.
LIMITS = {
    "by hand": 0, "the library": 3_500, "`paced`": 16_500, "`limited`": 9_800, "`retrying`": 6_500,
    "`authorized`, which sets a header": 52_600, "all four": 84_000, "a response stored in memory": 32_000,
}


def instructions(way):
    """The instructions of a load."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*7counted*",
               PROGRAM, str(way), str(COUNT)]
    # With the usual random hashing, each run would take another number of instructions.
    result = subprocess.run(command, env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}, text=True, capture_output=True,
                            stdin=subprocess.DEVNULL, timeout=120)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode or not found or found[1] == "0":
        sys.exit(f"way {way} failed:\n{result.stdout}{result.stderr}")
    return round(int(found[1]) / COUNT)


def main():
    """Counts all ways."""
    print(f"instructions of a whole load\n{'':<36}{'load':>9}{'added':>9}{'limit':>9}")
    loads, above = [], False
    for number, (way, limit) in enumerate(LIMITS.items()):
        report(f"instructions of a load: {number + 1} of {len(LIMITS)}")
        loads.append(instructions(number))
        added = loads[-1] - loads[0 if number == 1 else 1] if number else 0
        above = above or added > limit
        print(f"{way:<36}{loads[-1]:>9,}{added:>9,}{limit:>9,}{'  ABOVE' if added > limit else ''}", flush=True)
    report("")
    return above and "--check" in sys.argv


if __name__ == "__main__":
    sys.exit(main())
