# SPDX-License-Identifier: Apache-2.0
"""Each group of the set-up is whole: what its packages need is in its own files, so each target works first in a fresh clone."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tree_scripts import script

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements"
GROUPS = script("setup").GROUPS
PROGRAMS = script("run").PROGRAMS  # `make demo`, `make bench` and others, each with the group of its name
OURS = {"ringside-he", "ringside-ltv", "pip", "setuptools"}
# a program as a main one, where the modules that the first word names are not there
ALONE = """
import runpy, sys
class Hidden:
    names = set(sys.argv[1].split(","))
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            raise ModuleNotFoundError(f"{name} is in no file of the group", name=name)
sys.meta_path.insert(0, Hidden())
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
INSTALLED = 40  # packages that must be judged: one that is not installed needs nothing here


def known(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file: str) -> set[str]:
    lines = (REQUIREMENTS / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    return {known(line.split("==")[0]) for line in lines if line and not line.startswith("#")}


def needs(package: str) -> set[str]:
    """The packages that one needs here, without its extras; none if it is not installed."""
    try:
        lines = metadata.distribution(package).requires or []
    except metadata.PackageNotFoundError:
        return set()
    found = map(Requirement, lines)
    return {known(one.name) for one in found if one.marker is None or one.marker.evaluate({"extra": ""})}


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_needs_no_package_of_another(group: str) -> None:
    have = set().union(*(pins(file) for file in GROUPS[group].requirements))
    missing = {f"{one} needs {other}" for one in have for other in needs(one) - have}
    assert not missing, f"pin these in a file of {group} (scripts/setup.py)"


def test_each_package_is_pinned_once_and_most_are_judged() -> None:
    files = [(path.stem, name) for path in REQUIREMENTS.glob("*.txt") for name in pins(path.stem)]
    assert len({name for _, name in files}) == len(files)
    assert sum(bool(needs(name)) for _, name in files) > INSTALLED


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_starts_with_its_group_alone(name: str) -> None:
    have = OURS.union(*(pins(file) for file in GROUPS[name].requirements))
    modules = metadata.packages_distributions().items()
    hidden = [module for module, packages in modules if have.isdisjoint(map(known, packages))]
    assert "xdist" in hidden or "pytest-xdist" in have
    words = [str(word) for word in PROGRAMS[name] if Path(word).name != "python"]
    command = [sys.executable, "-c", ALONE, ",".join(hidden), *words, "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) > 20
