"""Compares conventions.txt with the model of OpenTelemetry's conventions: a checkout, or a Git directory without a work
tree, of open-telemetry/semantic-conventions, which has the tag of the release that the table names.

    python3 conventions.py CHECKOUT

Each attribute that the model gives to a client's span or metric must be in the table, with its type and its level, and
each one of the table in the model. Prints what is sent, and what isn't, with the reason; needs PyYAML."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import yaml

TABLE = Path(__file__).with_name("conventions.txt")


def declared():
    """The rows of the table: {what: {attribute: (type, level, sent)}}; a metric that isn't sent has the attribute `-`."""
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            what, attribute, kind, level, sent = line.split(maxsplit=4)
            rows.setdefault(what, {})[attribute] = (kind, level, sent)
    return rows


def groups(checkout, revision):
    """All groups of the model; two may have the same id. A file of the format `definition/2` is a group here."""

    def git(*command):
        return subprocess.run(["git", "-C", checkout, *command], check=True, text=True, stdout=subprocess.PIPE).stdout

    files = [file for file in git("ls-tree", "-r", "--name-only", revision, "model").split() if file.endswith(".yaml")]
    documents = [yaml.safe_load(git("show", f"{revision}:{file}")) or {} for file in files if "deprecated" not in file]
    return [group for document in documents for group in document.get("groups") or [{"id": "", **document}]]


def named(model, group):
    """The attributes of a group, with those of the group that it extends: {name: level}."""
    attributes = named(model, model[group["extends"]]) if "extends" in group else {}
    for attribute in group.get("attributes", []):
        name, level = attribute.get("ref") or attribute["id"], attribute.get("requirement_level")
        if level or name not in attributes:
            attributes[name] = next(iter(level)) if isinstance(level, dict) else level or "recommended"
    return attributes


def types(groups):
    """The type of each attribute: {name: type}."""
    return {
        attribute.get("id") or attribute["key"]: "enum" if isinstance(attribute["type"], dict) else attribute["type"]
        for group in groups
        for attribute in group.get("attributes", [])
        if "type" in attribute
    }


def main(checkout, revision="v1.44.0"):
    """Prints the comparison; returns whether something differs."""
    everything, rows, wrong = groups(checkout, revision), declared(), []
    model, kinds = {group["id"]: group for group in everything}, types(everything)
    theirs = {"span": named(model, model["span.http.client"])}
    for group in everything:
        if group.get("metric_name", "").startswith("http.client."):
            theirs[group["metric_name"]] = named(model, group)
    for what in sorted(theirs.keys() | rows.keys()):
        ours, model_of = rows.get(what, {}), theirs.get(what, {})
        if "-" in ours:
            print(f"{what}: {ours['-'][2]}")
            wrong += [] if model_of else [f"{what} isn't in the model"]
            continue
        wrong += [f"{what} {name} isn't in the table" for name in sorted(model_of.keys() - ours.keys())]
        wrong += [f"{what} {name} isn't in the model" for name in sorted(ours.keys() - model_of.keys())]
        for name in ours.keys() & model_of.keys():
            if ours[name][:2] != (kinds[name], model_of[name]):
                wrong.append(f"{what} {name} is {kinds[name]}, {model_of[name]} in the model, and {ours[name][:2]} here")
        for level, count in Counter(level for _, level, _ in ours.values()).items():
            sent = [name for name, row in ours.items() if row[1] == level and row[2] == "yes"]
            print(f"{what}: {len(sent)} of {count} {level}: {', '.join(sent)}")
        for name, (_, level, sent) in ours.items():
            if sent != "yes":
                print(f"    {name} ({level}): {sent}")
    print("\n".join(wrong) or f"as in the model: {sum(map(len, rows.values()))} rows")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
