"""Runs a command and shows on a terminal how far it is, in one line that is rewritten: progress.py COMMAND...

The command writes that into the file that ENDPOINTS_PROGRESS names, such as `3 of 8: decoding`; programs in Python
call `report`. Where the output is no terminal, the command is run as it is, without that variable.
`progress.py --test` tests both."""

import contextlib
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time

CLEAR = b"\r\x1b[K"
INTERVAL = 0.25  # seconds between two looks at the file


def report(text):
    """Says how far this program is; an empty text if that isn't known any more."""
    if file := os.environ.get("ENDPOINTS_PROGRESS"):
        # The reader never sees a part of it.
        pathlib.Path(f"{file}.new").write_text(text)
        os.replace(f"{file}.new", file)


def show(command, write):
    """Runs a command whose output and progress are written by a function; returns its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "progress")
        # A terminal of its own, so that the command's output comes line by line.
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            command, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL,
            env=os.environ | {"ENDPOINTS_PROGRESS": str(file)})
        os.close(theirs)
        # The command gets an interrupt too, and says how it ended.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        start, shown = time.monotonic(), False
        while True:
            ready = select.select([ours], [], [], INTERVAL)[0]
            if shown:
                write(CLEAR)
                shown = False
            if ready:
                try:
                    output = os.read(ours, 1 << 16)
                except OSError:  # the command has ended
                    break
                write(output.replace(b"\r\n", b"\n"))
                # What has no end yet would be hidden by the line.
                if not output.endswith(b"\n"):
                    continue
            with contextlib.suppress(OSError):
                if text := file.read_text().strip():
                    # A line that wraps could not be cleared.
                    width = shutil.get_terminal_size().columns - 1
                    write(f"{text}, {time.monotonic() - start:.0f} s"[:width].encode())
                    shown = True
        code = process.wait()
        return code if code >= 0 else 128 - code


def main():
    """Runs the command with or without a line of progress."""
    if not sys.stdout.isatty():
        os.environ.pop("ENDPOINTS_PROGRESS", None)
        os.execvp(sys.argv[1], sys.argv[1:])

    def write(data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    return show(sys.argv[1:], write)


def test():
    """Whether a terminal gets the line, and a file the output alone."""
    script = 'for i in 1 2; do [ -z "$ENDPOINTS_PROGRESS" ] || echo "$i of 2" > "$ENDPOINTS_PROGRESS"; sleep 1; echo line $i; done; exit 3'
    me = [sys.executable, __file__, "sh", "-c", script]
    # What the shell that runs this says of its terminal isn't so of the test's.
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    plain = subprocess.run(me, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (plain.returncode, plain.stdout) == (3, b"line 1\nline 2\n"), plain
    ours, theirs = pty.openpty()
    process = subprocess.Popen(me, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    output = read(ours)
    assert process.wait() == 3
    assert b"1 of 2, 0 s" in output and b"2 of 2, 1 s" in output, output
    # Each time the line is cleared before anything else is written, and at the end.
    last = output.replace(b"\r\n", b"\n").rsplit(b"\n", 1)[-1]
    assert last in (b"", CLEAR) or last.endswith(CLEAR), output
    for line in output.replace(b"\r\n", b"\n").split(b"\n")[:-1]:
        assert line.rsplit(CLEAR, 1)[-1].startswith(b"line "), output
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 10))
    long = [*me[:-1], 'echo 12345678901234567890 > "$ENDPOINTS_PROGRESS"; sleep 1; kill -INT $$']
    # A shell ignores interrupts in what it runs in the background, such as this test.
    process = subprocess.Popen(
        long, stdout=theirs, stderr=theirs, env=env,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(theirs)
    output = read(ours)
    assert b"123456789" in output and b"1234567890" not in output, output
    assert process.wait() == 130, process.returncode
    print("progress: a line on a terminal, nothing in a file")
    return 0


def read(terminal):
    """What is written on a terminal until nobody has it open any more."""
    output = b""
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 1 << 16):
            output += data
    return output


if __name__ == "__main__":
    sys.exit(test() if sys.argv[1:] == ["--test"] else main())
