"""The Swift compiler with an Apple platform as its target, on Linux: it checks types, and which version of the platform
an API needs. It makes no code.

The modules of Linux's tool chain say of each declaration which version of each platform has it, as they are compiled of
the same sources; of a module for another platform the compiler refuses only the name of the target. So this copies
them, each with another target's name. What the copies lack is in the folder Apple: `os`, Combine, Darwin, and the types
that are in Apple's Foundation. FoundationNetworking has no versions, and nothing that is newer than iOS 15.

Objective-C isn't there. What only it allows, and `canImport(FoundationNetworking)`, is rewritten in a copy of the
sources, line by line."""

import json
import re
import subprocess
from pathlib import Path

from compiler import ROOT

FOLDER = ROOT / ".build/apple"
STAND_INS = ROOT / "Tests/Compile/Apple"
COMBINE = ROOT / "Tests/Combine/.build/debug"
# How the compiler calls each platform: in the name of a target, and the folder and the file of a module. visionOS 1
# has whatever iOS 17 has.
PLATFORMS = {
    "ios": ("arm64-apple-ios", "iphoneos", "arm64-apple-ios"),
    "macos": ("x86_64-apple-macosx", "macosx", "x86_64-apple-macos"),
    "tvos": ("arm64-apple-tvos", "appletvos", "arm64-apple-tvos"),
    "watchos": ("arm64-apple-watchos", "watchos", "arm64-apple-watchos"),
}
# What is compiled in another way than it is written.
REWRITTEN = [
    (r"canImport\(FoundationNetworking\)", "false"),
    (r"^( *)import FoundationNetworking\b", r"\1"),
    # An optional method, and what only Objective-C sees.
    (r"(\.urlSession)\?\(", r"\1("),
    (r"@objc\([\w:]+\)", ""),
    (r"typealias PropertyValue = Any$", "typealias PropertyValue = AnyObject"),
]


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def rewritten(code):
    """Some code as it is compiled for an Apple platform; each line keeps its number."""
    for pattern, replacement in REWRITTEN:
        code = re.sub(pattern, replacement, code, flags=re.MULTILINE)
    return code


def copy(folder):
    """The Swift files of a folder of the repository, rewritten, as paths that are the same in FOLDER."""
    paths = []
    # The code of the tutorial, in the catalogue, is no part of the module.
    for file in sorted(file for file in (ROOT / folder).rglob("*.swift") if ".docc/" not in str(file)):
        paths.append(file.relative_to(ROOT))
        write(FOLDER / paths[-1], rewritten(file.read_text()).encode())
    return paths


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


class Platform:
    """A platform at a version, with what the compiler needs of its modules."""

    def __init__(self, name, version):
        info = json.loads(output("swiftc", "-print-target-info"))
        self.name = f"{name} {version}"
        self.linux = info["target"]["moduleTriple"]
        target, self.folder, self.file = PLATFORMS[name]
        self.target = target + version
        self.resources = FOLDER / self.folder / "resources"
        self.stand_ins = FOLDER / self.folder / "modules"
        self.copy_toolchain(Path(info["paths"]["runtimeResourcePath"]))
        self.make_stand_ins()

    def copy_toolchain(self, toolchain):
        """Copies the modules of the tool chain, and of OpenCombine, and links all else."""
        write(self.resources / "sdk/empty", b"")
        for entry in toolchain.iterdir():
            link = self.resources / entry.name
            if not link.is_symlink():
                link.symlink_to(entry)
        for kind in ("swiftmodule", "swiftinterface"):
            for module in (toolchain / "linux").glob(f"*.swiftmodule/{self.linux}.{kind}"):
                # Where there is a compiled module, its text isn't needed.
                if kind == "swiftinterface" and module.with_suffix(".swiftmodule").exists():
                    continue
                path = self.resources / self.folder / module.parent.name / f"{self.file}.{kind}"
                write(path, self.retargeted(module))
        write(
            self.stand_ins / "OpenCombine.swiftmodule",
            self.retargeted(COMBINE / "Modules/OpenCombine.swiftmodule"))
        # The C library's headers are a module where the compiler for Linux puts its map.
        library = toolchain / "linux" / self.linux.partition("-")[0]
        contents = [
            {"type": "file", "name": name, "external-contents": str(library / file)}
            for name, file in [("module.modulemap", "glibc.modulemap"), ("SwiftGlibc.h", "SwiftGlibc.h")]
        ]
        roots = [{"type": "directory", "name": "/usr/include", "contents": contents}]
        write(self.resources / "overlay.yaml", json.dumps({"version": 0, "roots": roots}).encode())

    def retargeted(self, module):
        """A module with this target's name, which in a compiled one must have as many letters as the old one."""
        old = self.linux.encode()
        return module.read_bytes().replace(old, self.target.encode().ljust(len(old), b"0"), 1)

    def make_stand_ins(self):
        for file in sorted(STAND_INS.glob("*.swift")):
            is_made, words = self.compile(
                self.stand_ins, file.stem, [file], "-parse-as-library", implicitly=[])
            if not is_made:
                raise SystemExit(f"{file}:\n{words}")

    def compile(self, folder, module, files, *settings, implicitly=("-import-module", "MoreFoundation")):
        """Makes a module in a folder, of whose modules it may use others; returns whether the compiler has nothing to
        say, and what it says."""
        folder.mkdir(parents=True, exist_ok=True)
        plugins = self.resources / "host"
        command = [
            "swiftc", "-frontend", "-emit-module", "-o", folder / f"{module}.swiftmodule",
            "-module-name", module, *files, *settings, *implicitly,
            "-target", self.target, "-clang-target", self.linux, "-disable-objc-interop",
            "-resource-dir", self.resources, "-I", self.stand_ins, "-I", folder,
            "-I", COMBINE / "COpenCombineHelpers.build", "-module-cache-path", FOLDER / "cache",
            # Without an SDK, each module counts as one of it.
            "-sdk", self.resources / "sdk", "-Xcc", "--sysroot=/",
            "-vfsoverlay", self.resources / "overlay.yaml",
            "-Xcc", "-Xclang", "-Xcc", "-fbuiltin-headers-in-system-modules",
            "-plugin-path", plugins / "plugins",
            "-in-process-plugin-server-path", plugins / "libSwiftInProcPluginServer.so",
        ]
        run = subprocess.run(
            list(map(str, command)), cwd=FOLDER, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.returncode == 0 and not run.stdout.strip(), run.stdout
