"""The kinds of servers: where their programs are, and how each is made to do what the rows ask for."""

import shutil
import sys
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
    # Whether it stands in front of Node's server.
    is_proxy: bool = False
    # Whether it is a program of this folder's, and so keeps the rights of who runs it.
    is_own: bool = False

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
        location = /circle {{ return 302 /circle; }}
        location = /status {{ return 999 ""; }}
        location = /many {{ add_header X-Many a; add_header X-Many b; return 200 ""; }}
        location = /header {{ return 200 "$http_x_foo"; }}
        location = /move/hello {{ absolute_redirect off; return 302 /hello.txt; }}
        {moves}"""
    folders = "".join(f"{name}_temp_path {place.folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (place.folder / "nginx.conf").write_text(f"""
daemon off; pid {place.folder}/pid; error_log {place.folder}/errors; worker_processes 1;
events {{ }}
http {{
    access_log off; {folders} client_max_body_size 64m;
    types {{ text/plain txt; application/json json; application/octet-stream bin; text/html html; }}
    gzip on; gzip_types text/plain; gzip_min_length 1000; gzip_vary on;
    server {{ listen 127.0.0.1:{place.ports["http"]}; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["idle"]}; keepalive_timeout 1s; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["tls"]} ssl http2; {certificate} {rows} }}
    server {{ listen 127.0.0.1:{place.ports["goaway"]} ssl http2; keepalive_requests 10; {certificate} {rows} }}
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
        location / {{ return 200 "$request_method $bytes"; }}
    }}
    map $content_length $bytes {{ "" 0; default $content_length; }}
}}
""")
    return [place.program, "-p", place.folder, "-c", place.folder / "nginx.conf", "-e", place.folder / "errors"]


SECURE = {"tls": "server", "goaway": "server", "tls12": "server", "tls13": "server", "client": "server",
          "unknown": "unknown", "wrong": "wrong", "expired": "expired"}
MODULES = "/usr/lib/apache2/modules"


def httpd(place):
    """A server of files with a CGI program."""
    modules = """mpm_event authz_core dir mime headers alias deflate brotli filter env setenvif cgid ratelimit ssl http2
        socache_shmcb reqtimeout""".split()
    program = HERE / "program.sh"
    moves = "".join(f"Redirect {status} /move/{status} /echo\n" for status in MOVES)
    rows = f"""
        DocumentRoot {place.files}
        Redirect 204 /empty
        Redirect 302 /move/hello /hello.txt
        Redirect 302 /circle /circle
        {moves}
        ScriptAliasMatch "^/(?:once/)?(echo|form|small|chunked|unknown|many|header|version|name|empty-body|headers/.*|counted/.*)$" "{program}"
        AddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/plain
        <Location /small>
            LimitRequestBody 1000
        </Location>
        <Location /slow>
            SetOutputFilter RATE_LIMIT
            SetEnv rate-limit 12
        </Location>
        SetEnvIf Request_URI ^/once nokeepalive
        SetEnvIf Request_URI ^/unknown nokeepalive downgrade-1.0 force-response-1.0
        Alias /slow {place.files}/slow.bin
    """
    hosts = f"<VirtualHost *:{place.ports['http']}>\n{rows}</VirtualHost>\n"
    hosts += f"<VirtualHost *:{place.ports['idle']}>\nKeepAliveTimeout 1\n{rows}</VirtualHost>\n"
    for port, name in SECURE.items():
        more = {"tls": "Protocols h2 http/1.1", "tls12": "SSLProtocol TLSv1.2", "tls13": "SSLProtocol TLSv1.3",
                "client": f"SSLVerifyClient require\nSSLCACertificateFile {place.authority}"}.get(port, "")
        hosts += f"""<VirtualHost *:{place.ports[port]}>
            SSLEngine on
            SSLOptions +StdEnvVars
            SSLCertificateFile {getattr(place, name)}
            {more}
            {rows}</VirtualHost>\n"""
    listens = "".join(f"Listen 127.0.0.1:{place.ports[port]}\n" for port in ["http", "idle", *SECURE])
    loads = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in modules)
    (place.folder / "httpd.conf").write_text(f"""{loads}{listens}
ServerRoot {place.folder}
ServerName localhost
PidFile {place.folder}/pid
ErrorLog {place.folder}/errors
Mutex file:{place.folder}
ScriptSock {place.folder}/cgi
TypesConfig /dev/null
AddType text/plain txt
AddType application/json json
AddType application/octet-stream bin
AddType text/html html
DirectoryIndex index.html
KeepAliveTimeout 60
StartServers 1
SetEnv SERVERS_COUNTS {place.folder}/counts
<Directory />
    Require all granted
