# SPDX-License-Identifier: Apache-2.0
"""`ringside soc area`: what is summed, kept and shown. The figures here are made up; the real tile is mapped by hand (docs/soc.md)."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside.cli.recorded import measured
from ringside.figures import content, ledger
from ringside.figures.command import line
from ringside.figures.ledger import Books, Ledger
from ringside.report.provider import NotMeasuredError, Recorded
from ringside.soc import rocket
from ringside.synth import yosys
from ringside.synth.asic import processor, sram, technology
from ringside.synth.asic.figures import PartCost
from ringside.synth.asic.timing import Slowest, Timing
from ringside.synth.parts import Part

AREA = line("soc area", target="osu018")
CONF = "name tags_ext depth 64 width 88 ports mrw mask_gran 22\n"


def cost(area: float, flip_flops: int, period_ns: float) -> PartCost:
    slowest = Slowest(period_ns, "a", "b", "")
    return PartCost({}, area, 0.0, flip_flops, 0, 0, Timing(slowest, None, None))


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """A tile with two multipliers and one memory; which parts were mapped, run by run."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache" / "sim"))
    verilog = tmp_path / f"{rocket.CONFIGURATION}.v"
    verilog.write_text("module RocketTile; endmodule")
    verilog.with_suffix(".conf").write_text(CONF)
    monkeypatch.setattr(rocket, "sources", lambda: [verilog])
    parts = {
        "tile": Part("RocketTile", "", 0, Counter({"mul": 2, "tags": 1})),
        "mul": Part("MulDiv", "", 0),
        "tags": Part("tags_ext", "", 0),
    }
    monkeypatch.setattr(processor, "_parts", lambda files, memories: ("tile", parts))
    runs: list[list[str]] = []

    def map_parts(logic: dict[str, Part], *_: Any) -> dict[str, PartCost]:
        runs.append(list(logic))
        return {"tile": cost(24_000.0, 10, 4.0), "mul": cost(240_000.0, 100, 5.0)}

    monkeypatch.setattr(processor, "map_parts", map_parts)
    cells = SimpleNamespace(
        name="cells",
        digest="0123",
        library=SimpleNamespace(name="cells", nand2=SimpleNamespace(area=24.0)),
        memory=lambda width, depth: sram.cacti(width, depth),
    )
    monkeypatch.setattr(technology, "find", lambda *_: cells)
    monkeypatch.setattr(content, "of", lambda command: {"cells": "0123"})
    return runs


def recorded(tmp_path: Path, *, measure: bool = False) -> Recorded:
    """What the report shows; nothing comes with the package."""
    return Recorded(Books(Ledger(tmp_path / "none.jsonl"), ledger.own()), measured if measure else None)


def test_logic_is_mapped_and_memories_are_modelled(mapped: list[list[str]], ringside: CommandLine) -> None:
    found = ringside("soc", "area", "--json").json
    tags = sram.cacti(88, 64)
    assert found["kge"] == pytest.approx(21)
    assert found["area_um2"] == pytest.approx(504_000)
    assert (found["memory_um2"], found["memory_bits"]) == (pytest.approx(tags.area_um2), 88 * 64)
    assert found["flip_flops"] == 210
    assert (found["slowest_mhz"], found["slowest"]) == (200, "MulDiv")
    assert [block["module"] for block in found["blocks"]] == ["RocketTile", "MulDiv", "tags_ext"]
    text = ringside("soc", "area").out
    assert re.search(r"MulDiv\s+2\s+20\.0", text)
    assert mapped == [["tile", "mul"]]  # the second time from the cache


def test_the_page_takes_what_was_mapped(mapped: list[list[str]], ringside: CommandLine, tmp_path: Path) -> None:
    """With `ringside report --measure`, or once somebody has run `ringside soc area`; of other cells than those of the report it takes nothing."""
    with pytest.raises(NotMeasuredError, match="run `ringside soc area"):
        recorded(tmp_path).answer(AREA)
    found = recorded(tmp_path, measure=True).answer(AREA)
    assert found["area_um2"] == pytest.approx(504_000)
    ledger.own().drop(AREA)
    assert ringside("soc", "area", "--liberty", "cells.lib").code == 0
    with pytest.raises(NotMeasuredError):
        recorded(tmp_path).answer(AREA)
    assert ringside("soc", "area").code == 0
    assert recorded(tmp_path).answer(AREA) == found
    assert mapped == [["tile", "mul"]]


def test_without_rocket_the_remedy_is_named(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ringside("soc", "area").ends(3, "make soc")


@pytest.mark.soak  # a minute: it elaborates the tile
def test_parts_of_the_tile() -> None:
    """Each module of CUTS is one, its clock has the flow's name, and the memories are its caches."""
    if yosys.version() is None:
        pytest.skip("Yosys is missing: make hardware")
    files = rocket.sources()
    sizes = processor._memories(files[0].parent)
    root, parts = processor._parts(files, list(sizes))
    assert parts[root].module == processor.TOP
    modules = {part.module for part in parts.values()}
    assert set(processor.CUTS) <= modules
    assert not any(r"\clock" in re.split(r"[\s{}]+", part.text) for part in parts.values())

    def cached(key: str) -> int:
        width, depth = sizes.get(parts[key].module, (0, 0))
        return width * depth + sum(count * cached(child) for child, count in parts[key].inside.items())

    assert 2 * 8 * 16_384 < cached(root) < 2 * 8 * 16_384 * 1.1  # both caches' data and their tags
    # a memory that had become flip-flops would be in nobody's list
    assert all(part.memory_bits < 5000 for part in parts.values() if part.module not in sizes)
