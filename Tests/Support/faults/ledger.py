"""What the fault server knows about its clients, so that a test can see a leak or a retry."""

import threading
from collections import Counter


class Ledger:
    """The connections open now, with the keys they asked for, and the requests counted by key."""

    def __init__(self):
        self.changed = threading.Condition()
        self.connections, self.counts = {}, Counter()

    def opened(self, connection):
        """Records a new connection."""
        with self.changed:
            self.connections[connection] = set()

    def closed(self, connection):
        """Forgets a connection and wakes the threads that wait for it."""
        with self.changed:
            del self.connections[connection]
            self.changed.notify_all()

    def asked(self, connection, key):
        """Records a request."""
        with self.changed:
            self.connections[connection].add(key)
            self.counts[key] += 1

    def count(self, key):
        """How many requests came with the key."""
        with self.changed:
            return self.counts[key]

    def open(self, asking, key, most, ms):
        """How many others are open, once that is at most `most` or the milliseconds are over."""
        with self.changed:
            self.changed.wait_for(lambda: self._others(asking, key) <= most, ms / 1000)
            return self._others(asking, key)

    def _others(self, asking, key):
        return sum(
            connection is not asking and (key is None or key in keys)
            for connection, keys in self.connections.items()
        )
