"""Random cases: a declaration, values for it and a base URL, each a dictionary that `declare` reads."""

import math
import random
import uuid

ATOMS = [
    "",
    ".",
    "..",
    "...",
    "%2e",
    "%2E%2e",
    "%",
    "%2",
    "%zz",
    "%2F",
    "%00",
    "/",
    "//",
    "a/b",
    "?",
    "#",
    "+",
    " ",
    "&",
    "=",
    ";",
    ",",
    ":",
    "@",
    "[]",
    "[a]",
    "\\",
    "'",
    '"',
    "<>",
    "~",
    "*",
    "!$()",
    "^`{|}",
    "\0",
    "\t",
    "\r\n",
    "\n",
    "\x1b",
    "\x7f",
    "\x80",
    "\xa0",
    "é",
    "e\u0301",
    "ß",
    "日本",
    "😀",
    "👩‍👩‍👧",
    "\u200b",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "\uffff",
    "\U0010ffff",
    "ﷺ",
    "a",
    "Z",
    "0",
    "x-y_z.w",
]
LITERALS = [
    "a",
    "users",
    "/",
    "/",
    "a/",
    "/b",
    "/b/",
    ".json",
    "-",
    ".",
    "..",
    "%20",
    "%2e",
    "%2F",
    "%",
    "%zz",
    "é",
    "a b",
    "a;v=1",
    "(x)",
    "?",
    "#",
    "//",
    "a:b@c",
    "[x]",
    "\\",
]
BASES = [
    "https://h",
    "https://h/",
    "https://h/v1",
    "https://h/v1/",
    "http://h:8080/a/b?k=1",
    "https://h?k=1&",
    "https://h/?a=b&c",
    "https://user:p%40ss@h/v1",
    "http://[::1]:80/v1",
    "http://[fe80::1%25en0]/",
    "https://bücher.example/ü?ü=ü",
    "https://xn--bcher-kva.example/",
    "HTTPS://H.Example/X",
    "https://h/v1#fragment",
    "https://h/v1/?q=1#f?x",
    "https://h//a//",
    "https://h/a%2Fb/%20",
    "http://127.0.0.1",
    "https://h/a;b=c/d",
    "https://h/?",
    "https://h/a?b=%00+%2B c",
    "https://h/...",
    "https://h./",
    "https://u@h:1/",
]
REFUSED_BASES = [
    "ftp://h/",
    "/v1",
    "v1",
    "",
    "https:///v1",
    "https:h/v1",
    "mailto:a@b",
    "https://:80/",
    "https://u@/",
    "https://h/./a",
    "https://h/a/..",
    "https://h/%2e%2E/b",
    "https://h/.%2e?x",
    "file:///etc",
    "//h/v1",
]
METHODS = [
    "GET",
    "GET",
    "GET",
    "POST",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PROPFIND",
    "M-SEARCH",
]
NAMES = [
    "Accept",
    "Content-Type",
    "Authorization",
    "X-Token",
    "x-lower",
    "X-UPPER",
    "If-Match",
    "!#$%&'*+-.^_`|~",
    "Range",
]
BAD_NAMES = [
    "",
    "a b",
    "a:b",
    "é",
    "a\r\nb",
    "x\0",
    "Content-Length",
    "transfer-encoding",
    "\u212aeep",
    "(x)",
]

IN_PATH = [
    "flag",
    "text",
    "small",
    "maybe",
    "count",
    "big",
    "maybeCount",
    "number",
    "single",
    "decimal",
    "word",
    "moment",
    "maybeMoment",
    "id",
    "letter",
    "slice",
    "nested",
    "shared",
    "computed",
    "basic",
    "bearer",
    "day",
]
SEGMENTS = ["list", "maybes", "numbers", "text as segments"]
SEVERAL = ["list", "maybes", "numbers", "map", "map as JSON"]
STYLES = ["repeated", "commaSeparated", "brackets"]


