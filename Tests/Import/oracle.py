"""The request that OpenAPI's own rules make of given values, and whether another one is the same.

The rules are those of RFC 6570 and of OpenAPI 3.1, section 4.8.12 (styles of parameters) and 4.8.15 (fields of
forms). Nothing of the library is used, nor of the importer."""

import base64
import datetime
import json
import re
import urllib.parse

from schemas import is_complex, is_file, is_form, is_json, is_multipart, media_type

# Headers that are the connection's own or of responses, which no declaration has.
CONNECTION = {
    "content-length", "transfer-encoding", "host", "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
    "proxy-connection", "proxy-authorization", "set-cookie", "retry-after", "access-control-allow-origin",
    "access-control-allow-headers", "access-control-allow-methods", "access-control-allow-credentials",
    "access-control-expose-headers", "access-control-max-age"}
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def text(value):
    """A value as a parameter's text; a date as the instant that it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)) or value is None:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return instant(str(value))


def instant(text):
    if not DATE.fullmatch(text):
        return text
    date = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return date.astimezone(datetime.timezone.utc).isoformat()


def escaped(value):
    return urllib.parse.quote(text(value), safe="")


def items(parameter, value, document):
    """The query items of a parameter, each as a name and a raw value."""
    name = escaped(parameter["name"])
    if "content" in parameter:
        return [(name, ("json", value))]
    style = parameter.get("style", "form")
    explodes = parameter.get("explode", style == "form")
    separator = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}.get(style)
    if isinstance(value, list):
        if style == "deepObject":
            # OpenAPI doesn't say what this is; those who write it mean brackets.
            return [(f"{name}%5B%5D", escaped(one)) for one in value]
        if explodes:
            return [(name, escaped(one)) for one in value]
        return [(name, separator.join(escaped(one) for one in value))]
    if isinstance(value, dict):
        if style == "deepObject":
            return deep(name, value)
        if explodes:
            # OpenAPI doesn't say what a list in an object is; those who write it (springdoc's `Pageable`) mean its
            # items. What an object in it is nobody knows, and the import says that it isn't declared.
            return [(escaped(key), escaped(part)) for key, one in value.items()
                    for part in (one if isinstance(one, list) else [one]) if not isinstance(part, (dict, list))]
        return [(name, separator.join(f"{escaped(key)}{separator}{escaped(one)}" for key, one in value.items()))]
    # A list may be given by its only element, where the document allows both.
    return [(name, escaped(value))]


def deep(name, value):
    """An object in brackets, and what is in it likewise: OpenAPI says one level only."""
    if isinstance(value, dict):
        return [item for key, one in value.items() for item in deep(f"{name}%5B{escaped(key)}%5D", one)]
    if isinstance(value, list):
        return [item for one in value for item in deep(f"{name}%5B%5D", one)]
    return [(name, escaped(value))]


def in_path(parameter, value):
    """The text of a value in a path, by its style."""
    style, explodes, name = parameter.get("style", "simple"), parameter.get("explode", False), escaped(parameter["name"])
    if "content" in parameter or not isinstance(value, (dict, list)):
        texts = [escaped(value)]
    elif isinstance(value, list):
        texts = [escaped(one) for one in value]
    elif explodes:
        texts = [f"{escaped(key)}={escaped(one)}" for key, one in value.items()]
    else:
        texts = [escaped(part) for pair in value.items() for part in pair]
    if style == "label":
        return "." + ("." if explodes else ",").join(texts)
    if style == "matrix":
        named = explodes and isinstance(value, dict)
        return "".join(f";{one}" if named else f";{name}={one}" for one in (texts if explodes else [",".join(texts)]))
    return ",".join(texts)


def expected(operation, call, document):
    """The request of an operation's call."""
    given = {(one["in"], one["name"]): one["value"] for one in call.get("parameters", [])}
    path, query, headers = operation.path.split("#")[0], [], {}
    path, _, constant = path.partition("?")
    has_list = False
    for parameter in operation.parameters:
        place, name = parameter["in"], parameter["name"]
        if (place, name) not in given:
            continue
        value = given[place, name]
        parts = value if isinstance(value, list) else [value]
        if place == "path":
            has_list = has_list or isinstance(value, (dict, list))
            if isinstance(value, dict) and not document.merged(parameter.get("schema", {})).get("properties"):
                value = dict(sorted(value.items()))  # The names of a map have no order.
            path = path.replace("{%s}" % name, in_path(parameter, value))
        elif place == "query":
            query += items(parameter, value, document)
        elif place == "header" and name.lower() not in CONNECTION:
            if "content" in parameter and "schema" not in parameter:
                parts = [text(value)]
            elif isinstance(value, dict):
                joint = "=" if parameter.get("explode") else ","
                parts = [f"{key}{joint}{text(one)}" for key, one in value.items()]
            if parts:
                headers[name.lower()] = ",".join(text(part) for part in parts)
    for item in constant.split("&") if constant else []:
        name, _, value = item.partition("=")
        query.append((name, value))
    body = call.get("body")
    # A body that must be there may be `null`.
    has_body = body is not None or "body" in call and operation.needs_body and is_json(operation.type)
    if has_body:
        headers["content-type"] = media_type(operation.type)
    return {"method": operation.method.upper(), "path": path, "query": query, "headers": headers, "body": body,
            "has_body": has_body, "has_list": has_list}


