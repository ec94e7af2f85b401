"""Web-platform-tests' tables of URLs, forms and escapes, made into requests and read back.

    corpora.py PROGRAM FOLDER     PROGRAM is `declare`, FOLDER has the three JSON files

Says how many cases ran, and how many don't apply and why; ends with 1 if one fails."""

import collections
import json
import pathlib
import sys

import ada_url

import oracles
import rules
from fuzz import Library

PLAIN = {
    "method": "GET",
    "path": [{"literal": "a"}],
    "parameters": [],
    "headers": [],
    "items": [],
    "serverHeaders": {},
    "commonHeaders": {},
    "moreHeaders": {},
    "body": None,
    "decodes": False,
    "values": {},
    "sends": False,
    "base": "https://h",
}


class Tally:
    """Counts what ran, what doesn't apply and what failed."""

    def __init__(self, name):
        self.name, self.ran, self.failed = name, 0, 0
        self.left = collections.Counter()

    def run(self, case, work):
        """Runs one case; `work` returns why it doesn't apply, or raises a `Disagreement`."""
        try:
            reason = work()
        except oracles.Disagreement as disagreement:
            self.failed += 1
            print(f"corpora: FAILURE, {self.name}: {case!r}: {disagreement}")
            return
        if reason:
            self.left[reason] += 1
        else:
            self.ran += 1

    def __str__(self):
        left = "; ".join(f"{count} don't apply: {why}" for why, count in self.left.items())
        return f"corpora: {self.name}: {self.ran} ran" + (f"; {left}" if left else "")


def read_back(library, case):
    """Makes the request, and lets all oracles read it."""
    what, disagreement = library.disagreement(PLAIN | case)
    if disagreement:
        raise disagreement
    if what != "made":
        raise oracles.Disagreement("refused", what, "a request")


def forms(library, table):
    """The pairs that each line of the urlencoded table is read as, written and read again."""
    tally = Tally("urlencoded-parser-data.json")
    for row in table:

        def work(pairs=row["output"]):
            if not pairs:
                return "there are no pairs to write"
            for is_form in (False, True):
                fields = [{"name": n, "isForm": is_form, "constant": v} for n, v in pairs]
                read_back(library, {"parameters": fields, "method": "POST"})
            read_back(library, {"items": pairs})
            return None

        tally.run(row["input"], work)
    return tally


def escapes(library, table):
    """The texts of the percent-encoding table, in every place, and escaped as UTF-8 as it says."""
    tally = Tally("percent-encoding.json")
    for row in table:
        if isinstance(row, str):
            continue  # a remark

        def work(text=row["input"], utf_8=row["output"]["utf-8"]):
            for is_form in (False, True):
                field = {"name": text, "isForm": is_form, "constant": text}
                read_back(library, {"parameters": [field], "method": "POST"})
            case = {"path": [{"value": "text", "slash": True}], "values": {"text": text}}
            read_back(library, case)
            url = library.outcome(PLAIN | case)["url"]
            wanted = "https://h/" + "".join(ESCAPED.get(c, c) for c in utf_8)
            oracles.same("escaped as the table says", url, wanted)
            return None

        tally.run(row["input"], work)
    return tally


# What the table, being about queries, leaves raw, and a path may not hold (RFC 3986, section 3.3).
ESCAPED = {"\\": "%5C", "|": "%7C"}


def bases(library, table):
    """Each URL of the URL table as the base of a request."""
    tally = Tally("urltestdata.json")
    seen = set()
    for row in table:
        for text in ([] if isinstance(row, str) else [row["input"], row.get("href")]):
            if text is not None and text not in seen:
                seen.add(text)
                tally.run(text, lambda text=text: base(library, text))
    return tally


def base(library, text):
    """Whether the built URL, as Ada reads it, begins as Ada reads the base."""
    if any(0xD800 <= ord(c) < 0xE000 for c in text):
        return "it has a lone surrogate, which no Swift string can"
    case = PLAIN | {"base": text, "parameters": [{"name": "k", "isForm": False, "constant": "v"}]}
    outcome = library.outcome(case)
    if outcome.get("base") is None:
        return "URL(string:) refuses it"
    if rules.base_is_refused(outcome["base"]):
        if "refusal" not in outcome:
            raise oracles.Disagreement("no refusal", outcome["url"], "the rules refuse the base")
        return "the rules refuse it as a base, and so does the library"
    if "refusal" in outcome:
        raise oracles.Disagreement("refusal", outcome["refusal"], "the rules allow the base")
    try:
        before = ada_url.URL(outcome["base"])
    except ValueError:
        return "Ada reads no URL in what URL(string:) makes of it"
    now = ada_url.URL(outcome["url"])
    path = before.pathname.removesuffix("/")
    query = before.search.removesuffix("&")
    oracles.same("ada: origin", now.origin, before.origin)
    oracles.same("ada: user", (now.username, now.password), (before.username, before.password))
    oracles.same("ada: path", now.pathname, path + "/a")
    oracles.same("ada: query", now.search, (query + "&" if query else "?") + "k=v")
    return None


def main():
    """Runs the three tables."""
    library, folder = Library(sys.argv[1]), pathlib.Path(sys.argv[2])
    tallies = []
    for run, name in (
        (forms, "urlencoded-parser-data"),
        (escapes, "percent-encoding"),
        (bases, "urltestdata"),
    ):
        tallies.append(run(library, json.loads((folder / f"{name}.json").read_text("utf-8"))))
        print(tallies[-1])
    failed = sum(tally.failed for tally in tallies)
    print(f"corpora: failures: {failed or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
