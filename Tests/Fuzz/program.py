"""The library in a process of its own."""

import json
import os
import subprocess


class Program:
    """Reads cases, one a line of JSON, and writes an outcome for each."""

    def __init__(self, *command):
        self.command, self.process = command, None

    def outcome(self, case):
        """What the library makes of a case; None if that ended the process."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command,
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
