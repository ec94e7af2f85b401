"""Runs a command with a Matrix homeserver beside it: `python homeserver.py -- .build/debug/Chat`.

The homeserver listens on a free port of the loopback, and its address is in the command's environment as
CHAT_HOMESERVER. `POST restart` to the address in CHAT_STARTER kills the homeserver, starts it again and
responds when it responds. The command's exit code is this program's. Both are always ended."""

import base64
import contextlib
import ctypes
import http.client
import http.server
import json
import os
import queue
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

READY_WITHIN = 120  # seconds in which the homeserver has to respond
COMMAND_WITHIN = 240  # seconds in which the command has to end


class Failure(Exception):
    """Why the command could not run, or not to its end."""


# What happens, in order: ("restart", where to report it) or ("ended", the command's exit code).
EVENTS = queue.SimpleQueue()


def main():
    """Starts the homeserver, runs the command, ends both; returns the command's exit code."""
    if len(sys.argv) < 3 or sys.argv[1] != "--":
        print("usage: homeserver.py -- COMMAND...", file=sys.stderr)
        return os.EX_USAGE
    for number in signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder, Homeserver(folder) as homeserver:
        try:
            with shown("starting the homeserver"):
                homeserver.start()
            return run(sys.argv[2:], homeserver, serve())
        except Failure as failure:
            print(f"homeserver.py: {failure}", file=sys.stderr)
            return os.EX_UNAVAILABLE
        except KeyboardInterrupt:
            return 128 + signal.SIGINT


@contextlib.contextmanager
def shown(text):
    """Shows on a terminal, meanwhile, what takes some seconds."""
    if not sys.stdout.isatty():
        yield
        return
    print(f"{text}…", end="", flush=True)
    try:
        yield
    finally:
        print("\r\x1b[K", end="", flush=True)


class Homeserver:
    """A Matrix homeserver with an empty database, which can be stopped and started."""

    def __init__(self, folder):
        self._folder = folder
        self._reservation, self._port = reserved_port()
        self._log = open(self._path("log"), "w+b")
        self._process = None
        self.address = f"http://127.0.0.1:{self._port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        self._log.close()
        self._reservation.close()

    def start(self):
        """Starts it, and returns when it responds."""
        with open(self._path("homeserver.yaml"), "w") as file:
            json.dump(self._configuration(), file)  # JSON is YAML
        self._process = subprocess.Popen(
            [sys.executable, "-m", "synapse.app.homeserver", "--config-path", file.name],
            cwd=self._folder, stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT,
            process_group=0, preexec_fn=END_WITH_PARENT)
        end_by = time.monotonic() + READY_WITHIN
        while not self._responds():
            if self._process.poll() is not None:
                raise Failure(f"the homeserver ended by itself:\n{self._last_lines()}")
            if time.monotonic() > end_by:
                raise Failure(f"the homeserver did not respond:\n{self._last_lines()}")
            time.sleep(0.1)

    def restart(self):
        """Kills it and starts it again; returns the seconds in which it did not respond."""
        began = time.monotonic()
        self.kill()
        self.start()
        return time.monotonic() - began

    def kill(self):
        """Ends it as a crash does, in the middle of what it does."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def _responds(self):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=READY_WITHIN)
        with contextlib.closing(connection):
            try:
                connection.request("GET", "/_matrix/client/versions")
                return connection.getresponse().status == 200
            except (OSError, http.client.HTTPException):
                return False

    def _last_lines(self):
        self._log.seek(0)
        return b"".join(self._log.readlines()[-30:]).decode(errors="replace")

    def _path(self, name):
        return os.path.join(self._folder, name)

    def _configuration(self):
        """Tokens that last five seconds, and five messages a second for each user."""
        often = {"per_second": 100, "burst_count": 100}
        return {
            "server_name": "localhost",
            "report_stats": False,
            "listeners": [{
                "type": "http", "port": self._port, "bind_addresses": ["127.0.0.1"],
                "resources": [{"names": ["client"]}]}],  # no federation
            "trusted_key_servers": [],
            "database": {"name": "sqlite3", "args": {"database": self._path("homeserver.db")}},
            "media_store_path": self._path("media"),
            "signing_key_path": self._signing_key(),
            "enable_registration": True,
            "enable_registration_without_verification": True,
            "refreshable_access_token_lifetime": "5s",
            "rc_message": {"per_second": 5, "burst_count": 10},
            "rc_registration": often,
            "rc_login": {"address": often, "account": often, "failed_attempts": often},
        }

    def _signing_key(self):
        """A file with a key, the same after a restart."""
        path = self._path("signing.key")
        if not os.path.exists(path):
            seed = base64.b64encode(secrets.token_bytes(32)).decode().rstrip("=")
            with open(path, "w") as file:
                file.write(f"ed25519 a_key {seed}\n")
        return path


def reserved_port():
    """A socket bound to a free port, and the port. As long as the socket is open and does not listen,
    no other program gets the port by chance, and on Linux the homeserver can listen on it."""
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    port = reservation.getsockname()[1]
    if sys.platform != "linux":
        reservation.close()
    return reservation, port


def serve():
    """Serves `POST restart` on a free port. It passes each on to the main thread: on Linux the
    homeserver ends with the thread that has started it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            report = queue.SimpleQueue()
            EVENTS.put(("restart", report))
            body = json.dumps({"seconds": report.get()}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def run(command, homeserver, starter):
    """Runs the command, and restarts the homeserver when asked to; returns the command's exit code as
    a shell would."""
    addresses = {
        "CHAT_HOMESERVER": homeserver.address,
        "CHAT_STARTER": "http://127.0.0.1:%d" % starter.server_port}
    try:
        process = subprocess.Popen(command, env=os.environ | addresses)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    threading.Thread(
        target=lambda: EVENTS.put(("ended", process.wait())), daemon=True).start()
    end_by = time.monotonic() + COMMAND_WITHIN
    try:
        while True:
            what, value = next_event(end_by)
            if what == "ended":
                return value if value >= 0 else 128 - value
            value.put(homeserver.restart())
    finally:
        process.kill()
        process.wait()


def next_event(end_by):
    """The next event; `Failure` if the command takes too long."""
    try:
        return EVENTS.get(timeout=max(end_by - time.monotonic(), 0))
    except queue.Empty:
        raise Failure(f"the command did not end in {COMMAND_WITHIN} seconds") from None


def end_with_parent():
    """On Linux, a call that ends the homeserver even if this program is killed."""
    if sys.platform != "linux":
        return None
    prctl, set_death_signal = ctypes.CDLL(None).prctl, 1
    return lambda: prctl(set_death_signal, signal.SIGTERM)


END_WITH_PARENT = end_with_parent()

if __name__ == "__main__":
    sys.exit(main())
