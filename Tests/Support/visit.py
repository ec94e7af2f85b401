"""Opens the documentation as a reader does: visit.py, after docs.py. `--all` opens every page, not a sample of the symbols.

The links of all pages are read from the site's data: each leads to a page, a heading or a file of the site, and one
to another site is only checked for its form. Then a server on this machine serves the site, and a browser without a
window opens the guides, the modules and each fortieth symbol, on a phone's width and on a screen's, light and dark.
A page fails if something of it is missing, if an image isn't shown, if a script fails, if it is wider than the window,
if code is cut off on a screen, or if its text can't be read on its background. The site's root leads to a page, and the
sidebar of each module to a guide. `--pictures FOLDER` keeps a picture of each guide."""

import base64
import functools
import http.server
import json
import re
import sys
import threading
import urllib.parse
from pathlib import Path

from browser import browser, open_tab, wait_for

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / ".build/docs"
# The page to which the site's root leads.
FIRST = "/documentation/endpoints/"
STRIDE = 40
WIDTHS = {"phone": 390, "screen": 1280}
CONTRAST = 3.0
# The headings that the site itself writes.
SECTIONS = {"topics", "relationships", "see-also", "overview", "discussion", "parameters", "return-value", "mentions", "default-implementations"}

# Returns when an image is loaded, that of the color scheme if there are two, or has failed.
LOADED = """image => new Promise(resolve => {
    image.loading = "eager"
    const choices = [...image.closest("picture")?.querySelectorAll("source") ?? []]
    const choice = choices.find(choice => !choice.media || matchMedia(choice.media).matches)
    const wanted = choice?.srcset.split(" ")[0] ?? image.getAttribute("src")
    const look = () => image.complete && image.currentSrc.endsWith(wanted) && resolve()
    image.addEventListener("load", look); image.addEventListener("error", resolve)
    setTimeout(resolve, 10000); look()
})"""

# Returns when the page shows its title, or why it doesn't. Colors change at once from then on.
SHOWN = """new Promise(resolve => {
    document.head.append(Object.assign(document.createElement("style"), {textContent: "* { transition: none !important }"}))
    const watch = new MutationObserver(() => look())
    const late = setTimeout(() => resolve("it shows no title"), 20000)
    const look = () => {
        if (!document.querySelector("main h1")) return
        watch.disconnect(); clearTimeout(late); resolve("")
    }
    watch.observe(document, {childList: true, subtree: true, attributes: true}); look()
})"""

# The links of the sidebar, when it has some.
SIDEBAR = """new Promise(resolve => {
    const look = () => [...document.querySelectorAll(".navigator a")].map(link => link.getAttribute("href"))
    const late = setTimeout(() => { clearInterval(again); resolve(look()) }, 10000)
    const again = setInterval(() => { if (look().length) { clearTimeout(late); clearInterval(again); resolve(look()) } }, 100)
})"""

