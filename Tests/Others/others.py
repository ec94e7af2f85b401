"""Compiles what the pages about other libraries show of these, runs it, and compares what is sent with what this
library sends for the same calls.

    others.py FOLDER [NAME…]    all of LIBRARIES, or those named; their clones stand in a folder, or are put there

Two programs are made for each: of There/NAME and Calls/NAME with the other library, and of ComingFrom and Calls/NAME
with this one. Their requests are recorded instead of sent. Both must send the same requests and get the same values,
but for what LIBRARIES says, which the pages say too."""

import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "Tests/Others"
EXAMPLES = ROOT / "Tests/Examples"
BUILT = ROOT / ".build/checks/debug"
OWN = [
    "Endpoints", "EndpointsMiddleware", "EndpointsFormats", "EndpointsStreams", "EndpointsFolder",
    "EndpointsStructuredFields", "EndpointsShared"]
SWIFTC = ["swiftc", "-wmo", "-parse-as-library", "-suppress-warnings"]
JARS = [f"/usr/share/java/{name}.jar" for name in (
    "okhttp", "okio", "gson", "jsr305", "kotlin-stdlib", "kotlinx-coroutines-core", "kotlinx-coroutines-core-common",
    "atomicfu", "atomicfu-common")]
PACKAGES = "kotlin libokhttp-java libgoogle-gson-java libkotlinx-coroutines-java libkotlinx-atomicfu-java"


def imported(*modules):
    """What imports modules into each file, for files that were written for Apple platforms or stand on a page."""
    return [flag for module in modules for flag in ("-Xfrontend", "-import-module", "-Xfrontend", module)]


def run(*command, folder):
    """What a command prints; it must succeed."""
    result = subprocess.run(
        [*map(str, command)], cwd=folder, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=900)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} … failed:\n{result.stdout[-6000:]}")
    return result.stdout


class Library:
    """A version of another library, and how its requests differ from this library's: lines with - there, + here."""

    def __init__(self, repository, version, sources, differs=(), module=None, without=(), stand_ins="", needs=()):
        self.repository, self.version, self.sources, self.differs = repository, version, sources, set(differs)
        self.module = module or repository.split("/")[1]
        self.without, self.stand_ins, self.needs = without, stand_ins, needs

    def place(self, folder):
        return folder / f"{self.module}-{self.version}"

    def unpacked(self, clones, folder):
        """A new folder with the files of this version."""
        clone = clones / self.repository.split("/")[1]
        if not clone.exists():
            run("git", "clone", "--quiet", "--bare", f"https://github.com/{self.repository}", clone, folder=folder)
        made = self.place(folder)
        made.mkdir()
        run("git", "-C", clone, "archive", "-o", made / "all.tar", self.version, folder=made)
        run("tar", "-xf", "all.tar", folder=made)
        return made

    def built(self, clones, folder, *flags):
        """A folder with the module and the object file, which are made unless they are there."""
        made = self.place(folder)
        if made.exists():
            return made
        self.unpacked(clones, folder)
        files = [path for path in (made / self.sources).rglob("*.swift") if path.name not in self.without]
        (made / "StandIns.swift").write_text(self.stand_ins)
        needed = [f"-I{other.built(clones, folder, *flags)}" for other in self.needs]
        run(*SWIFTC, *flags, "-swift-version", "5", "-emit-module", "-module-name", self.module,
            *imported("FoundationNetworking"), *needed, "-c", *files, "StandIns.swift", "-o", "library.o", folder=made)
        return made

    def there(self, name, clones, folder):
        """What the program with this library prints."""
        made = [library.built(clones, folder) for library in (self, *self.needs)]
        return program(
            name, [EXAMPLES / f"There/{name}.swift"],
            ["-swift-version", "5", "-D", "THERE", *imported("FoundationNetworking"), *(f"-I{path}" for path in made)],
            [path / "library.o" for path in made], folder)


class Retrofit(Library):
    """The library for the JVM, with the compilers and the other libraries of Debian."""

    STAND_INS = {
        "android/os/Build":
            "public class Build { public static class VERSION { public static final int SDK_INT = 0; } }",
        "android/os/Looper": "public class Looper { public static Looper getMainLooper() { return null; } }",
        "android/os/Handler":
            "public class Handler { public Handler(Looper l) {} public boolean post(Runnable r) { return false; } }",
        "org/codehaus/mojo/animal_sniffer/IgnoreJRERequirement": "public @interface IgnoreJRERequirement {}",
    }

    def there(self, name, clones, folder):
        missing = [path for path in JARS if not Path(path).exists()]
        if missing:
            raise SystemExit(f"{missing[0]} is missing: on Debian, apt-get install --no-install-recommends {PACKAGES}")
        made = self.unpacked(clones, folder)
        for path, text in self.STAND_INS.items():
            file = made / f"stand-ins/{path}.java"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"package {'.'.join(path.split('/')[:-1])};\n{text}\n")
        java = [path for part in (self.sources, "retrofit-converters/gson/src/main", "stand-ins")
                for path in (made / part).rglob("*.java")]
        path = ":".join([*JARS, "out"])
        run("kotlinc", "-nowarn", "-cp", path, "-d", "out", self.sources, "stand-ins", folder=made)
        run("javac", "-nowarn", "-cp", path, "-d", "out", *java, folder=made)
        run("kotlinc", "-nowarn", "-cp", path, "-d", "out", EXAMPLES / f"There/{name}.kt", HERE / f"Calls/{name}.kt",
            folder=made)
        return shown(run("java", "-cp", path, f"{name}Kt", folder=made))


