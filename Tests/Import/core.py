"""Lets openapi-core read the requests that imported declarations make, and compares what it reads with the values that
they were made of:

    python3 core.py DOCUMENT VALUES CALLS [NOTES]

openapi-core finds the operation by the path, reads parameters in their styles and bodies in their media types, and
checks both against the schemas. A request is `equal` if it reads the given values, and `different` if not. What it can't
read at all is `not judged`, with the reason."""

import base64
import collections
import json
import re
import sys
import urllib.parse
import warnings

from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest
from werkzeug.datastructures import Headers, ImmutableMultiDict

from calls import read
from oracle import instant
from schemas import SPELLINGS, Document, is_form, is_json, is_multipart, media_type, types

# What the made-up values don't follow, and what isn't about how a value is written.
LIMITS = {"pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
          "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "not", "security",
          "securitySchemes", "examples", "example", "default", "deprecated", "discriminator", "callbacks", "links"}
NAMES = {"properties", "schemas", "parameters", "headers", "responses", "requestBodies", "content", "paths",
         "patternProperties", "$defs", "encoding"}


def plain(node, later, name=""):
    """The document without what the values don't follow; of several parts one or more may fit."""
    if isinstance(node, list):
        return [plain(one, later) for one in node if not is_ignored(one)]
    if not isinstance(node, dict):
        return node
    if name in NAMES:
        return {key: plain(one, later) for key, one in node.items()}
    if node.get("format") == "binary":
        return {}
    made = {}
    for key, one in node.items():
        if key in LIMITS or key.startswith("x-") or key == "format" and one not in ("date", "date-time"):
            continue
        if key == "type":
            one = [SPELLINGS.get(kind, kind) for kind in one] if isinstance(one, list) else SPELLINGS.get(one, one)
        made["anyOf" if key == "oneOf" and "anyOf" not in node else key] = plain(one, later, key)
    if isinstance(made.get("required"), list):
        read = [key for key, one in node.get("properties", {}).items() if isinstance(one, dict) and one.get("readOnly")]
        made["required"] = [key for key in made["required"] if key not in read]
    if isinstance(made.get("in"), str) and "name" in made:
        # Without a schema, openapi-core reads no value; with both, which no document may have, the schema says it.
        made = {key: one for key, one in made.items() if key != "content" or "schema" not in made}
        if "content" not in made:
            made.setdefault("schema", {})
    if "in" in made and isinstance(made.get("schema"), dict) and isinstance(made["schema"].get("type"), list):
        # A parameter is never null, and openapi-core reads one type there.
        kinds = [kind for kind in made["schema"]["type"] if kind != "null"]
        made["schema"] = {**made["schema"], "type": kinds[0] if len(kinds) == 1 else kinds}
    # `nullable` as each version reads it: many write it in 3.1 too, and beside `allOf` in 3.0.
    if made.get("nullable") is True and later and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
        if "enum" in made:
            made["enum"] = [*made["enum"], None]
    elif made.get("nullable") is True and "allOf" in made:
        return {"anyOf": [made, {"nullable": True, "enum": [None]}]}
    return made


def is_ignored(node):
    """Whether a parameter is a header that OpenAPI says elsewhere ("Parameter Object", `name`)."""
    return (isinstance(node, dict) and node.get("in") == "header"
            and str(node.get("name")).lower() in ("accept", "content-type", "authorization"))


def first_line(error):
    """The first line of an error's text; of one that has none, its type."""
    try:
        return str(error).splitlines()[0]
    except (AttributeError, IndexError):
        return type(error).__name__