def normal(raw, keeps=""):
    """A raw text with each character escaped that can be, but for those that separate."""
    parts = re.split(f"([{re.escape(keeps)}])", raw) if keeps else [raw]
    return "".join(part if part in list(keeps) and part else urllib.parse.quote(
        instant(urllib.parse.unquote(part, errors="strict")), safe="") for part in parts)


def same_path(one, other, has_list):
    keeps = "/," if has_list else "/"
    return normal(one, keeps) == normal(other, keeps)


def same_items(expected, actual):
    """Whether query items are the same; those of one name in the same order."""
    if len(expected) != len(actual):
        return False
    expected, actual = (sorted(all, key=lambda item: normal(item[0])) for all in (expected, actual))
    for (name, value), (got_name, got_value) in zip(expected, actual):
        if normal(name) != normal(got_name):
            return False
        if isinstance(value, tuple):
            if not same_json(value[1], json.loads(urllib.parse.unquote(got_value))):
                return False
        elif "," in value:
            if normal(value, ",") != normal(got_value, ","):
                return False
        elif normal(value) != normal(got_value):
            return False
    return True


def same_json(one, other):
    """Whether two values are the same; numbers by their value, dates by their instant."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return instant(one) == instant(other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def same_body(operation, value, actual, content_type, document):
    if is_json(operation.type):
        return same_json(value, json.loads(actual))
    schema = document.merged(operation.content.get("schema") or {})
    if is_multipart(operation.type) and schema.get("properties"):
        return same_multipart(*spread(schema, value, operation.content, document), actual, content_type, document)
    if is_form(operation.type):
        return same_form(value, actual.decode())
    return actual == (value.encode() if operation.type.startswith("text/") else base64.b64decode(value))


def same_form(value, actual):
    """An urlencoded form: lists repeated, objects in brackets, in the order of the values."""
    fields = []
    for name, one in value.items():
        name = escaped(name)
        if isinstance(one, list) and not any(isinstance(part, (dict, list)) for part in one):
            fields += [(name, escaped(part)) for part in one]
        else:
            fields += deep(name, one)
    plain = [(urllib.parse.unquote(name), instant(urllib.parse.unquote(one))) for name, one in fields]
    got = urllib.parse.parse_qsl(actual, keep_blank_values=True, strict_parsing=bool(actual))
    return sorted(plain) == sorted((name, instant(one)) for name, one in got)


def spread(schema, value, content, document):
    """The fields of a form, with the members of the objects that a style writes as fields of their own."""
    properties, made = {}, {}
    for name, property in schema["properties"].items():
        encoding = content.get("encoding", {}).get(name, {})
        one = value.get(name)
        # OpenAPI 3.0 has no style for a part.
        has_style = "style" in encoding and not document.root["openapi"].startswith("3.0")
        if has_style and encoding["style"] == "form" and encoding.get("explode", True) and isinstance(one, dict):
            properties.update(document.only(property).get("properties", {}))
            made.update(one)
        else:
            properties[name] = property
            made.update({name: one} if name in value else {})
    return {**schema, "properties": properties}, made


def same_multipart(schema, value, actual, content_type, document):
    """A multipart form: files as their bytes, objects as JSON, lists as parts of the same name."""
    boundary = b"\r\n--" + re.search(r"boundary=\"?([^;\"]+)", content_type)[1].encode()
    *parts, end = (b"\r\n" + actual).split(boundary)[1:]
    got = {}
    for part in parts:
        head, _, payload = part.partition(b"\r\n\r\n")
        got.setdefault(re.search(r'; name="([^"]*)"', head.decode())[1], []).append(payload)
    if end.strip() != b"--":
        return False
    if list(got) != [name for name in schema["properties"] if name in value and value[name] != []]:
        return False
    for name, one in value.items():
        property = document.only(schema["properties"][name])
        inner = document.only(property.get("items", {}))
        parts = one if isinstance(one, list) else [one]
        bytes_of = {True: lambda part: base64.b64decode(part)}.get(
            is_file(property) or is_file(inner), lambda part: text(part).encode())
        for part, payload in zip(parts, got.get(name, []), strict=True):
            if isinstance(part, (dict, list)):
                if not same_json(part, json.loads(payload)):
                    return False
            elif instant_bytes(payload) != bytes_of(part):
                return False
    return True


def instant_bytes(payload):
    try:
        return instant(payload.decode()).encode()
    except UnicodeDecodeError:
        return payload


def differences(operation, call, actual, document):
    """What is different in a request: the names of its parts."""
    if "error" in actual:
        return [f"error: {actual['error']}"]
    wanted = expected(operation, call, document)
    split = re.match(r"https://server\.invalid(/[^?]*)?(?:\?(.*))?$", actual["url"])
    if not split:
        return ["url"]
    query = [(item.partition("=")[0], item.partition("=")[2]) for item in (split[2] or "").split("&") if item]
    got = {name.lower(): value for name, value in actual["headers"].items()}
    found = []
    if actual["method"] != wanted["method"]:
        found.append("method")
    if not same_path(wanted["path"], split[1] or "/", wanted["has_list"]):
        found.append(f"path: {split[1]} instead of {wanted['path']}")
    if not same_items(wanted["query"], query):
        found.append(f"query: {split[2]} instead of {wanted['query']}")
    content_type = got.get("content-type", "")
    for name, value in wanted["headers"].items():
        # Of a range of media types, and of a multipart body that is a file, the file says which one is sent.
        is_range = "*" in value or value.startswith("multipart/") and value != "multipart/form-data"
        same = ((content_type != "" and "*" not in content_type if is_range else media_type(content_type) == value)
                if name == "content-type"
                else re.sub(", ", ",", instant(got.get(name, "<none>"))) == re.sub(", ", ",", value))
        if not same:
            found.append(f"header {name}: {got.get(name)!r} instead of {value!r}")
    # A declared Content-Type is there without a body too, where it says nothing (RFC 9110, section 8.3).
    ignored = {"accept"} | (set() if wanted["has_body"] else {"content-type"})
    if got.get("accept") == "text/event-stream":
        ignored |= {"cache-control"}  # HTML, section 9.2: requests for events ask for no cache.
    if "range" in wanted["headers"] and got.get("accept-encoding") == "identity":
        ignored |= {"accept-encoding"}  # A part of a compressed body can't be read (RFC 9110, section 14.2).
    for name in got.keys() - wanted["headers"].keys() - ignored:
        found.append(f"header {name}: {got[name]!r} instead of none")
    body = base64.b64decode(actual["body"])
    try:
        same = (body == b"" if not wanted["has_body"]
                else same_body(operation, wanted["body"], body, content_type, document))
    except (ValueError, KeyError) as error:
        same = False
        found.append(f"body isn't readable: {error}")
    if not same:
        found.append(f"body: {body[:300]!r} instead of {json.dumps(wanted['body'], ensure_ascii=False)[:300]}")
    return found
