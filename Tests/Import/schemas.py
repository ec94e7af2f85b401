"""Reads an OpenAPI document on its own: references, `allOf`, operations. It shares nothing with the importer."""

import json
import re
import urllib.parse

# Types that aren't JSON Schema's, and what they mean.
SPELLINGS = {"int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "float": "number",
             "double": "number", "decimal": "number", "bool": "boolean"}
METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]


class Document:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.root = json.load(file)

    def resolved(self, node):
        """The value that a reference leads to."""
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            node = self.target(node["$ref"])
        return node

    def leads_nowhere(self, node):
        """Whether a value is a reference to one that the document doesn't have."""
        return isinstance(node, dict) and "$ref" in node and self.resolved(node) == {}

    def target(self, reference):
        """The value at a pointer; an empty object if the document has none, which says nothing."""
        target = self.root
        for token in reference.partition("#")[2].split("/")[1:] if reference.startswith("#") else ["", ""]:
            token = urllib.parse.unquote(token).replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(token)] if isinstance(target, list) else target[token]
            except (KeyError, IndexError, TypeError, ValueError):
                return {}
        return target

    def merged(self, schema):
        """A schema with its reference followed and its `allOf` merged."""
        schema = self.resolved(schema)
        if not isinstance(schema, dict) or "allOf" not in schema:
            return schema if isinstance(schema, dict) else {}
        whole = {"properties": {}, "required": []}
        for part in [self.merged(part) for part in schema["allOf"]] + [schema]:
            for name, value in part.items():
                if name == "properties":
                    whole["properties"].update(value)
                elif name == "required" and isinstance(value, list):
                    whole["required"] += value
                elif name != "allOf":
                    whole[name] = value
        return {name: value for name, value in whole.items() if value not in ({}, [])}

    def only(self, schema):
        """A schema; the other part of one that may be `null`."""
        schema = self.merged(schema)
        parts = [part for part in schema.get("oneOf", []) + schema.get("anyOf", [])
                 if self.merged(part).get("type") != "null"]
        return self.only(parts[0]) if len(parts) == 1 else schema

    def is_only_in_json(self, schema):
        schema = self.merged(schema or {})
        kinds = types(schema)
        parts = schema.get("oneOf", []) + schema.get("anyOf", [])
        return "string" not in kinds if kinds else bool(
            schema.get("properties") or "items" in schema
            or any("$ref" in part or "properties" in part for part in parts))

    def operations(self):
        """Method, path, parameters and body of each operation, in the document's order."""
        for path, item in self.root.get("paths", {}).items():
            if path.startswith("x-"):
                continue
            item = self.resolved(item)
            shared = [self.resolved(one) for one in item.get("parameters", [])]
            more = item.get("additionalOperations", {})
            for method, node in [*item.items(), *more.items()]:
                if method not in METHODS and method not in more:
                    continue
                own = [self.resolved(one) for one in node.get("parameters", [])]
                keys = [(one["in"], one["name"]) for one in own]
                inherited = [one for one in shared if (one["in"], one["name"]) not in keys]
                body = self.resolved(node.get("requestBody"))
                parameters = inherited + own
                named = plain_path(path, [one["name"] for one in parameters if one["in"] == "path"])
                known = {one["name"] for one in parameters}
                # What isn't described is a text.
                parameters += [{"in": "path", "name": name, "required": True, "schema": {"type": "string"}}
                               for name in dict.fromkeys(re.findall(r"{([^{}]+)}", named)) if name not in known]
                operation = Operation(self, method.lower(), named, parameters, body, node)
                operation.written = path
                yield operation


def plain_path(path, names):
    """A path with no more in its braces than the names of its parameters: `{path*}` and `{id:[0-9]+}` are routes'."""
    for name in names:
        path = re.sub(r"{[+#./;?&*]*%s([:=*?+](?:[^{}]|{[^{}]*})*)?}" % re.escape(name), "{%s}" % name, path)
    return path


class Operation:
    def __init__(self, document, method, path, parameters, body, node):
        self.method, self.path, self.parameters, self.node = method, path, parameters, node
        # The path as the document writes it.
        self.written = path
        self.type, self.content, self.needs_body = None, {}, False
        # With GET, a body is declared only if it must be there.
        if body and (method not in ("get", "head") or body.get("required") is True):
            self.needs_body = body.get("required") is True
            content = body.get("content", {})
            # The type that the importer's page says it declares.
            self.type = next((kind for wanted in [is_json, is_multipart, is_form, bool]
                              for kind in content if wanted(kind)), None)
            self.content = content.get(self.type, {})
            # A range of media types with a schema that only JSON has is JSON.
            if self.type in ("*/*", "*", "application/*") and document.is_only_in_json(self.content.get("schema")):
                self.type = "application/json"


def media_type(kind):
    return kind.split(";")[0].strip().lower()


def is_json(kind):
    kind = media_type(kind)
    return kind == "application/json" or kind.endswith("+json") or kind == "text/json"


def is_multipart(kind):
    return media_type(kind) == "multipart/form-data"


def is_form(kind):
    return media_type(kind) == "application/x-www-form-urlencoded"


def types(schema):
    """The types of a schema, without null."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind] if kind else []
    return [SPELLINGS.get(one, one) for one in kinds if one != "null"]


def can_be_null(schema):
    kind = schema.get("type")
    return schema.get("nullable") is True or kind == "null" or (isinstance(kind, list) and "null" in kind)


def is_file(schema):
    kinds = ("binary", "byte")
    return (schema.get("format") in kinds or schema.get("contentEncoding") in kinds
            or "contentMediaType" in schema)


def is_complex(schema):
    return bool(schema.get("properties")) or types(schema) == ["object"]