class Judge:
    def __init__(self, path):
        self.document = Document(path)
        self.operations = {(one.method, one.path): one for one in self.document.operations()}
        self.later = not self.document.root["openapi"].startswith("3.0")
        self.root = plain(self.document.root, self.later)
        self.root["servers"] = [{"url": "https://server.invalid"}]
        # Words of an API's own, which openapi-core doesn't know.
        self.root.pop("jsonSchemaDialect", None)
        self.plain = Document(path)
        self.plain.root = self.root
        self.apis = {}

    def api(self, operation):
        """A document with this operation alone: the paths of others may match too."""
        key = operation.method, operation.path
        if key not in self.apis:
            item = {**self.plain.resolved(self.root["paths"][operation.written])}
            node = {name: one for name, one in item[operation.method].items() if name != "servers"}
            if operation.type:
                node["requestBody"] = {**self.plain.resolved(node["requestBody"]), "content": {
                    media_type(operation.type): plain(self.content(operation), self.later)}}
            # What the path has and nothing describes is a text.
            described = {one.get("name") for one in map(self.plain.resolved, [
                *item.get("parameters", []), *node.get("parameters", [])])}
            others = [one for one in operation.parameters if one["in"] == "path" and one["name"] not in described]
            # What is described and isn't in the path can't be sent; the session sends cookies.
            for part in (item, node):
                part["parameters"] = [
                    one for one in map(self.plain.resolved, part.get("parameters", []))
                    if one.get("in") != "cookie"
                    and (one.get("in") != "path" or "{%s}" % one["name"] in operation.path)]
            item = {"parameters": item["parameters"] + others, operation.method: node}
            config = Config(spec_validator_cls=None, extra_media_type_deserializers={
                media_type(operation.type): json.loads} if operation.type and is_json(operation.type) else None)
            self.apis[key] = OpenAPI.from_dict({**self.root, "paths": {in_ascii(operation.path): item}}, config=config)
        return self.apis[key]

    def content(self, operation):
        """What the document says of a body. Of one that is neither JSON nor a form, bytes are sent as they are."""
        if is_json(operation.type) or is_form(operation.type) or is_multipart(operation.type):
            return operation.content
        return {}

    def why_not(self, operation, value):
        """Why openapi-core can't read the request; `None` if it can."""
        if re.search(r"[?#]", operation.path) or operation.path == "/":
            return "a path that is empty, or has a query or a fragment"
        given = {(one["in"], one["name"]): one["value"] for one in value.get("parameters", [])}
        for one in operation.parameters:
            made = given.get((one["in"], one["name"]))
            explodes = one.get("explode", one.get("style", "form") == "form")
            if one.get("style") == "deepObject" and not explodes:
                return "a deepObject that doesn't explode"
            if made is None:
                continue
            schema = self.document.merged(one.get("schema", {}))
            if one["in"] == "query" and isinstance(made, dict) and explodes and one.get("style", "form") == "form":
                return "an object whose members are query items"
            if one.get("style") in ("label", "matrix"):
                return "the styles label and matrix, of which openapi-core finds no value"
            if one.get("style") == "deepObject" and (not isinstance(made, dict) or any(
                    isinstance(inner, (dict, list)) or not name.isidentifier() for name, inner in made.items())):
                return "a deepObject that has lists, objects or other names than words"
            if isinstance(made, dict) and types(schema) != ["object"] and "schema" in one:
                return "a parameter that is an object without its type"
            if one["in"] == "header" and made == {}:
                return "a header that is an object without members"
            if explodes and one.get("style") in ("spaceDelimited", "pipeDelimited"):
                return "a list with spaces or pipes that explodes"
            if isinstance(made, list) and types(self.document.merged(schema.get("items", {}))) in (["array"], ["object"]):
                return "a list of lists or objects"
            if isinstance(made, list) and types(schema) != ["array"]:
                return "a parameter that is a list or something else"
            if isinstance(made, list) and not explodes and any("," in str(inner) for inner in made):
                return "commas in the values of a list with commas"
            if isinstance(made, list) and one.get("style") == "spaceDelimited" and not explodes:
                return "a list with spaces"
            if made == "":
                return "an empty text in a query"
        if value.get("body") is not None and not is_json(operation.type) and is_multipart(operation.type):
            return "multipart"
        if "*" in (operation.type or ""):
            return "a range of media types"
        return None

    def judge(self, value, call):
        """`equal`, or what is different, or why it can't be said."""
        operation = self.operations[value["method"], value["path"]]
        if "error" in call:
            return "different", call["error"]
        reason = self.why_not(operation, value)
        if reason:
            return "not judged", reason
        split = urllib.parse.urlsplit(call["url"])
        body = base64.b64decode(call["body"])
        kind = {name.lower(): text for name, text in call["headers"].items()}.get("content-type", "")
        request = MockRequest(
            "https://server.invalid", call["method"].lower(), split.path,
            args=ImmutableMultiDict(urllib.parse.parse_qsl(split.query, keep_blank_values=True)),
            headers=Headers(call["headers"].items()), data=body or None, content_type=kind)
        request.path = split.path
        try:
            read = self.api(operation).unmarshal_request(request)
        except Exception as error:  # pylint: disable=broad-except
            return "not judged", f"openapi-core ends with {type(error).__name__}: {str(error)[:80]}"
        if read.errors:
            causes = [cause for error in read.errors for cause in
                      getattr(error.__cause__, "schema_errors", [error.__cause__ or error])]
            return "different", "; ".join(first_line(cause) for cause in causes)[:400]
        return self.compare(operation, value, read)

    def compare(self, operation, value, read):
        for one in value.get("parameters", []):
            got = getattr(read.parameters, one["in"]).get(one["name"])
            if one["in"] == "path":
                got = unescaped(got)
            if one["in"] == "header" and isinstance(got, list):
                # Between values of a field a blank says nothing (RFC 9110, section 5.6.1).
                got = [part.strip() if isinstance(part, str) else part for part in got]
            if not same(one["value"], got):
                return "different", f"{one['in']} {one['name']}: {got!r} instead of {one['value']!r}"
        wanted = value.get("body")
        if wanted is None or is_form(operation.type) and wanted == {}:
            return ("equal", "") if read.body in (None, "", b"") else ("different", f"body: {read.body!r}")
        if is_json(operation.type):
            ok = same(wanted, read.body)
        elif is_form(operation.type):
            ok = isinstance(read.body, dict) and all(same(wanted[name], got) for name, got in read.body.items() if name in wanted) and all(name in read.body for name in wanted)
        else:
            raw = read.body.encode() if isinstance(read.body, str) else read.body
            ok = raw in (wanted.encode() if operation.type.startswith("text/") else base64.b64decode(wanted),)
        return ("equal", "") if ok else ("different", f"body: {str(read.body)[:200]} instead of {str(wanted)[:200]}")


