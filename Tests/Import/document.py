"""Writes an OpenAPI document of 60 operations that uses all that `endpoints-import` knows, and values for its
calls: python3 document.py DOCUMENT VALUES"""

import json
import sys

KINDS = ["pet", "user", "order", "photo", "note", "event", "team", "invoice", "report", "class"]


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def body(schema, kind="application/json", required=True, **examples):
    return {"required": required, "content": {kind: {"schema": schema, **examples}}}


def answer(schema, kind="application/json", **examples):
    return {"description": "ok", "content": {kind: {"schema": schema, **examples}}}


def paths(kind):
    name = kind.capitalize()
    error = {"default": answer(ref("Problem"), example={"title": "no", "code": 3})}
    small = {"color": "red", "kind": kind, "nick_name": None, "made_at": "2026-03-01T11:00:00.5+01:00"}
    example = {"id": 7, **small, "any": [1.5, None], "or": "text", "change": {"type": "remove"}}
    examples = {"small": {"value": small}, "other": {"$ref": "#/components/examples/%s" % name}}
    made = {"small": {"value": {"id": 7, **small}}, "other": {"$ref": "#/components/examples/%sMade" % name}}
    key = {"in": "path", "name": f"{kind}-id", "required": True, "schema": {"type": "string", "examples": ["a/b"]}}
    listed = [
        {"in": "query", "name": "page", "example": 2, "schema": {"type": "integer", "default": 1}},
        {"in": "query", "name": "in", "explode": False, "schema": {"type": "array", "items": ref("Color")}},
        {"in": "query", "name": "since", "schema": {"type": "string", "format": "date-time"}},
        {"in": "query", "name": "filter", "style": "deepObject", "explode": True,
         "schema": {"type": "object", "properties": {"open": {"type": "boolean"}}}},
        {"in": "header", "name": "X-Trace", "schema": {"type": "string"}},
    ]
    form = {"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string"}, "file": {"type": "string", "format": "binary"},
        "size": {"type": "string", "enum": ["small", "large"]},
        "tags": {"type": "array", "items": {"type": "string"}}}}
    entries = {"type": "array", "items": ref(name)}
    page = answer(entries, example=[example]) | {"headers": {"Link": {"schema": {"type": "string"}}}}
    if kind in KINDS[1::2]:
        listed.append({"in": "query", "name": "marker", "schema": {"type": "string"}})
        page = answer({"type": "object", "properties": {"entries": entries, "next_marker": {"type": "string"}}},
                      example={"entries": [example], "next_marker": "m"})
    later = answer({"type": "object", "required": ["job"], "properties": {"job": {"type": "string"}}})
    same = {"description": "same", "headers": {"X-Version": {"schema": {"type": "string"}}}}
    return {
        f"/{kind}s": {
            "get": {"tags": [kind], "operationId": f"list_{kind}s", "summary": f"All {kind}s.",
                    "parameters": listed,
                    "responses": {"200": page, **error}},
            "post": {"tags": [kind], "operationId": f"create_{kind}", "requestBody": body(ref(name), examples=examples),
                     "responses": {"201": answer(ref(name), examples=made), "202": later, **error}}},
        f"/{kind}s/{{{kind}-id}}": {
            "parameters": [key],
            "patch": {"tags": [kind], "requestBody": body(ref(name), "application/merge-patch+json"),
                      "responses": {"200": answer(ref(name)), "204": same, **error}},
            "delete": {"tags": [kind], "deprecated": True, "security": [],
                       "responses": {"204": {"description": "gone"}}}},
        f"/{kind}s/{{{kind}-id}}.files": {
            "parameters": [key],
            "post": {"tags": [kind, "files"], "requestBody": body(form, "multipart/form-data", example={"title": "\"a\"#"}),
                     "responses": {"200": answer({"type": "object", "properties": {"id": {"type": "integer"}}})}}},
        f"/{kind}s/events": {
            "get": {"tags": [kind], "responses": {"200": answer(ref("Change"), "text/event-stream")}}},
    }


def schema(kind):
    return {"type": "object", "required": ["id", "color", "kind", "nick_name"], "properties": {
        "id": {"type": "integer", "readOnly": True}, "color": ref("Color"), "kind": {"const": kind},
        "nick_name": {"type": ["string", "null"]}, "made_at": {"type": "string", "format": "date-time"},
        "birth_day": {"type": ["string", "null"], "format": "date"}, "data": {"type": "string", "format": "byte"},
        "secret": {"type": "string", "writeOnly": True}, "parent": ref(kind.capitalize()),
        "any": {}, "free": {"type": "object"}, "limit": {"type": "integer", "default": 3},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "change": ref("Change"), "camelCase": {"type": "string"},
        "or": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        "old": {"type": "boolean", "deprecated": True}}}


document = {
    "openapi": "3.1.0", "info": {"title": "Zoo API", "version": "1"},
    "servers": [
        {"url": "https://{region}.example.com/v1", "variables": {"region": {"default": "eu"}}},
        {"url": "https://api.example.com{base}", "description": "based", "variables": {"base": {"default": "/v2"}}},
        {"url": "{address}/v1", "description": "own", "variables": {"address": {"default": "https://zoo.example"}}},
        {"url": "/api/{version}", "description": "local"}],
    "paths": {path: item for kind in KINDS for path, item in paths(kind).items()},
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"},
                            "key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "examples": {kind.capitalize() + suffix: {"value": {
                         **ids, "color": "+1", "kind": kind, "nick_name": "N", "counts": {"aB_c": 1}}}
                     for kind in KINDS for suffix, ids in [("", {}), ("Made", {"id": 8})]},
        "schemas": {
            **{kind.capitalize(): schema(kind) for kind in KINDS},
            "Color": {"enum": ["red", "dark_blue", "+1", "-1", ""]},
            "Problem": {"allOf": [{"type": "object", "properties": {"title": {"type": "string"}}},
                                  {"properties": {"code": {"type": "integer"}}}]},
            "Change": {"oneOf": [ref("Added"), ref("Removed")], "discriminator": {
                "propertyName": "type", "mapping": {"add": "#/components/schemas/Added", "remove": "Removed"}}},
            "Added": {"type": "object", "required": ["type", "value"], "properties": {
                "type": {"enum": ["add"]}, "value": ref("Change")}},
            "Removed": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["remove"]}}}}}}

pet = {"color": "dark_blue", "kind": "pet", "nick_name": None, "made_at": "2026-03-01T10:00:00Z", "data": "AQI=",
       "counts": {"aB_c": 1}, "camelCase": "x", "or": 3, "free": {"a_b": [1, {"cD": None}]},
       "parent": {"color": "red", "kind": "pet", "nick_name": "A"},
       "change": {"type": "add", "value": {"type": "remove"}}}
values = {"operations": [
    {"method": "post", "path": "/pets", "contentType": "application/json", "body": pet},
    {"method": "patch", "path": "/pets/{pet-id}", "body": {**pet, "birth_day": None},
     "parameters": [{"in": "path", "name": "pet-id", "value": "a/b"}]},
    {"method": "get", "path": "/pets", "parameters": [
        {"in": "query", "name": "in", "value": ["red", "+1"]}, {"in": "header", "name": "X-Trace", "value": "7"},
        {"in": "query", "name": "filter", "value": {"open": True}}]},
    {"method": "post", "path": "/pets/{pet-id}.files", "body": {"title": "t", "file": "AQI=", "tags": ["a", "b"]},
     "parameters": [{"in": "path", "name": "pet-id", "value": "1"}]}]}

if __name__ == "__main__":
    for path, value in zip(sys.argv[1:], [document, values]):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
