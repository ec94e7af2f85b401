"""A server that records what h11 reads of each connection, and responds with 200."""

import queue
import socket
import threading

import h11


class Wire:
    """Listens on a free port; `arrived()` returns what came since the last call: (request, body)."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.requests = queue.SimpleQueue()
        threading.Thread(target=self.accept, daemon=True).start()

    def arrived(self):
        found = []
        while not self.requests.empty():
            found.append(self.requests.get())
        return found

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client):
        """Responds to a connection's requests. A request is recorded before the response is sent."""
        reader = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 24)
        request, body = None, b""
        with client:
            while True:
                try:
                    event = reader.next_event()
                except h11.RemoteProtocolError as error:
                    self.requests.put((error, b""))
                    return
                if event is h11.NEED_DATA:
                    reader.receive_data(client.recv(1 << 16))
                elif isinstance(event, h11.Request):
                    request, body = event, b""
                elif isinstance(event, h11.Data):
                    body += event.data
                elif isinstance(event, h11.EndOfMessage):
                    self.requests.put((request, body))
                    client.sendall(response(reader, request))
                    if reader.our_state is not h11.DONE:
                        return
                    reader.start_next_cycle()
                else:
                    return


def response(reader, request):
    """An empty list in JSON, which every case's response type can decode."""
    content = b"[]"
    head = h11.Response(
        status_code=200,
        headers=[("Content-Length", str(len(content))), ("Content-Type", "application/json")],
    )
    data = reader.send(head)
    if request.method != b"HEAD":
        data += reader.send(h11.Data(data=content))
    return data + reader.send(h11.EndOfMessage())
