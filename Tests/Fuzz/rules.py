"""What a case must become, said a second time and another way than the library does it.

`expected(case, base)` reads the rules on decoded text, never on escaped bytes: segments, pairs,
fields, or the set of reasons for which the library has to refuse."""

import json
import re
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

import nested
from atoms import LAYERS
from texts import NoText, one_text, several_texts, text_in_url

TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+", re.ASCII)
# RFC 3986, appendix B.
URL = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
BODY_TYPES = {
    "data": "application/octet-stream",
    "text": "text/plain; charset=utf-8",
    "maybe text": "text/plain; charset=utf-8",
    "json": "application/json",
    "number": "application/json",
    "form": "application/x-www-form-urlencoded",
}
FORM = "application/x-www-form-urlencoded"
# Registered methods, of those that are tried in lower case: servers know them in upper case alone.
REGISTERED_METHODS = {"GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"}


class Json(str):
    """A text that has to be this JSON, however it is spaced."""

    def __eq__(self, other):
        return json.loads(self) == json.loads(other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class CommaSeparated(list):
    """Texts with raw commas between them."""


@dataclass
class Expected:
    """What independent parsers have to read."""

    segments: list = field(default_factory=list)
    query: list = field(default_factory=list)
    form: list = field(default_factory=list)
    # The nested values among these: what is in brackets, and which of the pairs it is.
    trees: list = field(default_factory=list)
    headers: dict = field(default_factory=dict)
    body: object = None
    reasons: set = field(default_factory=set)


def pairs(parameter, values):
    """What a reader finds of a parameter: (name, text) pairs."""
    name, value = parameter["name"], parameter.get("value")
    if value is None:
        return [(name, parameter["constant"])]
    if value == "tree":
        return nested.pairs(name, values["tree"], parameter["arrays"])
    if value == "map":
        return [(f"{name}[{key}]", values["map"][key]) for key in sorted(values["map"])]
    if value == "map as JSON":
        return [(name, Json(json.dumps(values["map"])))]
    if value not in ("list", "maybes", "numbers"):
        text = text_in_url(value, values)
        return [] if text is None else [(name, text)]
    texts = several_texts(value, values)
    if parameter["style"] == "commaSeparated":
        return [(name, CommaSeparated(texts))] if texts else []
    return [(name + "[]" * (parameter["style"] == "brackets"), text) for text in texts]


class Path:
    """Segments, decoded, joined piece by piece. `open` tells of a last segment that a slash began
    and that nothing was written to yet, `kept` of the last segment that a text for several segments
    ended in, and `values` of all segments that a value, if only an empty one, was written to."""

    def __init__(self):
        self.segments, self.open, self.kept, self.values = [], False, 0, set()

    def literal(self, text):
        if not text:
            return
        first, *others = [unquote_to_bytes(part) for part in text.split("/")]
        if first == b"" and others and (self.open or not self.segments):
            if self.segments:
                self.segments.pop()
        elif self.segments:
            self.segments[-1] += first
        else:
            self.segments.append(first)
        self.segments += others
        self.open = self.segments[-1] == b"" and bool(others)

    def value(self, text, with_slash):
        if text is None:
            if with_slash and self.open and len(self.segments) != self.kept:
                self.segments.pop()
                # What is left may end in a slash of its own, as "//" does.
                self.open = self.segments[-1:] == [b""] and len(self.segments) not in self.values
            return
        if not self.segments or (with_slash and not self.open):
            self.segments.append(b"")
        self.segments[-1] += text.encode()
        self.open = False
        self.values.add(len(self.segments))

    def texts(self, texts):
        """Several segments: no text, and one that is empty, are left out."""
        if texts in ([], [""]):
            return self.value(None, True)
        if self.open:
            self.segments.pop()
        self.segments += [text.encode() for text in texts]
        self.open, self.kept = texts[-1] == "", len(self.segments)

    def is_refused(self):
        return any(
            segment in (b".", b"..") or (segment == b"" and number in self.values)
            for number, segment in enumerate(self.segments, 1)
        )


def path(case, reasons):
    """The decoded segments; the last one is empty for a trailing slash."""
    path, outline = Path(), Path()
    needs_values = case["method"] in ("PUT", "PATCH", "DELETE")
    for piece in case["path"]:
        if "literal" in piece:
            if set("?#") & set(piece["literal"]):
                reasons.add("path")
            path.literal(piece["literal"])
            outline.literal(piece["literal"])
            continue
        if piece.get("isConstant"):
            if piece["constant"] is None and needs_values:
                reasons.add("path")
            path.value(piece["constant"], piece["slash"])
            outline.value(piece["constant"], piece["slash"])
            continue
        outline.value("x", piece.get("slash", True))
        try:
            if "value" in piece:
                text = text_in_url(piece["value"], case["values"])
                if text is None and needs_values:
                    reasons.add("path")
                path.value(text, piece["slash"])
                continue
            texts = several_texts(piece["segments"], case["values"])
            if needs_values and (texts in ([], [""]) or None in case["values"].get(piece["segments"], [])):
                reasons.add("path")
            path.texts(texts)
        except NoText:
            reasons.add("path")
    if path.is_refused() or outline.is_refused():
        reasons.add("path")
    return path.segments


def headers(case, reasons):
    """The headers by their names in lower case: a stronger layer replaces the same name."""
    fields = {}
    if case["decodes"]:
        fields["accept"] = "application/json"
    body = case["body"]
    if any(parameter["isForm"] for parameter in case["parameters"]):
        fields["content-type"] = FORM
    elif body and not (body["type"] == "maybe text" and body["text"] is None):
        fields["content-type"] = BODY_TYPES[body["type"]]
    declared = [(h["name"], h["constant"] if "constant" in h else h) for h in case["headers"]]
    server, common, more = (list(case[layer].items()) for layer in LAYERS)
    for name, value in server + common + declared + more:
        if not TOKEN.fullmatch(name) or name.lower() in ("content-length", "transfer-encoding"):
            reasons.add("header")
        if isinstance(value, dict):
            try:
                value = one_text(value["value"], case["values"])
            except NoText:
                reasons.add("header")
                continue
        if value is None:
            fields.pop(name.lower(), None)
            continue
        if any(c < " " and c != "\t" or c == "\x7f" for c in value):
            reasons.add("header")
        fields[name.lower()] = value.strip(" \t")
    # A part of a compressed body can't be unpacked.
    if "range" in fields:
        fields.setdefault("accept-encoding", "identity")
    return fields


def base_is_refused(base):
    """Whether no request may be made with this base URL."""
    scheme, authority, path, _, _ = URL.fullmatch(base).groups()
    if (scheme or "").lower() not in ("http", "https") or not authority:
        return True
    host = authority.rpartition("@")[2]
    return (
        host == ""
        or host.startswith(":")
        or any(unquote_to_bytes(segment) in (b".", b"..") for segment in path.split("/"))
    )


def expected(case, base):
    """What has to become of a case; `base` is its base URL as the platform has it."""
    result = Expected()
    reasons = result.reasons
    if not TOKEN.fullmatch(case["method"]) or (
        case["method"].upper() in REGISTERED_METHODS - {case["method"]}
    ):
        reasons.add("method")
    result.segments = path(case, reasons)
    for parameter in case["parameters"]:
        part = "form" if parameter["isForm"] else "query"
        found = getattr(result, part)
        try:
            found.extend(own := pairs(parameter, case["values"]))
        except NoText:
            reasons.add(part)
            continue
        if parameter.get("value") == "tree":
            place = slice(len(found) - len(own), len(found))
            value = {parameter["name"]: case["values"]["tree"]}
            result.trees.append((part, place, value, parameter["arrays"]))
    result.query += [(name, value) for name, value in case["items"] if value is not None]
    result.headers = headers(case, reasons)
    if base_is_refused(base):
        reasons.add("base")
    body = case["body"]
    if body and any(parameter["isForm"] for parameter in case["parameters"]):
        reasons.add("form")
    if body and body["type"] == "number":
        if isinstance(body["number"], str):
            reasons.add("body")
        else:
            result.body = Json(json.dumps([body["number"]]))
    elif body and body["type"] == "form":
        try:
            result.form += nested.fields(body["tree"], body["arrays"])
            result.trees.append(("form", slice(None), body["tree"], body["arrays"]))
        except NoText:
            reasons.add("body")
    elif body and body["text"] is not None:
        result.body = Json(json.dumps([body["text"]])) if body["type"] == "json" else body["text"]
    return result
