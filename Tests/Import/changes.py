"""Makes random changes of a document, and checks that each is a difference from the declarations, or of a kind that
the documentation says can't be seen: python3 changes.py DOCUMENT FOLDER PROGRAM [COUNT [SEED]]

PROGRAM gets the changed documents after --document, and prints for each how many differences it has and one of them.
A change is of an operation's method, path, parameters (name, style, type, format, values, required), body, fields of
a form and how they are written, responses, error response, media types, security and its schemes, or of a schema's types,
formats, values, nullability, members and requirements. What the documentation says can't be seen isn't made: `UNSEEN`
has the reasons, and how often each was met."""

import collections
import copy
import json
import random
import subprocess
import sys
from pathlib import Path

from oracle import CONNECTION
from schemas import Document, can_be_null, is_file, is_form, is_json, is_multipart, types

METHODS = ["get", "put", "post", "patch", "delete"]
UNSEEN = collections.Counter()
ELSEWHERE = {"accept", "content-type", "authorization"} | CONNECTION
MADE_UP = {"type": "apiKey", "in": "header", "name": "X-Made-Up"}


def unseen(reason):
    UNSEEN[reason] += 1


def kinds_of(schema):
    """The types of a schema, or those of its values."""
    texts = all(isinstance(one, str) for one in schema.get("enum", [None]))
    return types(schema) or (["string"] if texts else [])


