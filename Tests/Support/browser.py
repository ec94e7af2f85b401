"""A browser without a window, Chromium, controlled by the DevTools protocol.

It needs Debian's `chromium`, or Chrome or Chromium of another system."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

import websocket

NAMES = ["chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
DEADLINE = 60  # seconds for the browser to start, and for what is waited for


class Tab:
    """A tab of the browser."""

    def __init__(self, description):
        self.id = description["id"]
        self.socket = websocket.create_connection(description["webSocketDebuggerUrl"], suppress_origin=True, timeout=DEADLINE)
        self.count = 0
        self.events = []

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result; keeps the events that come meanwhile."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def value(self, expression):
        """The value of an expression in the tab's page."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def open(self, url):
        """Opens a page and returns when it is loaded; forgets the events before."""
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(self.socket.recv()))


def program():
    """The browser's program, or `None`."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


@contextlib.contextmanager
def browser(*arguments):
    """The port at which a browser is controlled."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", "--remote-allow-origins=*", *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = pathlib.Path(profile, "DevToolsActivePort")
            yield wait_for(lambda: port.exists() and number(port.read_text()))
        finally:
            process.terminate()
            process.wait()


def number(text):
    """The port in the browser's file, whose second line is written last; 0 until then."""
    lines = text.split("\n")
    return int(lines[0]) if len(lines) > 1 and lines[1] else 0


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
