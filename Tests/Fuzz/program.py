"""The library in a process of its own."""

import json
import os
import signal
import subprocess
import time


def ending(code):
    """How a process ended, by its return code: `signal SIGTRAP`, or `exit code 1`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


class Program:
    """Reads cases, one a line of JSON, and writes an outcome for each."""

    def __init__(self, *command):
        self.command, self.process = command, None
        # How the process ended the last time that it did.
        self.ended = None

    def outcome(self, case):
        """What the library makes of a case; None if that ended the process."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"SWIFT_BACKTRACE": "enable=no"},
            )
        begin = time.monotonic()
        try:
            self.process.stdin.write(json.dumps(case).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            # It has closed its pipes, so it has ended or is about to.
            try:
                code = self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                code = self.process.wait()
            self.ended = f"{ending(code)}, after {time.monotonic() - begin:.1f} s"
            self.process = None
            return None
        return json.loads(line)
