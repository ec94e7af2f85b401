"""A fast server for soak tests: keep-alive, small JSON, hundreds of connections at once.

    /ok?i=N         {"i": N}
    /fail           500, {"error": "failed on request"}; with i=N that is in it too
    /slow?ms=200    {"i": N} that many milliseconds later
    /stream         a body that never ends: 16 KB every few milliseconds; a 401 with status=401
    /move           a redirect to /stream
    /reset          resets the connection (RST) instead of responding
    /-/count        {"open": other connections now, "responses": responses so far}

With `--tls CERTIFICATE` it speaks TLS."""

import asyncio
import json
import socket
import struct

from message import Request, head, response
from listening import context, listen, options

CHUNK = b"4000\r\n" + b"0123456789abcde\n" * 1024 + b"\r\n"


class Load(asyncio.Protocol):
    """One connection: responds to its requests in turn."""

    open = responses = 0

    def connection_made(self, transport):
        """Counts the connection."""
        Load.open += 1
        self.transport, self.buffer, self.later = transport, b"", None

    def connection_lost(self, _):
        """Removes it from the count, and cancels a response that is still to be sent."""
        Load.open -= 1
        if self.later:
            self.later.cancel()

    def data_received(self, data):
        """Collects bytes until a request is complete."""
        self.buffer += data
        self.respond_next()

    def respond_next(self):
        """Responds to the next complete request, unless a response is still to be sent."""
        while not self.later and (request := self.take()):
            self.respond(request)

    def take(self):
        """Takes the next complete request out of the buffer; None if there is none."""
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        if not end:
            return None
        request = Request(head + end)
        length = int(request.field(b"Content-Length") or 0)
        if len(rest) < length:
            return None
        self.buffer = rest[length:]
        return request

    def respond(self, request):
        """Does what the path says."""
        query = request.query
        number = {"i": int(query["i"])} if "i" in query else {}
        match request.path:
            case "/ok":
                self.say(200, number)
            case "/fail":
                self.say(500, {"error": "failed on request"} | number)
            case "/slow":
                delay = int(query.get("ms", 200)) / 1000
                self.later = asyncio.get_running_loop().call_later(delay, self.say_late, number)
            case "/stream":
                status = int(query.get("status", 200))
                self.transport.write(
                    head(status, "Content-Type: text/plain", "Transfer-Encoding: chunked"))
                self.send_chunk()
            case "/move":
                self.transport.write(response(302, b"", "Location: /stream"))
            case "/reset":
                self.reset()
            case "/-/count":
                self.say(200, {"open": Load.open - 1, "responses": Load.responses})
            case _:
                self.say(404, {"error": "no such path"})

    def say(self, status, value):
        """Responds with JSON."""
        Load.responses += 1
        self.transport.write(response(status, json.dumps(value).encode()))

    def say_late(self, value):
        """Responds after a delay, then to the requests that came meanwhile."""
        self.later = None
        self.say(200, value)
        self.respond_next()

    def send_chunk(self):
        """Sends a chunk of a body that never ends, and the next one a little later."""
        if not self.transport.is_closing() and self.transport.get_write_buffer_size() < 1 << 20:
            self.transport.write(CHUNK)
        self.later = asyncio.get_running_loop().call_later(0.005, self.send_chunk)

    def reset(self):
        """Aborts the connection with a RST, by lingering for zero seconds."""
        sock = self.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


async def main(listener, tls):
    """Serves until the process ends."""
    server = await asyncio.get_running_loop().create_server(
        Load, sock=listener, backlog=1024, ssl=tls)
    await server.serve_forever()


if __name__ == "__main__":
    wanted = options("Responds fast, for soak tests.")
    asyncio.run(main(listen(wanted), wanted.tls and context(wanted.tls)))
