"""Mutates a document of JSON, the same way for the same random numbers."""

import copy
import json

NAMES = ["type", "format", "nullable", "enum", "const", "default", "items", "properties", "required", "allOf",
         "oneOf", "anyOf", "discriminator", "additionalProperties", "patternProperties", "readOnly", "writeOnly",
         "deprecated", "$ref", "parameters", "requestBody", "responses", "content", "schema", "style", "explode",
         "in", "name", "tags", "operationId", "summary", "description", "security", "servers", "example", "title",
         "x-enum-varnames", "contentEncoding", "itemSchema", "200", "default", "4XX", "204", "text/event-stream",
         "application/json", "multipart/form-data", "application/x-www-form-urlencoded", "text/plain", "*/*",
         "application/x-ndjson", "image/png; q=1", "", "self", "init", "Type", "a b", "1st", "é", "+1", "-1",
         "\"", "\\(x)", "\n", "/", "~", "_", "__", "_a", "a_", "aB_cD", "ID", "in", "class", "none", "hash",
         "description", "body", "Body", "Response", "String", "Data", "Optional", "Item", "endpoint", "*/", "```"]
VALUES = [None, True, False, 0, 1, -1, 1.5, 1e400, 10**30, -0.0, "", [], {}, [None], [[]], [{}], {"": {}},
          "string", "integer", "number", "boolean", "array", "object", "null", "date-time", "date", "binary",
          "byte", "int64", ["string", "null"], ["integer", "string"], ["a", "A", "a_", 1], [1, 2, 1], [True],
          ["a", None], "form", "simple", "deepObject", "pipeDelimited", "matrix", "label", "path", "query",
          "header", "cookie", "querystring", "#", "#/", "#/components/schemas/Pet", "#/paths", "other.json",
          {"type": "string", "format": "binary"}, {"type": "array"}, {"allOf": []}, {"oneOf": [{"type": "null"}]},
          {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
          {"enum": ["none", "some", "self"]}, {"enum": [1, 1.0, "1"]}, {"const": 5}, {"const": None},
          {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Color"}},
          {"$ref": "#/components/schemas/Change"}, {"$ref": "#/components/schemas/Pet/properties/parent"},
          {"type": "array", "items": {"type": "array", "items": {"$ref": "#/components/schemas/Added"}}}]


def places(value, found=None):
    """All lists and objects of a value."""
    found = [] if found is None else found
    if isinstance(value, (dict, list)):
        found.append(value)
        for one in value.values() if isinstance(value, dict) else value:
            places(one, found)
    return found


def small(document, random):
    """The document with some of its paths and schemas; what these lead to may be missing."""
    document = copy.deepcopy(document)
    paths = document["paths"]
    kept = random.sample(sorted(paths), random.randint(1, 3))
    document["paths"] = {path: paths[path] for path in kept}
    names = [name for name in document["components"]["schemas"] if name[:-1].lower() not in " ".join(kept)]
    for name in names:
        if f"/{name.lower()}s" not in " ".join(kept) and name not in ("Color", "Problem", "Change", "Added", "Removed"):
            del document["components"]["schemas"][name]
    return document


def name_or_value(random, all_places):
    kind = random.random()
    if kind < 0.4:
        return copy.deepcopy(random.choice(VALUES))
    if kind < 0.55:
        return random.choice(NAMES)
    # A part of the document at another place.
    part = random.choice(all_places)
    if isinstance(part, dict) and part and random.random() < 0.5:
        part = random.choice(list(part.values()))
    return copy.deepcopy(part)


def pointer(root, random):
    """A reference to some place of the document, also to one that has itself inside it."""
    text, node = "#", root
    while isinstance(node, (dict, list)) and node and random.random() < 0.85:
        key = random.choice(list(node) if isinstance(node, dict) else range(len(node)))
        text += "/" + str(key).replace("~", "~0").replace("/", "~1")
        node = node[key]
    return text


def mutate(root, random):
    all_places = places(root)
    place = random.choice(all_places)
    kind = random.random()
    if isinstance(place, dict):
        name = random.choice(list(place)) if place else ""
        if kind < 0.15 and place:
            del place[name]
        elif kind < 0.35 and place:
            place[name] = name_or_value(random, all_places)
        elif kind < 0.5:
            place[random.choice(NAMES)] = name_or_value(random, all_places)
        elif kind < 0.6 and place:
            # The name changes where it stands.
            renamed = random.choice(NAMES)
            items = [(renamed if key == name else key, value) for key, value in place.items()]
            place.clear()
            place.update(items)
        elif kind < 0.7 and place:
            place[name] = {random.choice(["allOf", "oneOf", "anyOf"]): [place[name], name_or_value(random, all_places)]}
        elif kind < 0.8 and place:
            place[name] = {"$ref": pointer(root, random)}
        elif place:
            items = list(place.items())
            random.shuffle(items)
            place.clear()
            place.update(items)
    else:
        index = random.randrange(len(place) + 1)
        if kind < 0.3 and index < len(place):
            del place[index]
        elif kind < 0.6 and index < len(place):
            place[index] = name_or_value(random, all_places)
        else:
            place.insert(index, name_or_value(random, all_places))


def mutated(document, random):
    """A mutated document as JSON; one in twenty has mutated bytes too."""
    root = small(document, random)
    for _ in range(random.choice([1, 1, 2, 3, 5, 8])):
        mutate(root, random)
    data = json.dumps(root, ensure_ascii=random.random() < 0.5).replace("Infinity", "1e999").encode(
        "utf-8", "surrogatepass")
    if random.random() < 0.05:
        data = bytearray(data)
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(data))
            data[place:place + random.randrange(3)] = bytes(random.randrange(256) for _ in range(random.randrange(3)))
        data = bytes(data)
    return data
