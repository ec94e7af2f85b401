"""Random multipart forms, read back by four servers' parsers.

    parts.py PROGRAM --forms 20000 --seed 1     PROGRAM is `parts`, which is the library's side

Each form is written twice, by a Multipart body and by declaration. The forms that were found once (found.py)
come first. Prints the seed and what was read, and the first failure of each reader, which `--keep` adds to
those; ends with 1 if there is one."""

import argparse
import base64
import re
import secrets
import sys
import time

import found
import shrink
from cases import Dice
from program import Program
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
        name = reader.name(written(crlf(part["name"])))
        if "text" in part:
            fields.append((name, part["text"]))
        else:
            file = reader.file_name(written(part["fileName"]))
            files.append((name, file, base64.b64decode(part["data"])))
    return sorted(fields), sorted(files)


def crlf(name):
    """A part's name with line breaks as a browser writes them."""
    return re.sub("\r\n|\r|\n", "\r\n", name)


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
    names = [written(crlf(name)) for name in names_of(form)]
    for reader in READERS:
        if hasattr(reader, "loses") and any(map(reader.loses, names)):
            continue
        try:
            contents = reader.read(body, outcome["type"])
        except Exception as error:
            return reader.title, f"{type(error).__name__}: {error}"
        if contents != wanted(form, reader):
            return reader.title, (contents, wanted(form, reader))
    return None


def failures(library, form):
    """(how many of a form's bodies were read back equal, why each of the others wasn't)."""
    outcomes = library.outcome(form)
    if outcomes is None:
        return 0, [("trap", f"the library's process ended: {library.ended}")]
    # A declaration without a part has no body.
    outcomes = outcomes if form["parts"] else outcomes[:1]
    reasons = [failure(form, outcome) for outcome in outcomes]
    read = sum(not why and "body" in outcome for why, outcome in zip(reasons, outcomes))
    return read, [why for why in reasons if why]


def shrunk(library, form, what):
    """The smallest form found that fails in the same way."""

    def fails(parts):
        data = [part["data"] for part in parts if "data" in part]
        try:
            if any(base64.b64encode(base64.b64decode(text)).decode() != text for text in data):
                return False
        except ValueError:
            return False
        return any(why[0] == what for why in failures(library, {"parts": parts})[1])

    return {"parts": shrink.smallest(form["parts"], fails)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--forms", type=int, default=20_000)
    parser.add_argument("--seed", default=None, help="a text; usually a new one each run")
    parser.add_argument("--keep", action="store_true", help="add what fails to the found forms")
    options = parser.parse_args()
    seed, begin = options.seed or secrets.token_hex(4), time.monotonic()
    print(f"parts: seed {seed}", flush=True)
    library, known = Program(options.program), found.cases("form")
    again = [(n, why) for n, given in known for why in failures(library, given)[1]]
    new, read = {}, 0
    for number in range(options.forms):
        if number % 100 == 0:
            report(f"forms: {number * 100 // options.forms} %")
        given = form(seed, number)
        equal, different = failures(library, given)
        read += equal
        for what, why in different:
            new.setdefault(what, (number, given, why))
    for number, (what, why) in again:
        print(f"parts: FAILURE, line {number} of {found.FILE.name}: {what}: {str(why)[:1000]}")
    for what, (number, given, why) in new.items():
        small = shrunk(library, given, what)
        print(f"parts: FAILURE, form {number}: {what}: {str(why)[:1000]}\n  form: {found.shortened(small)}")
        if options.keep:
            found.keep("form", small)
    count = len(again) + len(new)
    print(
        f"parts: {len(known)} found forms, {options.forms} forms in {time.monotonic() - begin:.0f} s, {read} "
        f"bodies read back equal by {', '.join(reader.title for reader in READERS)}; failures: "
        f"{count or 'none'}" + f" (again with --seed {seed} --forms {options.forms})" * bool(new))
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
