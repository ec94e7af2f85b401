"""Kills processes that keep requests in an outbox and send them, and checks what a server has got in the end.

    outbox.py 10000            ten thousand kills, by one and by two processes at a time
    outbox.py 200 --seed 7     with the same dice as before
    outbox.py --faults         lets each call that changes a file fail in turn
    outbox.py --story 1        lets each call of a story fail, and be the last one; 5 takes each fifth call
    outbox.py --bench          how many entries are kept a second, and how long a start with 100,000 takes

The server knows Idempotency-Key. It cuts connections before and after it carries out a request, refuses some for the moment,
and some for ever. No entry may be lost, none may have two effects, none may come out of order, and none of another account."""

import argparse
import errno
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROGRAM = Path(os.environ.get("ENDPOINTS_OUTBOX")
               or Path(__file__).resolve().parents[1] / ".build/release/OutboxKills")


class Server(ThreadingHTTPServer):
    """Carries out each Idempotency-Key once, and notes what it has carried out."""

    daemon_threads = True

    def __init__(self, dice, trouble=0.3):
        super().__init__(("127.0.0.1", 0), Handler)
        self.dice, self.trouble, self.lock = dice, trouble, threading.Lock()
        self.done, self.keys, self.effects, self.wrong, self.repeated = {}, {}, [], [], 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, *_):
        """A client that was killed is no error."""

    def chance(self):
        """`before` or `after` to cut the connection, a status to refuse for the moment, or nothing."""
        with self.lock:
            if self.dice.random() > self.trouble:
                return None
            return self.dice.choice(["before", "after", "after", 503, 429, 408])

    def note(self, text, key, account):
        """Carries out a request; returns its status."""
        with self.lock:
            name = text.rstrip("x")
            if self.keys.setdefault(name, key) != key:
                self.wrong.append(f"{name} came with two keys")
            if text.split("/")[0] != account:
                self.wrong.append(f"{name} was sent as {account}")
            if key in self.done:
                self.repeated += 1
                return self.done[key]
            self.done[key] = 422 if "/bad/" in name else 204
            if self.done[key] == 204:
                self.effects.append(name)
            return self.done[key]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        chance = self.server.chance()
        if chance == "before":
            return self.cut()
        status = chance
        if not isinstance(chance, int):
            account = self.headers.get("Authorization", "").removeprefix("Bearer ")
            status = self.server.note(body["text"], self.headers.get("Idempotency-Key", ""), account)
        if chance == "after":
            return self.cut()
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def cut(self):
        self.close_connection = True
        self.connection.close()

    def log_message(self, *_):
        pass


class Box:
    """A folder, in which one or two processes at a time add and send."""

    def __init__(self, folder, dice, processes, trouble=0.3):
        self.folder, self.dice, self.processes = Path(folder), dice, processes
        self.server = Server(random.Random(dice.random()), trouble)
        self.number, self.kills, self.runs = 0, 0, 0
        self.kept, self.failed, self.cancelled, self.wrong = [], [], set(), []

    def start(self, *options):
        self.number += 1
        return subprocess.Popen([PROGRAM, self.folder, self.server.url, str(self.number), *options],
                                stdout=subprocess.PIPE, text=True)

    def read(self, process, may_fail=False, timeout=60):
        """Notes what a process has said, when it has ended."""
        try:
            output = process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            output = process.communicate()[0]
            self.wrong.append(f"doesn't end: {output[-300:]}")
        lines = output.split("\n")
        # The last line of one that was killed may be cut off.
        for line in lines[:-1]:
            word, _, rest = line.partition(" ")
            if word == "kept":
                self.kept.append(rest)
            elif word == "cancelled":
                self.cancelled.add(rest)
            elif word == "failed":
                self.failed.append(rest.split(" ")[0])
                if not may_fail:
                    self.wrong.append(line[:300])
            elif word == "error" and not may_fail:
                self.wrong.append(line[:300])
        if process.returncode not in (0, -signal.SIGKILL) and not (may_fail and process.returncode == 1):
            self.wrong.append(f"ended with {process.returncode}: {output[-300:]}")
        self.runs += 1
        return lines

    def step(self):
        """Starts a process or two, and has them killed."""
        dice = self.dice
        at_call = [dice.random() < 0.5 for _ in range(self.processes)]
        running = [self.start(*([f"kill={dice.randrange(1, 300)}"] if at else [])) for at in at_call]
        for process, at in zip(running, at_call):
            if not at:
                time.sleep(dice.random() * 0.3)
                process.send_signal(signal.SIGKILL)
        for process in running:
            self.read(process)
            self.kills += process.returncode == -signal.SIGKILL

    def end(self):
        """Lets all be sent, and checks what the server has."""
        self.server.trouble = 0
        lines = self.read(self.start("drain"), timeout=300)
        left = {words[1].rstrip("x"): words[2] for words in (line.split(" ", 2) for line in lines) if words[0] == "left"}
        self.wrong += self.server.wrong
        effects = defaultdict(int)
        for text in self.server.effects:
            effects[text] += 1
        self.wrong += [f"{text} has {count} effects" for text, count in effects.items() if count != 1]
        for text in self.kept:
            if text in self.cancelled:
                continue
            if "/bad/" in text:
                if not left.get(text, "").startswith("setAside"):
                    self.wrong.append(f"{text} was kept, is refused, and isn't set aside: {left.get(text)}")
            elif effects[text] == 0:
                self.wrong.append(f"{text} was kept, and is lost: {left.get(text)}")
        self.wrong += [f"{text} failed, and has an effect" for text in self.failed if effects[text]]
        self.wrong += [f"{text} is left: {state}" for text, state in left.items() if not state.startswith("setAside")]
        last = {}
        for text in self.server.effects:
            account, key, process, number = text.split("/")[:4]
            # Two processes that add at the same time have no order among them.
            line = (account, key) if self.processes == 1 else (account, key, process)
            place = (int(process), int(number))
            if place < last.get(line, (-1, -1)):
                self.wrong.append(f"{text} comes after {last[line]}")
            last[line] = place
        self.server.shutdown()
        self.server.server_close()


