"""The kinds of servers: where their programs are, and how each is made to do what the rows ask for."""

import grp
import os
import pwd
import shutil
from pathlib import Path
from typing import Callable, NamedTuple

HERE = Path(__file__).resolve().parent
MOVES = [301, 302, 303, 307, 308]


class Kind(NamedTuple):
    """A kind of server."""

    name: str
    # What the page calls it.
    title: str
    # The program, and the Debian package that has it.
    program: str
    package: str
    # Makes its configuration in a folder, and returns its command.
    command: Callable
    # Why it can't do what a row asks for, by the row's name.
    lacks: dict
    # The server in front of which it is a proxy.
    origin: str | None = None

    def path(self):
        """Where its program is; `None` if it isn't there."""
        return shutil.which(self.program) or shutil.which(self.program, path="/usr/sbin:/usr/bin:/sbin:/bin")


def nginx(place):
    """A server of files, which is its own origin for what it has to read."""
    certificate = f"ssl_certificate {place.server}; ssl_certificate_key {place.server};"
    moves = "".join(f"location = /move/{status} {{ return {status} /echo; }}\n" for status in MOVES)
    rows = f"""
        root {place.files}; default_type text/plain;
        location = /empty {{ return 204; }}
        location = /empty-body {{ return 204 "a body"; }}
        location = /close {{ return 444; }}
        location = /echo {{ proxy_pass http://127.0.0.1:{place.ports["inner"]}; }}
        location = /form {{ proxy_pass http://127.0.0.1:{place.ports["inner"]}/method; }}
        location = /once/echo {{ keepalive_timeout 0; proxy_pass http://127.0.0.1:{place.ports["inner"]}; }}
        location = /small {{ client_max_body_size 1k; proxy_pass http://127.0.0.1:{place.ports["inner"]}; }}
        location = /slow {{ gzip off; limit_rate 12k; alias {place.files}/slow.bin; }}
        location = /chunked {{ ssi on; ssi_types *; alias {place.files}/hello.txt; }}
        location = /unknown {{ ssi on; ssi_types *; chunked_transfer_encoding off; alias {place.files}/hello.txt; }}
        location = /trailers {{ ssi on; ssi_types *; add_trailer X-Sum 13; alias {place.files}/hello.txt; }}
        location = /version {{ return 200 $server_protocol; }}
        location = /name {{ return 200 "$ssl_server_name"; }}
        location = /move/hello {{ absolute_redirect off; return 302 /hello.txt; }}
        {moves}"""
    folders = "".join(f"{name}_temp_path {place.folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (place.folder / "nginx.conf").write_text(f"""
user {pwd.getpwuid(os.geteuid()).pw_name} {grp.getgrgid(os.getegid()).gr_name}; daemon off; pid {place.folder}/pid; error_log {place.folder}/errors; worker_processes 1;
events {{ }}
http {{
    access_log off; {folders} client_max_body_size 64m;
    types {{ text/plain txt; application/json json; application/octet-stream bin; text/html html; }}
    gzip on; gzip_types text/plain; gzip_min_length 1000; gzip_vary on;
    server {{ listen 127.0.0.1:{place.ports["http"]}; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["idle"]}; keepalive_timeout 1s; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["tls"]} ssl http2; {certificate} {rows} }}
    server {{ listen 127.0.0.1:{place.ports["goaway"]} ssl http2; keepalive_requests 3; {certificate} {rows} }}
    server {{ listen 127.0.0.1:{place.ports["tls12"]} ssl; ssl_protocols TLSv1.2; {certificate} {rows} }}
    server {{ listen 127.0.0.1:{place.ports["tls13"]} ssl; ssl_protocols TLSv1.3; {certificate} {rows} }}
    server {{
        listen 127.0.0.1:{place.ports["client"]} ssl; {certificate}
        ssl_verify_client on; ssl_client_certificate {place.authority}; {rows}
    }}
    server {{
        listen 127.0.0.1:{place.ports["unknown"]} ssl;
        ssl_certificate {place.unknown}; ssl_certificate_key {place.unknown}; {rows}
    }}
    server {{
        listen 127.0.0.1:{place.ports["wrong"]} ssl;
        ssl_certificate {place.wrong}; ssl_certificate_key {place.wrong}; {rows}
    }}
    server {{
        listen 127.0.0.1:{place.ports["expired"]} ssl;
        ssl_certificate {place.expired}; ssl_certificate_key {place.expired}; {rows}
    }}
    server {{
        listen 127.0.0.1:{place.ports["inner"]};
        default_type text/plain; location = /method {{ return 200 "$request_method"; }}
        location / {{ return 200 "$request_method $content_length"; }}
    }}
}}
""")
    return [place.program, "-p", place.folder, "-c", place.folder / "nginx.conf", "-e", place.folder / "errors"]


NO_APP = "it has no program that makes responses"
CUTS = ["closed-body", "closed-chunks", "closed-stream", "reset-stream"]
COUNTED = ["cached-twice", "cached-vary", "cached-age", "library-cache"]
HEADERS = ["long-response-header", "1-mb-of-response-headers"]
KINDS = [
    Kind("nginx", "nginx", "nginx", "nginx-light", nginx,
         {row: NO_APP for row in [*CUTS, *COUNTED, *HEADERS, "early-hints"]}),
]