def in_ascii(path):
    """A path as it is sent, with the names in its braces as they are."""
    return "".join(part if part.startswith("{") else re.sub("[^\0-\x7f]+", lambda found: urllib.parse.quote(found[0]), part)
                   for part in re.split("({[^{}]*})", path))


def unescaped(value):
    if isinstance(value, list):
        return [unescaped(one) for one in value]
    if isinstance(value, dict):
        return {unescaped(name): unescaped(one) for name, one in value.items()}
    return urllib.parse.unquote(value) if isinstance(value, str) else value


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        value = value.isoformat()
    return instant(str(value).replace("+00:00", "Z") if isinstance(value, str) or hasattr(value, "isoformat") else str(value))


def same(wanted, got):
    """Whether what was read is the value; texts and numbers by their text, as parameters have no others."""
    if isinstance(wanted, dict):
        got = got if isinstance(got, dict) else getattr(got, "__dict__", None)
        return isinstance(got, dict) and wanted.keys() == got.keys() and all(same(wanted[key], got[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(got, (list, tuple)) and len(wanted) == len(got) and all(map(same, wanted, got))
    if isinstance(wanted, (int, float)) and isinstance(got, (int, float)):
        return wanted == got
    if wanted is None or got is None:
        return wanted is got
    return text(wanted) == text(got)


def judge(document, values, calls, notes=None):
    """What openapi-core says of each call: its name, the verdict, and the reason."""
    warnings.simplefilter("ignore")
    judge = Judge(document)
    values, calls = read(values, calls, notes)
    assert len(values) == len(calls), f"{len(calls)} of {len(values)} calls are there"
    return [(f"{value['method']} {value['path']}", *judge.judge(value, call)) for value, call in zip(values, calls)]


if __name__ == "__main__":
    verdicts = judge(*sys.argv[1:])
    for name, verdict, reason in verdicts:
        if verdict == "different":
            print(f"{name}: {reason}")
    counts = collections.Counter(verdict for _, verdict, _ in verdicts)
    reasons = collections.Counter(reason for _, verdict, reason in verdicts if verdict == "not judged")
    print(f"openapi-core: {counts['equal']} equal, {counts['different']} different, {counts['not judged']} not judged"
          + "".join(f"\n  not judged {count}: {reason}" for reason, count in reasons.most_common()))
    sys.exit(bool(counts["different"]))
