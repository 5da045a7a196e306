# SPDX-License-Identifier: Apache-2.0
"""What the peers share: where they are built, and building them once."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from bench.measure import Program  # noqa: E402
from bench.process import AbsentError  # noqa: E402
from common import BUILD, LOGS, PYTHON, VENV, StopError, digest, environment, files_below, run_quiet, step  # noqa: E402
from exclusive import exclusive  # noqa: E402

__all__ = [
    "BUILD", "PLACE", "PYTHON", "VENV", "AbsentError", "Peer", "Program", "built", "processor", "run", "tool",
    "version_of",
]  # fmt: skip

PLACE = BUILD / "peers"


@dataclass(frozen=True)
class Peer:
    """prepare: makes what is missing and returns the worker's command; AbsentError with the reason if that is not possible.

    origin: what exactly is measured, where the worker's own version does not say it all. env: added to the worker's environment.
    """

    name: str
    title: str
    sets: Sequence[str]
    prepare: Callable[[], Sequence[str | Path]]
    origin: str = ""
    env: Mapping[str, str] = field(default_factory=dict)

    def program(self) -> Program:
        env = environment()
        for name in [name for name in env if name.startswith("HEXL_") or name == "RINGSIDE_BACKEND"]:
            del env[name]
        return Program(self.name, self.prepare(), {**env, **self.env}, LOGS / f"bench-{self.name}.log")


def tool(*names: str, hint: str) -> str:
    """The first of these programs that is on PATH."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise AbsentError(f"no {' or '.join(names)} on PATH ({hint})")


def run(name: str, command: Sequence[str | Path], cwd: Path = ROOT, **env: str) -> None:
    """Output to build/logs/bench-NAME-build.log; AbsentError with its last line if it fails."""
    words = ["env", *(f"{key}={value}" for key, value in env.items()), *map(str, command)]
    log = f"bench-{name}-build"
    try:
        run_quiet(words, log, cwd=cwd)
    except StopError:
        lines = (LOGS / f"{log}.log").read_text(encoding="utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "no output")
        raise AbsentError(f"{Path(command[0]).name} failed: {last} (build/logs/{log}.log)") from None


@contextmanager
def built(name: str, what: str, sources: Sequence[Path], *inputs: str) -> Iterator[Path | None]:
    """A folder below build/peers, empty, to be filled in by the body; None if it was filled from the same inputs before. Others wait meanwhile.

    with built(...) as place: if place: build
    """
    place = PLACE / name
    mark = place / ".stamp"
    key = digest(files_below(*sources), *inputs)
    with exclusive(PLACE / "locks" / name):
        if mark.is_file() and mark.read_text(encoding="utf-8") == key:
            yield None
            return
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        with step(f"{name}: {what}"):
            yield place
            mark.write_text(key, encoding="utf-8")


def processor() -> str:
    """Model and abilities: what is built for one processor may not run on another."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))


def version_of(program: str | Path, *options: str, cwd: Path | None = None) -> str:
    """First line that the program says about itself; empty if it does not run."""
    try:
        done = subprocess.run([program, *options], capture_output=True, text=True, cwd=cwd, env=dict(os.environ))
    except OSError:
        return ""
    return done.stdout.partition("\n")[0] if done.returncode == 0 else ""
