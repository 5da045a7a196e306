# SPDX-License-Identifier: Apache-2.0
"""A design as an ASIC: Liberty, mapping, timing, energy, memories, the command."""

import itertools
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raiser, raises, some, written
from cli_runner import CommandLine
from ringside import designs
from ringside.errors import DeviceError, FileError, ParameterError
from ringside.progress import repeated
from ringside.sim.core import sources
from ringside.sim.verilate import SimulationError
from ringside.synth.asic import activity, figures, flow, gates, liberty, mapping, power, sram, technology, timing
from ringside.synth.asic.liberty import Library
from ringside.synth.asic.liberty_syntax import truth_table
from ringside.synth.parts import Part
from tiny_library import FLOP, INVERTER, NAND, VOLTS, inputs, output, rtlil, write

# y counts to three and back to one, inverted and not
COUNTER = """
module part(input clk_i, input rst_ni, output [1:0] y);
  reg [1:0] q;
  always @(posedge clk_i) q <= !rst_ni ? 2'd0 : q + 2'd1;
  assign y = q;
endmodule
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Library:
    return liberty.read([write(tmp_path / "tiny.lib")])


def mapped(tmp_path: Path, library: Library, verilog: str = COUNTER) -> mapping.Netlist:
    with mapping.Sources(library) as files:
        return mapping.map_part("part", rtlil(tmp_path, verilog), files)


# ---- Liberty --------------------------------------------------------------------------------------------------------
def test_a_library_in_si_units(tiny: Library) -> None:
    assert (tiny.name, tiny.voltage, tiny.corner) == ("tiny", VOLTS, "nominal, 2 V, 25 C")
    assert (tiny.nand2.name, tiny.inverter.name) == ("NAND2", "INV")
    nand = tiny.nand2
    assert nand.area == 4
    assert nand.leakage == pytest.approx(3e-9)  # the semicolon after its area is missing
    assert [pin.capacitance for pin in nand.inputs] == [pytest.approx(1e-14)] * 2
    flop = tiny.cells["DFF"]
    assert (flop.state, flop.next_state, flop.clocked_on) == (("IQ", "IQN"), "D", "C")
    assert flop.pins["C"].energy[0].mean(0, 0) == pytest.approx(0.2e-12)
    delay = nand.outputs[0].delay[0]
    # over loads of 0.01 and 0.03 pF; the slew does not matter
    for load, value in ((0.01, 0.1), (0.02, 0.2), (0.05, 0.5)):
        assert delay.mean(0.15e-9, load * 1e-12) == pytest.approx(value * 1e-9)


@pytest.mark.parametrize(
    ("function", "table"),
    [("!(A B)", 0b0111), ("A'+B", 0b1101), ("(A ^ B)", 0b0110), ("A & !B | 0", 0b0010), ("!A * !B", 0b0001)],
)
def test_functions(function: str, table: int) -> None:
    assert truth_table(function, ["A", "B"]) == table


@pytest.mark.parametrize("function", ["A B)", "(A", "A ? B", "Z", "", "A +"])
def test_functions_that_are_none(function: str) -> None:
    raises(ValueError, r"cannot read|missing", truth_table, function, ["A", "B"])


def test_files_that_are_no_libraries(tmp_path: Path) -> None:
    for number, text in enumerate(["", "hello", "library (x) { cell (a) {", "library (x) { a b }"]):
        (tmp_path / "x.lib").write_text(text, encoding="utf-8")
        raises(FileError, r"is not a Liberty file", liberty.read, [tmp_path / "x.lib"])
        assert number < 4
    bad = write(tmp_path / "x.lib", NAND.replace('"0.1, 0.1", "0.3, 0.3"', '"0.1, 0.1", "0.3"', 1))
    raises(FileError, "3 values in a table of 4", liberty.read, [bad])
    bad.write_text(bad.read_text().replace('time_unit : "1ns"', 'time_unit : "soon"'), encoding="utf-8")
    raises(FileError, "unit 'soon'", liberty.read, [bad])
    raises(FileError, "Cannot read", liberty.read, [tmp_path / "missing.lib"])
    with pytest.raises(ParameterError, match="NAND"):
        _ = liberty.read([write(tmp_path / "x.lib", INVERTER + FLOP)]).nand2


# ---- mapping --------------------------------------------------------------------------------------------------------
def test_a_part_becomes_cells_of_the_library(tmp_path: Path, tiny: Library) -> None:
    netlist = mapped(tmp_path, tiny)
    assert netlist.cells["DFF"] == 2
    assert set(netlist.cells) <= set(tiny.cells)
    assert mapping.from_json(mapping.to_json(netlist)) == netlist
    text = mapping.verilog(netlist, "name", tiny, {})
    assert text.startswith("module name (")
    assert "DFF \\y[1]  (" in text


def test_a_missing_cell_is_named(tmp_path: Path) -> None:
    library = liberty.read([write(tmp_path / "x.lib", INVERTER + NAND)])
    raises(DeviceError, r"tiny has no cell for \$_SDFF_\S+ in part", mapped, tmp_path, library)
    port = {"y": {"direction": "output", "bits": [2]}}
    driver = {"type": "$_TBUF_", "connections": {"Y": [2]}}
    modules = {"part": {"ports": port, "cells": {"u": driver}, "netnames": {}}}
    raises(DeviceError, r"tiny has no cell for \$_TBUF_ in part", mapping._netlist, "part", modules, library)


# ---- timing ---------------------------------------------------------------------------------------------------------
def test_the_slowest_path(tmp_path: Path, tiny: Library) -> None:
    """From register to register: the flip-flop's delay, one inverter's, and the set-up time."""
    netlist = mapped(
        tmp_path, tiny, "module part(input clk_i, output reg y); always @(posedge clk_i) y <= !y; endmodule"
    )
    assert netlist.cells == {"DFF": 1, "INV": 1}
    with mapping.Sources(tiny) as files:
        found = timing.measure(files, mapping.verilog(netlist, "part", tiny, {}), "part")
    # each drives one input of 0.01 pF: 0.1 ns
    assert found.internal is not None
    assert found.internal.period_ns == pytest.approx(0.1 + 0.1 + 0.5, abs=2e-3)
    assert found.internal.start == found.internal.end == "y"
    assert "slack" in found.internal.report
    assert found.input is None


def test_memories_stand_in_the_path(tmp_path: Path, tiny: Library) -> None:
    memory = replace(sram.cacti(8, 64), access_ns=3.0)
    ports = ".clk_i(clk_i), .req_i(q), .we_i(q), .addr_i({address}), .wdata_i({data}), .rdata_o(r)"
    ports = ports.format(address="{q, q, q, q, q, q}", data="{q, q, q, q, q, q, q, q}")
    text = f"""module part (clk_i, y); input clk_i; output y; wire q; wire d; wire [7:0] r;
      DFF f (.C(clk_i), .D(r[3]), .Y(q)); assign y = q; {memory.name} m ({ports}); endmodule"""
    with mapping.Sources(tiny) as files:
        found = timing.measure(files, text, "part", sram.liberty([memory], 0.01)).internal
    assert found is not None
    assert found.period_ns == pytest.approx(3.0 + 0.5, abs=2e-3)
    assert (found.start, found.end) == ("m", "f")


# ---- energy ---------------------------------------------------------------------------------------------------------
def test_energy_by_hand(tmp_path: Path, tiny: Library) -> None:
    """A flip-flop that toggles in every cycle, and its inverter."""
    netlist = mapped(
        tmp_path, tiny, "module part(input clk_i, output reg y); always @(posedge clk_i) y <= !y; endmodule"
    )
    compiled = gates.compile_gates(netlist, tiny, timed=False)
    cycles = 1000
    found = power.energy(compiled, np.full(compiled.nets, cycles, np.uint64), cycles)
    half = 0.5 * VOLTS**2
    assert found.switching == pytest.approx(
        cycles * half * (1e-14 + 1e-14)
    )  # y drives the inverter, that the flip-flop
    assert found.clock == pytest.approx(2 * cycles * (half * 2e-14 + 0.2e-12))
    assert found.internal == 0
    assert found.leakage == pytest.approx(6e-9)


def test_energy_of_an_arc_counts_as_its_input_toggles(tmp_path: Path) -> None:
    def arc(pin: str, value: float) -> str:
        return f'internal_power () {{ related_pin : "{pin}"; rise_power (scalar) {{ values ("{value}"); }} fall_power (scalar) {{ values ("{value}"); }} }}'

    nand = f"cell (NAND2) {{ area : 4; {inputs('A', 'B')} {output('!(A B)', 'A B', arc('A', 1) + arc('B', 4))} }}\n"
    library = liberty.read([write(tmp_path / "x.lib", INVERTER + nand + FLOP)])
    gate = mapping.Gate("g", "NAND2", {"A": 2, "B": 3, "Y": 4})
    netlist = mapping.Netlist("part", {"a": [2, 3]}, {"y": [4]}, [gate], [], {})
    compiled = gates.compile_gates(netlist, library, timed=False)
    toggles = np.zeros(compiled.nets, np.uint64)
    for bit, count in ((2, 30), (3, 10), (4, 8)):
        toggles[compiled.net[bit]] = count
    assert power.energy(compiled, toggles, 100).internal == pytest.approx(8 * (30 * 1 + 10 * 4) / 40 * 1e-12)


def test_a_loop_and_an_unusable_cell_are_refused(tmp_path: Path, tiny: Library) -> None:
    loop = [mapping.Gate("a", "INV", {"A": 2, "Y": 3}), mapping.Gate("b", "INV", {"A": 3, "Y": 2})]
    with pytest.raises(DeviceError, match="loop"):
        gates.compile_gates(mapping.Netlist("part", {}, {"y": [3]}, loop, [], {}), tiny, timed=False)
    reset = FLOP.replace('clocked_on : "C"; }', f'clocked_on : "C"; clear : "!R"; }} {inputs("R")}')
    library = liberty.read([write(tmp_path / "x.lib", INVERTER + NAND + reset)])
    for tied, usable in (("1", True), ("0", False), (5, False)):
        flop = mapping.Gate("f", "DFF", {"C": 2, "D": 3, "R": tied, "Y": 4})
        netlist = mapping.Netlist("part", {"d": [3]}, {"y": [4]}, [flop], [], {})
        if usable:
            assert len(gates.compile_gates(netlist, library, timed=False).arrays[5]) == 1
        else:
            with pytest.raises(DeviceError, match="DFF cannot be simulated: its asynchronous reset is used"):
                gates.compile_gates(netlist, library, timed=False)


# ---- memories -------------------------------------------------------------------------------------------------------
def test_memories_of_the_table_and_between() -> None:
    exact = sram.cacti(64, 512)
    _, points = sram._table()
    assert exact.area_um2 == pytest.approx(points["1rw", 64, 512][0])
    low, between, high = sram.cacti(32, 4096), sram.cacti(40, 5000), sram.cacti(64, 8192)
    for figure in ("area_um2", "read_pj", "leakage_mw"):
        assert getattr(low, figure) < getattr(between, figure) < getattr(high, figure)
    # at most what the macros of others are larger than CACTI's (docs/asic.md)
    assert 1.5 < sram.cacti(64, 512, "2rw").area_um2 / exact.area_um2 < 3
    raises(ParameterError, "3rw", sram.cacti, 64, 512, "3rw")


def test_scaling_is_that_of_the_paper() -> None:
    memory = sram.cacti(64, 512)
    at_180 = sram.scaled(memory, 180, 1.8)
    assert at_180.area_um2 == pytest.approx(19 * memory.area_um2)
    # 24.64 V - 17.98 against 1.103 V^2 - 0.362 V + 0.2767 at 1.1 V
    assert at_180.read_pj == pytest.approx(memory.read_pj * 26.372 / 1.21313, rel=1e-4)
    assert at_180.unscaled == memory
    assert "Stillmaker" in at_180.source
    assert sram.scaled(memory, 45, 1.1) == memory
    raises(ParameterError, "28 nm", sram.scaled, memory, 28, 0.9)


def test_macros_are_tiled(tmp_path: Path) -> None:
    power_of = (
        'internal_power () { when : "%s"; rise_power (scalar) { values (%s); } fall_power (scalar) { values (1); } }'
    )
    pins = f"pin (C) {{ direction : input; clock : true; {power_of % ('E', '9')} {power_of % ('!E', '2')} }}"
    access = 'pin (Q) { timing () { related_pin : "C"; cell_rise (scalar) { values ("4.5"); } } }'
    cell = f"cell (ram) {{ memory () {{ address_width : 9; word_width : 16; }} area : 1000; {pins} {access} }}"
    macro = sram.macros([write(tmp_path / "ram.lib", cell)])
    assert [(m.width, m.depth, m.area_um2, m.read_pj, m.access_ns) for m in macro] == [(16, 512, 1000, 10, 4.5)]
    found = sram.tiled(40, 1024, macro)
    assert (found.area_um2, found.read_pj, found.width, found.depth) == (6000, 30, 40, 1024)
    raises(FileError, "no memory", sram.macros, [write(tmp_path / "x.lib")])


# ---- the command ----------------------------------------------------------------------------------------------------
def test_errors_say_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine) -> None:
    ringside("synth", "rise-1", "--target", "tsmc2").ends(2, "osu018")
    ringside("synth", "rise-1", "--liberty", tmp_path / "missing.lib").ends(4)
    monkeypatch.setattr(technology, "TARGETS", {"x": technology.Technology("x", (tmp_path / "no.lib",))})
    ringside("synth", "rise-1", "--target", "x").ends(3, "apt-get install qflow-tech-x")
    with monkeypatch.context() as patch:
        patch.setattr(timing, "PROGRAM", "no-such-program")
        ringside("synth", "rise-1", "--liberty", write(tmp_path / "tiny.lib")).ends(3, "opensta", "make hardware")


def test_a_file_that_is_no_library_and_a_cell_that_is_missing(tmp_path: Path, ringside: CommandLine) -> None:
    bad = written(tmp_path / "bad.lib", "library (x) { cell (a) {")
    done = ringside("synth", "rise-1", "--liberty", bad, "--json").ends(4)
    assert done.json["error"]["code"] == "LIBERTY"
    assert "bad.lib is not a Liberty file" in done.err
    ringside("synth", "rise-1", "--liberty", write(bad, INVERTER + FLOP)).ends(3, "NAND")


LATCH = """
module part(input clk_i, input d, output reg y);
  always @* if (clk_i) y = d;
