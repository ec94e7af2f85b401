"""Weighs programs that send one GET: with `URLSession` alone, with the core, and with all parts of the library.

    programs.py                 prints the bytes of each, stripped, and how long a clean release build takes
    programs.py --check         only the program with the core, from the build of this package; fails above its limit
    ALAMOFIRE=path programs.py  also weighs the same program with a clone of Alamofire, and prints the ratios

Alamofire 5.12 had 1,110 KiB with this tool chain (Swift 6.3.1, Linux). The limit was 999 KiB until the masking by known
values, the place of a number that doesn't fit, lists in paths, bodies that are counted while they arrive, secrets in lists,
uploads and parts, cookies of a request, types that contradict a body, traces by the declared path, and property
lists that would end the process came into the core. It was 1,260 KiB until parts of files and the steps of a load, for a
monitor, came into it: 10 KiB of code, and 16 KiB of the file. It may only go down from here."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 1276 << 10

URLSESSION = """import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

@main
enum Main {
    static func main() async throws {
        guard let url = URL(string: "https://api.example.com/users/42") else { return }
        let (data, _) = try await URLSession.shared.data(from: url)
        print(try JSONDecoder().decode(User.self, from: data).name)
    }
}
"""
ALAMOFIRE = """import Alamofire
import Foundation

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

@main
enum Main {
    static func main() async throws {
        let url = "https://api.example.com/users/42"
        print(try await AF.request(url).serializingDecodable(User.self).value.name)
    }
}
"""


def source(name):
    """The program of a target of this package."""
    return (HERE / "Sources" / name / "Main.swift").read_text()


def stripped(program, folder):
    """The bytes of a program without its symbols."""
    copy = Path(folder) / "stripped"
    subprocess.run(["strip", "-o", copy, program], check=True)
    return copy.stat().st_size


def build(text, package=None, products=()):
    """The bytes of a program and the seconds of its clean release build."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "Sources/App").mkdir(parents=True)
        (folder / "Sources/App/Main.swift").write_text(text)
        dependency = f'.package(name: "Library", path: "{package}")' if package else ""
        wanted = ", ".join(f'.product(name: "{product}", package: "Library")' for product in products)
        (folder / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            f'let package = Package(name: "App", platforms: [.macOS(.v12)], dependencies: [{dependency}],\n'
            f'    targets: [.executableTarget(name: "App", dependencies: [{wanted}])])\n')
        began = time.monotonic()
        subprocess.run(["swift", "build", "--quiet", "-c", "release", "--package-path", folder], check=True)
        return stripped(folder / ".build/release/App", folder), time.monotonic() - began


def check():
    """Whether the program with the core is within its limit; it must have been built."""
    with tempfile.TemporaryDirectory() as folder:
        size = stripped(HERE.parent / ".build/release/OneGet", folder)
    print(f"a program with one GET: {size >> 10} KiB of at most {LIMIT >> 10}")
    return size > LIMIT


def compare():
    """Prints the table."""
    parts = ["Endpoints", "EndpointsStreams", "EndpointsFormats", "EndpointsMiddleware"]
    programs = [
        ("URLSession alone", URLSESSION, None, ()),
        ("Endpoints", source("OneGet"), ROOT, parts[:1]),
        ("Endpoints and its parts", source("OneGetWithParts"), ROOT, parts),
    ]
    if clone := os.environ.get("ALAMOFIRE"):
        programs.append(("Alamofire", ALAMOFIRE, Path(clone).resolve(), ["Alamofire"]))
    print("\nA program with one GET, stripped, and its clean release build\n")
    results = {}
    for name, *program in programs:
        results[name] = size, seconds = build(*program)
        print(f"{name:30}{size >> 10:6} KiB{seconds:8.1f} s", flush=True)
    if "Alamofire" in results:
        ours, theirs = results["Endpoints"], results["Alamofire"]
        print(f"Endpoints against Alamofire: {ours[0] / theirs[0]:.2f} of the bytes (goal 0.90),"
              f" {ours[1] / theirs[1]:.2f} of the time (goal 1.30)")
    return results["Endpoints"][0] > LIMIT


sys.exit(check() if sys.argv[1:] == ["--check"] else compare())
