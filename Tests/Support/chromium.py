"""Writes an HTTP archive as Chromium's developer tools export it: the fixture of the tests of `Replay`.

    serve.py --only httpbin -- .build/venv/bin/python Tests/Support/chromium.py Tests/EndpointsTestingTests/Chromium.har

It needs Debian's `chromium`. The browser runs without a window, sends a few requests to httpbin on this machine, and
its own developer tools, opened in a second tab, write the archive."""

import json
import os
import pathlib
import re
import sys
import time

from browser import browser, open_tab, wait_for

HOST = "httpbin.test"

# What the page sends: path and what `fetch` gets with it.
REQUESTS = [
    ["/get?show=names&show=all", {}],
    ["/post", {"method": "POST", "headers": {"Content-Type": "application/json"}, "body": '{"name": "Ann", "age": 42}'}],
    ["/post", {
        "method": "POST", "headers": {"Content-Type": "application/x-www-form-urlencoded"}, "body": "name=a+b&city=K%C3%B6ln"}],
    ["/bytes/20?seed=1", {}],
    ["/gzip", {}],
    ["/status/404", {}],
    ["/status/204", {"method": "DELETE"}],
]

SEND = "(async requests => { for (const [path, options] of requests) await (await fetch(path, options)).arrayBuffer() })"

# The modules are those of the developer tools; the last of them writes what "Export HAR" saves.
EXPORT = """(async () => {
    const [common, logs, har] = await Promise.all(
        ["core/common/common.js", "models/logs/logs.js", "models/har/har.js"].map(path => import("/devtools/" + path)))
    const progress = new common.Progress.CompositeProgress(new common.Progress.Progress())
    const requests = logs.NetworkLog.NetworkLog.instance().requests().filter(request => request.url().includes("//%s/"))
    return har.Writer.Writer.harStringForRequests(requests, {sanitize: false}, progress)
})()""" % HOST
READY = """(async () => {
    const logs = await import("/devtools/models/logs/logs.js")
    return logs.NetworkLog.NetworkLog.instance().requests().length
})().catch(() => 0)"""  # the tools have not started yet


def export(address):
    """The archive of REQUESTS, sent to a server."""
    with browser(f"--host-resolver-rules=MAP {HOST} {address}") as port:
        page = open_tab(port, "about:blank")
        tools = open_tab(port, f"http://127.0.0.1:{port}/devtools/inspector.html?ws=127.0.0.1:{port}/devtools/page/{page.id}")
        wait_for(lambda: tools.value("document.readyState") == "complete")
        page.call("Page.enable")

        def seen():
            page.call("Page.navigate", url=f"http://{HOST}/robots.txt")
            time.sleep(1)
            return tools.value(READY)

        wait_for(seen)
        page.value(f"{SEND}({json.dumps(REQUESTS)})")
        return tools.value(EXPORT)


def main():
    """Writes the archive to the file that the command names."""
    archive = json.loads(export(os.environ["ENDPOINTS_HTTPBIN"].removeprefix("http://")))
    # The first entry is the page that sends the others, which may have been loaded more than once.
    entries = [entry for entry in archive["log"]["entries"] if "robots.txt" not in entry["request"]["url"]]
    for entry in entries:
        del entry["_initiator"]  # the stack of this script
    archive["log"]["entries"] = entries
    text = re.sub(r"127\.0\.0\.1:\d+", HOST, json.dumps(archive, indent=2, ensure_ascii=False))
    pathlib.Path(sys.argv[1]).write_text(text + "\n")
    print(f"{len(entries)} requests, {len(text)} characters")


main()