# What is wrong with the page as it is shown.
WRONG = """(async (dark, images) => {
    await Promise.all([...document.images].map(LOADED))
    const wrong = []
    // A table and a block of code scroll; what else is cut off at the edge can't be read.
    const scrolls = part => part && (/auto|scroll/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement))
    for (const part of document.querySelectorAll("main *"))
        if (part.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(part).visibility != "hidden" && !scrolls(part))
            wrong.push(`${part.tagName} "${part.textContent.trim().slice(0, 40)}" is wider than the page`)
    for (const image of document.images) {
        if (!image.naturalWidth) wrong.push(`the image ${image.currentSrc} isn't shown`)
        if (image.currentSrc.includes("costs-") && image.currentSrc.includes("~dark") != dark)
            wrong.push(`${image.currentSrc} is the other chart`)
    }
    const light = color => {
        const part = color.match(/[\\d.]+/g).map(Number).slice(0, 3).map(n => (n /= 255) <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4)
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]
    }
    const under = part => {
        for (; part; part = part.parentElement) {
            const color = getComputedStyle(part).backgroundColor
            if (!/^rgba\\(.*, 0\\)$/.test(color)) return light(color)
        }
        return 1
    }
    // A tutorial has colors of its own, and dims all steps but one.
    const parts = location.pathname.startsWith("/tutorials/") ? [] : document.querySelectorAll("main *")
    for (const part of parts) {
        if (![...part.childNodes].some(node => node.nodeType == 3 && node.data.trim()) || !part.getClientRects().length) continue
        const [one, other] = [light(getComputedStyle(part).color), under(part)]
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
        if (contrast < LEAST) wrong.push(`"${part.textContent.trim().slice(0, 40)}" has a contrast of ${contrast.toFixed(1)}`)
    }
    if (parts.length && (under(document.body) < 0.2) != dark) wrong.push(dark ? "it isn't dark" : "it isn't light")
    if (document.querySelectorAll("main img").length < images) wrong.push(`it doesn't show ${images} images`)
    if (document.querySelector(".generic-error, .not-found")) wrong.push("it is an error")
    scrollTo(50, 0)
    if (scrollX) wrong.push("it scrolls sideways")
    scrollTo(0, 0)
    // On a phone, a block of code scrolls. After a phone, a script makes room for a screen.
    const cut = () => innerWidth < 1000 ? [] : [...document.querySelectorAll("main .code-listing .container-general")]
        .filter(code => code.scrollWidth > code.clientWidth + 1)
    const end = performance.now() + 5000
    while (cut().length && performance.now() < end) await new Promise(requestAnimationFrame)
    for (const code of cut()) wrong.push(`the code "${code.textContent.trim().slice(0, 40)}" is cut off`)
    return [...new Set(wrong)].slice(0, 5)
})""".replace("LEAST", str(CONTRAST)).replace("LOADED", LOADED)


def pages():
    """The data of each page, by its path in the site."""
    data = SITE / "data"
    return {"/" + file.relative_to(data).with_suffix("").as_posix(): json.loads(file.read_text()) for file in sorted(data.rglob("*.json"))}


def within(value):
    """Each object of a page's data."""
    if isinstance(value, dict):
        yield value
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from within(child)


def dead_links(site):
    """The links that lead nowhere."""
    anchors = {path: SECTIONS | {part["anchor"] for part in within(page) if "anchor" in part} for path, page in site.items()}
    for path, page in site.items():
        references = page.get("references", {})
        listed = {name for key in ("topicSections", "seeAlsoSections") for section in page.get(key, []) for name in section["identifiers"]}
        # What the page shows: its own text, and the summaries of those that it lists.
        shown = [page | {"references": {}}, *(references.get(name, {}).get("abstract") for name in listed)]
        named = {part["identifier"] for text in shown for part in within(text) if part.get("type") == "reference"}
        for name in named | listed:
            if name not in references or references[name]["type"] == "unresolvable" and name in listed:
                yield f"{path}: nothing is known of {name}"
        # A chapter of the tutorials has no page, but is among their references.
        for reference in (reference for reference in references.values() if "/tutorials/Tutorials/" not in reference["identifier"]):
            for url in [reference["url"]] if "url" in reference else [v["url"] for v in reference.get("variants", [])]:
                if problem := dead(url, path, anchors):
                    yield f"{path}: {problem}"
    for entry in within(json.loads((SITE / "index/index.json").read_text())):
        if "path" in entry and entry["path"] not in anchors:
            yield f"the index: there is no page {entry['path']}"


def dead(url, path, anchors):
    """Why a link leads nowhere."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme or parts.netloc:
        good = parts.scheme in ("https", "mailto") and (parts.scheme == "mailto" or re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc))
        return None if good and not re.search(r"[\s<>\"]", url) else f"{url} is no web address"
    place = parts.path or path
    if place in anchors:
        fragment = urllib.parse.unquote(parts.fragment)
        return f"{place} has no heading {fragment}" if fragment and fragment not in anchors[place] else None
    return None if (SITE / urllib.parse.unquote(place).lstrip("/")).is_file() else f"there is no {place}"


def dead_files():
    """The links in the repository's own pages, such as README.md, to files that don't exist."""
    for file in [*ROOT.glob("*.md"), *ROOT.glob("Docs/*.md"), *ROOT.glob("Sources/Integrations/**/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", file.read_text()):
            if "://" not in target and not (file.parent / target).exists():
                yield f"{file.relative_to(ROOT)}: there is no {target}"


class Server(http.server.SimpleHTTPRequestHandler):
    """Serves the site, and keeps what it doesn't have."""

    missing = []

    def send_error(self, code, *rest):
        self.missing.append(self.path)
        super().send_error(code, *rest)

    def log_message(self, *_):
        pass


