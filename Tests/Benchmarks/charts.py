"""Draws the tables of the page about costs as charts: charts.py, or charts.py --check; `make bench` calls it.

The page's own tables are what is drawn, so a chart never says anything else than the table beside it. There is one
chart for a light page and one for a dark one, which DocC chooses by `~dark` in the name. `--check` draws nothing,
and fails if a chart is not what its table says, or if README.md gives a figure that the page hasn't; it needs no
`matplotlib`."""

import io
import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/Endpoints/Endpoints.docc"
PAGE = CATALOG / "WhatItCosts.md"
FOLDER = CATALOG / "Resources"
COLORS = ("#0a7d33", "#c2571a", "#3b6fb5")
INKS = {"": "#333333", "~dark": "#dddddd"}


def rows(text, first):
    """The cells of a table: those of the rows after the line that begins with a text."""
    table = text[text.index(first):].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def number(cell):
    """The number that a cell begins with."""
    return float(re.match(r"[\d.]+", cell.replace(",", ""))[0])


def requests(text):
    """The time of a request, for each case, by the library and by hand."""
    table = rows(text, "| | library | HAND |")
    bars = {name: [number(row[column]) for row in table] for column, name in enumerate(["library", "by hand", "the least"], 1)}
    return "Nanoseconds to make a request", [row[0] for row in table], bars


def downloads(text):
    """The memory of a download over its size, beside that size."""
    table = rows(text, "| size of the body |")
    bars = {name: [number(row[column]) for row in table] for column, name in enumerate(["the body", "saved as a file", "read as it arrives"])}
    return "Megabytes of memory for a download", [row[0] for row in table], bars


def declarations(text):
    """The bytes that a declaration adds to a program."""
    table = rows(text, "| bytes of machine code and data |")
    labels = [row[0].replace("`", "") for row in table]
    return "Bytes of a flat declaration", labels, {"bytes": [number(row[1]) for row in table]}


def loads(text):
    """The loads a second, for each number of loads in flight."""
    table = [row for row in rows(text, "| in flight | the library with `URLSession`") if row[0].replace(",", "").isdigit() and row[1]]
    bars = {name: [number(row[column]) for row in table]
            for column, name in [(1, "the library with URLSession"), (2, "with AsyncHTTPClient"), (4, "AsyncHTTPClient by hand")]}
    return "Loads a second on Linux, by how many are in flight", [row[0] for row in table], bars


# Numbers that measure nothing: a status, and documents.
NAMES = {"401", "9111"}
CHARTS = {"requests": requests, "downloads": downloads, "declarations": declarations, "loads": loads}


def draw(title, labels, bars, ink):
    """A chart as SVG, the same each time."""
    import matplotlib
    import matplotlib.pyplot

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "endpoints", "font.family": "sans-serif"})
    matplotlib.rcParams.update({name: ink for name in ["text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor"]})
    figure, axes = matplotlib.pyplot.subplots(figsize=(8, 3.6))
    width = 0.8 / len(bars)
    for index, (name, values) in enumerate(bars.items()):
        places = [place + (index - (len(bars) - 1) / 2) * width for place in range(len(labels))]
        axes.bar(places, values, width * 0.92, label=name, color=COLORS[index])
    axes.set_title(title, loc="left")
    axes.set_xticks(range(len(labels)), [textwrap.fill(label, 13) for label in labels], fontsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    if len(bars) > 1:
        axes.legend(frameon=False)
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    matplotlib.pyplot.close(figure)
    return "".join(line.rstrip() + "\n" for line in text.getvalue().splitlines())


def comment(title, labels, bars):
    """What a chart shows, as its last line, so that it can be checked without drawing it."""
    return f"<!-- {json.dumps([title, labels, bars])} -->\n"


def unknown_figures(text):
    """The figures by which README.md says why one would take the library, and which the page hasn't."""
    reasons = re.search(r"^Why not .*?(?=^## )", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    figures = re.findall(r"(?<![\w.])\d[\d,.]*\d(?![\d:])|(?<![\w.])\d(?! *:)", reasons[0] if reasons else "")
    known = set(re.findall(r"\d[\d,.]*\d|\d", text))
    return sorted({figure for figure in figures if figure not in known and figure not in NAMES}) if figures else ["none"]


def main():
    """Draws the charts whose tables the page has, or says which are not up to date."""
    text = PAGE.read_text()
    stale = []
    for name, read in CHARTS.items():
        if f"(costs-{name})" not in text:
            continue
        for suffix, ink in INKS.items():
            file = FOLDER / f"costs-{name}{suffix}.svg"
            shown = comment(*read(text))
            if not file.exists() or not file.read_text().endswith(shown):
                stale.append(file.name)
                if "--check" not in sys.argv:
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(draw(*read(text), ink) + shown)
    if "--check" in sys.argv:
        print(f"charts that don't show what their tables say: {', '.join(stale) or 'none'}")
        if unknown := unknown_figures(text):
            print(f"README.md has figures that {PAGE.name} hasn't: {', '.join(unknown)}")
        return bool(stale or unknown)
    print(f"charts drawn: {', '.join(stale) or 'none, as no table has changed'}")
    return False


sys.exit(main())
