"""Kills processes that download a file from nginx, and checks each time that the file is whole or absent.

    downloads.py 10000            ten thousand kills, by one and by two processes at a time
    downloads.py 200 --seed 7     with the same dice as before
    downloads.py --bench          a file of 1 GB: the time and memory beside those of save(to:) and curl

Half of the processes are killed within or beside one of the calls that change files; the others at a random moment. Then
calls that change a file fail, as on a full disk, with bad sectors, without descriptors or on a disk that is read-only. At
last, downloads go on with what servers send that are wrong or lie."""

import argparse
import errno
import hashlib
import http.server
import os
import random
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
        hashed = hashlib.sha256()
        # Another thread may write a file, too.
        new = self.folder / f"{name}.new"
        with open(new, "wb") as file:
            while (rest := size - file.tell()) > 0:
                data = dice.randbytes(min(rest, 1 << 20))
                hashed.update(data)
                file.write(data)
        # Its time must differ from that of the file before, as nginx makes the tag of it.
        os.utime(new, (0, dice.randrange(1 << 30)))
        os.rename(new, self.folder / "files" / name)
        return hashed.hexdigest()


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def run(url, folder, *options, timeout=60):
    """Downloads; returns the exit code and what is printed."""
    process = subprocess.run([PROGRAM, url, Path(folder) / "file", *options], stdout=subprocess.PIPE, text=True,
                             timeout=timeout)
    return process.returncode, process.stdout.strip()


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
            if process.returncode not in (0, -signal.SIGKILL) and not output.startswith(("error 5000",)):
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


def keep_progress(seed):
    """A process that is killed after some time leaves most of what it has loaded; returns what is wrong."""
    with tempfile.TemporaryDirectory() as folder, Nginx(folder, "8m") as server:
        dice = random.Random(seed)
        expected = server.write("file", 4 * SIZE, dice)
        (work := Path(folder) / "work").mkdir()
        runs, resumed = 0, 0
        while runs < 20:
            process = subprocess.Popen([PROGRAM, server.url("kills/file"), work / "file"], stdout=subprocess.PIPE,
                                       text=True)
            try:
                output = process.communicate(timeout=1.8)[0]
                if process.returncode:
                    return [f"a download ended with {process.returncode}: {output}"]
                resumed = int(output.split()[1])
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                runs += 1
        sent = sum(int(line.split()[1]) for line in (server.folder / "log").read_text().splitlines())
        print(f"downloads: a file of {4 * SIZE} bytes needed {runs} kills and {sent} bytes")
        if digest(work / "file") != expected or not resumed:
            return [f"the file is wrong, or began anew: {resumed}"]
        # What arrives in the half second before a kill, while the record is written, and in buffers of sockets.
        return [f"{sent} bytes were sent"] if sent > 4 * SIZE + runs * 12_000_000 else []


def fail_calls(count, seed):
    """Lets calls fail, each in a download that goes on afterwards; returns what is wrong."""
    dice, wrong, errors = random.Random(seed), [], 0
    codes = [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EROFS]
    with tempfile.TemporaryDirectory() as folder, Nginx(folder) as server:
        expected = server.write("file", SIZE, dice)
        for number in range(count):
            (work := Path(folder) / f"work{number}").mkdir()
            lanes = f"lanes={dice.choice([1, 4])}"
            code, output = run(server.url("file"), work, "count=1", "kill=1000000", lanes) if number == 0 else (0, "")
            if number == 0:
                calls = int(output.split()[-1])
                (work / "file").unlink()
            failure = f"fail={dice.randrange(1, calls)},{dice.choice(codes)},{dice.choice([1, 1, 5, 10000])}"
            code, output = run(server.url("file"), work, failure, lanes)
            errors += code == 1
            # 50000 and more: the error of a file. 1000 more than that for other numbers of the system.
            if code and not (code == 1 and output.startswith(("error 50", "error 51"))):
                wrong.append(f"{failure} ended with {code}: {output[:200]}")
            if (work / "file").exists() != (code == 0):
                wrong.append(f"{failure}: a file and the code {code}")
            if code == 1:
                code, output = run(server.url("file"), work, lanes)
            elif len(os.listdir(work)) > 1:
                # The file's first name couldn't be removed, which is that of the part. The next download does it.
                code, output = run(server.url("file"), work, "replace", lanes)
            if code or digest(work / "file") != expected or os.listdir(work) != ["file"]:
                wrong.append(f"after {failure}: {code} {output[:200]} {sorted(os.listdir(work))}")
    print(f"downloads: {count} times calls failed, which {errors} times ended the download with an error; all went on")
    return wrong