</Directory>
{hosts}""")
    return [place.program, "-d", place.folder, "-f", place.folder / "httpd.conf", "-DFOREGROUND"]


def lighttpd(place):
    """A server of files with a CGI program."""
    moves = "".join(f'"^/move/{status}$" => "/redirected/{status}",' for status in MOVES)
    (place.folder / "lighttpd.conf").write_text(f"""
server.modules = ("mod_rewrite", "mod_alias", "mod_cgi", "mod_deflate", "mod_setenv")
server.document-root = "{place.files}"
server.bind = "127.0.0.1"
server.port = {place.ports["http"]}
server.errorlog = "{place.folder}/errors"
server.upload-dirs = ("{place.folder}")
server.max-keep-alive-idle = 60
server.stream-response-body = 1
index-file.names = ("index.html")
mimetype.assign = (".txt" => "text/plain", ".json" => "application/json", ".html" => "text/html", "" => "application/octet-stream")
deflate.mimetypes = ("text/plain")
deflate.allowed-encodings = ("zstd", "br", "gzip", "deflate")
deflate.cache-dir = "{place.folder}/deflate"
setenv.add-environment = ("SERVERS_COUNTS" => "{place.folder}/counts")
alias.url = ("/slow" => "{place.files}/slow.bin", "/program" => "{HERE}/program.sh")
url.rewrite-once = (
    "^/(once/echo|echo|form|small|chunked|many|header|circle|version|name|empty|empty-body|headers/.*|counted/.*|move/.*)$" => "/program/$1")
