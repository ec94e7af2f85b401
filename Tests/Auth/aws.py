"""Compares the signatures of random requests with those of botocore: aws.py [count]"""

import datetime
import json
import random
import re
import subprocess
import sys
import types
from pathlib import Path

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
import botocore.auth

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/checks/debug/Signatures"
TEXT = "abcXYZ019-_.~ !$&'()*+,;=:@/?#[]%|\\\"<>{}^`äßƒ日本🎉\t"
ESCAPED = "".join(chr(c) for c in range(0x21, 0x7F) if chr(c) not in "\"#<>?[\\]^`{|}/%&")


def word(source, rng, most):
    return "".join(rng.choice(source) for _ in range(rng.randint(0, most)))


def escaped(text, safe):
    return "".join(c if c in safe else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def request(rng):
    """A random request: what can be in a URL, in headers and in a body."""
    service = rng.choice(["s3", "s3", "dynamodb", "execute-api", "iam"])
    safe = rng.choice([ESCAPED.replace("%", ""), "abcdefghijklmnopqrstuvwxyz"])
    segments = [escaped(word(TEXT, rng, 6), safe) for _ in range(rng.randint(0, 4))]
    segments = [segment for segment in segments if segment not in (".", "..")]
    path = "/" + rng.choice(["/", "/", "/", "//"]).join(segments)
    items = [escaped(word(TEXT, rng, 4), safe.replace("=", "").replace("+", "")) +
             rng.choice(["=" + escaped(word(TEXT, rng, 4), safe.replace("+", "")), ""])
             for _ in range(rng.randint(0, 4))]
    query = "&".join(item for item in items if item and not item.startswith("="))
    host = rng.choice(["example.com", "bucket.s3.eu-central-1.amazonaws.com", "127.0.0.1:9000", "[::1]:80", "h:443"])
    scheme = rng.choice(["https", "http"])
    printable = "".join(chr(c) for c in range(0x20, 0x7F))
    names = ["Content-Type", "X-Amz-Meta-A", "x-amz-acl", "X-Custom", "Accept", "Range", "If-None-Match"]
    headers = {name: "a" + word(printable + "   ", rng, 20).strip() for name in rng.sample(names, rng.randint(0, 4))}
    return {
        "method": rng.choice(["GET", "PUT", "POST", "DELETE", "HEAD"]),
        "url": f"{scheme}://{host}{path}" + ("?" + query if query else ""),
        "headers": headers, "body": word(TEXT, rng, 40), "date": rng.randint(0, 4_000_000_000),
        "service": service, "region": rng.choice(["us-east-1", "eu-central-1"]),
        "key": "AK" + word("ABCDEF0123456789", rng, 10), "secret": "s" + word(printable, rng, 40),
        "token": rng.choice([None, "t" + word("abc/+=", rng, 50)]),
        "unsigned": service == "s3" and rng.random() < 0.2,
    }


def expected(line, sent):
    """The headers that botocore adds to the request as it is sent."""
    moment = datetime.datetime.fromtimestamp(line["date"], datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda remove_tzinfo=True: moment.replace(tzinfo=None)
    headers = dict(line["headers"])
    aws = AWSRequest(method=line["method"], url=sent["X-Sent-URL"], headers=headers, data=line["body"].encode())
    kind = S3SigV4Auth if line["service"] == "s3" else SigV4Auth
    auth = kind(Credentials(line["key"], line["secret"], line["token"]), line["service"], line["region"])
    signs = {"payload_signing_enabled": not line["unsigned"]}
    aws.context["client_config"] = types.SimpleNamespace(s3=signs)
    auth.add_auth(aws)
    return aws.headers["Authorization"]


def presigned(line, sent):
    """The signature with which botocore presigns a GET of the URL, and that of the presigned URL."""
    url, signature = re.fullmatch(r"(.*)&X-Amz-Signature=(\w+)", sent["X-Presigned"]).groups()
    bare = re.sub(r"[?&]X-Amz-.*", "", url)
    names = [item.partition("=")[0] for item in bare.partition("?")[2].split("&")]
    if len(set(names)) < len(names):  # of which botocore presigns only the first
        return None, None
    aws = AWSRequest(method="GET", url=bare, headers={})
    kind = S3SigV4QueryAuth if line["service"] == "s3" else SigV4QueryAuth
    credentials = Credentials(line["key"], line["secret"], line["token"])
    kind(credentials, line["service"], line["region"], 60).add_auth(aws)
    return aws.url.rpartition("X-Amz-Signature=")[2], signature


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    rng = random.Random(seed)
    lines = [request(rng) for _ in range(count)]
    text = "\n".join(json.dumps(line) for line in lines)
    result = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, timeout=1200)
    if result.returncode:
        print(result.stderr, file=sys.stderr)
        return f"the program ended with {result.returncode} (seed {seed})"
    answers = [json.loads(answer) for answer in result.stdout.splitlines()]
    if len(answers) != count:
        return f"{len(answers)} of {count} requests came back (seed {seed})"
    compared = 0
    for line, sent in zip(lines, answers):
        wanted = expected(line, sent)
        first, second = presigned(line, sent) if "X-Presigned" in sent else (None, None)
        compared += first is not None
        if wanted != sent["Authorization"] or first != second:
            print(json.dumps(line, indent=1), json.dumps(sent, indent=1), wanted, sep="\n", file=sys.stderr)
            return f"a signature differs from botocore's (seed {seed})"
    print(f"{count} random requests are signed and {compared} presigned as by botocore {botocore.__version__} "
          f"(seed {seed})")
    return None if compared > count / 2 else "too few URLs were presigned"


sys.exit(main())