class Hostile(http.server.BaseHTTPRequestHandler):
    """Sends half of a file, and then what its mode says."""

    protocol_version = "HTTP/1.1"
    content = random.Random(3).randbytes(2_000_000)
    mode, other, begun = "", 0, False

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in {"Content_Length": len(body), "ETag": '"1"', **fields}.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        server, content, size = self.server, self.content, len(self.content)
        start = int(self.headers.get("Range", "bytes=0-")[6:].split("-")[0])
        rest, mode, part = content[start:], server.mode, self.headers.get("Range")
        right = f"bytes {start}-{size - 1}/{size}"
        self.close_connection = True
        if not server.begun:
            server.begun = True
            return self.answer(200, content[:size // 2], Content_Length=size)
        if not server.second:
            return self.answer(403)
        if self.path == "/elsewhere" and part:
            return self.answer(206, bytes(len(rest)), Content_Range=right)
        if mode == "416 for all":
            return self.answer(416, Content_Range=f"bytes */{size}")
        if not part:
            return self.answer(200, content)
        if mode == "another range":
            return self.answer(206, content[:100], Content_Range=f"bytes 0-99/{size}")
        if mode == "another total":
            return self.answer(206, rest + b"more", Content_Range=f"bytes {start}-{size + 3}/{size + 4}")
        if mode == "more than it says":
            return self.answer(206, rest + b"more", Content_Range=right, Content_Length=None)
        if mode == "less than it says":
            return self.answer(206, rest[:200_000], Content_Range=right, Content_Length=len(rest))
        if mode == "endless":
            self.answer(206, b"", Content_Range=right, Content_Length=None)
            for _ in range(100_000):
                self.wfile.write(bytes(65536))
            return None
        if mode == "changed":
            return self.answer(206, bytes(len(rest)), Content_Range=right, ETag='"2"')
        if mode == "several ranges":
            return self.answer(206, rest, Content_Type="multipart/byteranges; boundary=a")
        if mode == "compressed":
            return self.answer(206, rest, Content_Range=right, Content_Encoding="gzip")
        if mode == "416":
            return self.answer(416, Content_Range=f"bytes */{size}")
        if mode == "416 of the part":
            return self.answer(416, Content_Range=f"bytes */{start}")
        if mode == "redirect":
            return self.answer(302, Location=f"http://127.0.0.1:{server.other}/elsewhere")
        if mode == "redirect without an end":
            return self.answer(302, Location="/")
        return self.answer(206, rest, Content_Range=right)


MODES = ["right", "another range", "another total", "more than it says", "less than it says", "endless", "changed",
         "several ranges", "compressed", "416", "416 of the part", "416 for all", "redirect", "redirect without an end"]


def try_hostile():
    """Goes on with what servers send that lie; returns what is wrong."""
    wrong, ends, size = [], [], len(Hostile.content)
    for mode in MODES:
        with tempfile.TemporaryDirectory() as folder:
            servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile) for _ in range(2)]
            for server, other in zip(servers, reversed(servers)):
                server.mode, server.other, server.second, server.begun = mode, other.server_port, False, False
                server.handle_error = lambda *_: None
                threading.Thread(target=server.serve_forever, daemon=True).start()
            servers[1].second = servers[1].begun = True
            url = f"http://127.0.0.1:{servers[0].server_port}/"
            code, output = run(url, folder)
            if code != 1 or not any(name.endswith(".part") for name in os.listdir(folder)):
                wrong.append(f"{mode}: the first download ended with {code}: {output}")
            servers[0].second = True
            try:
                code, output = run(url, folder)
            except subprocess.TimeoutExpired:
                code, output = -1, "no end"
            file = Path(folder) / "file"
            if file.exists() and file.read_bytes() != Hostile.content:
                wrong.append(f"{mode}: the file is mixed")
            if code not in (0, 1) or file.exists() != (code == 0) or mode == "right" and output != f"{size} {size // 2}":
                wrong.append(f"{mode}: {code} {output}")
            ends.append(code)
            for server in servers:
                server.shutdown()
                server.server_close()
    print(f"downloads: {len(MODES)} ways of servers to go on: {ends.count(0)} files whole, {ends.count(1)} absent")
    return wrong


def measure(arguments):
    """The seconds, the seconds of processors and the most memory, in MB, of a process."""
    start = time.monotonic()
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        sys.exit(f"{arguments} ended with {status}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def bench(megabytes):
    """Prints what a large file costs; returns whether it costs too much."""
    with tempfile.TemporaryDirectory() as folder, Nginx(folder) as server:
        file, dice = Path(folder) / "out", random.Random(1)
        server.write("small", 1000, dice)
        server.write("large", megabytes * 1_000_000, dice)
        server.write("slow", megabytes * 1_000_000, dice)
        rows = {"download of 1 KB": [PROGRAM, server.url("small"), file],
                "curl": ["curl", "-s", "-o", file, server.url("large")],
                "save(to:)": [PROGRAM, server.url("large"), file, "save"],
                "download": [PROGRAM, server.url("large"), file],
                "1 lane at 20 MB/s": [PROGRAM, server.url("slow/slow"), file, "lanes=1", "slow"],
                "4 lanes at 20 MB/s each": [PROGRAM, server.url("slow/slow"), file, "lanes=4", "slow"]}
        results = {name: [] for name in rows}
        # In turns, so that what else the machine does harms all alike.
        for number in range(5):
            for name, arguments in rows.items():
                if number > 0 and "MB/s" in name:
                    continue
                file.unlink(missing_ok=True)
                os.sync()
                results[name].append(measure(arguments))
        best = {name: [min(column) for column in zip(*values)] for name, values in results.items()}
        for name, (seconds, processors, memory) in best.items():
            print(f"{name:24} {seconds:6.2f} s, {processors:6.2f} s of processors, {memory:6.1f} MB")
        time_of, memory_of = (lambda name: best[name][0]), (lambda name: best[name][2])
        slower = time_of("download") / time_of("save(to:)")
        more = memory_of("download") - memory_of("download of 1 KB")
        faster = time_of("1 lane at 20 MB/s") / time_of("4 lanes at 20 MB/s each")
        print(f"a download takes {slower:.2f} of the time of save(to:), and {more:.1f} MB more than one of 1 KB; "
              f"4 lanes are {faster:.2f} times as fast as one")
        return slower > 1.05 or more > 8 or faster < 3.6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bench", action="store_true")
    options = parser.parse_args()
    if options.bench:
        return bench(options.count if options.count > 100 else 1000)
    wrong = kill_all(options.count, options.seed) + keep_progress(options.seed)
    wrong += fail_calls(max(options.count // 5, 10), options.seed) + try_hostile()
    for text in wrong[:20]:
        print(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
