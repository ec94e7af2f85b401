"""Uses a storage server that checks each signature, moto, also by a proxy that cuts five connections."""

import logging
import os
import subprocess
import sys
from pathlib import Path

os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "3"
os.environ["MOTO_S3_CUSTOM_ENDPOINTS"] = ""

import boto3  # noqa: E402
from moto.server import ThreadedMotoServer  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))
from cutting import CuttingProxy  # noqa: E402

PROGRAM = ROOT / ".build/checks/debug/Storage"
ALL = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'


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
        # A server that closes each connection lets those with 6 MiB through, and one that keeps them doesn't.
        budgets = [6 << 20, 1 << 20, 3 << 20, 100, 6 << 20, 2 << 20, 4 << 20]
        proxy = CuttingProxy(port, lambda: (budgets.pop(0) if budgets else None, None))
        result = subprocess.run(
            [PROGRAM, str(port), str(proxy.port), key["AccessKeyId"], key["SecretAccessKey"]],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        proxy.close()
        print(result.stdout, end="")
        if result.returncode:
            print(result.stderr[-4000:], file=sys.stderr)
            return "a request to the storage server failed"
        print(f"{proxy.cuts} connections were cut")
        return None if proxy.cuts >= 5 else "the proxy should have cut five connections"
    finally:
        server.stop()


sys.exit(main())
