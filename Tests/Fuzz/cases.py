"""Random cases: a declaration, its values and a base URL, as the dictionary `declare` reads."""

import random
import uuid
from urllib.parse import quote

from atoms import *


class Dice(random.Random):
    """A random generator that makes cases."""

    def often(self, probability):
        """Whether something happens that does so with this probability."""
        return self.random() < probability

    def maybe(self, make, probability=0.25):
        """None with that probability, else what is made."""
        return None if self.often(probability) else make()

    def several(self, make):
        """None, one or a few."""
        return [make() for _ in range(self.choice([0, 1, 1, 2, 3]))]

    def text(self):
        """Any text: mostly nasty, at times any scalars, seldom long."""
        if self.often(0.3):
            return self.choice(ATOMS)
        if self.often(0.01):
            return self.text() * self.choice([50, 500])
        kinds = [lambda: self.choice(ATOMS), self.scalar, lambda: self.choice("abcABC019-._~")]
        return "".join(self.choice(kinds)() for _ in range(self.randint(0, 6)))

    def scalar(self):
        """Any Unicode scalar, the lower ones more often."""
        code = self.randrange(self.choice([0x80, 0x300, 0x3000, 0xD800, 0x110000]))
        return chr(code) if not 0xD800 <= code < 0xE000 else "\U0001f600"

    def plain(self):
        """A text without control characters, as a header mostly has."""
        return "".join(c for c in self.text() if c >= " " and c != "\x7f")

    def number(self):
        """A number, seldom none that has a text."""
        if self.often(0.05):
            return self.choice(BAD_NUMBERS)
        exponent = self.randint(-300, 300)
        return self.choice([
            self.choice(NUMBERS), self.uniform(-1e6, 1e6), self.uniform(-1, 1) * 10.0**exponent,
            float(self.getrandbits(55)),
        ])

    def moment(self):
        """Seconds since 2001, never half a millisecond: mostly in the years 0 to 9999."""
        if self.often(0.05):
            return self.choice(BAD_MOMENTS)
        milliseconds = self.randint(-63_145_526_400_000, 252_423_993_599_999)
        return self.choice([milliseconds, milliseconds // 1000 * 1000, milliseconds + 0.25]) / 1000

    def decimal(self):
        """A decimal number as text, of at most 38 digits."""
        if self.often(0.05):
            return "nan"
        whole, fraction = (self.randrange(10 ** self.randint(1, 18)) for _ in range(2))
        return self.choice(["", "-"]) + self.choice([str(whole + 1), f"{whole}.{fraction}1"])

    def value(self, name):
        """A value for a property."""
        make = {
            "flag": lambda: self.often(0.5),
            "small": lambda: self.randint(-128, 127),
            "maybe": lambda: self.maybe(self.text),
            "count": lambda: self.randint(-(2**63), 2**63 - 1),
            "big": lambda: self.getrandbits(64),
            "maybeCount": lambda: self.maybe(lambda: self.randint(-9, 99)),
            "number": self.number,
            "single": lambda: self.randint(-(2**15), 2**15) / 8,
            "decimal": self.decimal,
            "word": lambda: self.choice(["newest", "the oldest / 2nd"]),
            "moment": self.moment,
            "maybeMoment": lambda: self.maybe(self.moment),
            "letter": self.scalar,
            "id": lambda: str(uuid.UUID(int=self.getrandbits(128))).upper(),
            "list": lambda: self.several(self.text),
            "maybes": lambda: self.several(lambda: self.maybe(self.text)),
            "numbers": lambda: self.several(self.number),
            "map": lambda: {key: self.text() for key in self.several(lambda: self.choice(KEYS))},
            "tree": self.tree,
            "basic": lambda: [self.text(), self.text()],
        }
        return make.get(name, self.text)()

    def tree(self, depth=3):
        """A nested value as JSON has it."""
        kind = self.random() if depth else 0.3 * self.random()
        if kind < 0.2:
            return self.choice([self.text(), self.text(), self.randint(-9, 99), self.often(0.5)])
        if kind < 0.3:
            return self.maybe(self.text, 0.3)
        if kind < 0.65:
            return self.several(lambda: self.tree(depth - 1))
        return self.branch(depth)

    def branch(self, depth=3):
        """A nested value with keys, seldom one that is refused."""
        keys = BAD_NESTED_KEYS if self.often(0.01) else NESTED_KEYS
        return {key: self.tree(depth - 1) for key in self.several(lambda: self.choice(keys))}

    def use(self, values, names):
        """A property's name; its value is made up the first time."""
        name = "text" if "text" in names and self.often(0.3) else self.choice(names)
        key = READS.get(name, name)
        values.setdefault(key, self.value(key))
        if name == "day" and not -13_000_000_000 < float(values["moment"]) < 252_000_000_000:
            return "moment"  # before 1583 the platform's formats use another calendar
        return name

    def piece(self, values):
        """A piece of a path."""
        kind = self.random()
        if kind < 0.5:
            return {"literal": self.choice(LITERALS)}
        if kind < 0.6:
            constant = {"isConstant": True, "constant": self.maybe(self.text, 0.15)}
            return constant | {"slash": self.often(0.75)}
        if kind < 0.9:
            return {"value": self.use(values, IN_PATH), "slash": self.often(0.75)}
        return {"segments": self.use(values, SEGMENTS)}

    def parameter(self, values, is_form):
        """A query item or a form field."""
        field = {"name": self.text() if self.often(0.5) else "page", "isForm": is_form}
        if self.often(0.15):
            return field | {"constant": self.text()}
        if self.often(0.2):
            nested = {"value": self.use(values, ["tree"]), "arrays": self.choice(ARRAYS)}
            return field | nested | {"name": self.choice(NESTED_NAMES)}
        if self.often(0.5):
            return field | {"value": self.use(values, IN_PATH)}
        return field | {"value": self.use(values, SEVERAL), "style": self.choice(STYLES)}

    def header(self, name, values):
        """A header, its value seldom with a control character."""
        if self.often(0.6):
            return {"name": name, "constant": self.text() if self.often(0.1) else self.plain()}
        return {"name": name, "value": self.use(values, IN_PATH)}

    def layer(self):
        """The headers of a layer that is known only at run time; None leaves a header out."""
        if not self.often(0.25):
            return {}
        return {self.choice(LATER_NAMES): self.maybe(self.plain, 0.2)}

    def body(self):
        """A body, by the type it is declared with."""
        kind = self.choice(["data", "text", "maybe text", "json", "number", "form", "form"])
        if kind == "form":
            tree = self.tree() if self.often(0.05) else self.branch()
            return {"type": kind, "tree": tree, "arrays": self.choice(ARRAYS)}
        if kind == "number":
            return {"type": kind, "number": self.number()}
        return {"type": kind, "text": self.maybe(self.text, 0.25 * (kind == "maybe text"))}

    def base(self):
        """A base URL, seldom one that is refused."""
        if self.often(0.03):
            return self.choice(REFUSED_BASES)
        if self.often(0.5):
            return self.choice(BASES)
        user = quote(self.text(), safe="!$&'()*+,;=:") + "@" if self.often(0.2) else ""
        port = f":{self.randint(1, 65535)}" if self.often(0.3) else ""
        path = "".join("/" + quote(text, safe=":@!$&'()*+,;=") for text in self.several(self.text))
        query = "?" + quote(self.text(), safe=":@!$&'()*+,;=/?") if self.often(0.3) else ""
        fragment = "#" + quote(self.text()) if self.often(0.2) else ""
        scheme = self.choice(["https://", "http://"])
        return scheme + user + self.choice(HOSTS) + port + path + query + fragment

    def case(self):
        """A case: small parts, and seldom more than one thing that is refused."""
        values, sends = {}, self.often(0.05)
        names = self.sample(NAMES, self.choice([0, 0, 1, 2]))
        if self.often(0.03):
            names.append(self.choice(BAD_NAMES))
        body = self.body() if self.often(0.2) else None
        has_form = self.often(0.03 if body else 0.4)
        method = "POST" if body or has_form else self.choice(METHODS)
        if self.often(0.02):
            method = self.choice(BAD_METHODS)
        parameters = [
            self.parameter(values, has_form and self.often(0.6)) for _ in range(self.randint(0, 4))
        ]
        return {
            "method": method,
            "path": [self.piece(values) for _ in range(self.randint(0, 4))],
            "parameters": parameters,
            "headers": [self.header(name, values) for name in names],
            "items": [
                [self.text(), self.maybe(self.text)] for _ in range(self.choice([0, 0, 1, 2]))
            ],
            **{layer: self.layer() for layer in LAYERS},
            "body": body,
            "decodes": self.often(0.3) and not (sends and method == "HEAD"),
            "values": values,
            "sends": sends,
            "base": self.choice(SENT_BASES) if sends else self.base(),
        }


def case(seed, number):
    """The case of that number in the run of that seed."""
    return Dice(f"{seed}:{number}").case()
