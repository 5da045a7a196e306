# SPDX-License-Identifier: Apache-2.0
"""Each group of the set-up is whole: what its packages need is in its own files, so each target works first in a fresh clone."""

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tree_scripts import script

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements"
GROUPS = script("setup").GROUPS
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
