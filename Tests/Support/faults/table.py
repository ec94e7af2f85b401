"""The table of faults: each is a function whose docstring says what it does.

A function's name is its path (`short_content_length` is `/short-content-length`), its module is
its kind, its keyword arguments are whole numbers that the query may set (`/late?ms=300`)."""

import inspect
from dataclasses import dataclass
from typing import Callable

CLOSE, KEEP = "close", "keep"  # what happens to the connection when the function has returned


@dataclass(frozen=True)
class Fault:
    """One row: how to misbehave, and what then happens to the connection."""

    act: Callable
    after: str

    @property
    def name(self):
        """The path without its slash."""
        return self.act.__name__.replace("_", "-")

    @property
    def row(self):
        """The fault as the table shows it."""
        return {
            "name": self.name,
            "what": " ".join(inspect.getdoc(self.act).split()),
            "kind": self.act.__module__.rpartition(".")[2],
            "takes": self.defaults,
        }

    @property
    def defaults(self):
        """What the query may set, and the defaults."""
        parameters = list(inspect.signature(self.act).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in parameters}

    def run(self, connection, query):
        """Misbehaves."""
        self.act(connection, **{name: int(query.get(name, n)) for name, n in self.defaults.items()})
        if self.after is CLOSE:
            connection.close()


FAULTS = {}


def fault(after=KEEP):
    """Registers a function that takes a connection and responds to its request."""

    def register(act):
        row = Fault(act, after)
        FAULTS[row.name] = row
        return act

    return register
