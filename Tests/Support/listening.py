"""What the servers share: listening, one thread for each connection, and exact bytes."""

import argparse
import contextlib
import itertools
import resource
import socket
import ssl
import struct
import threading
import time

from message import Request

NEVER_LONGER_THAN = 130  # seconds that one read or write may wait for a client


class ClientLeft(Exception):
    """The client closed the connection, so nothing more can be read or written."""


class Malformed(Exception):
    """What arrived can't be split into a head and a body."""


class Connection:
    """One accepted connection: reads requests, writes bytes, and ends by a FIN or a RST."""

    def __init__(self, sock, number):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(NEVER_LONGER_THAN)
        self.sock, self.number, self.requests = sock, number, 0
        scheme = "https" if isinstance(sock, ssl.SSLSocket) else "http"
        self.origin = "%s://%s:%d" % (scheme, *sock.getsockname()[:2])
        self.buffer, self.ended = bytearray(), False

    def read_request(self, drain=None):
        """The next request; `ClientLeft` if the client closed instead.

        The body of a request for which `drain` returns a function isn't kept: the function gets its pieces."""
        head = self._until(b"\r\n\r\n")
        request = Request(head)
        if (request.field(b"Expect") or b"").lower() == b"100-continue":
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        self.requests += 1
        take = drain and drain(request)
        if take:
            self._pass_on(int(request.field(b"Content-Length")), take)
            return request
        return Request(head, self._body(request))

    def send(self, data):
        """Writes all of the bytes and waits until the system has accepted them."""
        try:
            self.sock.sendall(data)
        except OSError as error:
            raise ClientLeft from error

    def wait(self, milliseconds):
        """Waits; `ClientLeft` as soon as the client closes."""
        end = time.monotonic() + milliseconds / 1000
        try:
            self.sock.settimeout(max(milliseconds / 1000, 0.000_001))
            if not self.sock.recv(1, socket.MSG_PEEK):
                raise ClientLeft
            time.sleep(max(end - time.monotonic(), 0))
        except TimeoutError:
            pass
        except OSError as error:
            raise ClientLeft from error
        finally:
            self.sock.settimeout(NEVER_LONGER_THAN)

    def close(self):
        """Ends with a FIN, after everything that was sent."""
        self.ended = True
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()

    def reset(self):
        """Ends with a RST, by lingering for zero seconds."""
        self.ended = True
        with contextlib.suppress(OSError):
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def _body(self, request):
        if b"chunked" in (request.field(b"Transfer-Encoding") or b"").lower():
            return b"".join(iter(self._chunk, b""))
        length = request.field(b"Content-Length") or b"0"
        if not length.isdigit():
            raise Malformed(f"Content-Length: {length!r}")
        return self._exactly(int(length))

    def _pass_on(self, count, take):
        while count:
            if not self.buffer:
                self._more()
            piece = self._take(min(count, len(self.buffer)))
            take(piece)
            count -= len(piece)

    def _chunk(self):
        size = self._until(b"\r\n").split(b";")[0].strip()
        try:
            chunk = self._exactly(int(size, 16))
        except ValueError as error:
            raise Malformed(f"chunk size: {size!r}") from error
        while self._until(b"\r\n") != b"\r\n":
            pass  # an empty line ends a chunk; the last one may have trailers before it
        return chunk

    def _until(self, end):
        start = 0
        while (at := self.buffer.find(end, start)) < 0:
            start = max(len(self.buffer) - len(end) + 1, 0)
            self._more()
        return self._take(at + len(end))

    def _exactly(self, count):
        while len(self.buffer) < count:
            self._more()
        return self._take(count)

    def _take(self, count):
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def _more(self):
        try:
            data = self.sock.recv(1 << 16)
        except OSError as error:
            raise ClientLeft from error
        if not data:
            raise ClientLeft
        self.buffer += data


def run(description, handle):
    """Listens as the command line says, with one thread for each connection."""
    wanted = options(description)
    listener = listen(wanted)
    secured = secure(wanted.tls) if wanted.tls else lambda sock: sock
    with contextlib.suppress(KeyboardInterrupt):
        for number in itertools.count(1):
            connection = Connection(secured(listener.accept()[0]), number)
            threading.Thread(target=handle, args=[connection], daemon=True).start()


def options(description):
    """The options of a server's command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free port")
    parser.add_argument("--fd", type=int, help="a listening socket that the caller has bound")
    parser.add_argument("--tls", help="a file with a key and its certificates, to speak TLS")
    return parser.parse_args()


def context(certificate):
    """How a server speaks TLS with a file that has a key and its certificates."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate)
    return made


def secure(certificate):
    """A function that makes a TLS socket of an accepted one; the first read shakes hands."""
    made = context(certificate)
    return lambda sock: made.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)


def listen(options):
    """The listening socket of the options; prints its address."""
    allow_many_connections()
    if options.fd is not None:
        listener = socket.socket(fileno=options.fd)
    else:
        listener = socket.create_server(("127.0.0.1", options.port), backlog=1024)
    scheme = "https" if options.tls else "http"
    print("%s://%s:%d" % (scheme, *listener.getsockname()[:2]), flush=True)
    return listener


def allow_many_connections(wanted=10_000):
    """Raises the limit of open files as far as needed and allowed."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if now != resource.RLIM_INFINITY and now < wanted:
        wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
