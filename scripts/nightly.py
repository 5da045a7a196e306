# SPDX-License-Identifier: Apache-2.0
"""Everything that is too long for CI, in pieces: static checks, what `make test` leaves out, fuzzers, random jobs, proofs, bench, coverage.

    nightly.py [--list] [--again] [--minutes M] [PIECE ...]

A piece whose result is known for the tree as it is does not run again, so a run that was killed goes on where it was; one that failed is
tried again. Results are in build/nightly, one file a piece, with its output beside it. PIECE: its name, or the part before the colon.
--list: what there is, and how it went. --again: forget results of the pieces. --minutes: begin none after that time.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from common import BUILD, PYTHON, ROOT, digest, environment, finish, help_wanted, replace_file, say, tracked
from setup import setup

PLACE = BUILD / "nightly"
SCRIPTS = ROOT / "scripts"
# written by a piece, so no part of what decides whether it is up to date
WRITTEN = {ROOT / "docs" / "coverage.md"}
FUZZED = (
    "params", "plaintext", "secret_key", "ciphertext", "public_key", "kswitch", "convert", "decrypt", "info",
    "bfv", "bgv", "zstd_words",
)  # fmt: skip
RANDOM = ("hardware", "programs", "distributions", "machines")  # the other targets of `make soak`


@dataclass(frozen=True)
class Piece:
    name: str
    command: tuple[str, ...]
    about: str
    variables: Mapping[str, str] = field(default_factory=dict)
    needs_tests: bool = False  # the set-up of `make test`; other commands do their own
    needs_too: tuple[str, ...] = ()  # further groups of it

    @property
    def file(self) -> Path:
        return PLACE / f"{self.name.replace(':', '.').replace('/', '.')}.json"

    @property
    def log(self) -> Path:
        return self.file.with_suffix(".log")


@dataclass(frozen=True)
class Result:
    key: str  # the key of the tree
    passed: bool
    seconds: float
    ended: str


def script(name: str, *arguments: str) -> tuple[str, ...]:
    return sys.executable, str(SCRIPTS / name), *arguments


def left_out(place: Path) -> Piece:
    name = str(place.relative_to(ROOT))
    command = (str(PYTHON), "-m", "pytest", "-q", "-n", "auto", "--left-out", name)
    about = f"what `make test` leaves out of {name}"
    needs_too = ("cross",) if name == "tests/machines" else ()
    return Piece(f"tests:{name}", command, about, {"RINGSIDE_SOAK": "1"}, needs_tests=True, needs_too=needs_too)


def pieces() -> list[Piece]:
    bare = ROOT / "tests" / "bare"  # soak:machines runs all of it
    folders = [path for path in (*ROOT.glob("hw/*/tb"), *ROOT.glob("tests/*")) if any(path.glob("test_*.py"))]
    proofs = [place for place in [*ROOT.glob("hw/*/formal"), ROOT / "lib" / "proofs"] if any(place.glob("test_*.py"))]
    return [
        Piece("lint", script("lint.py", "--anew"), "every static check"),
        *(left_out(place) for place in sorted({*folders, ROOT / "soc"} - {bare})),
        *(Piece(f"soak:{name}", script("run.py", "soak", name), "`make soak`, one target") for name in RANDOM),
        *(Piece(f"fuzz:{name}", script("run.py", "soak", name), "`make soak`, one fuzz target") for name in FUZZED),
        *(
            Piece(f"formal:{place.relative_to(ROOT)}", script("formal.py", str(place)), "`make formal`, one block")
            for place in sorted(proofs)
        ),
        Piece("mutants", script("mutants.py"), "faults of the product that fast tests must find"),
        Piece("bench", script("run.py", "bench", "--no-history"), "speed and memory beside other libraries"),
        Piece("docs", script("run.py", "docs", "--check"), "the site, and each page in a browser"),
        Piece("rebuild", script("run.py", "rebuild"), "packages, a kit and the site: the same bits elsewhere"),
        Piece("coverage", script("coverage.py"), "of the hardware tests"),
    ]


def tree() -> str:
    """The tree that results are valid for: names and contents of all files that git has or would take."""
    return digest(path for path in tracked() if path not in WRITTEN)


def result_of(piece: Piece) -> Result | None:
    try:
        return Result(**json.loads(piece.file.read_text(encoding="utf-8")))
    except (FileNotFoundError, json.JSONDecodeError, TypeError):
        return None


def run(piece: Piece, key: str) -> Result:
    """Its result is written at its end, so a piece that was killed has none."""
    piece.file.unlink(missing_ok=True)
    if piece.needs_tests:
        for group in ("test", *piece.needs_too):
            setup(group)
    start = time.monotonic()
    with piece.log.open("w", encoding="utf-8") as log:
        log.write(f"$ {' '.join(piece.command)}\n")
        log.flush()
        env = environment() | dict(piece.variables)
        code = subprocess.run(
            piece.command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        ).returncode
    nothing = piece.needs_tests and code == 5  # pytest's word for: `make test` leaves nothing out here
    ended = time.strftime("%Y-%m-%d %H:%M:%S")
    result = Result(key, code == 0 or nothing, round(time.monotonic() - start, 1), ended)
    replace_file(piece.file, json.dumps(asdict(result), indent=1) + "\n")
    return result


def state(result: Result | None, key: str) -> str:
    if result is None:
        return "not run"
    word = "passed" if result.passed else "FAILED"
    return f"{word}  {result.seconds:8.1f} s  {result.ended}" + ("" if result.key == key else "  (an older tree)")


def table(chosen: Sequence[Piece], key: str) -> list[str]:
    width = max(len(piece.name) for piece in chosen)
    return [f"{piece.name:<{width}}  {state(result_of(piece), key):<42}  {piece.about}".rstrip() for piece in chosen]


def work(chosen: Sequence[Piece], key: str, until: float) -> int:
    """The pieces one after the other. 1 unless all of them have passed."""
    for number, piece in enumerate(chosen, 1):
        known = result_of(piece)
        if known is not None and known.key == key and known.passed:
            continue
        if time.monotonic() > until:
            break
        say(f"[{number}/{len(chosen)}] {piece.name} ... ", end="")
        result = run(piece, key)
        say(state(result, key) + ("" if result.passed else f"  {piece.log.relative_to(BUILD.parent)}"))
    say("\n" + "\n".join(table(chosen, key)))
    results = [result_of(piece) for piece in chosen]
    missing = sum(result is None or result.key != key for result in results)
    failed = sum(result is not None and result.key == key and not result.passed for result in results)
    verdict = "passed" if not missing and not failed else f"{failed} failed, {missing} not run: again goes on from here"
    say(f"nightly: {verdict}")
    return int(verdict != "passed")


def main() -> int:
    if help_wanted(__doc__):
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("names", nargs="*", metavar="PIECE")
    options = parser.parse_args()
    known = pieces()
    for name in options.names:
        if not any(name in (piece.name, piece.name.partition(":")[0]) for piece in known):
            parser.error(f"no such piece: {name}; --list names them")
    chosen = [
        piece for piece in known if not options.names or {piece.name, piece.name.partition(":")[0]} & set(options.names)
    ]
    PLACE.mkdir(parents=True, exist_ok=True)
    key = tree()
    if options.list:
        say("\n".join(table(chosen, key)))
        return 0
    if options.again:
        for piece in chosen:
            piece.file.unlink(missing_ok=True)
    return work(chosen, key, time.monotonic() + 60 * options.minutes)


if __name__ == "__main__":
    finish(main)
