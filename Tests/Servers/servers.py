"""Runs the rows of table.py against servers that people run, on the loopback, and compares what a user gets.

    servers.py                     every row, against every kind of server that is there
    servers.py --only nginx        one kind of server, or several
    servers.py --row redirect-301  one row, or several
    servers.py --write             writes what a user gets into the page Servers.md

A kind whose program isn't there is left out, which is said; under CI=true, nginx has to be there. Each server has a
temporary folder, free ports, and the rights of who runs this; it is ended by its process id, whatever happens."""

import argparse
import os
import signal
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trustme
from datetime import datetime, timedelta, timezone

import page
import table
from kinds import KINDS, NODE

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/Endpoints/Endpoints.docc/Servers.md"
TRUST = ROOT / "Tests/Support/trust.py"
PROGRAMS = {
    "URLSession": ROOT / ".build/checks/debug/Servers",
    "AsyncHTTPClient": ROOT / "Sources/Integrations/AsyncHTTPClient/.build/debug/Servers",
}
PORTS = ["http", "idle", "inner", "tls", "goaway", "tls12", "tls13", "client", "unknown", "wrong", "expired"]
# Seconds in which a server has to accept connections, and in which all rows of one have to end.
START, END = 20, 120


class Place:
    """What a server gets: a folder, ports and certificates."""

    def __init__(self, folder, name, kind, certificates):
        self.folder = Path(tempfile.mkdtemp(dir=folder, prefix=f"{name}-"))
        self.program = kind.path()
        self.files = folder / "files"
        (self.folder / "counts").mkdir()
        (self.folder / "deflate").mkdir()
        self.ports = free_ports()
        # The port of Node's server, for a proxy.
        self.origin = None
        self.__dict__.update(certificates)


def free_ports():
    """A free port for each name. All are bound before the first is free again, so that they differ."""
    sockets = [socket.socket() for _ in PORTS]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return {name: one.getsockname()[1] for name, one in zip(PORTS, sockets)}
    finally:
        for one in sockets:
            one.close()


def make_certificates(folder):
    """The files of an authority that is trusted, and of servers' certificates by it and by another."""
    trusted, other = trustme.CA(), trustme.CA()
    trusted.cert_pem.write_to_path(folder / "authority.pem")
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)
    found = {"authority": folder / "authority.pem"}
    for name, certificate in {
        "server": trusted.issue_cert("localhost", "127.0.0.1"), "unknown": other.issue_cert("localhost", "127.0.0.1"),
        "wrong": trusted.issue_cert("other.example"),
        "expired": trusted.issue_cert("localhost", "127.0.0.1", not_after=yesterday),
    }.items():
        found[name] = folder / f"{name}.pem"
        certificate.private_key_and_cert_chain_pem.write_to_path(found[name])
    return found


def make_files(folder):
    """The files that servers serve."""
    (folder / "folder").mkdir(parents=True)
    (folder / "hello.txt").write_text("Hello, world!")
    (folder / "thing.json").write_text('{"ok": true}')
    (folder / "text.txt").write_text("Hello, world!\n" * 7_000)
    (folder / "big.bin").write_bytes(bytes(1 << 20))
    (folder / "8mb.bin").write_bytes(bytes(8 << 20))
    (folder / "slow.bin").write_bytes(bytes(30_000))
    (folder / "folder/index.html").write_text("a folder")


def start(kind, place):
    """Starts a server; returns its process when it accepts connections."""
    command = [str(part) for part in kind.command(place)]
    rights = {}
    # Some servers refuse to be root. Who runs this may be.
    if os.geteuid() == 0 and not kind.is_own:
        rights = {"user": "nobody", "group": "nogroup", "extra_groups": []}
        for file in [place.folder, *place.folder.rglob("*")]:
            shutil.chown(file, "nobody", "nogroup")
    with open(place.folder / "output", "wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=place.folder, start_new_session=True,
            env=os.environ | {"HOME": str(place.folder), "SERVERS_FILES": str(place.files)}, **rights)
    end = time.monotonic() + START
    waiting = [place.ports["http"]]
    while waiting and time.monotonic() < end and process.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", waiting[0])) == 0:
                waiting.pop(0)
            else:
                time.sleep(0.05)
    if waiting:
        stop(process)
        text = "".join(
            f"{file.name}: {file.read_text(errors='replace')}" for file in place.folder.iterdir()
            if file.name in ("output", "errors"))
        sys.exit(f"servers.py: {kind.name} doesn't start: {text}")
    return process


