"""Writes a document whose parameters are the expressions of RFC 6570, and compares the requests with its examples:

    python3 templates.py write DOCUMENT VALUES
    python3 templates.py compare CALLS

The expressions are those that OpenAPI's styles are made of ("Style Values"), and the values and the expansions are those
of the RFC's sections 3.2.2, 3.2.5, 3.2.7 and 3.2.8. Objects with a comma in a value are left out: the library refuses
what no server could read back."""

import json
import re
import sys
import urllib.parse

TEXTS = {"var": "value", "hello": "Hello World!", "half": "50%", "who": "fred", "x": "1024", "v": "6"}
LIST = ["red", "green", "blue"]
KEYS = {"semi": ";", "dot": "."}

# The style, whether it explodes, the name, the expansion. `X` is the literal text before a label.
EXAMPLES = [
    ("simple", False, "var", "/value"), ("simple", False, "hello", "/Hello%20World%21"),
    ("simple", False, "half", "/50%25"), ("simple", False, "list", "/red,green,blue"),
    ("simple", True, "list", "/red,green,blue"), ("simple", False, "keys", "/semi,%3B,dot,."),
    ("simple", True, "keys", "/semi=%3B,dot=."),
    ("label", False, "who", "/X.fred"), ("label", False, "half", "/X.50%25"), ("label", False, "var", "/X.value"),
    ("label", False, "list", "/X.red,green,blue"), ("label", True, "list", "/X.red.green.blue"),
    ("label", False, "keys", "/X.semi,%3B,dot,."),
    ("matrix", False, "who", "/;who=fred"), ("matrix", False, "half", "/;half=50%25"),
    ("matrix", False, "v", "/;v=6"), ("matrix", False, "hello", "/;hello=Hello%20World%21"),
    ("matrix", False, "list", "/;list=red,green,blue"), ("matrix", True, "list", "/;list=red;list=green;list=blue"),
    ("matrix", False, "keys", "/;keys=semi,%3B,dot,."), ("matrix", True, "keys", "/;semi=%3B;dot=."),
    ("form", True, "who", "/?who=fred"), ("form", True, "half", "/?half=50%25"),
    ("form", False, "list", "/?list=red,green,blue"), ("form", True, "list", "/?list=red&list=green&list=blue"),
    ("form", False, "keys", "/?keys=semi,%3B,dot,."), ("form", True, "keys", "/?semi=%3B&dot=."),
    ("form", True, "empty", "/?empty="),
]


def schema(name):
    if name == "list":
        return {"type": "array", "items": {"type": "string"}}
    if name == "keys":
        return {"type": "object", "required": list(KEYS), "properties": {key: {"type": "string"} for key in KEYS}}
    return {"type": "string"}


def write(document, values):
    paths, calls = {}, []
    for number, (style, explodes, name, _) in enumerate(EXAMPLES):
        place = "query" if style == "form" else "path"
        path = f"/{number}" + {"path": "/" + ("X" if style == "label" else "") + "{" + name + "}", "query": "/"}[place]
        parameter = {"in": place, "name": name, "style": style, "explode": explodes, "required": True,
                     "schema": schema(name)}
        paths[path] = {"get": {"operationId": f"example{number}", "parameters": [parameter]}}
        value = {"list": LIST, "keys": KEYS, "empty": ""}.get(name, TEXTS.get(name))
        calls.append({"method": "get", "path": path, "parameters": [{"in": place, "name": name, "value": value}]})
    with open(document, "w", encoding="utf-8") as file:
        json.dump({"openapi": "3.1.0", "info": {"title": "Templates"}, "paths": paths}, file)
    with open(values, "w", encoding="utf-8") as file:
        json.dump({"operations": calls}, file)


def normal(text):
    """A text with each character escaped that the RFC escapes: a path may have more of them as they are."""
    return "".join(part if part in ";,=&?/." else urllib.parse.quote(urllib.parse.unquote(part), safe="")
                   for part in re.split("([;,=&?/.])", text))


def compare(calls):
    wrong = 0
    with open(calls, encoding="utf-8") as file:
        for number, (line, (style, explodes, name, wanted)) in enumerate(zip(file, EXAMPLES, strict=True)):
            call = json.loads(line)
            got = re.sub(rf"^https://server\.invalid/{number}", "", call.get("url", call.get("error")))
            if normal(got) != normal(wanted):
                wrong += 1
                print(f"{style}, explode {explodes}, {name}: {got} instead of {wanted}")
    print(f"{len(EXAMPLES)} examples of RFC 6570, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(*sys.argv[2:4])
    else:
        sys.exit(bool(compare(sys.argv[2])))
