"""A fast server for soak tests: keep-alive, small JSON, hundreds of connections at once.

    /ok?i=N         {"i": N}
    /fail           500, {"error": "failed on request"}; with i=N that is in it too
    /slow?ms=200    {"i": N} that many milliseconds later
    /reset          resets the connection (RST) instead of answering
    /-/count        {"open": connections now beside this one, "answered": answers so far}"""

import asyncio
import json
import socket
import struct

from message import Request, answer
from wire import listen, options


class Load(asyncio.Protocol):
    """One connection: answers its requests in turn."""

    open = answered = 0

    def connection_made(self, transport):
        """Counts the connection."""
        Load.open += 1
        self.transport, self.buffer, self.later = transport, b"", None

    def connection_lost(self, _):
        """Uncounts it, and drops an answer that nobody waits for any more."""
        Load.open -= 1
        if self.later:
            self.later.cancel()

    def data_received(self, data):
        """Collects bytes until a request is whole."""
        self.buffer += data
        self.answer_next()

    def answer_next(self):
        """Answers the next whole request, unless another's answer is still to come."""
        while not self.later and (request := self.take()):
            self.answer(request)

    def take(self):
        """The next whole request, taken out of the buffer; None where there is none yet."""
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        if not end:
            return None
        request = Request(head + end)
        length = int(request.field(b"Content-Length") or 0)
        if len(rest) < length:
            return None
        self.buffer = rest[length:]
        return request

    def answer(self, request):
        """Does what the path names."""
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
            case "/reset":
                self.reset()
            case "/-/count":
                self.say(200, {"open": Load.open - 1, "answered": Load.answered})
            case _:
                self.say(404, {"error": "no such path"})

    def say(self, status, value):
        """Answers with JSON."""
        Load.answered += 1
        self.transport.write(answer(status, json.dumps(value).encode()))

    def say_late(self, value):
        """Answers after a delay, then goes on with what came meanwhile."""
        self.later = None
        self.say(200, value)
        self.answer_next()

    def reset(self):
        """Aborts the connection: lingering for zero seconds makes that a RST."""
        sock = self.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


async def main(listener):
    """Serves until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Load, sock=listener, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(listen(options("Answers fast, for soak tests."))))