def kill_all(count, seed):
    """Kills so many processes; returns what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        boxes = []
        done = [0]

        def run(number, processes):
            """A folder serves for a hundred kills, and then another one begins."""
            dice = random.Random(seed * 1000 + number)
            while sum(box.kills for box in boxes) < count and not any(box.wrong for box in boxes):
                done[0] += 1
                box = Box(f"{folder}/box{done[0]}-{number}", dice, processes)
                boxes.append(box)
                while box.kills < 100 and sum(box.kills for box in boxes) < count and not box.wrong:
                    box.step()
                    if progress := os.environ.get("ENDPOINTS_PROGRESS"):
                        Path(progress).write_text(f"outbox: {sum(box.kills for box in boxes)} of {count}\n")
                box.end()
        threads = [threading.Thread(target=run, args=pair) for pair in enumerate([1, 2])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"outbox: {sum(box.kills for box in boxes)} processes were killed; of {sum(len(box.kept) for box in boxes)} "
              f"entries, the server has {sum(len(box.server.effects) for box in boxes)}, which came "
              f"{sum(box.server.repeated for box in boxes)} times more")
        return [text for box in boxes for text in box.wrong]


def fault_all():
    """Lets each call fail in turn, once and several times; returns what is wrong."""
    wrong, runs, failed = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        box = Box(f"{folder}/first", random.Random(1), 1, 0)
        lines = box.read(box.start("count", "add=8", "fail=1000000,5,1"))
        box.end()
        wrong += box.wrong
        calls = next((int(line.split()[1]) for line in lines if line.startswith("calls")), 0)
        if not calls:
            wrong.append("no calls were counted")
        for code in [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EROFS]:
            for call in range(1, calls + 4):
                for times in [1, 7]:
                    box = Box(f"{folder}/{code}-{call}-{times}", random.Random(call), 1, 0)
                    box.read(box.start("add=2"))
                    box.read(box.start("add=8", f"fail={call},{code},{times}"), may_fail=True)
                    box.end()
                    runs, failed = runs + 1, failed + len(box.failed)
                    wrong += [f"{errno.errorcode[code]} at call {call}, {times} times: {text}" for text in box.wrong]
                    if progress := os.environ.get("ENDPOINTS_PROGRESS"):
                        Path(progress).write_text(f"outbox: {runs} faults\n")
    print(f"outbox: {runs} times a call failed; {failed} entries weren't kept, which the caller was told")
    return wrong


class Telling:
    """A story that one process tells, with a call that fails or is its last, and another process ends."""

    TEXTS = {"a1", "a2", "bad", "p1", "p2", "b1", "b2", "b3", "d1", "d2", "e1", "f1"}

    def __init__(self, folder, photos, *options):
        self.lines, self.wrong, self.folder = [], [], Path(folder)
        # Then entries may not be sent before the sign-out that drops them, and copies can't be removed.
        self.fails_often = any(option.endswith(",7") for option in options)
        self.code = self.tell(f"story={photos}", *options)
        self.after = len(self.lines)
        if self.tell(f"end={photos}") != 0:
            self.wrong.append("the end has failed")
        self.check()

    def tell(self, *options):
        try:
            run = subprocess.run([PROGRAM, self.folder, "-", "1", *options], stdout=subprocess.PIPE, text=True, timeout=60)
        except subprocess.TimeoutExpired as hung:
            self.wrong.append(f"doesn't end: {(hung.stdout or b'').decode()[-300:]}")
            return None
        # The last line of one that was killed may be cut off.
        self.lines += [line.split(" ") for line in run.stdout.split("\n")[:-1]]
        return run.returncode

    def all(self, word):
        return [line[1] for line in self.lines if line[0] == word]

    def check(self):
        effects = defaultdict(list)
        for place, line in enumerate(self.lines):
            if line[0] == "effect":
                effects[line[3]].append((place, line[1], line[2]))
        kept, dropping = self.all("kept"), ["dropping", "d"] in self.lines
        gone = set(self.all("cancelling")) - set(self.all("uncancelled")) | ({"bad", "d1", "d2"} if dropping else set())
        if dropping and self.fails_often:
            gone |= self.TEXTS - {"e1", "f1"}
        self.wrong += [f"{text} is unknown" for text in effects if text not in self.TEXTS]
        self.wrong += [f"{text} was kept, and is lost" for text in kept if text not in gone and text not in effects]
        self.wrong += [f"{text} failed, and has an effect" for text in self.all("failed") if text in effects]
        for text, times in effects.items():
            if len({key for _, key, _ in times}) > 1:
                self.wrong.append(f"{text} came with several keys")
            if {account for _, _, account in times} != {"ben" if text == "e1" else "ann"}:
                self.wrong.append(f"{text} came of {times}")
        for word, texts in [("cancelled a2", ["a2"]), ("cancelled p1", ["p1"]), ("dropped d", ["d1", "d2"])]:
            if word.split(" ") in self.lines:
                place = self.lines.index(word.split(" "))
                # What couldn't be written at a sign-out is written with the next entry.
                if word == "dropped d" and not {"e1", "f1"} & set(kept):
                    place = self.after if self.code == 0 else len(self.lines)
                self.wrong += [f"{text} was sent after `{word}`" for text in texts
                               if any(at > place for at, _, _ in effects.get(text, []))]
        firsts = [text for text in effects if text in ("b1", "b2", "b3")]
        if firsts != sorted(firsts):
            self.wrong.append(f"the order was {firsts}")
        self.wrong += [f"left: {' '.join(line)}" for line in self.lines if line[0] == "left"]
        # One that couldn't be removed is empty. One of a process that was killed is removed after an hour.
        copies = [file.name for file in self.folder.glob("*.body") if file.stat().st_size > 0]
        if copies and self.code == 0 and not self.fails_often:
            self.wrong.append(f"{copies} are left")


def tell_all(step):
    """Lets each call of a story fail in turn, or be the last one; returns what is wrong."""
    wrong, runs = [], 0
    with tempfile.TemporaryDirectory() as folder:
        photos = Path(folder) / "photos"
        photos.mkdir()
        for text in ["p1", "p2", "d2"]:
            (photos / f"{text}.txt").write_text(text)
        first = Telling(f"{folder}/first", photos, "count", "fail=1000000,5,1")
        wrong += first.wrong + [f"{text} failed" for text in first.all("failed")]
        calls = int((first.all("calls") or ["0"])[0])
        if not calls:
            wrong.append("no calls were counted")
        options = []
        for call in range(1, calls + 4, step):
            options.append(f"kill={call}")
            for code in [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EROFS]:
                options += [f"fail={call},{code},{times}" for times in [1, 7]]

        def told(option):
            box = Path(folder) / option
            box.mkdir()
            return [f"{option}: {text}" for text in Telling(box, photos, option).wrong]
        # They mostly wait for the disk.
        with ThreadPoolExecutor(8) as pool:
            for texts in pool.map(told, options):
                wrong += texts
                runs += 1
    print(f"outbox: a story of {calls} calls was told {runs} times, with a call that fails or is the last one")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--story", type=int, default=0)
    parser.add_argument("--bench", action="store_true")
    options = parser.parse_args()
    wrong = []
    if options.bench:
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([PROGRAM, folder, "bench=100000"]).returncode
    if options.faults or options.count >= 1000:
        wrong += fault_all()
    if options.story or options.count:
        wrong += tell_all(options.story or (1 if options.count >= 1000 else 20))
    if options.count or not (options.faults or options.story):
        wrong += kill_all(options.count or 100, options.seed)
    for text in wrong[:20]:
        print(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
