"""Prints how long a declaration takes to compile, against a function written by hand that does the same.

Files of 200 of each are compiled without optimization, as in a debug build, in rounds that take turns;
what an empty file takes is subtracted. Time is the compiler's own work, so that other programs don't count."""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

COUNT, ROUNDS = 200, 3
ROOT = pathlib.Path(__file__).resolve().parents[2]
# How many times the time of a function that does the same each form may take.
GOALS = {"flat": 1.5, "nested": 1.8}

# How people make the URLRequest.
REQUEST = """
    var components = URLComponents(url: baseUrl, resolvingAgainstBaseURL: false)!
    components.path += "/repos/\\(owner)/\\(repository)/issues/{n}"
    components.queryItems = [
        URLQueryItem(name: "q", value: text), URLQueryItem(name: "page", value: String(page)),
    ]
    if let state {{
        components.queryItems?.append(URLQueryItem(name: "state", value: state))
    }}
    var request = URLRequest(url: components.url!)
    request.httpMethod = "GET"
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue(traceId, forHTTPHeaderField: "X-Trace-Id")"""

TEXTS = {
    "empty": "",
    "flat": """
struct Search{n}: FlatRequest {{
    let owner: String
    let repository: String
    let text: String
    let page: Int
    let state: String?
    let traceId: String

    static let endpoint = Endpoint<Search{n}>(
        method: .get,
        path: "repos/\\(path: \\.owner)/\\(path: \\.repository)/issues/{n}",
        parameters: [
            .query("q", path: \\.text), .query("page", path: \\.page), .query("state", path: \\.state),
        ],
        headers: ["X-Trace-Id": .field(path: \\.traceId)])
    typealias Response = [Issue]
}}
""",
    "nested": """
struct Search{n}: RequestType {{
    struct PathComponents {{
        let owner: String
        let repository: String
    }}
    struct Parameters {{
        let text: String
        let page: Int
        let state: String?
    }}
    struct HeaderValues {{
        let traceId: String
    }}
    let pathComponents: PathComponents
    let parameters: Parameters
    let headerValues: HeaderValues

    static let endpoint = Endpoint<Search{n}>(
        method: .get,
        path: "repos/\\(path: \\.owner)/\\(path: \\.repository)/issues/{n}",
        parameters: [
            .query("q", path: \\.text), .query("page", path: \\.page), .query("state", path: \\.state),
        ],
        headers: ["X-Trace-Id": .field(path: \\.traceId)])
    typealias Response = [Issue]
}}
""",
    "by hand": """
func search{n}(
    owner: String, repository: String, text: String, page: Int, state: String?, traceId: String
) async throws -> [Issue] {{""" + REQUEST + """
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else {{ throw URLError(.badServerResponse) }}
    guard (200..<300).contains(response.statusCode) else {{
        throw try JSONDecoder().decode(ServerError.self, from: data)
    }}
    return try JSONDecoder().decode([Issue].self, from: data)
}}
""",
    "request by hand": """
func search{n}(
    owner: String, repository: String, text: String, page: Int, state: String?, traceId: String
) -> URLRequest {{""" + REQUEST + """
    return request
}}
""",
}
HEAD = """import Endpoints
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
let baseUrl = URL(string: "https://api.example.com")!
struct Issue: Decodable { let id: Int }
struct ServerError: Error, Decodable { let message: String }
"""


def main():
    """Builds the library, writes the files, and compiles them in turns."""
    subprocess.run(["swift", "build", "--target", "Endpoints"], cwd=ROOT, check=True, stdout=sys.stderr)
    times = {name: [] for name in TEXTS}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in TEXTS.items():
            declarations = "".join(text.format(n=n) for n in range(COUNT))
            pathlib.Path(folder, f"{name}.swift").write_text(HEAD + declarations)
        for number in range(ROUNDS):
            if file := os.environ.get("ENDPOINTS_PROGRESS"):
                pathlib.Path(file).write_text(f"compiling: round {number + 1} of {ROUNDS}")
            for name in TEXTS:
                times[name].append(compile_time(pathlib.Path(folder, f"{name}.swift")))
    print_times({name: statistics.median(all) for name, all in times.items()})


def compile_time(file):
    """The seconds of processor time that compiling a file takes."""
    modules = ROOT / ".build" / "debug" / "Modules"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["swiftc", "-c", "-Onone", "-swift-version", "6", "-parse-as-library", "-enable-testing",
         "-I", modules, "-o", os.devnull, file], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def print_times(seconds):
    """Prints the time of each form, and its ratio to those of the hand-written ones."""
    print("\nCompiling one of 200, debug, type checking included\n")
    each = {name: (time - seconds["empty"]) / COUNT * 1000 for name, time in seconds.items()}
    whole, request = each["by hand"], each["request by hand"]
    print(f"a function that makes a request, loads it and decodes the response: {whole:.1f} ms")
    print(f"a function that only makes the URLRequest: {request:.1f} ms")
    for name, goal in GOALS.items():
        time = each[name]
        verdict = "yes" if time / whole <= goal else "MISS"
        print(f"a {name} declaration: {time:.1f} ms, {time / whole:.2f} of the first ≤ {goal:.2f} {verdict}, "
              f"{time / request:.2f} of the second")


if __name__ == "__main__":
    main()
