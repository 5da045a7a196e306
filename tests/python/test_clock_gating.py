# SPDX-License-Identifier: Apache-2.0
"""Clock gates: in the netlist, against the RTL in every cycle, in energy, in timing."""

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raises, some
from cli_runner import CommandLine
from ringside.errors import DeviceError
from ringside.synth.asic import activity, clocks, flow, gates, liberty, mapping, power, technology, timing
from ringside.synth.asic.liberty import Library
from ringside.synth.parts import Part
from tiny_library import FLOP, INVERTER, NAND, OTHERS, VOLTS, arcs, inputs, output, rtlil, write

AND = f"cell (AND2) {{ area : 5; {inputs('A', 'B')} {output('A B', 'A B')} }}\n"


def data(edge: str, role: str = "") -> str:
    edges = " ".join(f'{kind}_constraint (scalar) {{ values ("0.4"); }}' for kind in ("rise", "fall"))
    check = f'timing () {{ related_pin : "G"; timing_type : setup_{edge}; {edges} }}'
    return f"pin (D) {{ direction : input; capacitance : 0.01; {role} {check} }}"


def latch(enable: str, closing: str) -> str:
    """Without an area, as osu018's."""
    opening = {"falling": "rising", "rising": "falling"}[closing]
    return f"""cell (LATCH) {{ latch (IQ, IQN) {{ data_in : "D"; enable : "{enable}"; }}
      pin (G) {{ direction : input; capacitance : 0.02; clock : true; }} {data(closing)}
      {output("IQ", "D", arcs("G", f"{opening}_edge"))} }}
    """


# with a pin for tests
INTEGRATED = f"""cell (ICG) {{ area : 12; dont_use : true; clock_gating_integrated_cell : "latch_posedge_precontrol";
  statetable ("G D T", "IQ") {{ table : "L L L : - : L, L H - : - : H, L - H : - : H, H - - : - : N"; }}
  pin (IQ) {{ direction : internal; internal_node : IQ; }}
  pin (G) {{ direction : input; capacitance : 0.02; clock : true; clock_gate_clock_pin : true; }}
  pin (T) {{ direction : input; capacitance : 0.01; clock_gate_test_pin : true; }}
  {data("rising", "clock_gate_enable_pin : true;")}
  {output("", "G").replace('function : "";', 'state_function : "G * IQ"; clock_gate_out_pin : true;')}
}}
""".replace("timing_type : combinational;", "timing_sense : positive_unate;")
OPEN_HIGH, OPEN_LOW = latch("G", "falling"), latch("!G", "rising")
LIBRARIES = {"high": AND + OPEN_HIGH, "low": AND + OPEN_LOW, "integrated": AND + OPEN_HIGH + INTEGRATED, "none": AND}

# a and b enable; q has a reset that acts without b, s one that needs a
RTL = """
module part(input clk_i, input rst_ni, input a, input b, input [7:0] d,
            output reg [7:0] p, output reg [7:0] q, output reg [7:0] s, output reg [7:0] free, output reg single);
  always @(posedge clk_i) begin
    if (a) p <= d;
    if (!rst_ni) q <= 8'h05; else if (b) q <= d ^ p;
    if (a & b) s <= d[7] ? 8'h80 : {d[3:0], s[7:4]};
    free <= p ^ q;
    if (b) single <= d[7];
  end
endmodule
"""
REGISTERS = ("p", "q", "s", "free", "single")