class Changes:
    """All single changes of a document, each as its kind, its place and the new value; `None` removes the member."""

    def __init__(self, document):
        self.document, self.root = document, document.root
        self.read = self.read_schemas()

    def read_schemas(self):
        """The names of the schemas that some response leads to."""
        names, queue = set(), [one.get("responses", {}) for item in self.root["paths"].values()
                               for one in item.values() if isinstance(one, dict)]
        while queue:
            node = queue.pop()
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                name = node["$ref"].split("/")[-1]
                if name not in names:
                    names.add(name)
                    queue.append(self.document.target(node["$ref"]))
            queue += node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
        return names

    def at(self, node, place):
        """A value, its own place, and whether a reference led there."""
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            place = [token.replace("~1", "/").replace("~0", "~") for token in node["$ref"][2:].split("/")]
            node = self.document.target(node["$ref"])
        return node, place

    def all(self):
        for path, item in self.root["paths"].items():
            for method in [name for name in METHODS if name in item]:
                yield from self.operation(item[method], ["paths", path, method])
            for number, parameter in enumerate(item.get("parameters", [])):
                yield from self.parameter(*self.at(parameter, ["paths", path, "parameters", number]))

        used = {name for way in self.root.get("security", []) for name in way}
        ways = self.root.get("security", [])
        for name in self.root.get("components", {}).get("securitySchemes", {}):
            if name in used and len(ways) == 1:
                yield "scheme", ["components", "securitySchemes", name], MADE_UP
            else:
                unseen("a scheme that no operation needs, or beside which there is another way")
        for _ in self.root.get("servers", []):
            unseen("the address of a server")

    def operation(self, operation, at):
        yield "method", at, None
        if "servers" in operation:
            unseen("the address of a server")
        extra = {"in": "query", "name": "extra", "required": True, "schema": {"type": "string"}}
        yield "parameter", [*at, "parameters"], [*operation.get("parameters", []), extra]
        yield "security", [*at, "security"], [{"madeUp": []}]
        for number, parameter in enumerate(operation.get("parameters", [])):
            yield from self.parameter(*self.at(parameter, [*at, "parameters", number]))
        if "requestBody" in operation:
            body, place = self.at(operation["requestBody"], [*at, "requestBody"])
            for kind in list(body.get("content", {}))[:1]:
                if "*" in kind:
                    unseen("the media type of a file, which tells its own")
                else:
                    yield "media type", [*place, "content"], {"text/csv": {}}
                if body.get("required") is not True and is_json(kind):
                    yield "required", [*place, "required"], True
                if is_multipart(kind) or is_form(kind):
                    yield from self.form(body["content"][kind], [*place, "content", kind], is_multipart(kind))
                if is_json(kind):
                    yield "body", [*place, "content", kind, "schema"], {"type": "boolean"}
                    yield from self.schema(body["content"][kind].get("schema"), [*place, "content", kind, "schema"], False)
        else:
            yield "body", [*at, "requestBody"], {"required": True, "content": {"application/json": {}}}
        yield from self.error(operation, at)
        successes = [status for status in operation["responses"] if status.startswith("2")]
        if len(successes) > 1:
            # Code of the declaration's own tells statuses apart, and nothing can look into it.
            unseen("the response of an operation with several successes")
            return
        for status in successes:
            response, place = self.at(operation["responses"][status], [*at, "responses", status])
            for kind in list(response.get("content", {}))[:1]:
                if not is_json(kind):
                    continue
                yield "media type", [*place, "content"], {"text/csv": {}}
                yield "response", [*place, "content", kind, "schema"], {"type": "boolean"}
                yield from self.schema(response["content"][kind].get("schema"), [*place, "content", kind, "schema"], True)

    def error(self, operation, at):
        """Changes of the error response, if all errors are of one."""
        errors = [status for status in operation["responses"] if status[0] in "45" or status == "default"]
        if len(errors) != 1 or errors == list(operation["responses"]):
            for _ in errors:
                unseen("one of several error responses: one has to fit")
            return
        response, place = self.at(operation["responses"][errors[0]], [*at, "responses", errors[0]])
        for kind in list(response.get("content", {}))[:1]:
            if is_json(kind) and len(response["content"]) == 1:
                place = [*place, "content", kind, "schema"]
                yield "error", place, {"type": "boolean"}
                yield from self.schema(response["content"][kind].get("schema"), place, True)

    def form(self, content, at, is_multipart):
        """Changes of a form's fields, and of how they are written."""
        schema, place = self.at(content.get("schema"), [*at, "schema"])
        if not isinstance(schema, dict) or not schema.get("properties"):
            return
        for name, field in schema["properties"].items():
            field = self.document.merged(field)
            items = self.document.merged(field.get("items", {}))
            if is_file(field) or is_file(items) or types(field) not in (["string"], ["array"]):
                continue
            is_list = types(field) == ["array"]
            encoding = content.get("encoding", {}).get(name)
            if encoding or is_list and types(items) in ([], ["object"], ["array"]):
                continue
            others = content.get("encoding", {})
            yield "encoding", [*at, "encoding"], {**others, name: {"contentType": "application/json"}}
            if is_list and not (is_multipart and self.root["openapi"].startswith("3.0")):
                yield "style", [*at, "encoding"], {**others, name: {"style": "pipeDelimited"}}
            yield "type", [*place, "properties", name], {"type": "boolean"}
            if len(field.get("enum", [])) > 1 and kinds_of(field) == ["string"]:
                yield "value", [*place, "properties", name], {"type": "string", "enum": field["enum"][1:]}
            yield "member", [*place, "properties", name], None
            if name not in schema.get("required", []) and not is_list:
                yield "required", [*place, "required"], [*schema.get("required", []), name]

    def parameter(self, parameter, at):
        place = parameter["in"]
        if place == "cookie" or place == "header" and parameter["name"].lower() in ELSEWHERE:
            unseen("a cookie, and a header that the document describes elsewhere or that is the connection's own")
            return
        shape = self.document.merged(parameter.get("schema", {}))
        if place == "query" and types(shape) == ["object"] and parameter.get("style", "form") == "form":
            unseen("the name of an object whose members are query items of their own")
        elif place != "path":
            yield "name", [*at, "name"], "renamed"
            if not parameter.get("required"):
                yield "required", [*at, "required"], True
        schema = self.document.merged(parameter.get("schema", {}))
        kinds = kinds_of(schema)
        if not kinds or "schema" not in parameter:
            unseen("a value of any type")
            return
        other = {key: value for key, value in schema.items() if key not in ("type", "enum", "format", "items")}
        yield "type", [*at, "schema"], {"type": "boolean" if kinds != ["boolean"] else "object"}
        if place == "query" and kinds == ["array"] and parameter.get("style", "form") == "form":
            yield "style", [*at, "explode"], not parameter.get("explode", True)
            yield "style", at, {**parameter, "style": "pipeDelimited", "explode": False}
        if place == "query" and parameter.get("style") == "deepObject":
            yield "style", at, {**parameter, "style": "form", "explode": False}
            yield "style", at, {**{key: one for key, one in parameter.items() if key not in ("schema", "style", "explode")},
                                "content": {"application/json": {"schema": parameter["schema"]}}}
        if schema.get("format") == "date-time" and kinds == ["string"]:
            yield "format", [*at, "schema"], {**other, "type": "string", "format": "date"}
        elif schema.get("format") == "date":
            unseen("the format of a value of a type of the program's own, such as a day")
        if place in ("path", "header") and kinds == ["array"] or place == "header" and kinds == ["object"]:
            unseen("how a list or an object in a path or a header is separated")
        if place != "cookie" and kinds[0] in ("string", "integer") and "enum" in schema and len(schema["enum"]) > 1:
            yield "value", [*at, "schema"], {**other, "type": kinds[0], "enum": schema["enum"][1:]}
        items = self.document.merged(schema.get("items", {}))
        if kinds == ["array"] and kinds_of(items) == ["string"] and len(items.get("enum", [])) > 1:
            yield "value", [*at, "schema"], {**schema, "items": {"type": "string", "enum": items["enum"][1:]}}
        if place == "path" and parameter.get("style", "simple") == "simple":
            yield "style", [*at, "style"], "label"

    def schema(self, schema, at, reads, depth=0):
        """Changes of a schema's members."""
        schema, at = self.at(schema, at)
        if not isinstance(schema, dict) or "$ref" in schema or depth > 4:
            return
        if types(schema) == ["array"] and "items" in schema:
            yield from self.schema(schema["items"], [*at, "items"], reads, depth + 1)
            return
        if any(word in schema for word in ("allOf", "oneOf", "anyOf", "discriminator")):
            unseen("one of several types: one has to fit")
            return
        required = schema.get("required", [])
        for name, member in schema.get("properties", {}).items():
            place = [*at, "properties", name]
            whole = self.document.merged(member)
            if whole.get("readOnly") or whole.get("writeOnly"):
                unseen("what only one direction has")
                continue
            kinds = kinds_of(whole)
            if not kinds or "oneOf" in whole or "anyOf" in whole:
                unseen("a value of any type")
                continue
            kind = "boolean" if kinds != ["boolean"] else "object"
            yield "type", place, {"type": kind}
            if reads and schema.get("additionalProperties", False) is not False:
                unseen("a member of an object that may have members of any name")
            elif reads and len(schema["properties"]) > 1:
                yield "member", place, None
            elif reads:
                unseen("the only member of an object, which then may have members of any name")
            is_required = name in required
            if reads and is_required and not can_be_null(whole):
                yield "required", [*at, "required"], [one for one in required if one != name]
                yield "null", place, {"type": kinds + ["null"], **{key: value for key, value in whole.items()
                                                                    if key not in ("type", "nullable")}}
            elif reads:
                unseen("whether an optional member may be null or missing: both are `nil`")
            if not reads and can_be_null(whole) and is_required and kinds:
                yield "null", place, {"type": kinds, **{key: value for key, value in whole.items()
                                                        if key not in ("type", "nullable")}}
            if not reads and not is_required:
                yield "required", [*at, "required"], [*required, name]
            if not reads and len(whole.get("enum", [])) > 1 and kinds == ["string"]:
                if place[:2] == ["components", "schemas"] and place[2] in self.read:
                    unseen("the values of an enum that also decodes values it doesn't know")
                    continue
                yield "value", place, {"type": "string", "enum": [one for one in whole["enum"] if one][1:]}
            if whole.get("format") == "date-time":
                yield "format", place, {"type": "string", "format": "date"}
            elif whole.get("format") == "date":
                unseen("the format of a value of a type of the program's own, such as a day")
            elif whole.get("format"):
                unseen("a format whose values are the same in Swift, such as `email` or `int64`")
            yield from self.schema(member, place, reads, depth + 1)


