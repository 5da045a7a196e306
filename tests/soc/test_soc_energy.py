# SPDX-License-Identifier: Apache-2.0
"""`ringside soc energy`: what Python and sim/soc_gates.cpp hand each other, what is kept and shown; in soak the gates themselves."""

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cli_runner import CommandLine
from ringside.cli.recorded import measured
from ringside.figures import content, ledger
from ringside.figures.command import line
from ringside.figures.ledger import Books, Ledger
from ringside.report.provider import NotMeasuredError, Recorded
from ringside.sim.verilate import compiler, source_tree
from ringside.soc import rocket
from ringside.synth.asic import processor, processor_energy, sram, technology
from ringside.synth.asic.activity import Taps
from ringside.synth.asic.figures import EnergyRun, PartCost
from ringside.synth.asic.gates import Gates
from ringside.synth.asic.processor import Tile
from ringside.synth.asic.timing import Slowest, Timing
from ringside.synth.parts import Part

# An inverter before a flip-flop, behind a clock gate whose enable is a port.
NETS, ZERO, DATA, ENABLE, HELD, CLOCK, NEXT, STATE = 8, 0, 2, 3, 4, 5, 6, 7
PORTS = "  wire input 1 \\clk_i\n  wire input 2 \\d\n  wire input 3 \\en\n  wire output 4 \\q\n"
INSTANCES = ("RocketTile.a", "RocketTile.b")


def gates() -> Gates:
    found: Any = SimpleNamespace(
        nets=NETS,
        inputs=[("", "clk_i", 0, ZERO), ("", "d", 0, DATA), ("", "en", 0, ENABLE)],
        outputs=[("", "q", 0, STATE)],
        arrays=(
            np.array([0b01], np.uint64),
            *(np.array(values, np.int32) for values in ([1], [DATA], [NEXT], [0], [NEXT], [STATE], [0])),
            *(np.array([net], np.int32) for net in (ENABLE, HELD, CLOCK)),
        ),
    )
    return found  # type: ignore[no-any-return]


def tile() -> Tile:
    part = Part("Flop", f"module \\Flop\n{PORTS}end\n", 0, paths=list(INSTANCES))
    ports = "  wire input 1 \\clk_i\n  wire input 2 \\RW0_en\n  wire input 3 \\RW0_wmode\n"
    memory = Part("tags_ext", f"module \\tags_ext\n{ports}end\n", 0, paths=["RocketTile.tags"])
    slowest = Timing(Slowest(5.0, "a", "b", ""), None, None)
    return Tile(
        "flop",
        {"flop": part, "tags": memory},
        {"tags": sram.cacti(88, 64)},
        {"flop": PartCost({}, 240.0, 0.0, 1, 1, 1, slowest)},
    )


MAIN = """#include "soc_gates.cpp"
#include <cstdlib>
int main(int, char **words) {
    Beside beside(words[1], words[2], 2, 6);
    const std::string front = "TOP.system.tile_reset_domain_tile.";
    const int wide = std::atoi(words[3]);
    const int memory = rs_probe_open((front + "tags.u_rs_probe").c_str(), 2);
    const int b = rs_probe_open((front + "b.u_rs_probe").c_str(), 3);
    const int a = rs_probe_open((front + "a.u_rs_probe").c_str(), wide);
    // bits: d, en, q; RW0_en, RW0_wmode
    const uint32_t of_a[8] = {2, 6, 7, 3, 3, 3, 2, 2}, of_b[8] = {0, 0, 1, 1, 5, 0, 0, 0};
    const uint32_t of_memory[8] = {0, 3, 1, 3, 3, 2, 1, 1};
    for (uint64_t cycle = 0; cycle < 8; cycle++) {
        beside.cycle(cycle);
        rs_probe_put(b, &of_b[cycle]);
        rs_probe_put(memory, &of_memory[cycle]);
        rs_probe_put(a, &of_a[cycle]);
    }
    return beside.write() ? 0 : 3;
}
"""


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C++ side as a program, with a model of eight cycles."""
    place = tmp_path_factory.mktemp("beside")
    sim = source_tree() / "sim"
    # without the SoC around it
    text = (sim / "soc_gates.cpp").read_text(encoding="utf-8").replace('#include "soc.cpp"', "")
    (place / "soc_gates.cpp").write_text(text, encoding="utf-8")
    (place / "main.cpp").write_text(MAIN, encoding="utf-8")
    made = place / "main"
    command = [compiler(), "-std=gnu++17", "-Wall", "-Werror", f"-I{place}", f"-I{sim}", place / "main.cpp", "-o", made]
    subprocess.run(list(map(str, command)), check=True)
    return made


def written(place: Path) -> Path:
    of = tile()
    taps = Taps({path: number for number, path in enumerate([*INSTANCES, "RocketTile.tags"])}, of.parts.values())
    assert processor_energy._write(place / "gates", of, {"flop": gates()}, taps) == 2  # q of both
    return place / "gates"


def test_what_is_counted_comes_back(beside: Path, tmp_path: Path) -> None:
    """Cycles 2 to 5: a is clocked where its port says so, b never; b's output differs in one of them, and the memory is read once, written twice."""
    subprocess.run([beside, written(tmp_path), tmp_path / "toggles", "3"], check=True)
    found = processor_energy._counted((tmp_path / "toggles").read_bytes(), tile(), {"flop": gates()}, 4, 2)
    assert (found.cycles, found.compared) == (4, 8)
    a, b = (found.toggles[path] for path in INSTANCES)
    assert (a[DATA], a[ENABLE], a[CLOCK], a[STATE]) == (1, 0, 8, 1)
    assert (b[DATA], b[CLOCK], b[STATE]) == (2, 0, 0)
    assert found.mismatches == {"RocketTile.a": 0, "RocketTile.b": 1}
    assert found.accesses == {"RocketTile.tags": (1, 2)}


