"""Kills processes that store responses in one folder, and checks each time that the folder can be read.

    kills.py 10000            ten thousand kills, two processes at a time
    kills.py 200 --seed 7     with the same dice as before

Half of the processes are killed at a random byte that they write, or beside a call that changes the folder; the others at
a random moment. Each new process first checks all that the others have left."""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / ".build/release/CacheKills"


def kill(folder, dice):
    """Starts a process and has it killed; returns how it ended, and what is wrong."""
    # Elsewhere, a program's own `write` isn't the one that its libraries call.
    at_byte = dice.random() < 0.5 and sys.platform == "linux"
    arguments = [PROGRAM, folder, str(dice.randrange(1 << 60))]
    if at_byte:
        arguments.append(str(dice.randrange(40_000)))
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    if first == "checked\n" and not at_byte:
        time.sleep(dice.random() * 0.01)
        process.send_signal(signal.SIGKILL)
    output = process.stdout.read()
    process.stdout.close()
    if (code := process.wait(60)) == -signal.SIGKILL and first == "checked\n":
        return "byte" if at_byte else "moment", None
    return "none", f"ended with {code}: {first + output[:200]}"


def main():
    """Kills; returns whether something is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ends, wrong, lock = {"byte": 0, "moment": 0, "none": 0}, [], threading.Lock()
    with tempfile.TemporaryDirectory() as folder:
        def work(seed):
            dice = random.Random(seed)
            while True:
                with lock:
                    if len(wrong) > 9 or sum(ends.values()) >= options.count:
                        return
                end, problem = kill(folder, dice)
                with lock:
                    ends[end] += 1
                    if problem:
                        wrong.append(problem)
                    if (progress := os.environ.get("ENDPOINTS_PROGRESS")) and ends["byte"] % 10 == 0:
                        Path(progress).write_text(f"kills: {sum(ends.values())} of {options.count}\n")
        threads = [threading.Thread(target=work, args=(options.seed * 2 + number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        last = subprocess.run([PROGRAM, folder, "1", "check"], stdout=subprocess.PIPE, text=True)
    print(f"kills: {ends['byte']} at a byte of a write, {ends['moment']} at a moment; after the last one, "
          f"{last.stdout.strip()} responses are stored")
    for problem in wrong:
        print(problem)
    return bool(wrong or last.returncode or last.stdout.strip() in ["", "0"])


sys.exit(main())