endmodule
"""


def test_what_was_mapped_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A part that has no cells stops the run, and the others are not mapped again."""
    cells = technology.Technology("tiny", (write(tmp_path / "tiny.lib"),))
    good, bad = (Part("part", rtlil(tmp_path, text), 0) for text in (COUNTER, LATCH))
    map_part = mapping.map_part

    def one_after_the_other(module: str, text: str, files: mapping.Sources, *, gated: bool) -> mapping.Netlist:
        until = time.monotonic() + 1200
        while text == bad.text and not list(tmp_path.glob("*.netlist")) and time.monotonic() < until:
            time.sleep(0.05)
        return map_part(module, text, files, gated=gated)

    assert len(good.text) > len(bad.text)  # it is begun first
    monkeypatch.setattr(mapping, "map_part", one_after_the_other)
    with mapping.Sources(cells.library) as files:
        with pytest.raises(DeviceError, match=r"tiny has no cell for \$_DLATCH_P_ in part"):
            flow._Flow(cells, files, tmp_path, {}, gated=True).all({"good": good, "bad": bad}, None)
        monkeypatch.setattr(mapping, "map_part", None)
        costs, synthesised = flow._Flow(cells, files, tmp_path, {}, gated=True).all({"good": good}, None)
    assert synthesised == 0
    assert costs["good"].cells["DFF"] == 2


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The flow finds a counter where rs_core would be; the library that maps it."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    text = rtlil(tmp_path, COUNTER).replace("module \\part", "module \\rs_core")
    core = Part("rs_core", text, 0, paths=["rs_core"])
    monkeypatch.setattr(flow, "_parts", lambda design: ({"rs_core": "key"}, {"key": core}))
    return write(tmp_path / "tiny.lib")