def stop(process):
    """Ends a server, and the processes that it started, which are those of its session."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def send(program, place, rows):
    """What a user gets, by the row's name."""
    arguments = [f"{row.name}={row.scheme}://{row.host}:{place.ports[row.port]}" for row in rows]
    run = subprocess.run(
        [sys.executable, TRUST, place.authority, program, *arguments], stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=END)
    found = dict(line.split("\t", 1) for line in run.stdout.splitlines() if "\t" in line)
    lost = [row for row in rows if row.name not in found]
    if len(rows) == 1 and lost:
        return {lost[0].name: table.TRAP if run.returncode < 0 else f"the process ended: {run.stderr[-300:]}"}
    # A process that ends early takes all of its rows along. Each of them gets a process of its own.
    for row in lost:
        found |= send(program, place, [row])
    return found


def results(kind, folder, certificates, rows, transport):
    """What a user gets from a new server, by the row's name."""
    found, servers = {}, []
    place = Place(folder, kind.name, kind, certificates)
    try:
        if kind.is_proxy:
            behind = Place(folder, f"{kind.name}-node", NODE, certificates)
            servers.append(start(NODE, behind))
            place.origin = behind.ports["http"]
        servers.append(start(kind, place))
        alone = [row for row in rows if table.TRAP in row.expected(kind.name, transport)]
        for part in [[row for row in rows if row not in alone], *[[row] for row in alone]]:
            if part:
                found |= send(PROGRAMS[transport], place, part)
    finally:
        for server in servers:
            stop(server)
    return found


def arguments():
    """What is to be run."""
    parser = argparse.ArgumentParser(description="Runs rows against servers that people run.")
    parser.add_argument("--only", action="append", choices=[kind.name for kind in KINDS])
    parser.add_argument("--row", action="append", choices=[row.name for row in table.ROWS])
    parser.add_argument("--transport", action="append", choices=PROGRAMS)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main():
    """Runs the rows; returns the exit code."""
    options = arguments()
    if options.write:
        PAGE.write_text(page.text())
        return 0
    transports = options.transport or list(PROGRAMS)
    for transport in transports:
        if not PROGRAMS[transport].exists():
            sys.exit(f"servers.py: {PROGRAMS[transport]} isn't built; make servers builds it")
    passed = failed = 0
    if PAGE.read_text() != page.text():
        print("Servers.md isn't what the table says: run servers.py --write")
        failed += 1
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        make_files(folder / "files")
        certificates = make_certificates(folder)
        for kind in KINDS:
            if options.only and kind.name not in options.only:
                continue
            absent = next((one for one in [kind, NODE] if not one.path() and (one is kind or kind.is_proxy)), None)
            if absent:
                print(f"{kind.title}: left out, as {absent.title} isn't there (on Debian, apt-get install {absent.package})")
                failed += kind.name == "nginx" and os.environ.get("CI") == "true"
                continue
            rows = [row for row in table.ROWS
                    if row.name not in kind.lacks and (not options.row or row.name in options.row)]
            began = time.monotonic()
            found = {(name, transport): words for transport in transports
                     for name, words in results(kind, folder, certificates, rows, transport).items()}
            wrong = 0
            for (name, transport), words in found.items():
                expected = next(row for row in rows if row.name == name).expected(kind.name, transport)
                if words not in expected:
                    wrong += 1
                    print(f"{kind.title}, {transport}, {name}: {words}\n    instead of {' or '.join(expected)}")
            print(f"{kind.title}: {len(rows)} rows with {' and '.join(transports)} in {time.monotonic() - began:.1f} s", flush=True)
            passed, failed = passed + len(found) - wrong, failed + wrong
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