ACCEPT = "+   Accept: application/json"
ALAMOFIRE = Library("Alamofire/Alamofire", "5.12.0", "Source", [ACCEPT])
ESCAPED = [f"{sign} POST https://api.example.com/calendars/a%{space}b/events/7/move?destination=c@d&notify=all"
           for sign, space in (("-", "2520"), ("+", "20"))]
# What Moya uses and Apple platforms alone have.
MOYA = """import Foundation
public struct Image {
    init?(data: Data) { nil }
}
let NSEC_PER_SEC: UInt64 = 1_000_000_000
extension NSDictionary {
    func value(forKeyPath path: String) -> Any? { nil }
}
"""
# By the name of the files in There and in Calls.
LIBRARIES = {
    "Velos": Library("velos/Endpoints", "0.4.0", "Sources/Endpoints", [ACCEPT, *ESCAPED]),
    "VelosRequestType": Library(
        "velos/Endpoints", "0.1.6", "Sources/Endpoints", [ACCEPT, *ESCAPED], without=["URLSession+Combine.swift"]),
    "Melatonin": Library("the-braveknight/Melatonin", "0.3.4", "Sources"),
    "MelatoninWrappers": Library("the-braveknight/Melatonin", "0.1.5", "Sources"),
    "SwiftyNetworking": Library("the-braveknight/SwiftyNetworking", "0.2.1", "Sources", [ACCEPT]),
    "TinyNetworking": Library("objcio/tiny-networking", "0.5.0", "Sources", [
        "- GET https://api.github.com/users/a/b", "+ GET https://api.github.com/users/a%2Fb",
        "-   Accept: application/json"], module="TinyNetworking"),
    "Get": Library("kean/Get", "2.2.1", "Sources/Get"),
    "Alamofire": ALAMOFIRE,
    "Moya": Library("Moya/Moya", "15.0.3", "Sources/Moya", [
        ACCEPT,
        "-   Content-Type: application/x-www-form-urlencoded; charset=utf-8",
        "+   Content-Type: application/x-www-form-urlencoded",
        "-   first_name=Harry&last_name=O%27Neil%20%26%20Co", "+   first_name=Harry&last_name=O%27Neil+%26+Co",
    ], without=["Image.swift"], stand_ins=MOYA, needs=[ALAMOFIRE]),
    "Retrofit": Retrofit("square/retrofit", "parent-2.6.4", "retrofit/src/main/java", [
        ACCEPT,
        "-   Content-Type: image/png; charset=utf-8", "+   Content-Type: image/png",
        "-   Content-Length: 2", "-   Content-Length: 3", "-   Content-Transfer-Encoding: binary",
    ]),
}


def program(name, sources, flags, objects, folder):
    """What a program prints that sends the calls."""
    # Two files of a module can't have the same name.
    send = folder / "Send.swift"
    send.write_text((HERE / f"Calls/{name.removesuffix('Wrappers')}.swift").read_text())
    run(*SWIFTC, "-module-name", "Program", *flags, HERE / "Recorder.swift", send, *sources, *objects, "-o", "program",
        folder=folder)
    return shown(run(folder / "program", folder=folder))


def here(name, folder):
    """What the program with this library prints."""
    objects = [path for module in OWN for path in (BUILT / f"{module}.build").rglob("*.o")]
    sources = [path for path in (EXAMPLES / "ComingFrom").glob("*.swift") if path.name != "ComingFromTests.swift"]
    flags = ["-swift-version", "6", f"-I{BUILT}/Modules", *imported("FoundationNetworking", *OWN[:2])]
    return program(name, sources, flags, objects, folder)


def shown(output):
    """The lines that a program prints, with each request as people read it."""
    lines = []
    for line in output.splitlines():
        if line.startswith("got "):
            lines.append(line)
        elif line.startswith("request "):
            lines += request(json.loads(line.removeprefix("request ")))
    return lines


def request(parts):
    """The lines of a request."""
    # RFC 3986, section 6.2.3: no path and "/" are the same.
    url = re.sub(r"^(https://[^/?]*)(\?|$)", r"\1/\2", parts["url"])
    # How long a body is, the libraries say in different places.
    headers = {name.title(): value for name, value in parts["headers"].items()
               if name.title() not in ("Content-Length", "Transfer-Encoding")}
    text = "\n".join(f"{name}: {value}" for name, value in sorted(headers.items()))
    body = parts["body"].replace("\r\n", "\n").rstrip("\n")
    try:
        body = json.dumps(json.loads(body), sort_keys=True)
    except ValueError:
        pass
    text = "\n".join(filter(None, [text, body]))
    boundary = re.search(r"boundary=\"?([^\"\n]+)", text)
    if boundary:
        text = text.replace(boundary[1], "BOUNDARY").replace('"BOUNDARY"', "BOUNDARY")
    return [f"{parts['method']} {url}", *(f"  {line}" for line in text.split("\n") if line)]


def main():
    clones, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(LIBRARIES)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            library = LIBRARIES[name]
            there, own = library.there(name, clones, Path(folder)), here(name, Path(folder))
            changed = {line for line in difflib.ndiff(there, own) if line[0] in "+-"}
            count = sum(bool(re.match(r"[A-Z]+ http", line)) for line in own)
            print(f"{library.repository} {library.version}: {count} requests, {len(changed)} kinds of lines differ")
            wrong = [f"  not in the table: {line}" for line in sorted(changed - library.differs)]
            wrong += [f"  in the table alone: {line}" for line in sorted(library.differs - changed)]
            failed += bool(wrong) or not count
            for line in wrong:
                print(line)
    print(f"{len(names) - failed} of {len(names)} send the same in both ways, but for what the table says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
