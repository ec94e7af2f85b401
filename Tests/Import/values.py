"""Makes values for the calls of all operations of a document, from its schemas:

    python3 values.py DOCUMENT VALUES [SEED]

Texts have all characters that some place of a request must escape. The same seed makes the same values."""

import base64
import json
import random
import sys

from schemas import Document, can_be_null, is_json, types

COUNTS = {"limit", "offset", "page", "perpage", "pagesize", "count", "skip", "take", "top"}
WORDS = ["a/b", "é?ü", "#%25", "x&y=z", "1+1", "sp ace", "semi;colon", "(\"q\")", "a:b@c", "o'clock", "back\\slash",
         "\\(name)", "😀", "tilde~_-.", "{curly}", "[sq]", "*!$", "<t>", "^`", "plain"]
LINES = ["two\nlines", "tab\t", "cr\r\nlf", "\u2028"]
DATES = ["2026-03-01T10:00:00Z", "1999-12-31T23:59:59.125Z", "2030-06-15T12:30:00+02:00"]


class Values:
    def __init__(self, document, seed, reads=False):
        self.document, self.random = document, random.Random(seed)
        # What isn't in a request, or not in a response.
        self.left_out = "writeOnly" if reads else "readOnly"

    def text(self, place):
        words = WORDS + (LINES if place == "body" else [])
        text = "".join(self.random.choice(words) for _ in range(self.random.randint(1, 2)))
        # Blanks at the ends of a header's value aren't part of it.
        return text.strip() if place in ("header", "path") else text

    def string(self, schema, place):
        form = schema.get("format") or schema.get("contentEncoding")
        if form == "date-time":
            return self.random.choice(DATES)
        if form == "date":
            return self.random.choice(["2026-03-01", "1970-01-01"])
        if form in ("binary", "byte", "base64") or "contentMediaType" in schema and place == "form":
            return base64.b64encode(bytes(self.random.randrange(256) for _ in range(9))).decode()
        return self.text(place)

    def integer(self, schema):
        """A number between the limits, which decide of a type that has no number below zero."""
        lowest, highest = (schema.get(key) for key in ("minimum", "maximum"))
        lowest = 0 if lowest is None and schema.get("format") == "uint64" else lowest
        fitting = [one for one in [0, 1, -7, 250, 2**31]
                   if not (isinstance(lowest, (int, float)) and one < lowest)
                   and not (isinstance(highest, (int, float)) and one > highest)]
        return self.random.choice(fitting or [lowest if isinstance(lowest, int) else 1])

    def any(self, depth=0):
        """A value of a schema that says nothing."""
        make = [lambda: self.text("body"), lambda: self.random.randint(-9, 9), lambda: 0.5, lambda: True,
                lambda: None, lambda: [self.any(depth + 1)], lambda: {"a_B-c": self.any(depth + 1), "dE": 1}]
        return self.random.choice(make[: 5 if depth > 2 else 7])()

    def value(self, schema, place="body", depth=0, patch=False, is_child=False):
        schema = self.document.merged(schema)
        if "const" in schema:
            return schema["const"]
        known = [one for one in schema.get("enum", []) if one is not None]
        if known:
            return self.random.choice(known)
        if schema.get("type") == "null" and place == "body":
            return None
        parts = schema.get("oneOf") or schema.get("anyOf")
        # Parts that only say what is required leave the type to the schema around them.
        if parts and any(set(part) - {"required", "not", "title", "description"} for part in parts):
            return self.one_of(parts, schema, place, depth, patch)
        mapping = (schema.get("discriminator") or {}).get("mapping")
        if mapping and not is_child:
            # A parent is one of its children, which says by its tag which one.
            tag, target = self.random.choice(sorted(mapping.items()))
            child = {"$ref": target if "/" in target else f"#/components/schemas/{target}"}
            value = self.value(child, place, depth, patch, is_child=True)
            return {**value, schema["discriminator"]["propertyName"]: tag} if isinstance(value, dict) else value
        kind = (types(schema) or [None])[0]
        if schema.get("properties") and kind in ("object", None):
            return self.object(schema, place, depth, patch)
        if kind == "string" or (kind is None and schema.get("format")):
            return self.string(schema, place)
        if kind == "integer" or kind == "number" and "int" in schema.get("format", ""):
            return self.integer(schema)
        if kind == "number":
            return self.random.choice([0.5, -2.25, 1234.5])
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "array" or (kind is None and "items" in schema):
            if "prefixItems" in schema:
                return [self.value(one, place, depth + 1) for one in schema["prefixItems"]]
            count = self.random.randint(1, 2) if depth < 5 else 0
            return [self.value(schema.get("items", {}), place, depth + 1) for _ in range(count)]
        if kind == "object" or "additionalProperties" in schema:
            return self.map(schema, place, depth)
        return self.any() if place == "body" else self.text(place)

    def map(self, schema, place, depth):
        values = schema.get("additionalProperties")
        # Brackets in a name are nesting, where objects are written in brackets.
        names = ["aB_c", self.text("path") if place == "body"
                 else self.text("path").replace("[", "(").replace("]", ")")]
        if not isinstance(values, dict) or not values:
            return {name: self.any() if place == "body" else self.text(place) for name in names}
        return {name: self.value(values, place, depth + 1) for name in names} if depth < 5 else {}

    def object(self, schema, place, depth, patch):
        made = {}
        for name, one in schema["properties"].items():
            needed = name in schema.get("required", [])
            inner = self.document.merged(one)
            if inner.get(self.left_out) is True or (isinstance(one, dict) and one.get(self.left_out) is True):
                continue
            if not needed and (depth > 3 or self.random.random() < 0.3):
                continue
            if can_be_null(inner) and place == "body" and (needed or patch) and self.random.random() < 0.3:
                made[name] = None
            else:
                made[name] = self.value(one, place, depth + 1)
        return made

    def one_of(self, parts, schema, place, depth, patch):
        others = [part for part in parts if not self.is_null(part)]
        if not others:
            return None
        part = self.random.choice(others)
        value = self.value(part, place, depth, patch)
        if isinstance(value, dict) and schema.get("properties"):
            base = {name: inner for name, inner in schema.items() if name not in ("oneOf", "anyOf")}
            if not self.document.merged(part).get("properties"):
                value = {}  # The part says only what isn't there.
            value = {**self.object(base, place, depth, patch), **value}
        tag = schema.get("discriminator")
        if tag and isinstance(value, dict):
            self.tag(value, tag, part)
        return value

    def is_null(self, part):
        part = self.document.merged(part)
        return part.get("type") == "null" or part.get("enum") == [None] or part == {"nullable": True}

    def tag(self, value, tag, part):
        """Sets the discriminator to what says that the value is this part."""
        name, reference = tag["propertyName"], part.get("$ref", "")
        last = reference.split("/")[-1]
        mapped = [key for key, target in tag.get("mapping", {}).items() if target in (reference, last)]
        properties = self.document.merged(part).get("properties", {})
        if name in properties:
            fixed = self.fixed(properties[name])
            # Without a mapping it is the schema's name, also where parts share an enum of all their names.
            named = [last] if last in fixed else fixed
            value[name] = ([key for key in mapped if key in fixed] or mapped or named or [last])[0]

    def fixed(self, schema):
        """The values that a schema allows, if it names them."""
        schema = self.document.merged(schema)
        parts = schema.get("oneOf", []) + schema.get("anyOf", [])
        own = [schema["const"]] if "const" in schema else schema.get("enum", [])
        return own + [value for part in parts for value in self.fixed(part)]

    def call(self, operation):
        call = {"method": operation.method, "path": operation.path, "parameters": []}
        for parameter in operation.parameters:
            place, name = parameter["in"], parameter["name"]
            if place == "cookie" or name.lower() in ("accept", "content-type", "authorization") and place == "header":
                continue
            if place == "path" and "{%s}" % name not in operation.path:
                continue
            if place != "path" and not parameter.get("required") and self.random.random() < 0.25:
                continue
            if self.document.leads_nowhere(parameter.get("schema")):
                continue
            content = next(iter(parameter.get("content", {}).items()), None)
            schema = content[1].get("schema", {}) if content else parameter.get("schema", {"type": "string"})
            value = self.value(schema, "body" if content and is_json(content[0]) else place)
            if isinstance(value, float) and name.lower().replace("_", "") in COUNTS:
                # What counts is declared as a whole number.
                value = round(value)
            if isinstance(value, list) and not content:
                # OpenAPI doesn't say how a list of objects is sent: each is given as its text.
                value = [json.dumps(one) if isinstance(one, (dict, list)) else one for one in value]
            call["parameters"].append({"in": place, "name": name, "value": value})
        # The fields of a form are values of the request, and some must be there.
        is_needed = operation.needs_body or operation.type and not is_json(operation.type)
        if operation.type and (is_needed or self.random.random() < 0.9):
            call["contentType"] = operation.type
            call["body"] = self.body(operation)
        return call

    def body(self, operation):
        schema = operation.content.get("schema")
        if is_json(operation.type):
            return self.value(schema or {}, patch=operation.method == "patch")
        if not self.document.merged(schema or {}).get("properties"):
            kind = {"type": "string"} if operation.type.startswith("text/") else {"type": "string", "format": "binary"}
            return self.value(kind)
        return self.value(schema, "form")


def main():
    document = Document(sys.argv[1])
    values = Values(document, sys.argv[3] if len(sys.argv) > 3 else "1")
    calls = [values.call(operation) for operation in document.operations()]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"operations": calls}, file, indent=1)


if __name__ == "__main__":
    main()
