"""Makes 200 random changes of a document, and checks that each is a difference from the declarations:
python3 changes.py DOCUMENT FOLDER PROGRAM"""

import copy
import json
import random
import subprocess
import sys
from pathlib import Path

METHODS = ["get", "post", "patch", "delete"]


def another(kind):
    """A type that isn't the given one, and no number in place of another."""
    return "boolean" if kind != "boolean" else "object"


def changes(document):
    """All single changes that a program can notice, as functions that make them in a copy."""
    for path, item in document["paths"].items():
        for method in [name for name in METHODS if name in item]:
            at = ["paths", path, method]
            operation = item[method]
            yield at, None
            extra = {"in": "query", "name": "extra", "required": True, "schema": {"type": "string"}}
            yield [*at, "parameters"], [*operation.get("parameters", []), extra]
            for number, parameter in enumerate(operation.get("parameters", [])):
                yield [*at, "parameters", number, "required"], True
                yield [*at, "parameters", number, "name"], "renamed"
                yield [*at, "parameters", number, "schema", "type"], another(parameter["schema"]["type"])
            for kind in operation.get("requestBody", {}).get("content", {}):
                yield [*at, "requestBody", "content"], {"text/csv": {}}
                yield [*at, "requestBody", "content", kind, "schema"], {"type": "boolean"}
            for status, response in operation["responses"].items():
                # Code of the declaration's own tells a 201 from a 202, and nothing can look into it.
                if status in ("201", "202"):
                    continue
                for kind in response.get("content", {}):
                    yield [*at, "responses", status, "content"], {"text/csv": {}}
                    yield [*at, "responses", status, "content", kind, "schema"], {"type": "boolean"}
        for number, parameter in enumerate(item.get("parameters", [])):
            yield ["paths", path, "parameters", number, "schema", "type"], "boolean"
    for name, schema in document["components"]["schemas"].items():
        at = ["components", "schemas", name]
        for key, member in schema.get("properties", {}).items():
            if key in ("any", "free", "or", "change", "parent"):
                continue
            yield [*at, "properties", key], {"type": another(member.get("type"))}
            # What only one direction has may be left out of the other.
            if not member.get("readOnly") and not member.get("writeOnly"):
                yield [*at, "properties", key], None
        if "properties" in schema and name not in ("Added", "Removed"):
            yield [*at, "required"], []
            yield [*at, "required"], [*schema.get("required", []), "made_at"]


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
    return whole


def main(source, folder, program):
    """Prints the changes that aren't noticed; returns whether there are any."""
    document = json.loads(Path(source).read_text())
    chosen = random.Random(1).sample(list(changes(document)), 200)
    Path(folder).mkdir(exist_ok=True)
    files = [Path(folder) / f"{number}.json" for number in range(len(chosen))]
    for file, (place, value) in zip(files, chosen):
        file.write_text(json.dumps(changed(document, place, value)))
    run = subprocess.run([program, "--document", *files], text=True, stdout=subprocess.PIPE, check=True)
    unseen = [change for change, line in zip(chosen, run.stdout.splitlines()) if line.split()[0] == "0"]
    for place, value in unseen:
        print("not noticed:", "/".join(map(str, place)), "=", value)
    print(f"{len(chosen) - len(unseen)} of {len(chosen)} random changes are differences")
    return bool(unseen)


sys.exit(main(*sys.argv[1:]))