def changed(document, place, value):
    """A copy of the document with a value at a place; without the member if the value is None."""
    whole = copy.deepcopy(document)
    inner = whole
    for name in place[:-1]:
        inner = inner[name]
    if value is None:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    if value == [{"madeUp": []}]:
        whole.setdefault("components", {}).setdefault("securitySchemes", {})["madeUp"] = MADE_UP
    return whole


def main(source, folder, program, count="400", seed="1"):
    """Prints the changes that aren't noticed; returns whether there are any."""
    document = Document(source)
    choices = random.Random(int(seed))
    kinds = {}
    for kind, place, value in Changes(document).all():
        kinds.setdefault(kind, {})[json.dumps(place)] = (place, value)
    # Each kind gets its share, so that rare ones are among them.
    chosen, share = [], max(1, int(count) // max(len(kinds), 1))
    for kind, all_of_kind in sorted(kinds.items()):
        found = list(all_of_kind.values())
        chosen += [(kind, *one) for one in choices.sample(found, min(share, len(found)))]
    rest = [(kind, *one) for kind, found in sorted(kinds.items()) for one in found.values()]
    choices.shuffle(rest)
    chosen += [one for one in rest if one not in chosen][: max(0, int(count) - len(chosen))]
    Path(folder).mkdir(exist_ok=True)
    unnoticed = []
    for start in range(0, len(chosen), 100):
        part = chosen[start:start + 100]
        files = [Path(folder) / f"{number}.json" for number in range(len(part))]
        for file, (_, place, value) in zip(files, part):
            file.write_text(json.dumps(changed(document.root, place, value)))
        run = subprocess.run([program, "--document", *files], text=True, stdout=subprocess.PIPE, check=True)
        unnoticed += [change for change, line in zip(part, run.stdout.splitlines()) if line.split()[0] == "0"]
    for kind, place, value in unnoticed:
        print(f"not noticed ({kind}):", "/".join(map(str, place)), "=", json.dumps(value)[:200])
    counts = collections.Counter(kind for kind, _, _ in chosen)
    print(f"{len(chosen) - len(unnoticed)} of {len(chosen)} random changes are differences: "
          + ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())))
    for reason, number in sorted(UNSEEN.items()):
        print(f"  not made, as it can't be seen, {number} times: {reason}")
    return bool(unnoticed)


sys.exit(main(*sys.argv[1:]))
