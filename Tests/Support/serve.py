"""Runs a command with the tests' servers beside it: `python serve.py -- swift test`.

Each server listens on a free port of the loopback, and its address is in the command's environment.
The command starts when all of them respond. Its exit code is this program's. The servers are always
ended."""

import argparse
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

from servers import DEADLINE, GROUPS, HERE, TABLE, USUAL, end, speaks_tls, start
from tls import Authority


class Failure(Exception):
    """Why the command could not run, or not to its end."""


class Interrupted(Exception):
    """A signal asked this program to end."""


# What happens, in order: ("ready", server), ("silent", server), ("ended", process), ("signal", n).
EVENTS = queue.SimpleQueue()


def main():
    """Starts the servers, runs the command, ends the servers; returns the exit code."""
    groups, command = arguments()
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, lambda number, _: EVENTS.put(("signal", number)))
    servers = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            rows = [row for row in TABLE if row[0] in groups]
            authority = Authority(folder) if any(speaks_tls(row[2]) for row in rows) else None
            for row in rows:
                servers.append(start(authority, *row))
            wait_until_ready(servers)
            return run(trusting(authority, command), servers)
    except Failure as failure:
        print(f"serve.py: {failure}", file=sys.stderr)
        return os.EX_UNAVAILABLE
    except Interrupted as interrupted:
        return 128 + interrupted.args[0]
    finally:
        end([server.process for server in servers])


def trusting(authority, command):
    """The command, run so that it trusts an authority if there is one."""
    if not authority:
        return command
    return [sys.executable, os.path.join(HERE, "trust.py"), authority.certificate, *command]


def arguments():
    """The groups of servers to start, and the command."""
    parser = argparse.ArgumentParser(description="Runs a command with the tests' servers.")
    parser.add_argument(
        "--only", action="append", choices=GROUPS, metavar="NAME",
        help=f"start one of {', '.join(GROUPS)}; may be repeated; usually {', '.join(USUAL)}")
    parser.add_argument("command", nargs="+", help="what to run, after `--`")
    options = parser.parse_args()
    return options.only or USUAL, options.command


def wait_until_ready(servers):
    """Returns when every server has responded; `Failure` with its log if one doesn't."""
    for server in servers:
        in_background(watch, server.process)
        in_background(ask, server)
    end_by = time.monotonic() + DEADLINE
    waiting = {server.variable for server in servers}
    while waiting:
        waiting.discard(next_ready(servers, end_by - time.monotonic()).variable)


def next_ready(servers, seconds):
    """The next server that responds."""
    try:
        what, which = EVENTS.get(timeout=max(seconds, 0))
    except queue.Empty:
        raise Failure(f"not every server responded within {DEADLINE} seconds") from None
    if what == "ready":
        return which
    raise problem(what, which, servers)


def run(command, servers):
    """Runs the command; returns its exit code as a shell would."""
    addresses = {server.variable: server.address for server in servers}
    try:
        process = subprocess.Popen(command, env=os.environ | addresses)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    in_background(watch, process)
    try:
        what, which = EVENTS.get()
        if which is not process:
            raise problem(what, which, servers)
    finally:
        end([process])
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def problem(what, which, servers):
    """The error for an unexpected event."""
    if what == "signal":
        return Interrupted(which)
    return Failure(next(s for s in servers if which in (s, s.process)).post_mortem())


def in_background(work, *arguments):
    """Runs blocking work on a daemon thread."""
    threading.Thread(target=work, args=arguments, daemon=True).start()


def watch(process):
    """Reports the end of a process."""
    process.wait()
    EVENTS.put(("ended", process))


def ask(server):
    """Reports whether a server responds."""
    EVENTS.put(("ready" if server.responds() else "silent", server))


if __name__ == "__main__":
    sys.exit(main())
