"""Measures programs that start and send ten requests at once: with `URLSession` alone, with the library, and with others.

    ALAMOFIRE=path GET=path start.py    also measures clones of Alamofire and Get, if these are named

Prints the time from the program's start until the server has read its first request, until the program has ended, and
the most memory that it took. The programs take turns, and the medians are printed."""

import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TURNS, REQUESTS = 21, 10
HEAD = """import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}
"""
# What stands before the main function, and what loads a user there.
PROGRAMS = {
    "URLSession alone": ("", """
            let (data, _) = try await URLSession.shared.data(from: URL(string: "\\(server)/users/\\(id)")!)
            return try JSONDecoder().decode(User.self, from: data)"""),
    "Endpoints": ("""import Endpoints
struct GetUser: FlatRequest {
    let id: Int

    static let endpoint = Endpoint<Self>(method: .get, path: "users/\\(path: \\.id)")
    typealias Response = User
}
""", """
            let environment = ServerEnvironment(baseUrl: URL(string: server)!)
            return try await URLSession.shared.response(in: environment, with: GetUser(id: id))"""),
    "Alamofire": ("import Alamofire\n", """
            return try await AF.request("\\(server)/users/\\(id)").serializingDecodable(User.self).value"""),
    "Get": ("import Get\n", """
            return try await client.send(Request<User>(path: "/users/\\(id)")).value"""),
}
MAIN = """
@main
enum Main {
    static func main() async throws {
        let server = CommandLine.arguments[1]%s
        let load: @Sendable (Int) async throws -> User = { id in%s
        }
        try await withThrowingTaskGroup(of: User.self) { group in
            for id in 0..<%d { group.addTask { try await load(id) } }
            for try await user in group where user.name != "Ann" { exit(2) }
        }
    }
}
"""
CLIENT = "\n        let client = APIClient(baseURL: URL(string: server))"


def build(name, clone, folder):
    """The path of a program, built for release."""
    before, load = PROGRAMS[name]
    package = folder / f"With{name.split()[0]}"
    (package / "Sources/App").mkdir(parents=True)
    main = MAIN % (CLIENT if name == "Get" else "", load, REQUESTS)
    (package / "Sources/App/Main.swift").write_text(before + HEAD + main)
    dependency = f'.package(name: "{name}", path: "{clone}")' if clone else ""
    product = f'.product(name: "{name}", package: "{name}")' if clone else ""
    (package / "Package.swift").write_text(
        "// swift-tools-version: 6.0\nimport PackageDescription\n"
        f'let package = Package(name: "App", platforms: [.macOS(.v13)], dependencies: [{dependency}],\n'
        f'    targets: [.executableTarget(name: "App", dependencies: [{product}])])\n')
    subprocess.run(["swift", "build", "--quiet", "-c", "release", "--package-path", package], check=True)
    return package / ".build/release/App"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    first = None

    def do_GET(self):
        if Handler.first is None:
            Handler.first = time.monotonic()
        body = json.dumps({"id": 1, "name": "Ann"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def run(program, server):
    """The milliseconds to the first request and to the end, and the most memory in KiB."""
    Handler.first = None
    began = time.monotonic()
    process = subprocess.Popen([program, server])
    _, status, usage = os.wait4(process.pid, 0)
    ended = time.monotonic()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or Handler.first is None:
        sys.exit(f"{program} ended with {process.returncode}")
    return (Handler.first - began) * 1000, (ended - began) * 1000, usage.ru_maxrss


def main():
    clones = {"URLSession alone": None, "Endpoints": ROOT}
    for name in ("Alamofire", "Get"):
        if path := os.environ.get(name.upper()):
            clones[name] = Path(path).resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(name, clone, Path(folder)) for name, clone in clones.items()}
        results = {name: [] for name in programs}
        for _ in range(TURNS):
            for name, program in programs.items():
                results[name].append(run(program, f"http://127.0.0.1:{server.server_port}"))
    print(f"\nA program that starts and sends {REQUESTS} requests, medians of {TURNS} runs\n")
    print(f"{'':20}{'first request':>15}{'end':>12}{'most memory':>15}")
    for name, rows in results.items():
        first, end, memory = (statistics.median(column) for column in zip(*rows))
        print(f"{name:20}{first:12.1f} ms{end:9.1f} ms{memory / 1024:11.1f} MiB")
    server.shutdown()


main()
