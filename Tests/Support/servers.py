"""The servers the tests need, each a process that listens on a socket bound before it starts."""

import contextlib
import ctypes
import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import BinaryIO

from tls import Authority

HERE = os.path.dirname(os.path.abspath(__file__))
DEADLINE = 60  # seconds in which every server has to respond

# Enough threads that slow responses don't delay others; keeps connections, allows long targets.
HTTPBIN = (
    "-m gunicorn --bind fd://{fd} --workers 2 --threads 24 --keep-alive 75 --graceful-timeout 1"
    " --no-control-socket --permit-unconventional-http-method"
    " --limit-request-line 0 --limit-request-field_size 65536 httpbin:app"
)
# One process: a second one would outlive it.
HTTP2 = (
    "-m hypercorn --bind fd://{fd} --workers 0 --certfile {certificate} --keyfile {certificate}"
    " http2:app"
)
# Group, environment variable, arguments to Python, a path whose status has to be 200.
TABLE = [
    ("httpbin", "ENDPOINTS_HTTPBIN", HTTPBIN, "/get"),
    ("recorder", "ENDPOINTS_RECORDER", "recorder.py --fd {fd}", "/"),
    ("recorder", "ENDPOINTS_RECORDER_OTHER", "recorder.py --fd {fd}", "/"),
    ("recorder", "ENDPOINTS_RECORDER_TLS", "recorder.py --fd {fd} --tls {certificate}", "/"),
    ("faults", "ENDPOINTS_FAULTS", "-m faults --fd {fd}", "/"),
    ("http2", "ENDPOINTS_HTTP2", HTTP2, "/"),
    ("load", "ENDPOINTS_LOAD", "load.py --fd {fd}", "/ok?i=0"),
    ("shop", "ENDPOINTS_SHOP", "shop.py --fd {fd}", "/-/seen"),
    ("tls", "ENDPOINTS_LOAD_TLS", "load.py --fd {fd} --tls {certificate}", "/ok?i=0"),
]
GROUPS = list(dict.fromkeys(row[0] for row in TABLE))
USUAL = ["httpbin", "recorder", "faults"]


@dataclass(frozen=True)
class Server:
    """A server that was started: its address is bound, but it may not respond yet."""

    variable: str
    address: str
    probe: str
    process: subprocess.Popen
    log: BinaryIO
    authority: Authority | None

    def __str__(self):
        return f"{self.variable} ({self.address})"

    def responds(self):
        """Sends one request and waits. The socket listens already, so one attempt is enough."""
        with contextlib.closing(self._connection()) as connection:
            try:
                connection.request("GET", self.probe)
                return connection.getresponse().status == 200
            except (OSError, http.client.HTTPException):
                return False

    def _connection(self):
        scheme, host = self.address.split("://")
        if scheme == "http":
            return http.client.HTTPConnection(host, timeout=DEADLINE)
        return http.client.HTTPSConnection(host, timeout=DEADLINE, context=self.authority.client())

    def post_mortem(self):
        """Says what went wrong with it, with all that it wrote."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        ended = self.process.poll()
        why = "did not respond as it should" if ended is None else f"ended by itself ({ended})"
        self.log.seek(0)
        return f"{self} {why}; its log:\n{self.log.read().decode(errors='replace')}"


def speaks_tls(arguments):
    """Whether a server with these arguments wants a certificate."""
    return "{certificate}" in arguments


def start(authority, _, variable, arguments, probe):
    """Starts a server on a socket bound here, so that no other process can take its port."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        values = {"fd": listener.fileno(), "certificate": authority and authority.server}
        command = [sys.executable, *arguments.format_map(values).split()]
        log = tempfile.TemporaryFile()
        process = subprocess.Popen(
            command, cwd=HERE, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"},
            pass_fds=[listener.fileno()], process_group=0, preexec_fn=END_WITH_PARENT)
        scheme = "https" if speaks_tls(arguments) else "http"
        address = "%s://%s:%d" % (scheme, *listener.getsockname())
        return Server(variable, address, probe, process, log, authority)


def end(processes):
    """Ends these processes: first with SIGTERM, then with SIGKILL."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def end_with_parent():
    """On Linux, a call that ends a server even if this program is killed."""
    if sys.platform != "linux":
        return None
    prctl, set_death_signal = ctypes.CDLL(None).prctl, 1
    return lambda: prctl(set_death_signal, signal.SIGTERM)


END_WITH_PARENT = end_with_parent()