def step(state: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    """What RTL's registers hold after an edge."""
    a, b, d = now["a"], now["b"], now["d"]
    found = dict(state, free=state["p"] ^ state["q"])
    if a:
        found["p"] = d
    if b:
        found |= {"q": d ^ state["p"], "single": d >> 7}
    if not now["rst_ni"]:
        found["q"] = 5
    if a and b:
        found["s"] = 0x80 if d >> 7 else (d & 15) << 4 | state["s"] >> 4
    return found


class Bench:
    """A mapped part, and a reference that tells the gates' simulator what the RTL does."""

    def __init__(self, place: Path, cells: str, *, gated: bool = True) -> None:
        self.library = liberty.read([write(place / "gated.lib", INVERTER + NAND + OTHERS + FLOP + cells)])
        self.part = Part("part", rtlil(place, RTL), 0, paths=["rs_core"])
        with mapping.Sources(self.library) as files:
            self.netlist = mapping.map_part("part", self.part.text, files, gated=gated)

    def simulate(
        self, drive: Callable[[np.random.Generator], Mapping[str, int]], cycles: int = 400, *, timed: bool = True
    ) -> tuple[int, power.RunEnergy, Mapping[str, int]]:
        """Bits that differ; energy; and how often which enable was set. Registers start with zeros, reset or not."""
        kernel = activity._kernel()
        compiled = gates.compile_gates(self.netlist, self.library, timed=timed)
        random, state, enabled = np.random.default_rng(1), dict.fromkeys(REGISTERS, 0), {"a": 0, "b": 0, "both": 0}
        ports = activity.ports(self.part)
        kernel.rs_gates_clear()
        probe = kernel.rs_probe_open(b"rs_core.u_rs_probe", sum(bits for _, bits in ports))
        index = activity._Probes(kernel, [self.part]).add("rs_core", self.part, compiled)
        kernel.rs_gates_count(1)
        for _ in range(cycles):
            now = {"rst_ni": 1, "a": 0, "b": 0, "d": int(random.integers(256))} | dict(drive(random))
            word = at = 0
            for name, bits in ports:
                word |= (state | now)[name] << at
                at += bits
            kernel.rs_probe_put(probe, (ctypes.c_uint32 * 2)(word & 0xFFFFFFFF, word >> 32))
            enabled = {
                "a": enabled["a"] + now["a"],
                "b": enabled["b"] + (now["b"] | (1 - now["rst_ni"])),
                "both": enabled["both"] + (now["a"] & now["b"]),
            }
            state = step(state, now)
        kernel.rs_gates_count(0)
        toggles = np.zeros(compiled.nets, np.uint64)
        kernel.rs_gates_toggles(index, ctypes.c_void_p(toggles.ctypes.data))
        mismatches = int(kernel.rs_gates_mismatches(index))
        kernel.rs_gates_clear()
        return mismatches, power.energy(compiled, toggles, cycles), enabled


def anything(random: np.random.Generator) -> dict[str, int]:
    """Resets are rare, and there is none at the start."""
    a, b = random.integers(2, size=2)
    return {"a": int(a), "b": int(b), "rst_ni": int(random.integers(8) > 0)}


@pytest.fixture
def bench(tmp_path: Path) -> Callable[..., Bench]:
    return lambda kind, **options: Bench(tmp_path, LIBRARIES[kind], **options)


# ---- netlists -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("kind", ["high", "low", "integrated"])
def test_gated_netlists_do_what_the_rtl_does(bench: Callable[..., Bench], kind: str, timed: bool) -> None:
    made = bench(kind)
    # three groups of eight: the flip-flop alone and those without an enable stay with the clock
    found = clocks.find(made.netlist, made.library)
    assert len(found.gates) == 3
    assert found.gated(made.netlist, made.library) == 24
    cells = made.netlist.cells
    assert cells["DFF"] == 33
    assert (cells["ICG"], cells["LATCH"]) == ((3, 0) if kind == "integrated" else (0, 3))
    mismatches, _, enabled = made.simulate(anything, timed=timed)
    assert mismatches == 0
    assert all(enabled.values())
    assert mapping.from_json(mapping.to_json(made.netlist)) == made.netlist


def rewired(netlist: mapping.Netlist, cell: str, pin: str, change: Callable[[mapping.Bit], mapping.Bit]) -> Any:
    """The pin of each cell of that kind is moved."""
    moved = [
        replace(gate, pins={**gate.pins, pin: change(gate.pins[pin])})
        if gate.cell == cell and pin in gate.pins
        else gate
        for gate in netlist.gates
    ]
    return replace(netlist, gates=moved)


@pytest.mark.parametrize("kind", ["high", "integrated"])
def test_an_inverted_enable_is_seen(bench: Callable[..., Bench], kind: str) -> None:
    made = bench(kind)
    cell = "ICG" if kind == "integrated" else "LATCH"
    extra: list[mapping.Gate] = []

    def inverted(bit: mapping.Bit) -> mapping.Bit:
        extra.append(mapping.Gate(f"m{len(extra)}", "INV", {"A": bit, "Y": 10000 + len(extra)}))
        return 9999 + len(extra)

    made.netlist = rewired(made.netlist, cell, "D", inverted)
    made.netlist.gates.extend(extra)
    assert len(extra) == 3
    assert made.simulate(anything)[0] > 100


def test_a_reset_that_waits_for_the_enable_is_seen(
    bench: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapping, "_ENABLES", mapping._ENABLES.replace(".E(e | r)", ".E(e)"))
    assert bench("high").simulate(anything)[0] > 0


def test_gates_that_could_cut_pulses_are_refused(bench: Callable[..., Bench]) -> None:
    made = bench("high")
    latches = {gate.pins["Y"]: gate for gate in made.netlist.gates if gate.cell == "LATCH"}
    root = made.netlist.inputs["clk_i"][0]
    without_latch = rewired(made.netlist, "AND2", "B", lambda bit: latches[bit].pins["D"] if bit in latches else bit)
    wrong_phase = rewired(made.netlist, "LATCH", "G", lambda _: root)

    def other(cell: str, instead: str) -> Any:
        """On the clock's net."""
        gates = made.netlist.gates
        found = [gate for gate in gates if gate.cell == cell and root in gate.pins.values()]
        assert len(found) == 3
        return replace(made.netlist, gates=[replace(gate, cell=instead) if gate in found else gate for gate in gates])

    for broken in (without_latch, wrong_phase, other("INV", "BUF"), other("AND2", "NOR2")):
        with pytest.raises(DeviceError, match=r"comes from a (AND2|NOR2) that no latch holds"):
            gates.compile_gates(broken, made.library, timed=False)
    made = bench("integrated")
    with pytest.raises(DeviceError, match="comes from a ICG that no latch holds"):
        gates.compile_gates(rewired(made.netlist, "ICG", "T", lambda _: "1"), made.library, timed=False)


def test_a_library_without_latches_gets_multiplexers(bench: Callable[..., Bench]) -> None:
    made = bench("none")
    assert made.library.clock_gate is None
    assert clocks.find(made.netlist, made.library).gates == []
    assert made.simulate(anything)[0] == 0
    assert flow._clock_gate(made.library, True) == "none: the library has no latch, or no AND gate, for them"
    gated = bench("high")
    assert flow._clock_gate(gated.library, True) == "LATCH + AND2 + INV"
    assert flow._clock_gate(gated.library, False) == "none: not wanted"
    assert not clocks.find(bench("high", gated=False).netlist, gated.library).gates
    # a multiplexer for each of 24 flip-flops is more than three gates
    area = {
        kind: sum(gated.library.cells[gate.cell].area for gate in of.netlist.gates)
        for kind, of in (("mux", made), ("gate", gated))
    }
    assert area["gate"] < area["mux"]


def test_cells_of_gates(bench: Callable[..., Bench]) -> None:
    library = bench("integrated").library
    assert library.clock_gate is not None
    assert library.clock_gate.name == "ICG"
    assert library.cells["ICG"].gating == liberty.Gating("G", "D", "Y", ("T",))
    # what is inside is no pin
    assert sorted(library.cells["ICG"].pins) == ["D", "G", "T", "Y"]
    # no area in the file: a flip-flop's
    assert library.cells["LATCH"].area == library.cells["DFF"].area == 20
    assert not library.cells["LATCH"].flip_flop
    assert liberty.is_clock_inverted(bench("low").library.cells["LATCH"])


# ---- energy ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["high", "integrated"])
def test_clocks_cost_what_enables_let_through(bench: Callable[..., Bench], kind: str) -> None:
    made = bench(kind)
    half, cycles = 0.5 * VOLTS**2, 400
    edge = half * 2e-14 + 0.2e-12  # energy of a flip-flop's clock pin
    # nine flip-flops that are not gated; three gates' own: pins of AND, inverter, latch, or of the integrated cell
    own = half * ((0.01 + 0.01 + 0.02) if kind == "high" else 0.02) * 1e-12
    always = 2 * cycles * (9 * edge + 3 * own)
    for share in (0.0, 0.25, 1.0):
        _, energy, enabled = made.simulate(lambda random, share=share: {"a": int(random.random() < share)})  # type: ignore[misc]
        assert energy.clock == pytest.approx(always + 2 * enabled["a"] * 8 * edge)
        assert enabled["a"] == pytest.approx(share * cycles, rel=0.2)
    _, energy, enabled = made.simulate(anything)
    assert energy.clock == pytest.approx(always + 2 * sum(enabled.values()) * 8 * edge)
    # without gates every flip-flop sees every edge
    _, energy, _ = bench(kind, gated=False).simulate(anything)
    assert energy.clock == pytest.approx(2 * cycles * 33 * edge)


# ---- timing ---------------------------------------------------------------------------------------------------------
def timed(library: Library, text: str) -> timing.Slowest | None:
    with mapping.Sources(library) as files:
        return timing.measure(files, text, "part").internal


@pytest.mark.parametrize("kind", ["high", "low", "integrated"])
def test_all_registers_behind_gates_are_constrained(bench: Callable[..., Bench], kind: str) -> None:
    made = bench(kind)
    text = mapping.verilog(made.netlist, "part", made.library, {})
    commands = [
        f'foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "{timing.CLOCK}"}} {{',
        f"  set_input_delay 0 -clock {timing.CLOCK} $port }} }}",
        f"set_output_delay 0 -clock {timing.CLOCK} [all_outputs]",
        "check_setup -verbose -no_clock -unconstrained_endpoints -loops",
        'puts "REGISTERS [llength [all_registers -edge_triggered -clock_pins]]"',
    ]
    with mapping.Sources(made.library) as files:
        log = timing.run(commands, files, text, "part")
    assert "REGISTERS 33" in log
    assert "unclocked" not in log
    assert "unconstrained" not in log
    assert timed(made.library, text) is not None


GATED = """module part (clk_i, y); input clk_i; output y; wire q, e, f, o, h, g, x;
  DFF start (.C(clk_i), .D(y), .Y(q)); INV first (.A(q), .Y(f)); INV second (.A(f), .Y(e)); {gate}
  DFF held (.C({clock}), .D(q), .Y(y)); endmodule"""
GATES = {
    "high": "INV i (.A(clk_i), .Y(o)); LATCH l (.G(o), .D(e), .Y(h)); AND2 a (.A(clk_i), .B(h), .Y(g));",
    "low": "LATCH l (.G(clk_i), .D(e), .Y(h)); AND2 a (.A(clk_i), .B(h), .Y(g));",
    "integrated": "ICG l (.G(clk_i), .D(e), .T(1'b0), .Y(g));",
}


@pytest.mark.parametrize("kind", list(GATES))
def test_an_enable_has_until_the_next_edge(bench: Callable[..., Bench], kind: str) -> None:
    """Not only until the latch opens, half a cycle earlier. 0.2 ns into two loads, 0.1 ns into one, and the set-up time."""
    library = bench(kind).library
    text = GATED.format(gate=GATES[kind], clock="g")
    found = some(timed(library, text))
    assert (found.start, found.end) == ("start", "l")
    assert found.period_ns == pytest.approx(0.2 + 0.1 + 0.1 + 0.4, abs=2e-3)
    # the AND wants it at the same edge, and through four more gates it comes later than set-up needs
    if kind != "integrated":
        slow = "".join(f"BUF b{k} (.A(x{k}), .Y(x{k + 1})); " for k in range(4))
        text = (
            text.replace(".Y(h))", ".Y(x0))")
            .replace(".B(h)", ".B(x4)")
            .replace("wire", f"wire {'x0, x1, x2, x3, x4'},")
        )
        found = some(timed(library, text.replace("DFF held", f"{slow} DFF held")))
        assert found.period_ns == pytest.approx(0.2 + 0.1 + 0.1 + 5 * 0.1, abs=2e-3)
    # and what no latch passes on is no clock
    raises(DeviceError, "1 registers of part have no clock", timed, library, GATED.format(gate=GATES[kind], clock="q"))


# ---- the command ----------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not technology.OSU018.files[0].is_file(), reason="qflow-tech-osu018 is not installed")
@pytest.mark.parametrize(("option", "wanted"), [([], True), (["--no-clock-gating"], False)])
def test_the_option_reaches_the_flow(
    monkeypatch: pytest.MonkeyPatch, ringside: CommandLine, option: list[str], wanted: bool
) -> None:
    seen = []

    def synthesise(*_: Any, gated: bool, **__: Any) -> None:
        seen.append(gated)
        raise DeviceError("SYNTHESIS", "Enough.")

    monkeypatch.setattr(flow, "synthesise", synthesise)
    assert ringside("synth", "rise-1", "--target", "osu018", *option).code == 3
    assert seen == [wanted]


@pytest.mark.skipif(not technology.OSU018.files[0].is_file(), reason="qflow-tech-osu018 is not installed")
def test_osu018_has_a_latch_for_gates() -> None:
    library = technology.find("osu018").library
    assert library.clock_gate is not None
    assert library.clock_gate.name == "LATCH + AND2X1 + INVX1"
    assert library.cells["LATCH"].area == library.cells["DFFPOSX1"].area