@pytest.mark.parametrize(
    ("width", "cut", "said"), [("4", 0, r"no probe of that width at .*tile\.a\."), ("3", 5, "too short")]
)
def test_other_models_and_files_are_refused(beside: Path, tmp_path: Path, width: str, cut: int, said: str) -> None:
    file = written(tmp_path)
    file.write_bytes(file.read_bytes()[: file.stat().st_size - cut])
    done = subprocess.run([beside, file, tmp_path / "toggles", width], capture_output=True, text=True)
    assert done.returncode == 2
    assert re.search(said, done.stderr)
    assert not (tmp_path / "toggles").exists()


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A tile whose gates are not simulated; what was, run by run."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache" / "sim"))
    verilog = tmp_path / "rocket.v"
    verilog.write_text("module RocketTile; endmodule")
    monkeypatch.setattr(rocket, "sources", lambda: [verilog])
    monkeypatch.setattr(processor_energy, "mapped", lambda *_: tile())
    monkeypatch.setattr(processor, "synthesise", lambda *_, **__: None)
    cells = SimpleNamespace(name="cells", digest="0123", library=SimpleNamespace(nand2=SimpleNamespace(area=24.0)))
    monkeypatch.setattr(technology, "find", lambda *_: cells)
    monkeypatch.setattr(content, "of", lambda command: {"cells": "0123"})
    runs: list[str] = []

    def simulate(of: Tile, technology: Any, operation: EnergyRun, *_: Any) -> dict[str, Any]:
        runs.append(operation.op)
        spent = {"switching": 1e-6, "internal": 2e-6, "clock": 3e-6, "leakage": 0.0}
        return {
            "paths": {path: dict.fromkeys(("glitches", "without"), spent) for path in INSTANCES},
            "accesses": {"RocketTile.tags": (1000, 0)},
            "cycles": 2000,
            "simulated": 2500,
            "compared": 10,
            "mismatches": {},
        }

    monkeypatch.setattr(processor_energy, "_simulated", simulate)
    return runs


def test_a_frame_is_simulated_once(simulated: list[str], ringside: CommandLine, tmp_path: Path) -> None:
    """Twice 6 uJ of gates, a thousand reads of the cache; power at the clock of the slowest part, or another one."""
    power, other = (line("soc energy", op=op, n=1024, limbs=1, bits=30) for op in ("encrypt-pk-direct", "decrypt"))

    def recorded(*, measure: bool = False) -> Recorded:
        return Recorded(Books(Ledger(tmp_path / "none.jsonl"), ledger.own()), measured if measure else None)

    with pytest.raises(NotMeasuredError, match="run `ringside soc energy --op encrypt-pk-direct --n 1024"):
        recorded().answer(power)
    found = ringside("soc", "energy", "--json").json
    reads = 1000 * sram.cacti(88, 64).read_pj * 1e-6
    assert found["energy"]["energy_uj"] == pytest.approx(12 + reads, rel=1e-6)
    assert found["energy"]["memory_uj"] == pytest.approx(reads)
    assert (found["energy"]["cycles"], found["simulated"], found["energy"]["clock_mhz"]) == (2000, 2500, 200)
    assert found["energy"]["power_mw"] == pytest.approx((12 + reads) / 10 * 1e3, rel=1e-6)  # 10 us
    kept = recorded().answer(power)
    assert kept["energy"]["power_mw"] == pytest.approx(found["energy"]["power_mw"])
    assert kept["energy"]["clock_mhz"] == 200
    ledger.own().drop(power)
    text = ringside("soc", "energy", "--clock", "100").out
    assert re.search(r"2,000 of the frame; 2,500 simulated", text)
    assert re.search(r"mW at 100\.0 MHz", text)
    assert ledger.own().find(power) is None  # that is another clock's
    assert recorded(measure=True).answer(power) == kept
    assert simulated == ["encrypt-pk-direct"]  # later from the cache
    assert ringside("soc", "energy", "--op", "decrypt").code == 0
    assert simulated == ["encrypt-pk-direct", "decrypt"]
    assert recorded().answer(other)["energy"]["clock_mhz"] == 200


@pytest.mark.soak  # six minutes: it maps and builds Rocket, and simulates its gates for half a million cycles, twice
def test_gates_of_rocket() -> None:
    """Every output of every part is Rocket's in every cycle, and energy is between that of its clock pins alone and of all nets toggling."""
    found = processor_energy.measured(technology.find("osu018"), EnergyRun("decrypt", 1024, 1, 30))
    spent = found.energy
    assert spent.mismatches == {}
    assert spent.compared > 1000 * spent.cycles
    assert spent.cycles < found.simulated
    assert spent.energy_without_glitches_uj < spent.energy_uj
    parts = spent.clock_uj + spent.switching_uj + spent.internal_uj + spent.memory_uj + spent.leakage_uj
    assert spent.energy_uj == pytest.approx(parts)
    assert {block.module for block in found.blocks} >= {"Rocket", "FPU", "DCache", "ICache"}
