"""Parsers nobody here wrote read what the library made; what they find has to be what went in."""

import base64
import re
from urllib.parse import parse_qsl, unquote, unquote_to_bytes, urlsplit

import ada_url
import qs_codec
import yarl
from nested_multipart_parser import NestedParser
from werkzeug.datastructures import MultiDict
from werkzeug.formparser import FormDataParser
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

import nested
import rules

# The field that a refusal names, and the reason of the rules for it.
FIELDS = {
    "method": "method",
    "path": "path",
    "query item": "query",
    "form field": "form",
    "header": "header",
    "body": "body",
    "environment's base URL": "base",
}


class Disagreement(Exception):
    """An oracle read something other than what was sent."""

    def __init__(self, oracle, found, wanted):
        super().__init__(f"{oracle}\n  found:  {str(found)[:500]}\n  wanted: {str(wanted)[:500]}")
        self.oracle = oracle


def same(oracle, found, wanted):
    if found != wanted:
        raise Disagreement(oracle, found, wanted)


def check(case, outcome):
    """Raises a `Disagreement` if the outcome isn't the expected one.

    Returns "refused", "made" or "no base" (the platform's `URL` has no such base URL)."""
    base = outcome.get("base")
    if base is None:
        return "no base"
    wanted = rules.expected(case, base)
    if "refusal" in outcome:
        reason = re.match(
            r"Declared<.*>: the ([a-zA-Z' ]+?)(?: value)?(?: \"| [a-z#`]|$)", outcome["refusal"]
        )
        field = next(
            (FIELDS[f] for f in FIELDS if f": the {f} " in outcome["refusal"][:90]), reason
        )
        if field not in wanted.reasons:
            raise Disagreement("refusal", outcome["refusal"], f"one of {sorted(wanted.reasons)}")
        return "refused"
    if wanted.reasons:
        raise Disagreement("no refusal", outcome.get("url"), f"one of {sorted(wanted.reasons)}")
    same("method", outcome["method"], case["method"])
    check_url(outcome["url"], base, wanted)
    check_headers(outcome["headers"], wanted)
    check_body(outcome.get("body"), case, wanted)
    return "made"


def check_url(url, base, wanted):
    """urllib, yarl, Werkzeug and Ada read the URL."""
    before, now = urlsplit(base), urlsplit(url)
    same("urllib: authority", (now.scheme, now.netloc), (before.scheme.lower(), before.netloc))
    same("urllib: fragment", "#" in url, False)
    start = before.path.removesuffix("/") if wanted.segments else before.path
    same("urllib: base path", now.path[: len(start)], start)
    ours = now.path[len(start) :]
    same("urllib: path", [unquote_to_bytes(s) for s in ours.split("/")[1:]], wanted.segments)
    query = URL_QUERY.search(url)
    query = query and query[1] or ""
    base_query = (URL_QUERY.search(base) or [0, ""])[1].rstrip("&")
    same("urllib: base query", query[: len(base_query)], base_query)
    own = query[len(base_query) :].removeprefix("&") if base_query else query
    same("urllib: query", read_pairs(own, wanted.query), wanted.query)
    check_trees(own, "query", wanted)
    check_werkzeug(own, wanted)
    check_yarl(url, base, wanted)
    check_ada(url, base, own, wanted)


URL_QUERY = re.compile(r"\?([^#]*)")


def read_pairs(text, wanted):
    """The pairs of a query or form as urllib reads them; comma-separated ones split."""
    found = (
        parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text), errors="strict")
        if text
        else []
    )
    raw = text.split("&") if text else []
    return [
        (
            (
                name,
                [
                    unquote(part.replace("+", " "), errors="strict")
                    for part in item.partition("=")[2].split(",")
                ],
            )
            if isinstance(want[1], rules.CommaSeparated)
            else (name, value)
        )
        for (name, value), item, want in zip(found, raw, wanted, strict=False)
    ] + found[len(wanted) :]


def flat(pairs):
    """Pairs with one text each."""
    return [(name, ",".join(value) if isinstance(value, list) else value) for name, value in pairs]


def check_werkzeug(query, wanted):
    """Werkzeug reads the query as its request's `args`."""
    environ = {
        "QUERY_STRING": query,
        "REQUEST_METHOD": "GET",
        "wsgi.url_scheme": "http",
        "HTTP_HOST": "h",
    }
    same("werkzeug: query", Request(environ).args, MultiDict(flat(wanted.query)))


def check_yarl(url, base, wanted):
    """yarl reads the URL, in the order of its items."""
    try:
        count = len(yarl.URL(base, encoded=True).query)
        if not base.rpartition("?")[1]:
            count = 0
    except ValueError:
        return  # a base URL that yarl doesn't read: a host that is none
    read = yarl.URL(url, encoded=True)
    same("yarl: query", list(read.query.items())[count:], flat(wanted.query))
    quoted = yarl.URL(url)
    same("yarl: query, quoted again", list(quoted.query.items())[count:], flat(wanted.query))
    if b"%2F" not in b"".join(wanted.segments):
        texts = [unquote(s) for s in quoted.raw_path.split("/")]
        ours = [s.decode(errors="replace") for s in wanted.segments]
        same("yarl: path, quoted again", texts[len(texts) - len(ours) :] if ours else [], ours)


