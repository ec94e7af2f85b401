"""Measures many loads at once, of nginx on the loopback, by hand and by the library with its middleware.

    loads.py                          1, 8, 64, 256 and 1,024 in flight, 2,000 loads in each of 5 turns
    loads.py 1,8 500 3                as the arguments say

Then the same by TLS and by HTTP/2, bodies and uploads of 1 MB, a storm of 401s, many callers of one request, and stored
responses; and all with AsyncHTTPClient, if `make bench` has built that. CLONES=folder loads.py also measures Get, Alamofire
and Moya, from clones in that folder, which it makes if they aren't there.

A server in Python would be the bottleneck, so this needs nginx: on Debian, apt-get install nginx-light."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests/Support"), str(ROOT / "Tests/Others")]
from others import LIBRARIES, SWIFTC, imported, run  # noqa: E402: it stands beside the other libraries' calls.
from tls import Authority  # noqa: E402: it stands beside the tests' servers.

TRUST = ROOT / "Tests/Support/trust.py"
PROGRAM = ROOT / "Tests/.build/release/Loads"
ASYNC_HTTP_CLIENT = ROOT / "Sources/Integrations/AsyncHTTPClient/.build/release/Loads"
CONFIGURATION = """
daemon off; pid {folder}/pid; error_log {folder}/errors; worker_processes 1;
events {{ worker_connections 8192; }}
http {{
    access_log off; keepalive_requests 1000000000; keepalive_timeout 600s;
    client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    server {{
        listen 127.0.0.1:{port} backlog=8192; default_type application/json;
        listen 127.0.0.1:{secure} ssl backlog=8192;
        listen 127.0.0.1:{http2} ssl http2 backlog=8192;
        ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.pem;
        client_max_body_size 0; root {folder};
        location /users/ {{ return 200 '{{"id": 42, "name": "Ann"}}'; }}
        location /upload {{ return 200; }}
        location /megabyte {{ }}
        location /stored {{ add_header Cache-Control max-age=3600; return 200 '{{"id": 42, "name": "Ann"}}'; }}
        location /private {{
            if ($http_authorization != "Bearer fresh") {{ return 401; }}
            return 200 '{{"id": 42, "name": "Ann"}}';
        }}
    }}
}}
"""


def with_others(clones, folder):
    """The program with other libraries' clones in it: nothing of theirs is part of this package."""
    release = PROGRAM.parent
    made = [LIBRARIES[name].built(Path(clones).resolve(), folder, "-O") for name in ("Alamofire", "Get", "Moya")]
    modules = ["Shared", "", "Formats", "Streams", "Middleware", "Cache"]
    # A source that is gone leaves its object behind.
    objects = [release / f"Endpoints{name}.build/{source.name}.o" for name in modules
               for source in (ROOT / f"Sources/Endpoints{name}").rglob("*.swift") if ".docc" not in str(source)]
    run(*SWIFTC, "-O", "-swift-version", "6", "-module-name", "Loads", *imported("FoundationNetworking"),
        f"-I{release}/Modules", *(f"-I{path}" for path in made), *(ROOT / "Tests/Benchmarks/Sources/Loads").glob("*.swift"),
        *objects, *(path / "library.o" for path in made), "-o", "loads", folder=folder)
    return folder / "loads"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait(port, server):
    """Returns when the server accepts connections."""
    end = time.monotonic() + 10
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit("nginx doesn't start")


def main(arguments):
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not nginx:
        print("\nMany loads at once: left out, as there is no nginx (on Debian, apt-get install nginx-light)")
        return
    port, secure, http2 = free_port(), free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nginx.conf"
        file.write_text(CONFIGURATION.format(folder=folder, port=port, secure=secure, http2=http2))
        # Started by root, nginx reads files as another user.
        os.chmod(folder, 0o755)
        (Path(folder) / "megabyte").write_bytes(b"a" * (1 << 20))
        authority = Authority(folder)
        clones = os.environ.get("CLONES")
        program = with_others(clones, Path(folder)) if clones else PROGRAM
        server = subprocess.Popen([nginx, "-p", folder, "-c", file, "-e", f"{folder}/errors"], stdin=subprocess.DEVNULL)
        try:
            wait(port, server)
            print("\nMany loads at once, of nginx on the loopback; the last three columns are relative to by hand", flush=True)
            servers = [f"http://127.0.0.1:{port}", f"https://127.0.0.1:{secure}", f"https://127.0.0.1:{http2}"]
            for each in [program, *([ASYNC_HTTP_CLIENT] if ASYNC_HTTP_CLIENT.exists() else [])]:
                command = [sys.executable, TRUST, authority.certificate, each, *servers, *arguments]
                subprocess.run(command, check=True, timeout=1200, env=os.environ | {"TMPDIR": folder})
        finally:
            server.terminate()
            server.wait(10)


if __name__ == "__main__":
    main(sys.argv[1:] or ["1,8,64,256,1024", "2000", "5"])
