"""Signs in at an authorization server made of Authlib, and checks what becomes of it.

    oauth.py                     with the program that `Tests/Support/build.sh Tests --product OAuthCheck` builds
    oauth.py PATH                with another one
    oauth.py PATH --only kills   one row

The server listens at a free port of 127.0.0.1. It is slow, fails, loses responses and detects refresh tokens that are used
twice, and the program is killed at each step of a refresh."""

import argparse
import json
import logging
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import oidc_provider_mock
from joserfc.jwk import ECKey, RSAKey
from server import CLIENTS, ID_TOKEN, SECRET, STATE, make_app
from werkzeug.serving import make_server

PROGRAM = Path(__file__).resolve().parents[2] / ".build/checks/debug/OAuthCheck"
# What the next run says after a kill, if a refresh token is good for one use.
STEPS = {
    "beforeBegun": "ok", "afterBegun": "ok", "beforeRequest": "ok", "afterResponse": "sign in again",
    "beforeStored": "sign in again", "afterStored": "ok"}


class Wrong(Exception):
    pass


def same(found, expected, what):
    if found != expected:
        raise Wrong(f"{what}: {found!r} in place of {expected!r}")


def until(is_so):
    """Waits for what the program does, at most 30 seconds."""
    end = time.monotonic() + 30
    while True:
        with STATE.lock:
            if is_so():
                return
        if time.monotonic() > end:
            raise Wrong("the program didn't ask in 30 s")
        time.sleep(0.01)


def expire():
    """Makes the API refuse all access tokens."""
    with STATE.lock:
        for token in STATE.tokens:
            token.expires = 0


class Runner:
    def __init__(self, program, root, folder):
        self.program, self.root, self.folder, self.skew = program, root, folder, 0
        self.file = os.path.join(folder, "own", "tokens.json")
        self.variables = {}

    def start(self, *arguments):
        return subprocess.Popen(
            [self.program, self.root, self.file, *arguments], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **self.variables, "OAUTH_SECRET": SECRET, "OAUTH_SKEW": str(self.skew)})

    def end(self, process):
        """The last line of a process; the signal that has killed it."""
        output, _ = process.communicate(timeout=60)
        if process.returncode < 0:
            return -process.returncode
        last = output.strip().splitlines()[-1] if output.strip() else "nothing"
        for text in (SECRET, *(token.access for token in STATE.tokens),
                     *(token.refresh or SECRET for token in STATE.tokens)):
            if text in output:
                raise Wrong("a secret was printed")
        return last

    def run(self, *arguments):
        return self.end(self.start(*arguments))

    def says(self, expected, *arguments):
        found = self.run(*arguments)
        if not str(found).startswith(str(expected)):
            raise Wrong(f"{' '.join(arguments)}: {found!r} in place of {expected!r}")
        return found

    def open(self, process, form=None):
        """Opens the URL that a process prints, as a browser does, or sends a form there."""
        for line in process.stdout:
            if line.startswith("open "):
                url = line.split()[1]
                try:
                    with urllib.request.urlopen(url, form, timeout=10) as response:
                        return response.read().decode()
                except urllib.error.HTTPError as error:
                    return str(error.code)
        raise Wrong("no URL to open")

    def sign_in(self):
        """Signs in anew, and returns the sign-in's token."""
        process = self.start("loopback")
        self.open(process)
        same(self.end(process), "ok", "loopback")
        STATE.reset()
        return STATE.tokens[-1]


    def _forget(self):
        """Removes the tokens, and what the server was told."""
        Path(self.file).unlink(missing_ok=True)
        STATE.reset()

    def _sign_in_by(self, *arguments):
        process = self.start(*arguments)
        self.open(process)
        same(self.end(process), "ok", " ".join(arguments))


