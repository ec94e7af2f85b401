"""Uploads files to real servers by a proxy that cuts connections, and kills the process meanwhile.

    uploads.py 10000               ten thousand processes, two at a time, which share the folder of the states
    uploads.py 200 --seed 7        with the same dice as before
    uploads.py 200 --only tus      one of the servers: tus

Most processes are killed at a call that changes a file, or at a moment; in others a call fails, as on a full disk. Now and
then the file is changed, or the server forgets the upload. In the end the server has the file, whole and unmixed."""

import argparse
import collections
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))
import h11  # noqa: E402

from cutting import CuttingProxy  # noqa: E402

PROGRAM = Path(os.environ.get("UPLOAD_KILLS", ROOT / "Tests/.build/release/UploadKills"))
CHUNK = 64 << 10
SIZES = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7]
# Full, broken, too many files, read-only.
CODES = [28, 5, 24, 30]


class Tus:
    """tuspyserver, in a process of its own."""

    kind = "tus"
    lanes, piece = 1, CHUNK

    def __init__(self, folder):
        self.folder = Path(folder)
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", "tus", str(self.folder)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def close(self):
        self.process.terminate()
        self.process.wait(10)

    def uploads(self, name):
        """The uploads of a file: whether each is complete, and its digest."""
        found = []
        for path in self.folder.glob("*.info"):
            try:
                info = json.loads(path.read_text())
                data = path.with_suffix("").read_bytes()
            except (OSError, ValueError):
                continue
            if info["metadata"].get("filename") == name:
                found.append((info["offset"] == info["size"], hashlib.sha256(data).hexdigest(), path))
        return found

    def forget(self, name, ledger):
        # Parts have no name.
        parts = [self.folder / f"{place.rsplit('/', 1)[-1]}.info" for place in ledger.places()]
        for path in parts + [path for _, _, path in self.uploads(name)]:
            path.unlink(missing_ok=True)
            path.with_suffix("").unlink(missing_ok=True)

    clean = forget


class Lanes(Tus):
    """The same server, which joins parts that are sent in three lanes."""

    kind = "lanes"
    lanes, piece = 3, CHUNK // 2


