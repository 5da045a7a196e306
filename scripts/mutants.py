# SPDX-License-Identifier: Apache-2.0
"""Whether fast tests find faults of the product: each of tests/mutants.toml is put into a copy of the tree, and its tests must fail.

    mutants.py [--list] [NUMBER ...]

First all the tests run on the copy as it is: they must pass, and their time is told. A mutant that does not build counts as survived.
Exit code 1 if fewer than nine in ten are caught.
"""

import argparse
import shutil
import subprocess
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from common import BUILD, PYTHON, ROOT, VENV, StopError, compile_alike, environment, finish, run_quiet, say, tracked
from setup import setup

PLACE = BUILD / "mutants"
TREE, OVERLAY = PLACE / "tree", PLACE / "python"
RELEASE = TREE / "build" / "release"
SHARE = 0.9  # the least part of the mutants that is to be caught
LIMIT = 900  # seconds for the tests of one mutant: one that never ends is caught


@dataclass(frozen=True)
class Mutant:
    file: str
    tests: str
    old: str
    new: str

    def __post_init__(self) -> None:
        if (ROOT / self.file).read_text(encoding="utf-8").count(self.old) != 1:
            raise StopError(f"tests/mutants.toml: {self.file} does not have this once: {self.old}")
        for test in self.tests.split():
            if not (ROOT / (test if "/" in test else f"lib/tests/{test}.c")).exists():
                raise StopError(f"tests/mutants.toml: there are no tests {test}")

    def write(self, text: str) -> None:
        """The file with `text` in the place of what stands there, in the copy that its tests run on."""
        wanted = (ROOT / self.file).read_text(encoding="utf-8")
        if self.file.startswith("py/"):
            place = OVERLAY / Path(self.file).relative_to("py")
        else:
            place = TREE / self.file
        place.write_text(wanted.replace(self.old, text), encoding="utf-8")


def mutants() -> list[Mutant]:
    with (ROOT / "tests" / "mutants.toml").open("rb") as file:
        return [Mutant(*one) for one in tomllib.load(file)["mutants"]]


def copy() -> None:
    """The files that git has, with the same virtual environment, and the package where a fault can be put into it."""
    shutil.rmtree(PLACE, ignore_errors=True)
    for path in tracked():
        place = TREE / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place, follow_symlinks=False)
    (TREE / "build").mkdir()
    (TREE / "build" / "venv").symlink_to(VENV)
    installed = next(VENV.glob("lib/python*/site-packages/ringside"))
    shutil.copytree(installed, OVERLAY / "ringside")
    options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DRS_BUILD_TESTS=ON", "-DRS_WERROR=ON"]
    run_quiet(["cmake", "-S", TREE, "-B", RELEASE, *options], "mutants")


def passes(tests: Sequence[str]) -> bool | None:
    """Whether all of them pass; None if a C program does not build. The first failure ends it."""
    env = environment() | {"PYTHONPATH": str(OVERLAY), "RINGSIDE_TREE": str(TREE)}
    programs = [test for test in tests if "/" not in test]
    files = [test for test in tests if "/" in test]
    commands: list[list[str]] = [[str(RELEASE / "lib" / "tests" / program)] for program in programs]
    if programs:
        built = subprocess.run(["cmake", "--build", RELEASE, "--target", *programs], env=env, stdout=subprocess.DEVNULL)
        if built.returncode:
            return None
    if files:
        commands.append([str(PYTHON), "-m", "pytest", "-x", "-q", "-n", "auto", "--dist", "worksteal", *files])
    for command in commands:
        try:
            done = subprocess.run(
                command, cwd=TREE, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT
            )
        except subprocess.TimeoutExpired:
            return False
        if done.returncode:
            return False
    return True


def judge(chosen: Sequence[tuple[int, Mutant]]) -> int:
    """Survivors are named. Gives the exit code."""
    copy()
    every = list(dict.fromkeys(test for _, one in chosen for test in one.tests.split()))
    passes([test for test in every if "/" not in test])  # what is built does not count as time of tests
    start = time.monotonic()
    if not passes(every):
        say("mutants: the tests fail without any fault")
        return 1
    say(f"{len(every)} test programs and files, {time.monotonic() - start:.0f} s together")
    survived = 0
    for number, one in chosen:
        one.write(one.new)
        outcome = passes(one.tests.split())
        one.write(one.old)
        word = {False: "caught", True: "SURVIVED", None: "DOES NOT BUILD"}[outcome]
        survived += outcome is not False
        say(f"[{number}] {word:<8} {one.file}  ({one.tests})")
    say(f"mutants: {len(chosen) - survived} of {len(chosen)} caught")
    return int(len(chosen) - survived < SHARE * len(chosen))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("numbers", type=int, nargs="*", metavar="NUMBER")
    options = parser.parse_args()
    chosen = [
        (number, one) for number, one in enumerate(mutants(), 1) if number in options.numbers or not options.numbers
    ]
    if options.list:
        for number, one in chosen:
            say(f"[{number}] {one.file}: {one.old!r} -> {one.new!r}  ({one.tests})")
        return 0
    compile_alike()
    setup("test")
    return judge(chosen)


if __name__ == "__main__":
    finish(main)