def wrong_pages(images, folder):
    """What is wrong with each page that the browser opens, each of which has a number of images."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=SITE))
    # The browser leaves connections when it goes on to the next page.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browser() as port:
        tab = open_tab(port, "about:blank")
        for domain in ("Page", "Runtime", "Log"):
            tab.call(f"{domain}.enable")
        yield from wrong_root(tab, f"http://127.0.0.1:{server.server_port}")
        for path, count in images.items():
            Server.missing.clear()
            tab.call("Emulation.setDeviceMetricsOverride", width=WIDTHS["phone"], height=844, deviceScaleFactor=1, mobile=True)
            tab.open(f"http://127.0.0.1:{server.server_port}{path}/")
            if problem := tab.value(SHOWN):
                yield f"{path}: {problem}"
                continue
            if path.count("/") == 2 and path.startswith("/documentation/"):
                tab.call("Emulation.setDeviceMetricsOverride", width=WIDTHS["screen"], height=844, deviceScaleFactor=1, mobile=False)
                yield from wrong_sidebar(tab, path)
            for name, width in WIDTHS.items():
                tab.call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=name == "phone")
                for scheme in ("light", "dark"):
                    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                    for problem in tab.value(f"{WRONG}({json.dumps(scheme == 'dark')}, {count})"):
                        yield f"{path}, {name}, {scheme}: {problem}"
                    if folder and path.count("/") < 4:
                        picture(tab, folder / f"{path.rpartition('/')[2]}-{name}-{scheme}.png")
            for event in tab.events:
                if event.get("method") == "Runtime.exceptionThrown":
                    yield f"{path}: {event['params']['exceptionDetails'].get('text')}"
            yield from (f"{path}: {missing} is missing" for missing in Server.missing)
    server.shutdown()


def wrong_root(tab, address):
    """Why the site's root leads to no page."""
    tab.open(f"{address}/")
    # It goes on to another page, whose title a script writes.
    title = f"location.pathname == '{FIRST}' && document.querySelector('main h1')?.textContent.trim()"
    try:
        wait_for(lambda: tab.value(title))
    except TimeoutError:
        return [f"/: it doesn't lead to {FIRST}"]
    return []


def wrong_sidebar(tab, path):
    """Why the sidebar of a module doesn't lead to a guide."""
    links = tab.value(SIDEBAR)
    guides = [link for link in links if re.fullmatch("/documentation/endpoints/[^/]+", link)]
    return [] if guides else [f"{path}: its sidebar leads to no guide"]


def picture(tab, file):
    """Keeps a picture of the whole page."""
    shot = tab.call("Page.captureScreenshot", captureBeyondViewport=True)
    file.write_bytes(base64.b64decode(shot["data"]))


def main():
    """Prints what is wrong; returns whether something is."""
    site = pages()
    guides = [path for path, page in site.items() if page.get("kind") == "article" and path.count("/") == 3]
    modules = [path for path in site if re.fullmatch("/documentation/[^/]+", path)]
    guides += [path for path in site if path.startswith("/tutorials/")]
    others = [path for path in site if path not in {*guides, *modules}]
    folder = Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    opened = modules + guides + others[::1 if "--all" in sys.argv else STRIDE]
    images = {path: sum(part.get("type") == "image" for part in within(site[path] | {"references": {}})) for path in opened}
    wrong = sorted({*dead_links(site), *dead_files()}) + list(wrong_pages(images, folder))
    print("\n".join(wrong) or f"no dead link on {len(site)} pages; {len(opened)} opened on {' and '.join(WIDTHS)}, light and dark")
    return bool(wrong)


sys.exit(main())