class Rows(Runner):
    def clients(self):
        for name in ("basic", "post", "jwt"):
            self.says("ok", "client", name)
            self.says("ok", "call", "read", "10")

    def renewed_client(self):
        self.says("ok", "client", "basic")
        expire()
        # There is no refresh token, so the client asks for another token. A public one may not.
        found = self.says("error: the credentials", "call", "read", "1")
        same("client" in found, True, "the reason")

    def device(self):
        for answer, expected in (("yes", "ok"), ("no", "error: the authorization server refused with `access_denied`")):
            STATE.reset()
            process = self.start("device")
            code = process.stdout.readline().split()
            same(code[2], self.root + "/device", "the page")
            until(lambda: STATE.polls)  # the program has asked once, and nobody had answered
            with STATE.lock:
                next(item for item in STATE.devices.values() if item["user_code"] == code[1])["answer"] = answer
            found = self.end(process)
            same(found[:len(expected)], expected, "device")
        self.says("ok", "call", "read", "10")

    def slow_down(self):
        STATE.slow_downs = 1
        process = self.start("device")
        code = process.stdout.readline().split()[1]
        started = time.time()
        until(lambda: STATE.slow_downs <= 0)
        with STATE.lock:
            next(item for item in STATE.devices.values() if item["user_code"] == code)["answer"] = "yes"
        same(self.end(process), "ok", "device")
        same(time.time() - started > 6, True, "five seconds more after slow_down")

    def loopback(self):
        process = self.start("loopback")
        page = self.open(process)
        same("close this page" in page, True, "the page after a sign-in")
        same(self.end(process), "ok", "loopback")
        same(stat.S_IMODE(os.stat(self.file).st_mode), 0o600, "the file's mode")
        self.says("ok", "call", "read", "10")

    def wrong_issuer(self):
        STATE.issuer = "https://evil.example"
        process = self.start("loopback")
        self.open(process)
        same(self.end(process)[:60], "error: the browser was redirected by another authorization s", "wrong issuer")

    def denied(self):
        STATE.error = "access_denied"
        process = self.start("loopback")
        self.open(process)
        same(self.end(process)[:57], "error: the authorization server refused with `access_deni", "denied")

    def storm(self):
        self.sign_in()
        expire()
        self.says("ok", "call", "read", "100")
        same(STATE.refreshes, 1, "refreshes for 100 requests")

    def rotations(self):
        self.sign_in()
        for _ in range(5):
            expire()
            self.says("ok", "call", "read", "3")
        same((STATE.refreshes, STATE.reuses), (5, 0), "refreshes")

    def slow(self):
        self.sign_in()
        expire()
        STATE.slow = 2
        self.says("ok", "call", "read", "50")
        same(STATE.refreshes, 1, "refreshes")

    def outage(self):
        self.sign_in()
        expire()
        STATE.outages = 1
        self.says("error: the credentials could not be", "call", "read", "10")
        self.says("ok", "call", "read", "10")
        same((STATE.refreshes, STATE.requests), (1, 2), "refreshes and requests")

    def server_error(self):
        self.sign_in()
        expire()
        STATE.error = "invalid_client"
        self.says("error: the credentials could not be", "call", "read", "1")
        STATE.error = None
        self.says("ok", "call", "read", "1")

    def lost(self):
        self.sign_in()
        expire()
        STATE.lost = 1
        self.says("error: the credentials could not be", "call", "read", "10")
        found = self.says("sign in again", "call", "read", "10")
        same("an earlier refresh was lost" in found, True, "the reason")
        same((STATE.refreshes, STATE.reuses), (2, 1), "refreshes and uses of an old token")
        for _ in range(3):
            self.says("sign in again", "call", "read", "10")
        same((STATE.refreshes, STATE.requests), (2, 2), "refreshes after the end")

    def lost_with_grace(self):
        self.sign_in()
        expire()
        STATE.lost, STATE.grace = 1, 60
        self.says("error: the credentials could not be", "call", "read", "10")
        self.says("ok", "call", "read", "10")
        expire()
        self.says("ok", "call", "read", "10")

    def broken(self):
        self.sign_in()
        expire()
        STATE.lost, STATE.drops, STATE.grace = 1, True, 60
        self.says("error: the credentials could not be", "call", "read", "10")
        self.says("ok", "call", "read", "10")

    def skewed_clock(self):
        for skew in (-86400 * 365, 86400 * 365):
            self.skew = 0
            self.sign_in()
            self.skew = skew
            self.says("ok", "call", "read", "10")
            same(STATE.refreshes, 1 if skew > 0 else 0, "refreshes by a wrong clock")
            STATE.reset()
            self.sign_in()
            expire()
            self.says("ok", "call", "read", "10")
            self.says("ok", "call", "read", "10")
            same(STATE.refreshes, 1, "refreshes")

    def processes(self):
        self.sign_in()
        expire()
        STATE.slow = 1
        started = [self.start("call", "read", "25") for _ in range(4)]
        same([self.end(process) for process in started], ["ok"] * 4, "four processes")
        same((STATE.refreshes, STATE.reuses), (1, 0), "refreshes of four processes")

    def stolen(self):
        token = self.sign_in()
        expire()
        self.says("ok", "call", "read", "1")
        body = f"grant_type=refresh_token&client_id=tool&refresh_token={token.refresh}".encode()
        try:
            urllib.request.urlopen(self.root + "/token", body)
            raise Wrong("the server takes a stolen token")
        except urllib.error.HTTPError as error:
            same(error.code, 400, "a stolen token")
        found = self.says("sign in again", "call", "read", "1")
        same("invalid_grant" in found, True, "the reason")

    def kills(self):
        for grace in (0, 60):
            for step, expected in STEPS.items():
                self.sign_in()
                STATE.grace = grace
                same(self.run("refresh", step), signal.SIGKILL, step)
                expire()
                self.says("ok" if grace else expected, "call", "read", "5")
                if grace or expected == "ok":
                    same(STATE.reuses, 0, "uses of an old token")
                else:
                    requests = STATE.requests
                    self.says("sign in again", "call", "read", "5")
                    same(STATE.requests, requests, "requests after the end")

    def random_kills(self):
        dice = random.Random(1)
        self.sign_in()
        STATE.grace = 1e9
        for _ in range(25):
            expire()
            process = self.start("call", "read", "5")
            time.sleep(dice.random() * 0.15)
            process.kill()
            process.communicate()
        expire()
        self.says("ok", "call", "read", "5")

    def exchange(self):
        self.sign_in()
        self.says("ok", "exchange")
        self.says("ok", "call", "read", "3")

    def step_up(self):
        self.sign_in()
        process = self.start("step-up", "write")
        same(process.stdout.readline(), "asked insufficient_scope write\n", "the challenge")
        self.open(process)
        same(self.end(process), "ok", "step-up")
        same(sorted(STATE.tokens[-1].scope.split()), ["read", "write"], "the scopes")

    def openid(self):
        http = make_server("127.0.0.1", 0, oidc_provider_mock.app(), threaded=True)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        self.root = f"http://127.0.0.1:{http.server_port}"
        process = self.start("openid")
        self.open(process, b"sub=ann")
        same(self.end(process), "ok", "openid")
        http.shutdown()

    def registration(self):
        for method in ("none", "client_secret_basic", "client_secret_post"):
            self._forget()
            STATE.methods = [method]
            self._sign_in_by("register")
            same(CLIENTS[STATE.registrations[0]].method, method, "the registered method")
            expire()
            self.says("ok", "register")
            same((STATE.refreshes, len(STATE.registrations)), (1, 1), "refreshes and registrations")

    def forgotten_registration(self):
        self._forget()
        self._sign_in_by("register")
        del CLIENTS[STATE.registrations[0]]
        expire()
        self.says("sign in again", "register")
        self._sign_in_by("register")
        same(len(STATE.registrations), 2, "registrations")

    def refused_registration(self):
        self._forget()
        for name in ("invalid_redirect_uri", "invalid_client_metadata"):
            STATE.registration_error = name
            self.says(f"error: the authorization server refused with `{name}`", "register")

    def client_document(self):
        self._forget()
        STATE.documents = True
        self._sign_in_by("register", "https://tool.example.com/client.json")
        same(STATE.tokens[-1].client, "https://tool.example.com/client.json", "the client")
        same(STATE.registrations, [], "registrations")

    def offline_access(self):
        for more, asked in (([], "read"), (["offline_access"], "read offline_access")):
            self._forget()
            STATE.scopes = ["read", "write", *more]
            self._sign_in_by("register")
            same(STATE.asked_scope, asked, "the scopes")

    def origin(self):
        # As MCP of 2025-03-26: no metadata of the API, and none of the server.
        self._forget()
        STATE.bare = True
        self._sign_in_by("origin")
        same(len(STATE.registrations), 1, "registrations")

    def identity(self):
        self._forget()
        self.says("ok", "identity", ID_TOKEN)
        self.says("ok", "call", "read", "1")
        self.says("error: the authorization server refused with `invalid_grant`", "identity", "other")

    def _use_key(self, kind):
        key = ECKey.generate_key("P-256") if kind == "ES256" else RSAKey.generate_key(2048)
        path = os.path.join(self.folder, "key.pem")
        Path(path).write_bytes(key.as_pem(private=True))
        public = {name: value for name, value in key.as_dict(private=False).items()
                  if name in ("kty", "crv", "x", "y", "n", "e")}
        self.variables = {"DPOP_KEY": path, "DPOP_JWK": json.dumps(public), "DPOP_ALGORITHM": kind}

    def dpop(self):
        for kind in ("ES256", "RS256"):
            for nonce in (None, "n0nce"):
                self._forget()
                STATE.nonce = nonce
                self._use_key(kind)
                self._sign_in_by("dpop", "sign-in")
                same(STATE.wanted_nonces, 1 if nonce else 0, "refusals of a sign-in for a nonce")
                self.says("ok", "dpop", "call")
                expire()
                # The API's nonce is good for the token URL of the same origin.
                self.says("ok", "dpop", "call")
                same((STATE.wanted_nonces, STATE.refreshes), (3 if nonce else 0, 1), "refusals and refreshes")

    def dpop_wrong_key(self):
        self._forget()
        self._use_key("ES256")
        self._sign_in_by("dpop", "sign-in")
        self._use_key("ES256")
        found = self.says("error: the credentials", "dpop", "call")
        same("invalid_dpop_proof" in found, True, "the reason")
        same(STATE.refreshes, 0, "refreshes with another key")

    def dpop_replay(self):
        self._forget()
        self._use_key("RS256")
        self._sign_in_by("dpop", "sign-in")
        self.says("ok", "dpop", "call")
        # The server has taken the first of two equal requests, and refuses the second.
        self.says("error: GetItem: the server responded with an error, status 401", "dpop", "replay")

    def sign_out(self):
        token = self.sign_in()
        self.says("ok", "sign-out")
        same(token.revoked, True, "revoked")
        same(os.path.exists(self.file), False, "the file is there")
        self.says("error: GetItem: the server responded with an error, status 401", "call", "read", "1")


def main():
    """Runs the rows; returns whether something is wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", type=Path, default=PROGRAM)
    parser.add_argument("--only")
    options = parser.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    http = make_server("127.0.0.1", 0, make_app(), threaded=True)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    names = [options.only] if options.only else [name for name in vars(Rows) if name[0] != "_"]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            STATE.reset()
            started = time.time()
            try:
                getattr(Rows(options.program, f"http://127.0.0.1:{http.server_port}", folder), name)()
                print(f"{name}: right, {time.time() - started:.1f} s", flush=True)
            except (Wrong, subprocess.TimeoutExpired) as error:
                wrong += 1
                print(f"{name}: WRONG, {error}", flush=True)
    http.shutdown()
    print(f"{len(names) - wrong} of {len(names)} rows are right")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