class S3:
    """moto, in a process of its own, which checks each signature."""

    kind = "s3"
    lanes, piece = 2, CHUNK

    def __init__(self, folder):
        import boto3

        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", self.kind, "-"], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"INITIAL_NO_AUTH_ACTION_COUNT": "4", "S3_UPLOAD_PART_MIN_SIZE": "256"})
        self.port = int(self.process.stdout.readline())
        url = f"http://127.0.0.1:{self.port}"
        wrong = {"region_name": "us-east-1", "aws_access_key_id": "a", "aws_secret_access_key": "b"}
        iam = boto3.client("iam", endpoint_url=url, **wrong)
        iam.create_user(UserName="u")
        iam.put_user_policy(UserName="u", PolicyName="all", PolicyDocument=json.dumps({
            "Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}))
        key = iam.create_access_key(UserName="u")["AccessKey"]
        os.environ["UPLOAD_KEY"], os.environ["UPLOAD_SECRET"] = key["AccessKeyId"], key["SecretAccessKey"]
        self.client = boto3.client("s3", endpoint_url=url, region_name="us-east-1",
                                   aws_access_key_id=key["AccessKeyId"], aws_secret_access_key=key["SecretAccessKey"])
        self.client.create_bucket(Bucket="bucket")
        self.lock = threading.Lock()

    def close(self):
        self.process.terminate()
        self.process.wait(10)

    def uploads(self, name):
        with self.lock:
            try:
                data = self.client.get_object(Bucket="bucket", Key=name)["Body"].read()
            except self.client.exceptions.NoSuchKey:
                return []
            return [(True, hashlib.sha256(data).hexdigest(), name)]

    def forget(self, name, _):
        with self.lock:
            for upload in self.client.list_multipart_uploads(Bucket="bucket").get("Uploads", []):
                if upload["Key"] == name:
                    self.client.abort_multipart_upload(Bucket="bucket", Key=name, UploadId=upload["UploadId"])

    def clean(self, name, ledger):
        self.forget(name, ledger)
        with self.lock:
            self.client.delete_object(Bucket="bucket", Key=name)


class Draft:
    """NIOResumableUpload of apple/swift-nio-extras, in a process of its own."""

    kind = "ietf"
    lanes, piece = 1, CHUNK
    program = Path(os.environ.get("UPLOAD_SERVER", ROOT / "Tests/Durable/UploadServer/.build/release/UploadServer"))

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir()
        self.process = subprocess.Popen([self.program, self.folder], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def close(self):
        self.process.terminate()
        self.process.wait(10)

    def uploads(self, name):
        path = self.folder / name
        return [(True, hashlib.sha256(path.read_bytes()).hexdigest(), name)] if path.exists() else []

    def forget(self, name, _):
        """Nothing: what the server has of an upload is in its memory."""

    def clean(self, name, _):
        (self.folder / name).unlink(missing_ok=True)


def serve_s3(_):
    """Runs moto at a free port, which it prints."""
    import logging

    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], flush=True)
    threading.Event().wait()


def serve_tus(folder):
    """Runs tuspyserver at a free port, which it prints."""
    import socket

    import tuspyserver.request
    import uvicorn
    from fastapi import FastAPI
    from tuspyserver import create_tus_router

    # A request that waits for the lock of another one stops the whole server, for 30 seconds if nobody says less.
    lock = tuspyserver.request.acquire_upload_lock
    tuspyserver.request.acquire_upload_lock = lambda *values, **named: lock(*values, **named | {"timeout": 0.3})

    app = FastAPI()
    app.include_router(create_tus_router(prefix="files", files_dir=folder))
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="critical")
    uvicorn.Server(config).run(sockets=[listener])


class Piece:
    """Bytes of a file in one request: where they belong, and whether the client got the response."""

    def __init__(self, request):
        headers = {name.decode(): value.decode() for name, value in request.headers}
        path, _, query = request.target.decode().partition("?")
        self.method, self.count, self.status = request.method.decode(), 0, None
        part = urllib.parse.parse_qs(query)
        if self.method == "PATCH" and headers.get("upload-offset", "").isdigit():
            self.place, self.start = path, int(headers["upload-offset"])
        elif self.method == "PUT" and "partNumber" in part:
            self.place, self.start = f"{path} {part['uploadId'][0]} {part['partNumber'][0]}", 0
        else:
            self.place, self.start = None, 0


class Ledger:
    """All pieces of a file, by the uploads that they belong to."""

    def __init__(self):
        self.pieces, self.lock = [], threading.Lock()

    def places(self):
        with self.lock:
            return {piece.place for piece in self.pieces if piece.place}

    def twice(self):
        """After each loss, until the server takes a piece: how many bytes were sent twice, how many pieces had no
        response, and the pieces."""
        with self.lock:
            pieces = [piece for piece in self.pieces if piece.place and piece.count]
        for place in {piece.place for piece in pieces}:
            group, end = [], 0
            for piece in [piece for piece in pieces if piece.place == place]:
                if piece.status is None or piece.status >= 300:
                    group.append(piece)
                    end = max(end, piece.start + piece.count)
                elif group:
                    yield self._measured(group, piece.start)
                    group = []
            if group:
                yield self._measured(group, end)

    @staticmethod
    def _measured(group, end):
        return (sum(piece.count for piece in group) - max(0, end - group[0].start),
                sum(piece.status is None for piece in group),
                [(piece.start, piece.count, piece.status) for piece in group] + [end])


class Watcher:
    """Reads the requests and responses of one connection, as far as they got."""

    def __init__(self, ledger):
        self.ledger, self.lock = ledger, threading.Lock()
        self.requests, self.responses = h11.Connection(h11.SERVER), None
        self.waiting = collections.deque()
        self.current = self.status = None

    def sent(self, data):
        with self.lock:
            try:
                self._read_requests(data)
            except h11.RemoteProtocolError:
                pass

    def _read_requests(self, data):
        self.requests.receive_data(data)
        while (event := self.requests.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
            if isinstance(event, h11.Request):
                self.current = Piece(event)
                self.waiting.append(self.current)
                with self.ledger.lock:
                    self.ledger.pieces.append(self.current)
            elif isinstance(event, h11.Data):
                self.current.count += len(event.data)
            elif isinstance(event, h11.EndOfMessage):
                rest, self.requests = self.requests.trailing_data[0], h11.Connection(h11.SERVER)
                if rest:
                    self.requests.receive_data(rest)

    def got(self, data):
        with self.lock:
            try:
                self._read_responses(data)
            except h11.RemoteProtocolError:
                pass

    def _read_responses(self, data):
        while data and self.waiting:
            if not self.responses:
                self.responses = h11.Connection(h11.CLIENT)
                self.responses.send(h11.Request(method=self.waiting[0].method, target="/", headers=[("Host", "a")]))
                self.responses.send(h11.EndOfMessage())
            self.responses.receive_data(data)
            data = b""
            while (event := self.responses.next_event()) not in (h11.NEED_DATA, h11.PAUSED):
                if isinstance(event, h11.Response):
                    self.status = event.status_code
                elif isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)):
                    self.waiting.popleft().status = self.status
                    data, self.responses = self.responses.trailing_data[0], None
                    break