@pytest.mark.parametrize("json", [False, True])
def test_without_a_simulator_area_and_clock_are_printed(
    monkeypatch: pytest.MonkeyPatch, counter: Path, ringside: CommandLine, json: bool
) -> None:
    monkeypatch.setattr("ringside.sim.verilate.verilator_root", raiser(SimulationError("Verilator is missing")))
    done = ringside("synth", "rise-1", "--liberty", counter, *["--json"] * json)
    done.ends(3, "Verilator is missing", "note: Simulating gates, with delays")
    if json:
        assert done.json["error"]["code"] == "SIMULATION"
        assert done.json["blocks"][0]["flip_flops"] == 2
        assert done.json["energy"] is None
        assert done.json["fmax_mhz"] > 100
    else:
        assert "kGE of NAND2" in done.out
        assert "MHz with all parts linked" in done.out
    # asked for alone, they are no failure
    assert ringside("synth", "rise-1", "--liberty", counter, "--no-energy").code == 0


def test_the_rtl_is_simulated_with_the_macros_of_its_netlists(monkeypatch: pytest.MonkeyPatch, counter: Path) -> None:
    """Without them designs with narrow chunks have other memories than their netlists."""
    built: list[Any] = []

    def build(top: str, files: list[Path], *arguments: Any, macros: Any, **options: Any) -> Path:
        built.append((macros, files[0]))
        raise SimulationError("enough")

    monkeypatch.setattr(activity, "build", build)
    library = technology.Technology("tiny", (counter,))
    with pytest.raises(flow.EnergyError, match="enough"):
        flow.synthesise(designs.load("rise-1"), library, figures.EnergyRun("ntt", 1024, 1, 30), None)
    assert flow.MACROS
    assert built == [(flow.MACROS, sources()[0])]


