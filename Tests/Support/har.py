"""Checks HTTP archives against the JSON schema of HAR 1.2: har.py FILE...

The schema is the one that the package `splash` brings, and `jsonschema` is the validator. Of `splash`, only that
file is used: the package is installed without what it depends on, and not imported."""

import importlib.metadata
import json
import pathlib
import runpy
import sys

import jsonschema


def validator():
    """A validator of archives."""
    file = importlib.metadata.distribution("splash").locate_file("splash/har/schema.py")
    schema = runpy.run_path(str(file))["SCHEMA"]
    # The text of HAR 1.2 says that `browser` is optional, and browsers leave it out.
    schema["properties"]["log"]["required"].remove("browser")
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker(["date-time"]))


def main():
    """Prints what is wrong with each file; returns whether anything is."""
    check = validator()
    # A validator that accepts anything would prove nothing.
    assert list(check.iter_errors({"log": {"version": 1.2, "creator": {}, "entries": [{"time": -1}]}}))
    wrong = 0
    for name in sys.argv[1:]:
        archive = json.loads(pathlib.Path(name).read_text())
        errors = list(check.iter_errors(archive))
        wrong += len(errors)
        print(f"{name}: {len(archive['log']['entries'])} entries, {len(errors)} errors")
        for error in errors[:20]:
            print(f"  {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    return wrong > 0 or len(sys.argv) < 2


sys.exit(main())