def check_ada(url, base, query, wanted):
    """Ada, a WHATWG URL parser, changes nothing of path and query in its normalisation."""
    try:
        before = ada_url.URL(base)
    except ValueError:
        return  # a host that is none to browsers
    read = ada_url.URL(url)
    same(
        "ada: origin",
        (read.origin, read.username, read.password),
        (before.origin, before.username, before.password),
    )
    start = before.pathname.removesuffix("/")
    same("ada: base path", read.pathname[: len(start)], start)
    ours = read.pathname[len(start) :].split("/")[1:]
    same(
        "ada: path",
        [unquote_to_bytes(s) for s in ours],
        wanted.segments or ours[:0] + [b""] * len(ours),
    )
    same("ada: query", read.search.endswith(query), True)
    same("ada: search params", list(ada_url.URLSearchParams(query).items()), flat(wanted.query))


def check_headers(headers, wanted):
    same("headers", {name.lower(): value for name, value in headers.items()}, wanted.headers)
    same("header names", len({name.lower() for name in headers}), len(headers))


def check_trees(text, part, wanted):
    """qs reads nested values, and a parser of Django's REST framework those that have indices."""
    items = text.split("&") if text else []
    for place, value, arrays in [tree[1:] for tree in wanted.trees if tree[0] == part]:
        if "" in value:
            continue  # without a name the first key in brackets is one
        own, tidy = "&".join(items[place]), nested.tidy(value, arrays) or {}
        # The port, unlike qs itself, misreads a list whose element is a list with indices.
        if not re.search(r"%5B\d+%5D%5B\d+%5D", own):
            same(f"qs: nested, {arrays}", qs_codec.decode(own, ANY_QS), tidy)
        if arrays == "indices" and "." not in "".join(value):  # which that parser refuses there
            parser = NestedParser(dict(parse_qsl(own, keep_blank_values=True)), IN_BRACKETS)
            same("nested-multipart-parser", parser.is_valid() and parser.validate_data, tidy)


ANY_QS = qs_codec.DecodeOptions(depth=100, list_limit=10_000, parameter_limit=10_000)
IN_BRACKETS = {"separator": "bracket"}


def check_body(body, case, wanted):
    """Form parsers read a form; another body is what it is."""
    is_form = case["body"] and case["body"]["type"] == "form"
    if not is_form and not any(parameter["isForm"] for parameter in case["parameters"]):
        same("body", None if body is None else base64.b64decode(body).decode(), wanted.body)
        return
    text = base64.b64decode(body or "").decode("ascii")
    check_trees(text, "form", wanted)
    same("urllib: form", read_pairs(text, wanted.form), wanted.form)
    environ = EnvironBuilder(method="POST", data=text, content_type=rules.FORM).get_environ()
    parser = FormDataParser(max_form_memory_size=None, max_form_parts=None)
    same("werkzeug: form", parser.parse_from_environ(environ)[1], MultiDict(flat(wanted.form)))
    same("ada: form", list(ada_url.URLSearchParams(text).items()), flat(wanted.form))


# Headers that URLSession adds itself, or makes of user info in the URL.
ADDED = {
    "host",
    "user-agent",
    "accept",
    "accept-encoding",
    "accept-language",
    "connection",
    "content-length",
    "content-type",
    "transfer-encoding",
    "priority",
}
# curl writes no longer head of a request (its DYN_HTTP_REQUEST).
LONGEST_HEAD = 1 << 20


def check_wire(case, outcome, arrived):
    """Checks what h11 read of the bytes that URLSession sent."""
    if outcome.get("failure"):
        # What URLSession adds itself takes less than a thousand bytes.
        head = len(outcome["url"]) + len(str(outcome["headers"]).encode()) + 1000
        if head > LONGEST_HEAD and not arrived:
            return
        raise Disagreement("wire: load", outcome["failure"], "a response")
    same("wire: requests", len(arrived), 1)
    request, body = arrived[0]
    wanted = rules.expected(case, outcome["base"])
    same("h11: method", request.method.decode(), case["method"])
    path, _, query = outcome["url"].split("://", 1)[1].partition("?")
    target = "/" + path.partition("/")[2] + ("?" + query if query else "")
    same("h11: target", request.target.decode(), target)
    names = [name.decode() for name, _ in request.headers]
    fields = {name.decode(): value.decode() for name, value in request.headers}
    same("h11: header names", sorted(set(names)), sorted(names))
    same("h11: headers", {n: fields.get(n) for n in wanted.headers}, wanted.headers)
    same("h11: other headers", sorted(set(names) - set(wanted.headers) - ADDED), [])
    same("h11: body", body, base64.b64decode(outcome.get("body") or ""))
