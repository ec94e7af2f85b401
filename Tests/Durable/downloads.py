"""Kills processes that download a file from nginx, and checks each time that the file is whole or absent.

    downloads.py 10000            ten thousand kills, by one and by two processes at a time
    downloads.py 200 --seed 7     with the same dice as before
    downloads.py --bench          a file of 1 GB: the time and memory beside those of save(to:) and curl

Half of the processes are killed within or beside one of the calls that change files; the others at a random moment. After
some kills, the next download must not ask for much more than what was missing. Then each call that changes a file fails in
turn, as on a full disk, with bad sectors, without descriptors or on a disk that is read-only."""

import argparse
import errno
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROGRAM = Path(os.environ.get("ENDPOINTS_DOWNLOADS")
               or Path(__file__).resolve().parents[1] / ".build/release/DownloadKills")
SIZE = 12_000_000

CONFIGURATION = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 256; }}
http {{
    log_format sent '$status $body_bytes_sent $http_range'; access_log {folder}/log sent; keepalive_timeout 5;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{port}; root {folder}/files;
        location /slow/ {{ alias {folder}/files/; limit_rate 20m; }}
        location /kills/ {{ alias {folder}/files/; limit_rate {rate}; }}
    }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Nginx:
    """nginx with a folder of files, until the end of a `with`."""

    def __init__(self, folder, rate="20m"):
        self.folder, self.port = Path(folder), free_port()
        (self.folder / "files").mkdir()
        (self.folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, port=self.port, rate=rate))

    def __enter__(self):
        self.process = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf", "-p", self.folder],
                                        stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        sys.exit("nginx doesn't start: " + (self.folder / "errors").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}"

    def write(self, name, size, dice):
        """Makes a file of random bytes, and returns its digest."""
        data = dice.randbytes(size)
        (self.folder / "new").write_bytes(data)
        # Its time must differ from that of the file before, as nginx makes the tag of it.
        os.utime(self.folder / "new", (0, dice.randrange(1 << 30)))
        os.rename(self.folder / "new", self.folder / "files" / name)
        return hashlib.sha256(data).hexdigest()


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Kills:
    """The kills of one folder, in which one or two processes download the same file."""

    def __init__(self, server, folder, dice, processes):
        self.server, self.folder, self.dice, self.processes = server, Path(folder), dice, processes
        self.name = f"file{dice.randrange(1 << 40)}"
        self.digests = {server.write(self.name, SIZE, dice)}
        self.wrong, self.kills, self.files, self.resumed = [], 0, 0, 0

    def start(self, *options):
        return subprocess.Popen([PROGRAM, self.server.url(f"kills/{self.name}"), self.folder / "file", *options],
                                stdout=subprocess.PIPE, text=True)

    def step(self):
        """Starts a process or two, and has them killed."""
        dice = self.dice
        if dice.random() < 0.02:
            self.digests.add(self.server.write(self.name, SIZE, dice))
        at_call = [dice.random() < 0.5 for _ in range(self.processes)]
        lanes = [f"lanes={dice.choice([1, 1, 4])}" for _ in at_call]
        running = [self.start(lane, *([f"kill={dice.randrange(1, 400)}"] if at else []))
                   for at, lane in zip(at_call, lanes)]
        for process, at in zip(running, at_call):
            if not at:
                time.sleep(dice.random() * 0.5)
                process.send_signal(signal.SIGKILL)
            elif process.poll() is None:
                try:
                    process.wait(2)
                except subprocess.TimeoutExpired:
                    process.kill()
        for process in running:
            output = process.communicate()[0]
            self.kills += process.returncode == -signal.SIGKILL
            # A process that isn't killed has the file, or finds it, or the other one has the part.
            if process.returncode not in (0, -signal.SIGKILL) and not output.startswith(("error 5000", "error 5000")):
                self.wrong.append(f"ended with {process.returncode}: {output[:300]}")
            if process.returncode == 0 and output.split()[1:2] not in ([], ["0"]):
                self.resumed += 1
        self.check()

    def check(self):
        file = self.folder / "file"
        if file.exists():
            self.files += 1
            if (found := digest(file)) not in self.digests:
                self.wrong.append(f"the file has {file.stat().st_size} bytes, and the digest {found}")
            file.unlink()
        if len(names := os.listdir(self.folder)) > 8:
            self.wrong.append(f"the folder has {sorted(names)}")

    def end(self):
        """Lets a download end, after which only the file may be there."""
        process = self.start()
        output = process.communicate(timeout=120)[0]
        if process.returncode != 0:
            self.wrong.append(f"the last download ended with {process.returncode}: {output[:300]}")
        names = sorted(os.listdir(self.folder))
        if names != ["file"]:
            self.wrong.append(f"after the last download, the folder has {names}")
        self.check()


def kill_all(count, seed):
    """Kills so many processes; returns what is wrong."""
    with tempfile.TemporaryDirectory() as folder, Nginx(folder) as server:
        work = []
        for number, processes in enumerate([1, 2]):
            (own := Path(folder) / f"work{number}").mkdir()
            work.append(Kills(server, own, random.Random(seed * 2 + number), processes))

        def run(kills):
            while sum(one.kills for one in work) < count and len(kills.wrong) < 10:
                kills.step()
                if progress := os.environ.get("ENDPOINTS_PROGRESS"):
                    Path(progress).write_text(f"downloads: {sum(one.kills for one in work)} of {count}\n")
            kills.end()
        threads = [threading.Thread(target=run, args=(kills,)) for kills in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"downloads: {sum(one.kills for one in work)} processes were killed; {sum(one.files for one in work)} "
              f"files are whole, {sum(one.resumed for one in work)} of which went on with a part")
        return [text for one in work for text in one.wrong]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bench", action="store_true")
    options = parser.parse_args()
    wrong = kill_all(options.count, options.seed)
    for text in wrong[:20]:
        print(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
