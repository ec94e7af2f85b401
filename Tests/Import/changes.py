"""Makes random changes of a document, and checks that each is a difference from the declarations, or of a kind that
the documentation says can't be seen: python3 changes.py DOCUMENT FOLDER PROGRAM [COUNT [SEED]]

PROGRAM gets the changed documents after --document, and prints for each how many differences it has and one of them.
A change is of an operation's method, path, parameters (name, place, style, type, required), body, responses, security,
or of a schema's types, formats, values, nullability, members and requirements. What the documentation says
can't be seen isn't made: `UNSEEN` has the reasons, and how often each was met."""

import collections
import copy
import json
import random
import subprocess
import sys
from pathlib import Path

from schemas import Document, can_be_null, is_json, media_type, types

METHODS = ["get", "put", "post", "patch", "delete"]
UNSEEN = collections.Counter()


def unseen(reason):
    UNSEEN[reason] += 1


class Changes:
    """All single changes of a document, each as its kind, its place and the new value; `None` removes the member."""

    def __init__(self, document):
        self.document, self.root = document, document.root

    def at(self, node, place):
        """A value, its own place, and whether a reference led there."""
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            place = [token.replace("~1", "/").replace("~0", "~") for token in node["$ref"][2:].split("/")]
            node = self.document.resolved({"$ref": node["$ref"]})
        return node, place

    def all(self):
        for path, item in self.root["paths"].items():
            for method in [name for name in METHODS if name in item]:
                yield from self.operation(item[method], ["paths", path, method])
            for number, parameter in enumerate(item.get("parameters", [])):
                yield from self.parameter(*self.at(parameter, ["paths", path, "parameters", number]))

    def operation(self, operation, at):
        yield "method", at, None
        extra = {"in": "query", "name": "extra", "required": True, "schema": {"type": "string"}}
        yield "parameter", [*at, "parameters"], [*operation.get("parameters", []), extra]
        yield "security", [*at, "security"], [{"madeUp": []}]
        for number, parameter in enumerate(operation.get("parameters", [])):
            yield from self.parameter(*self.at(parameter, [*at, "parameters", number]))
        if "requestBody" in operation:
            body, place = self.at(operation["requestBody"], [*at, "requestBody"])
            for kind in list(body.get("content", {}))[:1]:
                yield "media type", [*place, "content"], {"text/csv": {}}
                if is_json(kind):
                    yield "body", [*place, "content", kind, "schema"], {"type": "boolean"}
                    yield from self.schema(body["content"][kind].get("schema"), [*place, "content", kind, "schema"], False)
        else:
            yield "body", [*at, "requestBody"], {"required": True, "content": {"application/json": {}}}
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

    def parameter(self, parameter, at):
        place = parameter["in"]
        if place == "cookie" or place == "header" and parameter["name"].lower() in ("accept", "content-type",
                                                                                    "authorization"):
            unseen("a cookie, and a header of the kind that the document describes elsewhere")
            return
        shape = self.document.merged(parameter.get("schema", {}))
        if place == "query" and types(shape) == ["object"] and parameter.get("style", "form") == "form":
            unseen("the name of an object whose members are query items of their own")
        elif place != "path":
            yield "name", [*at, "name"], "renamed"
            if not parameter.get("required"):
                yield "required", [*at, "required"], True
        schema = self.document.merged(parameter.get("schema", {}))
        kinds = types(schema)
        if not kinds or "schema" not in parameter:
            unseen("a value of any type")
            return
        other = {key: value for key, value in schema.items() if key not in ("type", "enum", "format", "items")}
        yield "type", [*at, "schema"], {"type": "boolean" if kinds != ["boolean"] else "object"}
        if place == "query" and kinds == ["array"] and parameter.get("style", "form") == "form":
            yield "style", [*at, "explode"], not parameter.get("explode", True)
        if place == "query" and kinds[0] in ("string", "integer") and "enum" in schema and len(schema["enum"]) > 1:
            yield "value", [*at, "schema"], {**other, "type": schema["type"], "enum": schema["enum"][1:]}
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
            kinds = types(whole)
            if not kinds or "oneOf" in whole or "anyOf" in whole:
                unseen("a value of any type")
                continue
            kind = "boolean" if kinds != ["boolean"] else "object"
            yield "type", place, {"type": kind}
            if reads and len(schema["properties"]) > 1:
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
            if not reads and not is_required:
                yield "required", [*at, "required"], [*required, name]
            if not reads and len(whole.get("enum", [])) > 1 and kinds == ["string"]:
                yield "value", place, {"type": "string", "enum": [one for one in whole["enum"] if one][1:]}
            if whole.get("format") == "date-time":
                yield "format", place, {"type": "string", "format": "date"}
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
        scheme = {"type": "apiKey", "in": "header", "name": "X-Made-Up"}
        whole.setdefault("components", {}).setdefault("securitySchemes", {})["madeUp"] = scheme
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
