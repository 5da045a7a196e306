# SPDX-License-Identifier: Apache-2.0
"""The library's README shows lines of programs that are built and run."""

import re
from pathlib import Path

LIB = Path(__file__).resolve().parents[2] / "lib"


def test_the_ring_of_the_readme_is_the_example() -> None:
    blocks = re.findall(r"^```c\n(.*?)^```$", (LIB / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (shown,) = [block for block in blocks if "rs_plan_init" in block]
    example = [line.strip() for line in (LIB / "examples" / "ring.c").read_text(encoding="utf-8").splitlines()]
    places = [example.index(line) for line in shown.splitlines()]
    assert places == sorted(places)
    assert len(places) > 5


def test_the_readme_shows_every_room() -> None:
    picture = re.search(r"^```\n(.*?)^```$", (LIB / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert picture is not None
    rooms = {path.name for path in (LIB / "src").iterdir() if path.is_dir()}
    assert rooms <= set(re.findall(r"\w+", picture[1]))