$HTTP["url"] =~ "^/program" {{ cgi.assign = ("" => "") }}
$HTTP["url"] =~ "once" {{ server.max-keep-alive-requests = 0 }}
$HTTP["url"] =~ "small" {{ server.max-request-size = 1 }}
$HTTP["url"] =~ "^/slow" {{ connection.kbytes-per-second = 12 }}
$SERVER["socket"] == "127.0.0.1:{place.ports["idle"]}" {{ server.max-keep-alive-idle = 1 }}
""")
    return [place.program, "-D", "-f", place.folder / "lighttpd.conf"]


def caddy(place):
    """A server of files, which passes the rest to Node."""
    redirects = "".join(f"redir /move/{status} /echo {status}\n" for status in MOVES)
    rows = f"""
        bind 127.0.0.1
        root * {place.files}
        encode zstd gzip
        {redirects}
        redir /move/hello /hello.txt 302
        redir /circle /circle 302
        respond /header "{{header.X-Foo}}"
        respond /empty 204
        respond /empty-body "a body" 204
        respond /version "{{http.request.proto}}"
        respond /name "{{http.request.tls.server_name}}"
        abort /close
        @once path /once/*
        header @once Connection close
        @origin path /echo /once/echo /form /slow /chunked /unknown /trailers /hints /cut /cut-chunked /many /status /counted/* /headers/*
        reverse_proxy @origin 127.0.0.1:{place.origin} {{
            flush_interval -1
        }}
        handle /small {{
            request_body {{
                max_size 1000
            }}
            reverse_proxy 127.0.0.1:{place.origin}
        }}
        file_server
    """
    sites = "".join(f":{place.ports[port]} {{\n{rows}}}\n" for port in ["http", "idle"])
    for port, name in SECURE.items():
        more = {"tls12": "protocols tls1.2 tls1.2", "tls13": "protocols tls1.3 tls1.3",
                "client": f"client_auth {{\nmode require_and_verify\ntrusted_ca_cert_file {place.authority}\n}}"}.get(port, "")
        file = getattr(place, name)
        sites += f"https://:{place.ports[port]} {{\ntls {file} {file} {{\n{more}\n}}\n{rows}}}\n"
    (place.folder / "Caddyfile").write_text(f"""{{
    admin off
    auto_https disable_redirects
    skip_install_trust
    servers 127.0.0.1:{place.ports["idle"]} {{
        timeouts {{
            idle 1s
        }}
    }}
}}
{sites}""")
    return [place.program, "run", "--config", place.folder / "Caddyfile", "--adapter", "caddyfile"]


def haproxy(place):
    """In front of Node, with TLS, compression and a cache of its own."""
    redirects = "".join(f"http-request redirect location /echo code {status} if {{ path /move/{status} }}\n" for status in MOVES)
    fronts = ""
    for port in ["http", "idle", *SECURE]:
        secure = f"ssl crt {getattr(place, SECURE[port])} alpn h2,http/1.1" if port in SECURE else ""
        secure += {"tls12": " ssl-min-ver TLSv1.2 ssl-max-ver TLSv1.2", "tls13": " ssl-min-ver TLSv1.3",
                   "client": f" verify required ca-file {place.authority}"}.get(port, "")
        fronts += f"""
frontend {port}
    bind 127.0.0.1:{place.ports[port]} {secure}
    timeout http-keep-alive {"1s" if port == "idle" else "60s"}
    http-request return status 200 content-type text/plain lf-string "HTTP/%[req.ver]" if {{ path /version }}
    http-request return status 200 content-type text/plain lf-string "%[ssl_fc_sni]" if {{ path /name }}
    http-request return status 204 if {{ path /empty }}
    http-request reject if {{ path /close }}
    http-request deny deny_status 413 if {{ path /small }} {{ req.hdr(content-length) -m int gt 1000 }}
    {redirects}
    http-request cache-use stored if {{ path_beg /counted }}
    http-response cache-store stored
    compression algo gzip
    compression type text/plain
    default_backend node
"""
    (place.folder / "haproxy.cfg").write_text(f"""
global
    maxconn 1000
cache stored
    total-max-size 4
    max-age 60
    process-vary on
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
backend node
    server node 127.0.0.1:{place.origin}
{fronts}""")
    return [place.program, "-db", "-f", place.folder / "haproxy.cfg"]


def nginx_proxy(place):
    """In front of Node, with a cache."""
    folders = "".join(f"{name}_temp_path {place.folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    certificate = f"ssl_certificate {place.server}; ssl_certificate_key {place.server};"
    rows = f"""
        location / {{ proxy_pass http://127.0.0.1:{place.origin}; proxy_http_version 1.1; proxy_set_header Connection ""; }}
        location /counted/ {{
            proxy_pass http://127.0.0.1:{place.origin}; proxy_cache stored; proxy_http_version 1.1; proxy_set_header Connection "";
        }}
        location = /small {{ client_max_body_size 1k; proxy_pass http://127.0.0.1:{place.origin}/echo; }}
        location = /slow {{ proxy_buffering off; proxy_pass http://127.0.0.1:{place.origin}; proxy_http_version 1.1; }}
    """
    (place.folder / "nginx.conf").write_text(f"""
daemon off; pid {place.folder}/pid; error_log {place.folder}/errors; worker_processes 1;
events {{ }}
http {{
    access_log off; {folders} client_max_body_size 64m;
    proxy_cache_path {place.folder}/stored keys_zone=stored:1m;
    server {{ listen 127.0.0.1:{place.ports["http"]}; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["idle"]}; keepalive_timeout 1s; {rows} }}
    server {{ listen 127.0.0.1:{place.ports["tls"]} ssl http2; {certificate} {rows} }}
}}
""")
    return [place.program, "-p", place.folder, "-c", place.folder / "nginx.conf", "-e", place.folder / "errors"]


def squid(place):
    """In front of Node, with a cache."""
    (place.folder / "squid.conf").write_text(f"""
http_port 127.0.0.1:{place.ports["http"]} accel defaultsite=localhost no-vhost
http_port 127.0.0.1:{place.ports["idle"]} accel defaultsite=localhost no-vhost
cache_peer 127.0.0.1 parent {place.origin} 0 no-query originserver name=node
cache_peer_access node allow all
http_access allow all
client_idle_pconn_timeout 1 second
pid_filename {place.folder}/pid
cache_log {place.folder}/errors
access_log none
cache_store_log none
coredump_dir {place.folder}
cache_mem 8 MB
shutdown_lifetime 0 seconds
visible_hostname localhost
acl small urlpath_regex ^/small
netdb_filename none
pinger_enable off
request_header_max_size 64 KB
""")
    return [place.program, "-N", "-f", place.folder / "squid.conf"]


def varnish(place):
    """In front of Node, with a cache."""
    (place.folder / "varnish.vcl").write_text(f"""vcl 4.1;
backend node {{ .host = "127.0.0.1"; .port = "{place.origin}"; }}
sub vcl_recv {{
    if (req.url == "/small") {{ return (synth(413)); }}
}}
""")
    return [place.program, "-F", "-f", place.folder / "varnish.vcl", "-n", place.folder / "work", "-s", "malloc,8m",
            *[part for port in ["http", "idle"] for part in ("-a", f"127.0.0.1:{place.ports[port]}")], 
            "-j", "none", "-p", "timeout_idle=1"]


def node(place):
    """Node's http, https and http2."""
    names = ["http", "idle", "tls", "goaway", "tls12", "tls13", "client"]
    return [place.program, HERE / "app.mjs", place.files, place.server, *[f"{name}={place.ports[name]}" for name in names]]


def uvicorn(place):
    """An ASGI app; over TLS, another process with the same app."""
    return [sys.executable, "-B", HERE / "asgi.py", "uvicorn", place.server, place.ports["http"], place.ports["idle"], place.ports["tls"]]


def hypercorn(place):
    """An ASGI app, also by HTTP/2."""
    return [sys.executable, "-B", HERE / "asgi.py", "hypercorn", place.server, place.ports["http"], place.ports["idle"], place.ports["tls"]]


def rows(why, names):
    """Why a server isn't asked for some rows."""
    return dict.fromkeys(names.split(), why)


# Rows that some servers have no way to do.
CLOSED = "closed-head closed-head-kept closed-head-post"
CUT = "closed-body closed-chunks closed-stream"
CACHE = "cached-twice cached-vary cached-age"
RANGES = "range range-last ranges range-too-far range-of-gzip if-range if-range-changed"
CERTIFICATES = "tls-unknown-authority tls-wrong-name tls-expired"
VERSIONS = "tls-1.2 tls-1.3 tls-name tls-client-certificate"
GOAWAY = "goaway goaway-at-once"
TLS = f"{VERSIONS} {CERTIFICATES} version {GOAWAY} flow-control reset-stream"
KINDS = [
    Kind("nginx", "nginx", "nginx", "nginx-light", nginx, {
        **rows("it makes no such response without a program", f"{CUT} reset-stream early-hints long-response-header 1-mb-of-response-headers"),
        **rows("it stores nothing as a server of files", f"{CACHE} library-cache")}),
    Kind("httpd", "Apache httpd", "apache2", "apache2", httpd, {
        **rows("a CGI program can't do that", f"{CLOSED} {CUT} trailers early-hints reset-stream unknown-status"),
        **rows("it sends no GOAWAY meanwhile", GOAWAY), **rows("it stores nothing as a server of files", CACHE)}),
    Kind("lighttpd", "lighttpd", "lighttpd", "lighttpd", lighttpd, {
        **rows("a CGI program can't do that", f"{CLOSED} {CUT} unknown-length trailers early-hints unknown-status"),
        **rows("TLS is in another package of Debian", TLS), **rows("it stores nothing", CACHE)}),
    Kind("caddy", "Caddy", "caddy", "caddy", caddy, {
        **rows("it sends no GOAWAY meanwhile", GOAWAY), **rows("it stores nothing", CACHE)}, is_proxy=True),
    Kind("haproxy", "HAProxy", "haproxy", "haproxy", haproxy, {
        **rows("Node's server behind it has no ranges", RANGES), **rows("it sends no GOAWAY meanwhile", GOAWAY)}, is_proxy=True),
    Kind("nginx-proxy", "nginx as a proxy", "nginx", "nginx-light", nginx_proxy, {
        **rows("Node's server behind it has no ranges", RANGES),
        **rows("it is as nginx", f"{VERSIONS} {CERTIFICATES} version {GOAWAY}")}, is_proxy=True),
    Kind("squid", "squid", "squid", "squid", squid, rows("it is used without TLS here", TLS), is_proxy=True),
    Kind("varnish", "varnish", "varnishd", "varnish", varnish, rows("it has no TLS", TLS), is_proxy=True),
    Kind("node", "Node", "node", "nodejs", node, {
        **rows("it has no ranges", RANGES), **rows("it stores nothing", CACHE),
        **rows("the certificate is as with the others", CERTIFICATES)}, is_own=True),
    Kind("uvicorn", "uvicorn", "python3", "python3", uvicorn, {
        **rows("an ASGI app can't do that", f"{CLOSED} redirect-slash trailers early-hints"), **rows("it stores nothing", CACHE),
        **rows("it has no ranges", RANGES), **rows("it has no HTTP/2", f"{GOAWAY} reset-stream"),
        **rows("TLS is as with the others", f"{VERSIONS} {CERTIFICATES}")}, is_own=True),
    Kind("hypercorn", "hypercorn", "python3", "python3", hypercorn, {
        **rows("an ASGI app can't do that", f"{CLOSED} redirect-slash trailers early-hints {GOAWAY}"), **rows("it stores nothing", CACHE),
        **rows("it has no ranges", RANGES), **rows("it neither ends nor resets such a stream", "reset-stream"),
        **rows("TLS is as with the others", f"{VERSIONS} {CERTIFICATES}")}, is_own=True),
]
NODE = next(kind for kind in KINDS if kind.name == "node")
