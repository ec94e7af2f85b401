"""Random multipart forms, read back by four servers' parsers.

    parts.py PROGRAM --forms 20000 --seed 1     PROGRAM is `parts`, which is the library's side

Each form is written twice, by a Multipart body and by declaration. Prints the seed and what was read, and the
first failure of each reader; ends with 1 if there is one."""

import argparse
import base64
import json
import secrets
import subprocess
import sys
import time

from cases import Dice
from progress import report
from readers import READERS

TYPES = ["text/plain", "image/png", "application/json", 'text/csv; charset="utf-8"', None]


def text(dice):
    """A name or a text, often with what is special in a head, and no longer than readers allow."""
    if dice.often(0.5):
        return dice.text()[:60]
    special = ['"', "\\", "%22", "%0D%0A", "\r", "\n", "\r\n", ";", "[]", "=", "a", "é", " ", "--", "'", "&amp;"]
    return "".join(dice.choice(special) for _ in range(dice.randint(0, 6)))


def content(dice):
    """Bytes, at times such that they are sent in several pieces."""
    if dice.often(0.02):
        return dice.randbytes(dice.choice([65_535, 65_536, 65_537, 150_000]))
    if dice.often(0.3):
        return b"\r\n" * dice.randint(0, 2) + b"--" + dice.randbytes(dice.randint(0, 40)) + b"\r\n" * dice.randint(0, 2)
    return dice.randbytes(dice.randint(0, 200))


def part(dice):
    """A text or a file."""
    if dice.often(0.5):
        return {"name": text(dice), "text": text(dice)}
    return {
        "name": text(dice), "data": base64.b64encode(content(dice)).decode(), "fileName": text(dice),
        "type": dice.choice(TYPES), "isOnDisk": dice.often(0.3),
    }


def form(seed, number):
    """The form of a number."""
    dice = Dice(f"{seed} {number}")
    return {"parts": [part(dice) for _ in range(dice.choice([0, 1, 1, 2, 3, 5]))]}


def names_of(form):
    """The names of the parts and of the files."""
    return [p["name"] for p in form["parts"]] + [p["fileName"] for p in form["parts"] if "data" in p]


def refused(form):
    """Whether a part has a name that servers lose."""
    return any(name == "" or name.endswith("\\") for name in names_of(form))


def wanted(form, reader):
    """What a reader finds of a form."""
    fields, files = [], []
    for part in form["parts"]:
        name = reader.name(written(part["name"]))
        if "text" in part:
            fields.append((name, part["text"]))
        else:
            file = reader.file_name(written(part["fileName"]))
            files.append((name, file, base64.b64decode(part["data"])))
    return sorted(fields), sorted(files)


def written(name):
    """A name as it is in a head."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def failure(form, outcome):
    """Why an outcome is wrong; None if it isn't, and whether the form was refused."""
    if refused(form):
        return None if "refusal" in outcome else ("no refusal", outcome)
    if "refusal" in outcome:
        return "refusal", outcome["refusal"]
    body = base64.b64decode(outcome["body"])
    if outcome["length"] != len(body):
        return "length", (outcome["length"], len(body))
    names = [written(name) for name in names_of(form)]
    for reader in READERS:
        if hasattr(reader, "loses") and any(map(reader.loses, names)):
            continue
        try:
            found = reader.read(body, outcome["type"])
        except Exception as error:
            return reader.title, f"{type(error).__name__}: {error}"
        if found != wanted(form, reader):
            return reader.title, (found, wanted(form, reader))
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--forms", type=int, default=20_000)
    parser.add_argument("--seed", default=None, help="a text; usually a new one each run")
    options = parser.parse_args()
    seed, begin = options.seed or secrets.token_hex(4), time.monotonic()
    print(f"parts: seed {seed}", flush=True)
    library = subprocess.Popen([options.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    failures, read = {}, 0
    for number in range(options.forms):
        if number % 100 == 0:
            report(f"forms: {number * 100 // options.forms} %")
        given = form(seed, number)
        library.stdin.write(json.dumps(given).encode() + b"\n")
        library.stdin.flush()
        outcomes = json.loads(library.stdout.readline())
        # A declaration without a part has no body.
        for outcome in outcomes if given["parts"] else outcomes[:1]:
            found = failure(given, outcome)
            read += not found and "body" in outcome
            if found:
                failures.setdefault(found[0], (number, given, found[1]))
    library.stdin.close()
    library.wait()
    for what, (number, given, why) in failures.items():
        print(f"parts: FAILURE, form {number}: {what}: {str(why)[:1500]}\n  {json.dumps(given)[:1500]}")
    print(
        f"parts: {options.forms} forms in {time.monotonic() - begin:.0f} s, {read} bodies read back equal by "
        f"{', '.join(reader.title for reader in READERS)}; failures: {len(failures) or 'none'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
