"""A proxy that cuts connections after so many bytes."""

import socket
import threading


class CuttingProxy:
    """A port that leads to another one.

    `choose` returns for each connection after how many bytes of the client, and of the server, it is cut off; None if it
    isn't. A third value is for how many seconds the server doesn't notice, as if only the client's network were gone.
    `watch` makes an object for each connection that is told what the client has sent and what it got."""

    def __init__(self, port, choose, watch=None):
        self.target = port
        self.choose = choose
        self.watch = watch
        self.connections = 0
        self.cuts = 0
        self.received = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.connections += 1
                budgets = self.choose()
                watcher = self.watch() if self.watch else None
            linger = budgets[2] if len(budgets) > 2 else 0
            for source, target, budget in [(client, server, budgets[0]), (server, client, budgets[1])]:
                threading.Thread(
                    target=self._forward, args=(source, target, budget, source is client, watcher, server, linger),
                    daemon=True).start()

    def _forward(self, source, target, budget, counts, watcher, server, linger):
        """Copies bytes until the end, or until so many have passed; then cuts both directions."""
        try:
            while data := source.recv(65536):
                if counts:
                    with self.lock:
                        self.received += len(data)
                    if watcher:
                        watcher.sent(data)
                if budget is not None and len(data) > budget:
                    with self.lock:
                        self.cuts += 1
                    if watcher and not counts:
                        watcher.got(data[:budget])
                    target.sendall(data[:budget])
                    break
                if watcher and not counts:
                    watcher.got(data)
                target.sendall(data)
                if budget is not None:
                    budget -= len(data)
        except OSError:
            pass
        for end in (source, target):
            if end is server and linger and counts:
                threading.Timer(linger, self._shut, (end,)).start()
            else:
                self._shut(end)

    @staticmethod
    def _shut(end):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
