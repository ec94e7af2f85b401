"""Writes an HTTP archive as Chromium's developer tools export it: the fixture of the tests of `Replay`.

    serve.py --only httpbin -- .build/venv/bin/python Tests/Support/chromium.py Tests/EndpointsTestingTests/Chromium.har

It needs Debian's `chromium`, and `pip install websocket-client==1.9.2`. The browser runs without a window, sends a few
requests to httpbin on this machine, and its own developer tools, opened in a second tab, write the archive."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import websocket

HOST = "httpbin.test"
DEADLINE = 60  # seconds for the browser to start, and for its tools to be ready

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


class Tab:
    """A tab of the browser, controlled by the DevTools protocol."""

    def __init__(self, description):
        self.id = description["id"]
        self.socket = websocket.create_connection(description["webSocketDebuggerUrl"], suppress_origin=True)
        self.count = 0

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                return message["result"]

    def value(self, expression):
        """The value of an expression in the tab's page."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")


@contextlib.contextmanager
def browser(address):
    """The port at which a browser is controlled, in which HOST is the server at an address."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--host-resolver-rules=MAP {HOST} {address}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = pathlib.Path(profile, "DevToolsActivePort")
            wait_for(port.exists)
            yield int(port.read_text().split()[0])
        finally:
            process.terminate()
            process.wait()


def wait_for(condition):
    """Returns what a condition says when that is true."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    raise TimeoutError("the browser was not ready in time")


def open_tab(port, url):
    """Opens a page in a new tab."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?{urllib.parse.quote(url, safe=':/?&=')}", method="PUT")
    with urllib.request.urlopen(request) as response:
        return Tab(json.load(response))


def export(address):
    """The archive of REQUESTS, sent to a server."""
    with browser(address) as port:
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
