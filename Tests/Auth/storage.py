"""Uses a storage server that checks each signature, moto, also by a proxy that cuts five connections."""

import logging
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
os.environ["MOTO_S3_CUSTOM_ENDPOINTS"] = ""

import boto3  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build/checks/debug/Storage"
ALL = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'


def forward(source, target, budget):
    """Copies bytes until the end, or until so many have passed; then cuts both connections."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
            if budget is not None:
                budget -= len(data)
                if budget < 0:
                    break
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def cutting_proxy(port, cuts):
    """A port that leads to another one. The connections of `cuts` end after so many bytes of the client."""
    listener = socket.create_server(("127.0.0.1", 0))
    made = []

    def accept():
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", port))
            budget = cuts.pop(0) if cuts else None
            made.append(budget)
            threading.Thread(target=forward, args=(client, server, budget), daemon=True).start()
            threading.Thread(target=forward, args=(server, client, None), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener, made


def main():
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        iam = boto3.client("iam", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
                           aws_access_key_id="a", aws_secret_access_key="b")
        iam.create_user(UserName="u")
        iam.put_user_policy(UserName="u", PolicyName="all", PolicyDocument=ALL)
        key = iam.create_access_key(UserName="u")["AccessKey"]
        listener, made = cutting_proxy(port, [1000, 6 << 20, 1 << 20, 3 << 20, 100, 2 << 20][1:])
        result = subprocess.run(
            [PROGRAM, str(port), str(listener.getsockname()[1]), key["AccessKeyId"], key["SecretAccessKey"]],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        listener.close()
        print(result.stdout, end="")
        if result.returncode:
            print(result.stderr[-4000:], file=sys.stderr)
            return "a request to the storage server failed"
        cut = sum(budget is not None for budget in made)
        print(f"{cut} connections were cut")
        return None if cut == 5 else "the proxy should have cut five connections"
    finally:
        server.stop()


sys.exit(main())