class Worker:
    """Uploads one file after another, each by many processes that end early."""

    def __init__(self, server, seed, states, tally, kills=True):
        self.dice = random.Random(seed)
        self.server, self.states, self.tally, self.kills = server, states, tally, kills
        self.ledger = Ledger()
        self.proxy = CuttingProxy(server.port, self.cut, lambda: Watcher(self.ledger))
        self.interruptions = 0

    def cut(self):
        """Where the next connection is cut: in the head, in the body, at their ends, or in a response."""
        dice, sizes = self.dice, [0, 1, 400, CHUNK, 2 * CHUNK, 5 * CHUNK]
        if not self.kills and dice.random() < 0.8:
            self.interruptions += 1
            # A server that hasn't noticed says that it has less than it will have, and keeps the upload locked.
            return dice.randrange(1000, 4 * CHUNK), None, dice.choice([0, 0.5])
        chance = dice.random()
        if chance < 0.5:
            return None, None
        self.interruptions += 1
        if chance < 0.85:
            return dice.choice([dice.choice(sizes), dice.randrange(600), dice.randrange(4 * CHUNK)]), None
        return None, dice.choice([0, 1, dice.randrange(2000)])

    def run(self, path, mode):
        """One process. Returns its exit code and what it prints."""
        arguments = [PROGRAM, self.server.kind, f"http://127.0.0.1:{self.proxy.port}", path, self.states]
        dice = self.dice
        if mode == "kill":
            arguments += ["kill", str(dice.randrange(1, 17))]
        elif mode == "fail":
            arguments += ["fail", str(dice.randrange(1, 17)), str(dice.choice(CODES))]
        # If a process is killed while Swift reports its crash, the reporter keeps the pipe open for ever.
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=os.environ | {"SWIFT_BACKTRACE": "enable=no"})
        if mode == "moment":
            time.sleep(dice.random() * 0.15)
            process.send_signal(signal.SIGKILL)
        try:
            output = process.communicate(timeout=200)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return None, "doesn't end"
        return process.returncode, output

    def file(self, folder):
        """Uploads one file to its end; returns what is wrong."""
        dice = self.dice
        name = f"{dice.randrange(1 << 60)}.bin"
        path = Path(folder) / name
        size = dice.choice([dice.choice(SIZES), dice.randrange(5 * CHUNK)]) if self.kills else 9 * CHUNK + 7
        path.write_bytes(dice.randbytes(size))
        self.proxy.received = self.interruptions = 0
        self.ledger = Ledger()
        restarts, runs, changes, versions = 1, 0, 0, {hashlib.sha256(path.read_bytes()).hexdigest()}
        while True:
            runs += 1
            mode = dice.choices(["kill", "moment", "fail", "plain"], [50, 20, 15, 15])[0] if self.kills else "plain"
            if runs > 60:
                return f"{name}: isn't uploaded after {runs} processes"
            code, output = self.run(path, mode)
            self.tally.add({-signal.SIGKILL: "killed", 2: "refused"}.get(code, "ended"))
            if code == 0 and output.startswith("done"):
                # The state stays if the call failed that removes it.
                self.tally.add("left" if mode == "fail" else "files")
                break
            # A response that ends in its head crashes `URLSession` on Linux, as Faults.md says. That is a kill, too.
            if "Transfer completed, but there's no response." in output:
                code = -signal.SIGKILL
                self.tally.add("crashes")
            if code == -signal.SIGKILL:
                self.interruptions += 1
                # It may have been killed when all was done, before it could say so. Then nothing is known of it any more.
                restarts += any(complete for complete, _, _ in self.server.uploads(name))
            elif code == 2 and output.startswith("error "):
                self.interruptions += 1
                if "was changed" in output and not changes:
                    return f"{name}: {output} though it wasn't"
            else:
                return f"{name}: ended with {code}: {output[:3000]}"
            if dice.random() < 0.04 and self.kills:
                path.write_bytes(dice.randbytes(dice.choice([size, size + 1])))
                size = path.stat().st_size
                versions.add(hashlib.sha256(path.read_bytes()).hexdigest())
                changes, restarts = changes + 1, restarts + 1
                self.tally.add("changed")
            if dice.random() < 0.04 and self.kills:
                self.server.forget(name, self.ledger)
                restarts += 1
                self.tally.add("forgotten")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        whole = {found for complete, found, _ in self.server.uploads(name) if complete}
        # A whole upload of the file as it was earlier stays there, if the request to remove it was cut off.
        if digest not in whole or whole - versions:
            return f"{name}: the server has {whole} and not {digest} of {size} bytes"
        # At most one piece is sent twice for each whose response is lost.
        for twice, lost, pieces in self.ledger.twice():
            self.tally.twice(twice, lost, self.server.piece)
            if twice > lost * self.server.piece:
                return f"{name}: {twice} bytes were sent twice, and {lost} pieces were lost: {pieces}"
        # Nothing else makes it begin anew. Apple's server forgets an upload when it is complete, and tuspyserver the parts
        # when they are joined, so that a lost response costs all of it.
        most = restarts * size + self.interruptions * self.server.lanes * CHUNK + (runs + self.interruptions) * 20_000
        if self.proxy.received > most and self.server.kind in ("tus", "s3"):
            return (f"{name}: {self.proxy.received} bytes were sent, at most {most} expected: "
                    f"{[(p.method, p.place, p.start, p.count, p.status) for p in self.ledger.pieces]}")
        self.server.clean(name, self.ledger)
        path.unlink()
        return None


