# SPDX-License-Identifier: Apache-2.0
"""Resources of designs: parts, their sum, the cache, the command."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli_runner import CommandLine
from ringside import designs
from ringside.sim.core import sources
from ringside.synth import measure as synth
from ringside.synth import yosys
from ringside.synth.parts import Part, split
from ringside.synth.yosys import Resources

LANE = ("rs_lane", {"W": 32, "Reduction": "rs_pkg::RS_WLM"})
SLOTS = ("rs_slots", {"LogNMax": 10, "Slots": 3, "ChunkWords": 4})


def leaf(name: str, number: int, width: int, gate: str = "$not") -> str:
    """As Yosys writes it: the numbers count through the whole design, and may meet those of other names."""
    return f"""attribute \\src "a.sv:{number}.1"
module \\{name}
  wire width {width} input 1 \\a
  wire width {width} output 2 \\y
  wire width {width} $3y
  memory width {width} size 16 \\m
  cell {gate} $procmux${number}
    parameter \\A_WIDTH {width}
    connect \\A \\a
    connect \\Y $3y
  end
  connect \\y $3y
end
"""


def around(*leaves: str, name: str = "top") -> str:
    cells = "".join(f"  cell \\{leaf} \\u{index}\n    connect \\a \\a\n  end\n" for index, leaf in enumerate(leaves))
    return f"module \\{name}\n  wire width 4 input 1 \\a\n{cells}end\n"


def count(parts: Iterable[Part]) -> dict[str, int]:
    """Different parts per module."""
    modules = [part.module for part in parts]
    return {module: modules.count(module) for module in modules}


def test_instances_of_one_module_are_one_part() -> None:
    text = around("leaf$top.u0", "leaf$top.u1") + leaf("leaf$top.u0", 3, 4) + leaf("leaf$top.u1", 70, 4)
    top, parts = split(text, "top")
    assert count(parts.values()) == {"leaf": 1, "top": 1}
    (found,) = (part for part in parts.values() if part.module == "leaf")
    assert list(parts[top].inside.values()) == [2]
    assert found.memory_bits == 4 * 16
    assert "src" not in found.text
    # what stands around it knows its ports and nothing else
    assert parts[top].text.count("module \\leaf") == 1
    assert "memory" not in parts[top].text


@pytest.mark.parametrize(("width", "gate"), [(5, "$not"), (4, "$pos")])
def test_instances_that_differ_are_different_parts(width: int, gate: str) -> None:
    text = around("leaf$top.u0", "leaf$top.u1") + leaf("leaf$top.u0", 3, 4) + leaf("leaf$top.u1", 70, width, gate)
    top, parts = split(text, "top")
    assert count(parts.values()) == {"leaf": 2, "top": 1}
    assert list(parts[top].inside.values()) == [1, 1]
    # ports decide what has to be synthesised again around it; contents do not
    _, same = split(around("leaf$top.u0") + leaf("leaf$top.u0", 3, 4), "top")
    _, other = split(around("leaf$top.u0") + leaf("leaf$top.u0", 3, width, gate), "top")
    keys = [{part.module: part.key for part in found.values()} for found in (same, other)]
    assert keys[0]["leaf"] != keys[1]["leaf"]
    assert (keys[0]["top"] == keys[1]["top"]) == (width == 4)


def test_equal_glue_around_different_parts_is_synthesised_once() -> None:
    middle = [around(f"leaf$top.m{index}.u0", name=f"middle$top.m{index}") for index in range(2)]
    leaves = leaf("leaf$top.m0.u0", 3, 4), leaf("leaf$top.m1.u0", 3, 4, "$pos")
    top, parts = split("".join([around("middle$top.m0", "middle$top.m1"), *middle, *leaves]), "top")
    assert count(parts.values()) == {"leaf": 2, "middle": 2, "top": 1}
    assert len({part.key for part in parts.values() if part.module == "middle"}) == 1
    assert {key for middle in parts[top].inside for key in parts[middle].inside} == {
        key for key, part in parts.items() if part.module == "leaf"
    }


def test_modules_are_synthesised_once(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    (lane, slots), parts, new = synth.measure([LANE, SLOTS], lambda *step: seen.append(step), cache=tmp_path)
    assert (parts, new) == (3, 3)
    assert seen == [(done, 3) for done in range(4)]
    (only,) = lane
    assert 1 <= only.total.dsp <= 8
    assert only.total.lut > 0
    assert only.total.ff > 0
    assert only.total.bram36 + only.total.bram18 + only.total.memory_bits == 0
    around, ram = slots
    assert (around.module, around.depth, around.instances) == ("rs_slots", 0, 1)
    assert (ram.module, ram.depth, ram.instances) == ("rs_ram_1rw", 1, 3)
    assert ram.own.memory_bits == 1024 * 6
    assert ram.own.bram36 + ram.own.bram18 > 0
    assert around.own.memory_bits == around.own.bram36 == around.own.bram18 == 0
    assert ram.total == ram.own * 3
    assert around.total == around.own + ram.total

    again = synth.measure([LANE, SLOTS], cache=tmp_path)
    assert again == ([lane, slots], 3, 0)
    # a file that was cut off is made again
    (file,) = (path for path in tmp_path.glob("*.json") if '"memory_bits": 6144' in path.read_text())
    file.write_text('{"lut": 1')
    assert synth.measure([SLOTS], cache=tmp_path) == ([slots], 2, 1)


def test_the_total_counts_every_instance(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    monkeypatch.setattr(synth, "_synthesise", lambda part, file: Resources(lut=1, memory_bits=part.memory_bits))
    design = designs.load("rise-2")
    found = ringside("synth", "rise-2", "--quick", "--json").json
    assert set(found) == {"flow", "total", "design", "blocks", "lane", "parts", "synthesised"}
    assert (found["design"], found["synthesised"]) == ("rise-2", found["parts"])
    assert set(found["lane"]) == {"barrett", "wlm"}
    blocks = found["blocks"]
    assert set(blocks[0]) == {"module", "depth", "instances", "own", "total"}
    assert blocks[0]["total"] == found["total"]
    assert set(found["total"]) == {"lut", "ff", "dsp", "bram36", "bram18", "memory_bits"}
    # every part was said to be one LUT
    assert found["total"]["lut"] == sum(block["instances"] for block in blocks)
    instances = {block["module"]: block["instances"] for block in blocks if block["module"] != "rs_ram_1rw"}
    assert instances["rs_lane"] == design.lanes
    assert instances["rs_bank_group"] == design.bank_groups
    assert instances["rs_lift_lane"] == design.chunk
    keccaks = sum(block["instances"] for block in blocks if block["module"] == "rs_keccak")
    assert keccaks == design.keccak_cores + 2  # two streams of the expander
    memory = next(block for block in blocks if block["module"] == "rs_poly_memory")
    assert memory["total"]["memory_bits"] == (design.bank_groups * design.word_bits) << design.log_n_max

    table = ringside("synth", "rise-2", "--quick")
    assert "not placed" in table.out
    assert "rs_dma_store" in table.out


def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine) -> None:
    done = ringside("synth", "rise-1")
    assert done.code == 2
    assert "--quick" in done.err
    assert ringside("synth", "rise-3", "--quick").code == 3

    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(yosys, "version", lambda: None)
        done = ringside("synth", "rise-1", "--quick")
        assert done.code == 3
        assert "pip install pyosys" in done.err
    with monkeypatch.context() as patch:
        patch.setenv("RINGSIDE_TREE", str(tmp_path))
        done = ringside("synth", "rise-1", "--quick")
        assert done.code == 3
        assert "RINGSIDE_TREE" in done.err
    with monkeypatch.context() as patch:
        patch.setattr(yosys, "MAP", "synth_nothing")
        done = ringside("synth", "rise-1", "--quick", "--json")
        assert done.code == 3
        assert "synth_nothing" in done.json["error"]["message"]
    assert not list(tmp_path.glob("synth/*"))


@pytest.mark.slow
def test_rise_1(ringside: CommandLine) -> None:
    found = ringside("synth", "rise-1", "--quick", "--json").json
    total, design = found["total"], designs.load("rise-1")
    assert found["lane"]["wlm"]["dsp"] <= 8 < found["lane"]["barrett"]["dsp"]
    # a lane, the multiplier of its twiddles, and the one that reduces the expander's words
    assert 2 * found["lane"]["wlm"]["dsp"] < total["dsp"] <= 32
    words = (design.bank_groups * design.word_bits + design.slots * 6) << design.log_n_max
    assert words < total["memory_bits"] < 1.1 * words
    capacity = 36864 * total["bram36"] + 18432 * total["bram18"]
    assert total["memory_bits"] <= capacity < 1.5 * total["memory_bits"]
    assert ringside("synth", "rise-1", "--quick", "--json").json["synthesised"] == 0


long = pytest.mark.skipif("RINGSIDE_SOAK" not in os.environ, reason="minutes of synthesis: RINGSIDE_SOAK=1")


@pytest.mark.slow
@pytest.mark.parametrize(
    "absent",
    [pytest.param({}, id="whole", marks=long), pytest.param({"slots": 0, "expand": False}, id="no sampler")],
)
def test_parts_add_up_to_a_flat_synthesis(absent: dict[str, Any]) -> None:
    design = replace(designs.load("rise-1"), log_n_max=10, **absent)
    parameters = design.parameters | {"Reduction": "rs_pkg::RS_WLM"}
    flat = yosys.mapped([yosys.read("rs_core", sources(), parameters, "-D", "SYNTHESIS")])
    total = synth.synthesise(design).total
    assert (total.dsp, total.bram36, total.bram18) == (flat.dsp, flat.bram36, flat.bram18)
    assert total.ff == pytest.approx(flat.ff, rel=0.02)
    # Yosys maps one and the same adder to a LUT per bit more or fewer, depending on names and order of wires
    assert 0.98 * flat.lut <= total.lut <= 1.12 * flat.lut