class Dice(random.Random):
    """A random generator that makes cases."""

    def often(self, probability):
        return self.random() < probability

    def maybe(self, make, probability=0.25):
        return None if self.often(probability) else make()

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
        """A text without control characters, as a header or a literal mostly has."""
        return "".join(c for c in self.text() if c >= " " and c != "\x7f")

    def number(self):
        if self.often(0.05):
            return self.choice(["inf", "-inf", "nan"])
        return self.choice(
            [
                0.0,
                -0.0,
                1.0,
                0.1,
                -1.5,
                1e-05,
                1e16,
                2.0**54,
                1e300,
                5e-324,
                self.uniform(-1e6, 1e6),
                self.uniform(-1, 1) * 10.0 ** self.randint(-300, 300),
                float(self.getrandbits(55)),
            ]
        )

    def moment(self):
        """Seconds since 2001, never half a millisecond: mostly in years 0 to 9999, seldom out of range."""
        if self.often(0.05):
            return self.choice(["inf", "nan", 1e18, -1e18, 252_423_993_600.0, -63_145_526_401.0])
        milliseconds = self.randint(-63_145_526_400_000, 252_423_993_599_999)
        return self.choice([milliseconds, milliseconds // 1000 * 1000, milliseconds + 0.25]) / 1000

    def decimal(self):
        if self.often(0.05):
            return "nan"
        digits = str(self.randint(1, 10 ** self.randint(1, 37)) * 10 + 1)
        return (
            self.choice(["", "-"])
            + digits[: len(digits) // 2 + 1].rstrip("0")
            + "."
            + digits[len(digits) // 2 + 1 :]
            if len(digits) > 3
            else digits
        )

    def map(self):
        """A dictionary whose keys no Unicode normalisation changes, so that any sorting agrees."""
        return {
            self.choice(
                ["a", "b", "A", "", "k]", "k[0]", "é" * 0 + "ø", "日", "&", "=", " ", "%41"]
            ): self.text()
            for _ in range(self.randint(0, 3))
        }

    def value(self, name):
        """A value for a property."""
        several = lambda make: [make() for _ in range(self.choice([0, 1, 1, 2, 3]))]
        return {
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
            "list": lambda: several(self.text),
            "maybes": lambda: several(lambda: self.maybe(self.text)),
            "numbers": lambda: several(self.number),
            "map": self.map,
            "basic": lambda: [self.text(), self.text()],
        }.get(name, self.text)()

    def use(self, values, names):
        """A property's name; its value is made up the first time."""
        name = self.choice(names)
        if self.often(0.3):
            name = "text" if "text" in names else name
        key = {
            "text as segments": "text",
            "computed": "text",
            "map as JSON": "map",
            "day": "moment",
        }.get(name, name)
        values.setdefault(key, self.value(key))
        if name == "day" and not -13_000_000_000 < float(values["moment"]) < 252_000_000_000:
            return "moment"  # before 1583 the platform's formats use another calendar
        return name

    def piece(self, values):
        kind = self.random()
        if kind < 0.5:
            return {"literal": self.choice(LITERALS)}
        if kind < 0.9:
            return {"value": self.use(values, IN_PATH), "slash": self.often(0.75)}
        return {"segments": self.use(values, SEGMENTS)}

    def parameter(self, values, is_form):
        field = {"name": self.choice([self.text, lambda: "page"])(), "isForm": is_form}
        if self.often(0.15):
            return field | {"constant": self.text()}
        if self.often(0.5):
            return field | {"value": self.use(values, IN_PATH)}
        return field | {"value": self.use(values, SEVERAL), "style": self.choice(STYLES)}

    def header(self, name, values):
        if self.often(0.6):
            return {"name": name, "constant": self.text() if self.often(0.1) else self.plain()}
        return {"name": name, "value": self.use(values, IN_PATH)}

    def body(self):
        kind = self.choice(["data", "text", "maybe text", "json", "number"])
        if kind == "number":
            return {"type": kind, "number": self.number()}
        return {
            "type": kind,
            "text": self.maybe(self.text) if kind == "maybe text" else self.text(),
        }

    def base(self):
        if self.often(0.03):
            return self.choice(REFUSED_BASES)
        base = self.choice(BASES)
        if "?" not in base and self.often(0.1):
            base = base.split("#")[0] + "?" + self.text()
        return base

    def case(self):
        """A case: small parts, and seldom more than one thing that is refused."""
        values = {}
        sends = self.often(0.05)
        names = self.sample(NAMES, self.choice([0, 0, 1, 2]))
        if self.often(0.03):
            names.append(self.choice(BAD_NAMES))
        later = self.sample(
            ["X-Later", "X-Token", "ACCEPT", "content-type"], self.choice([0, 0, 0, 1])
        )
        body = self.body() if self.often(0.2) else None
        has_form = self.often(0.03 if body else 0.4)
        method = "POST" if body or has_form else self.choice(METHODS)
        if self.often(0.02):
            method = self.choice(["", "A B", "GET\r\n", "é", "get", "post", "patch", "Head", "M\0"])
        return {
            "method": method,
            "path": [self.piece(values) for _ in range(self.choice([0, 1, 2, 3, 4]))],
            "parameters": [
                self.parameter(values, has_form and self.often(0.6))
                for _ in range(self.randint(0, 4))
            ],
            "headers": [self.header(name, values) for name in names],
            "items": [
                [self.text(), self.maybe(self.text)] for _ in range(self.choice([0, 0, 0, 1, 2]))
            ],
            "moreHeaders": {name: self.plain() for name in later},
            "body": body,
            "decodes": self.often(0.3) and not (sends and method == "HEAD"),
            "values": values,
            "sends": sends,
            "base": (
                self.choice(
                    [
                        "http://{wire}",
                        "http://{wire}/v1/?k=1",
                        "http://{wire}/%2e./a",
                        "http://{wire}/a//",
                    ]
                )
                if sends
                else self.base()
            ),
        }


def case(seed, number):
    """The case of that number in the run of that seed."""
    made = Dice(f"{seed}:{number}").case()
    assert not any(isinstance(v, float) and not math.isfinite(v) for v in made["values"].values())
    return made
