"""Runs a command that trusts one certificate authority alone: `python trust.py CERTIFICATE COMMAND ...`.

`URLSession` on Linux reads the certificates that it trusts from one file, for each connection anew, and no variable
of the environment names another one. The command gets a mount namespace of its own, in which that file has the
authority's certificate and no other: tests connect to nobody else, and the system's 140 authorities take a connection
a tenth of a second. Nothing changes for other processes. Where the system allows no such namespace, the command has
`impossible` as the ENDPOINTS_RECORDER_TLS of its environment."""

import ctypes
import os
import sys

# The files that FoundationNetworking looks for, in this order.
BUNDLES = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/usr/share/ssl/certs/ca-bundle.crt", "/usr/local/share/certs/ca-root-nss.crt",
]
NEW_MOUNTS, NEW_USER = 0x00020000, 0x10000000
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 0x40000


def main():
    """Has the certificate trusted if that can be done, and becomes the command."""
    certificate, command = sys.argv[1], sys.argv[2:]
    try:
        trust(certificate)
    except OSError as error:
        print(f"trust.py: TLS is not tested, as no certificate can be added: {error}", file=sys.stderr)
        os.environ["ENDPOINTS_RECORDER_TLS"] = "impossible"
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"trust.py: {command[0]}: {error.strerror}", file=sys.stderr)
        return os.EX_UNAVAILABLE


def trust(certificate):
    """Puts the certificate over the file of the system's, for this process."""
    if sys.platform != "linux":
        raise OSError("it is known for Linux only")
    bundle = next((path for path in BUNDLES if os.path.exists(path)), None)
    if not bundle:
        raise OSError("there is no file of the system's certificates")
    enter_namespace()
    system("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    system("mount", os.fsencode(certificate), os.fsencode(os.path.realpath(bundle)), None, BIND, None)


def enter_namespace():
    """Gets mounts of its own: as root, or as the one user of a new user namespace."""
    user, group = os.geteuid(), os.getegid()
    try:
        system("unshare", NEW_MOUNTS)
    except OSError:
        system("unshare", NEW_MOUNTS | NEW_USER)
        for file, text in (
            ("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{file}", "w", encoding="ascii") as open_file:
                open_file.write(text)


def system(name, *arguments):
    """A call of the C library's; `OSError` if it fails."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    sys.exit(main())