class Tally:
    def __init__(self, count, kills):
        self.count, self.counts, self.lock = count, {}, threading.Lock()
        self.what = "killed" if kills else "files"
        self.wrong = []
        self.repeated = self.lost = 0
        self.worst = 0.0

    def twice(self, count, lost, piece):
        """Adds the bytes that were sent twice after a loss."""
        with self.lock:
            self.repeated, self.lost = self.repeated + count, self.lost + lost
            self.worst = max(self.worst, count / piece / max(1, lost))

    def add(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1
            if (progress := os.environ.get("ENDPOINTS_PROGRESS")) and self.counts[what] % 10 == 0:
                Path(progress).write_text(f"kills: {self.kills} of {self.count}\n")

    @property
    def kills(self):
        return self.counts.get("killed", 0)

    @property
    def is_over(self):
        with self.lock:
            return self.counts.get(self.what, 0) >= self.count or len(self.wrong) > 4


def prove(make_server, count, seed, kills=True):
    """Kills processes that upload to a server, or only cuts them off; returns whether something is wrong."""
    tally = Tally(count, kills)
    with tempfile.TemporaryDirectory() as folder:
        server = make_server(Path(folder) / "server")
        try:
            def work(number):
                worker = Worker(server, seed * 2 + number, Path(folder) / "states", tally, kills)
                while not tally.is_over:
                    if problem := worker.file(folder):
                        with tally.lock:
                            tally.wrong.append(problem)
                tally.add("connections")
                with tally.lock:
                    tally.counts["connections"] += worker.proxy.connections - 1
                    tally.counts["cut"] = tally.counts.get("cut", 0) + worker.proxy.cuts
                worker.proxy.close()

            threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            server.close()
        left = [path.name for path in (Path(folder) / "states").glob("*.upload")]
    counts = tally.counts
    print(f"{server.kind}: {tally.kills} kills in {counts.get('files', 0) + counts.get('left', 0)} files, "
          f"whose digests are right; "
          f"{counts.get('cut', 0)} of {counts.get('connections', 0)} connections cut, "
          f"{counts.get('refused', 0)} calls refused, "
          f"{counts.get('crashes', 0)} crashes of URLSession, {counts.get('changed', 0)} files changed, "
          f"{counts.get('forgotten', 0)} forgotten; {tally.repeated} bytes sent twice after {tally.lost} lost pieces, "
          f"at most {tally.worst:.2f} of one for each", flush=True)
    if len(left) > counts.get("left", 0):
        tally.wrong.append(f"states are left: {left}")
    for problem in tally.wrong:
        print(problem)
    return bool(tally.wrong or not counts.get("files"))


SERVERS = {"tus": Tus, "lanes": Lanes, "s3": S3, "ietf": Draft}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=SERVERS)
    parser.add_argument("--serve", nargs=2)
    options = parser.parse_args()
    if options.serve:
        return globals()[f"serve_{options.serve[0]}"](options.serve[1])
    kinds = [options.only] if options.only else list(SERVERS)
    if "ietf" in kinds and not Draft.program.exists():
        print("ietf: not tried, as the server isn't built: "
              "swift build -c release --package-path Tests/Durable/UploadServer")
        kinds.remove("ietf")
    share = -(-options.count // max(1, len(kinds)))
    # Some files are only cut off, in most of their pieces. Not those for Apple's server: after a cut, `URLSession` on Linux
    # sends the piece again by itself. Now and then the server responds to that twice, which ends its debug build.
    return any([prove(SERVERS[kind], number, options.seed, kills)
                for kind in kinds for number, kills in [(share, True), (-(-share // 5), False)]
                if kills or kind != "ietf"])


if __name__ == "__main__":
    sys.exit(main())