def test_long_simulations_say_how_far_they_are() -> None:
    said: list[str] = []
    enough = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if len(said) == 3:
            enough.set()

    counts = itertools.count(1000, 1000)
    before = {*threading.enumerate()}
    with repeated(0.01, lambda: say(f"{next(counts):,} cycles")):
        assert enough.wait(1200)
    assert said[:3] == ["1,000 cycles", "2,000 cycles", "3,000 cycles"]
    assert {*threading.enumerate()} <= before  # nobody is left who could say more


osu018 = pytest.mark.skipif(not technology.OSU018.files[0].is_file(), reason="qflow-tech-osu018 is not installed")


@osu018
@pytest.mark.slow
def test_a_lane_of_the_named_target(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    found = flow.unit("rs_modmul", 16, technology.find("osu018"))
    assert 3 < found.kge < 12
    assert found.area_um2 == pytest.approx(24e3 * found.kge)
    assert 120 < found.fmax_mhz < 500
    with monkeypatch.context() as patch:  # kept
        patch.setattr(mapping, "map_part", None)
        assert flow.unit("rs_modmul", 16, technology.find("osu018")) == found


@osu018
def test_energy_against_opensta() -> None:
    """The energy of flip-flops, whose activities Debian's OpenSTA 2.0.17 takes from outside. It adds the tables of both edges where a transition
    is one of the two, so its internal power is twice ours; and leaves out what an input's transition costs without an output's."""
    library = technology.find("osu018").library
    first = mapping.Gate("a", "DFFPOSX1", {"CLK": 2, "D": "0", "Q": 3})
    second = mapping.Gate("b", "DFFPOSX1", {"CLK": 2, "D": 3, "Q": 4})
    netlist = mapping.Netlist("part", {"clk_i": [2]}, {}, [first, second], [], {})
    compiled = gates.compile_gates(netlist, library, timed=False)
    cycles, period, activity = 1000, 10e-9, 0.6
    toggles = np.zeros(compiled.nets, np.uint64)
    toggles[compiled.net[3]] = int(activity * cycles)

    def both(rate: float) -> tuple[list[float], power.RunEnergy]:
        with mapping.Sources(library) as files:
            commands = [
                "create_clock -name c -period 10 [get_ports clk_i]",
                f"set_input_transition {1e9 * library.stage} [get_ports clk_i]",
                f"::sta::set_power_pin_activity [get_pins g0/Q] {rate} 0.5",
                "::sta::set_power_pin_activity [get_pins g1/Q] 0 0.5",
                "report_power -digits 6",
            ]
            log = timing.run(commands, files, mapping.verilog(netlist, "part", library, {}), "part")
        (total,) = [line.split() for line in log.splitlines() if line.startswith("Total")]
        return [float(word) for word in total[1:4]], power.energy(compiled, toggles * np.uint64(rate > 0), cycles)

    (quiet, switching, leakage), found = both(0.0)
    assert (switching, found.switching, found.internal) == (0, 0, 0)
    assert found.leakage == pytest.approx(leakage)
    clock_nets = cycles * library.voltage**2 * 2 * library.cells["DFFPOSX1"].pins["CLK"].capacitance
    assert 2 * (found.clock - clock_nets) == pytest.approx(quiet * cycles * period, rel=0.05)

    (busy, switching, _), found = both(activity)
    assert found.switching == pytest.approx(switching * cycles * period, rel=0.01)
    data = library.cells["DFFPOSX1"].pins["D"].energy[0].mean(compiled.slews[compiled.net[3]], 0)
    inside = found.internal - activity * cycles * data
    assert 2 * inside == pytest.approx((busy - quiet) * cycles * period, rel=0.05)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for both: they differ in the operation."""
    return tmp_path_factory.mktemp("cache")


def small() -> Any:
    """Without sampler and expander: half a minute of mapping."""
    return replace(designs.load("rise-1"), name="small", log_n_max=10, slots=0, expand=False, word_bits=32)


@osu018
@pytest.mark.soak
@pytest.mark.parametrize(("op", "broken"), [("ntt", False), ("intt", True)])
def test_netlists_compute_what_the_rtl_does(monkeypatch: pytest.MonkeyPatch, kept: Path, op: str, broken: bool) -> None:
    """And one with a wrong gate in every part does not."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(kept))
    if broken:
        compile_gates = gates.compile_gates

        def damaged(*arguments: Any, **options: Any) -> gates.Gates:
            found = compile_gates(*arguments, **options)
            found.arrays[0][-1] ^= np.uint64(1)
            return found

        monkeypatch.setattr(flow, "compile_gates", damaged)
    found = flow.synthesise(small(), technology.find("osu018"), figures.EnergyRun(op, 1024, 1, 30), 100.0)
    energy = some(found.energy)
    assert energy.clock_mhz == 100
    # counters of addresses have no reset: docs/synthesis.md, Bits that differ before the first transform
    assert bool([path for path in energy.mismatches if not path.endswith("u_compute.u_addr")]) == broken
    assert energy.energy_uj == pytest.approx(
        energy.clock_uj + energy.switching_uj + energy.internal_uj + energy.memory_uj + energy.leakage_uj
    )
    assert energy.power_mw == pytest.approx(1e-3 * energy.energy_uj / energy.seconds)
    assert energy.energy_without_glitches_uj < energy.energy_uj
    assert found.kge == pytest.approx(found.blocks[0].kge)
    assert sum(block.energy_uj or 0 for block in found.blocks) == pytest.approx(energy.energy_uj - energy.leakage_uj)
    assert found.fmax_mhz <= found.by_part_mhz
