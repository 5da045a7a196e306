# SPDX-License-Identifier: Apache-2.0
"""soc/boards/bitstream.py: steps that go on where they were broken off, and what is said of fit and clock. The project is a small one."""

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from asserting import raises
from builds import ROOT
from tree_scripts import module_at

CORE = """module core (input logic clk_i, input logic [7:0] d_i, output logic [15:0] q_o);
  always_ff @(posedge clk_i) q_o <= q_o * 16'(d_i) + 16'd3;
endmodule
"""
TOP = "module board (input clk, input [7:0] d, output [15:0] q);\n  core u_core (.clk_i(clk), .d_i(d), .q_o(q));\nendmodule\n"


@pytest.fixture
def bitstream(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = module_at(ROOT / "soc/boards/bitstream.py")
    monkeypatch.chdir(ROOT)  # it changes the directory
    return module


@pytest.fixture
def project(tmp_path: Path) -> list[str]:
    """Options of a project whose LiteX is a wrapper."""
    kit, gateware = tmp_path / "kit", tmp_path / "project" / "gateware"
    kit.mkdir()
    gateware.mkdir(parents=True)
    (kit / "core.sv").write_text(CORE)
    (kit / "core.f").write_text("// the core\ncore.sv\n")
    (gateware / "board.v").write_text(TOP)
    (gateware / "board.ys").write_text(f"read_verilog {gateware}/board.v\nread_verilog -sv {kit}/core.sv\n")
    lines = ['LOCATE COMP "clk" SITE "G2";', 'IOBUF PORT "clk" IO_TYPE=LVCMOS33;', 'FREQUENCY PORT "clk" 50.0 MHz;']
    (gateware / "board.lpf").write_text("\n".join(lines) + "\n")
    return ["--kit", str(kit), "--project", str(tmp_path / "project")]


def test_steps_go_on(
    bitstream: ModuleType,
    project: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Routing is broken off: the next run begins there. What has changed is done again, with all that follows."""
    ran: list[str] = []
    too_slow = "Info: Max frequency for clock '$glbnet$clk': 60.00 MHz (PASS at 50.00 MHz)\n"
    too_slow += "Info: Max frequency for clock '$glbnet$clk': 43.21 MHz (FAIL at 50.00 MHz)\n"
    broken = True

    def tool(name: str, log: str, *words: str) -> None:
        ran.append(log.removesuffix(".log"))
        if ran[-1] == "route" and broken:
            raise SystemExit("broken off")
        used = {cell: {"used": 7, "available": 6} for cell in bitstream.USED}
        for word in words:
            if word.endswith((".json", ".config", ".bit")) and word not in ("netlist.json", "board.config"):
                Path(word).write_text(json.dumps({"utilization": used}))
        if ran[-1] == "route":
            Path("board.config").write_text("routed")
        Path(log).write_text(too_slow)

    def yosys(passes: list[str]) -> str:
        ran.append("netlist")
        Path("netlist.json").write_text("\n".join(passes))
        return ""

    monkeypatch.setattr(bitstream, "tool", tool)
    monkeypatch.setattr(bitstream.yosys, "run", yosys)

    def steps(*words: str) -> list[str]:
        ran.clear()
        bitstream.main([*project, *words])
        return ran

    assert steps("--until", "place") == ["netlist", "place"]
    said = capsys.readouterr().out
    assert "43.21 MHz expected after placement, 50.00 wanted: TOO SLOW" in said
    assert "TRELLIS_COMB: 7 of 6: DOES NOT FIT" in said
    raises(SystemExit, None, steps)
    assert ran == ["route"]
    broken = False
    assert steps() == ["route", "pack"]
    assert steps() == []
    assert "43.21 MHz reached" in capsys.readouterr().out
    (tmp_path / "kit" / "core.sv").write_text(CORE.replace("3", "5"))
    assert steps() == ["netlist"]  # the same netlist again
    pins = tmp_path / "project" / "gateware" / "board.lpf"
    pins.write_text(pins.read_text() + 'IOBUF PORT "d[0]" IO_TYPE=LVCMOS33;\n')
    assert steps() == ["place", "route"]  # the same configuration: nothing new to pack


@pytest.mark.soak  # a minute, by the real tools
def test_from_sources_to_bits(
    bitstream: ModuleType, project: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A netlist placed by one process is routed by another, for the same clock."""
    monkeypatch.setattr(bitstream, "CHIP", (*bitstream.CHIP, "--lpf-allow-unconstrained"))
    bitstream.main([*project, "--until", "place"])
    first = capsys.readouterr().out
    assert re.search(r"MHz expected after placement, 50\.00 wanted$", first, re.MULTILINE)
    bitstream.main(project)
    second = capsys.readouterr().out
    assert "place: done before" in second
    assert re.search(r"MHz reached, 50\.00 wanted$", second, re.MULTILINE)
    assert "MULT18X18D: 1 of 156" in second
    assert Path("board.bit").stat().st_size > 1000
