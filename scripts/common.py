# SPDX-License-Identifier: Apache-2.0
"""Parts that the repository's scripts share: places, the children's environment, running, telling."""

import hashlib
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
VENV = BUILD / "venv"
PYTHON = VENV / "bin" / "python"

LOG_TAIL_LINES = 40
begun_logs: set[str] = set()  # a log starts afresh in each run of a script


class StopError(Exception):
    """Something the user has to know or do; the message is all that is printed."""


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


def usable_processors() -> int:
    """Processors that this process may run on: fewer than the machine has in a container, or under taskset."""
    return len(os.sched_getaffinity(0))


def help_wanted(text: str | None) -> bool:
    """Print a script's description if that is what its first argument asks for: before any set-up."""
    wanted = sys.argv[1:2] in (["-h"], ["--help"])
    if wanted:
        say((text or "").strip())
    return wanted


@contextmanager
def step(what: str) -> Iterator[None]:
    """Print what is being done and, once it is done, how long it took."""
    start = time.monotonic()
    say(f"[setup] {what} ... ", end="")
    try:
        yield
    except BaseException:
        say("failed")
        raise
    say(f"{time.monotonic() - start:.1f} s")


def cache_place(env: Mapping[str, str]) -> Path:
    """Models, firmware, proofs and objects, each by its content, are the user's and not the tree's: another clone finds them. `ringside cache`
    shows and shrinks them. In build/ where there is no home to write to."""
    if given := env.get("RINGSIDE_CACHE"):
        return Path(given).resolve()
    base = env.get("XDG_CACHE_HOME") or (f"{env['HOME']}/.cache" if env.get("HOME") else "")
    place = Path(base) / "ringside"
    try:
        place.mkdir(parents=True, exist_ok=True)
        usable = bool(base) and os.access(place, os.W_OK)
    except OSError:
        usable = False
    return place if usable else BUILD / "cache"


def environment() -> dict[str, str]:
    """The environment of every child: the venv first, one thread per process, nothing inherited
    that would change which Python packages are seen."""
    env = dict(os.environ)
    for name in ("PYTHONPATH", "PYTHONHOME", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        env.pop(name, None)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        env[name] = "1"
    env["PATH"] = f"{VENV / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"
    env["VIRTUAL_ENV"] = str(VENV)
    env["PYTHONNOUSERSITE"] = "1"
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    env["PIP_NO_INPUT"] = "1"
    env["CMAKE_GENERATOR"] = "Ninja"
    cache = cache_place(env)
    env["RINGSIDE_CACHE"] = str(cache)
    if shutil.which("ccache"):  # the wheel, the tests and what tests build compile the same files
        env["CMAKE_C_COMPILER_LAUNCHER"] = "ccache"
        env["CCACHE_DIR"] = str(cache / "ccache")
        env.setdefault("CCACHE_MAXSIZE", "2G")
        env["CCACHE_BASEDIR"] = str(ROOT)  # another clone of the same files is compiled from the cache, too:
        env["CCACHE_NOHASHDIR"] = "1"  # paths below it are relative, and debug information may name the other clone
    return env


def compile_alike() -> None:
    """For what this process starts: one compiler by one name, and the same options for tests and wheel, so that ccache knows the files."""
    os.environ.setdefault("CC", "gcc")
    os.environ.setdefault("SKBUILD_CMAKE_DEFINE", "RS_WERROR=ON")
    # names and lines, for tests/constant_time, which compiles these files too
    os.environ.setdefault("CFLAGS", "-gdwarf-4 -g1")


def run_quiet(command: Sequence[str | Path], log: str, hint: str = "", cwd: Path = ROOT) -> None:
    """Run with the output in build/logs/<log>.log; on failure show the end of it and the hint."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{log}.log"
    words = list(map(str, command))
    with path.open("a+" if log in begun_logs else "w+", encoding="utf-8", errors="replace") as out:
        begun_logs.add(log)
        out.write(f"$ {' '.join(words)}\n")
        out.flush()
        begin = out.tell()
        done = subprocess.run(
            words, cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        )
        if done.returncode == 0:
            return
        out.seek(begin)
        lines = out.read().splitlines()
    tail = "\n".join(f"  | {line}" for line in lines[-LOG_TAIL_LINES:])
    raise StopError(
        f"{tail}\nThis failed with code {done.returncode}; the command and its whole output are "
        f"in {path.relative_to(ROOT)}." + (f"\n{hint}" if hint else "")
    )


def files_below(*places: Path) -> Iterator[Path]:
    """Every regular file at or below the places, sorted, without caches."""
    for place in places:
        if place.is_file():
            yield place
        for path in sorted(place.rglob("*")) if place.is_dir() else ():
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def tracked() -> list[Path]:
    """Files that git has or would take; without git, everything outside build/ and caches."""
    try:
        asked = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
        )
        found = asked.returncode == 0
    except FileNotFoundError:
        found = False
    if found:
        names = asked.stdout.decode().split("\0")
        paths = [ROOT / name for name in sorted(set(names)) if name]
        return [path for path in paths if path.is_file() and not path.is_symlink()]
    skip = {".git", "build", "dist", "node_modules", "__pycache__"}
    places = [place for place in ROOT.iterdir() if place.name not in skip]
    return [path for path in files_below(*places) if not skip & set(path.parts)]


def digest(files: Iterable[Path], *more: str) -> str:
    """A hash over names and contents."""
    total = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(ROOT)} {content}\n".encode())
    total.update("\n".join(more).encode())
    return total.hexdigest()


def replace_file(path: Path, content: str | bytes) -> None:
    """Writes a file that may be read at any time: staged beside itself and renamed, so that it is always whole."""
    staged = path.with_name(f".{path.name}.{secrets.token_hex(6)}.new")  # scripts may run side by side
    try:
        staged.write_bytes(content.encode() if isinstance(content, str) else content)
        if path.exists():
            shutil.copymode(path, staged)
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)


def finish(main: Callable[[], int]) -> None:
    """Run a script's main and turn what went wrong into one message and an exit code."""
    try:
        code = main()
    except StopError as stop:
        print(f"\n{stop}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        code = 130
    sys.exit(code)
