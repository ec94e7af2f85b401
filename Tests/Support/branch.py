"""Makes the branch `async-http-client`: the last commit, with a Package.swift that has AsyncHTTPClient's transport as a product.

SwiftPM takes packages at the root of a repository only, and the root package names no other package. So what depends
on that branch by URL has all products of the library and `EndpointsAsyncHTTPClient`, and nobody else resolves SwiftNIO.
What the product needs is read from Sources/Integrations/AsyncHTTPClient/Package.swift. `--print` writes only the
manifest. The checkout isn't touched."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "Sources/Integrations/AsyncHTTPClient"
NAME = "EndpointsAsyncHTTPClient"
BRANCH = "async-http-client"


def git(*arguments, text=None):
    """What a git command prints."""
    run = subprocess.run(["git", *arguments], cwd=ROOT, input=text, text=True, stdout=subprocess.PIPE, check=True)
    return run.stdout.strip()


def part(pattern, text):
    """The only place in a manifest that a pattern finds."""
    found, = re.findall(pattern, text, re.MULTILINE | re.DOTALL)
    return found


def manifest():
    """The root's Package.swift with the product, what it depends on, and its platforms."""
    root = (ROOT / "Package.swift").read_text()
    other = (ROOT / FOLDER / "Package.swift").read_text()
    packages = "".join(f"{line}\n" for line in re.findall(r"^ +\.package\(url: .*$", other, re.MULTILINE))
    needs = part(rf'\.target\(\s+name: "{NAME}",\s+dependencies: \[\n(.*?)\n +\]', other)
    needs = needs.replace('.product(name: "Endpoints", package: "Endpoints")', '"Endpoints"')
    platforms = r"^    platforms: \[[^\n]*$"
    root = root.replace(part(f"({platforms})", root), part(f"({platforms})", other))
    product = f'        .library(name: "{NAME}", targets: ["{NAME}"]),\n'
    target = f"""        .target(
            name: "{NAME}",
            dependencies: [
{needs}
            ],
            path: "{FOLDER}/Sources/{NAME}"),
"""
    dependencies = f"    dependencies: [\n{packages}    ],\n"
    products = part(r"^(    products: \[\n.*?\n    \],\n)", root)
    return root.replace(products, products.removesuffix("    ],\n") + product + "    ],\n" + dependencies).replace(
        "    targets: [\n", f"    targets: [\n{target}", 1)


def main():
    """Makes the branch, or prints the manifest."""
    if "--print" in sys.argv:
        print(manifest(), end="")
        return
    blob = git("hash-object", "-w", "--stdin", text=manifest())
    rest = [line for line in git("ls-tree", "HEAD").splitlines() if not line.endswith("\tPackage.swift")]
    tree = git("mktree", text="".join(f"{line}\n" for line in [*rest, f"100644 blob {blob}\tPackage.swift"]))
    commit = git("commit-tree", tree, "-p", "HEAD", "-m", "The library with AsyncHTTPClient's transport as a product")
    git("update-ref", f"refs/heads/{BRANCH}", commit)
    print(f"the branch {BRANCH} is at {commit[:7]}")


main()
