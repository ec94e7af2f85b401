"""Makes a failing case smaller, step by step, as long as it fails in the same way."""

import copy

from atoms import LAYERS, READS


def smaller(value):
    """Values that are simpler than this one, the simplest first."""
    if isinstance(value, str):
        yield from (
            s
            for s in ("", "a")
            if len(s) < len(value) or (s == "a" and value != "a" and len(value) == 1)
        )
        half = len(value) // 2
        yield from (value[:half], value[half:]) if half else ()
        if half > 20 and value.strip("a"):
            yield "a" * len(value)
        if len(value) < 40:
            yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
            yield from (
                value[:i] + "a" + value[i + 1 :] for i in range(len(value)) if value[i] > "z"
            )
    elif isinstance(value, bool):
        yield from [False] if value else []
    elif isinstance(value, (int, float)):
        yield from (n for n in (0, 1, 0.1, 1e300) if abs(n) < abs(value))
    elif isinstance(value, list):
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        for i, element in enumerate(value):
            yield from (value[:i] + [e] + value[i + 1 :] for e in smaller(element))
    elif isinstance(value, dict):
        for key in value:
            yield from (value | {key: v} for v in smaller(value[key]))


def shrink(case, fails):
    """The smallest case found of which `fails` is true."""
    return without_unused(smallest(without_unused(copy.deepcopy(case)), fails, simpler))


def smallest(value, fails, candidates=smaller, tries=3000):
    """The smallest value found of which `fails` is true; it is called at most that many times."""
    progress = True
    while progress:
        progress = False
        for candidate in candidates(value):
            tries -= 1
            if tries < 0:
                return value
            if fails(candidate):
                value, progress = candidate, True
                break
    return value


def simpler(case):
    """Cases that are simpler in one place."""
    if case["sends"]:
        yield case | {"sends": False}
    simplest = {
        "base": "http://{wire}" if case["sends"] else "https://h",
        "body": None,
        "decodes": False,
        "method": "GET",
    }
    for key, simple in simplest.items():
        if case[key] != simple:
            yield case | {key: simple}
    for key in ("path", "parameters", "headers", "items", *LAYERS, "values", "body"):
        if key in LAYERS:
            yield from (
                case | {key: {n: v for n, v in case[key].items() if n != name}}
                for name in case[key]
            )
        if case[key]:
            yield from (case | {key: value} for value in smaller(case[key]))


def without_unused(case):
    """The case with no more values than its declaration reads."""
    used = [
        part.get("value") or part.get("segments")
        for part in case["path"] + case["parameters"] + case["headers"]
    ]
    names = {READS.get(name, name) for name in used}
    return case | {
        "values": {name: value for name, value in case["values"].items() if name in names}
    }
