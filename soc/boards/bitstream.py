# SPDX-License-Identifier: Apache-2.0
"""A ULX3S project of soc/boards/project.py to a bitstream, by Yosys, nextpnr and ecppack (`make hardware`).

    python soc/boards/bitstream.py --kit build/ecp5-2 --project build/ulx3s

LiteX's own script has Yosys read the core by read_verilog, which does not know all of its SystemVerilog; here slang reads it. All results are in the
project's gateware/: netlist.json, board.config, report.json (clock, cells), board.bit, and a log of each tool.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from ringside.synth import ecp5, yosys

CHIP = ("--85k", "--package", "CABGA381", "--speed", "6", "--seed", "1", "--timing-allow-fail")
USED = (*ecp5.USED.values(), "TRELLIS_IO")


def sources(kit: Path) -> list[Path]:
    """Of the core, in order."""
    (listed,) = kit.glob("*.f")
    return [
        kit / line for line in listed.read_text(encoding="utf-8").splitlines() if line and not line.startswith("//")
    ]


def netlist(kit: Path, gateware: Path) -> None:
    """netlist.json; files of initial values are beside LiteX's Verilog."""
    (script,) = gateware.glob("*.ys")
    top, core = script.stem, sources(kit)
    own = {path.resolve() for path in core}
    read = re.findall(r"^read_verilog (?:-sv )?(\S+)", script.read_text(encoding="utf-8"), re.MULTILINE)
    others = [path for path in read if Path(path).resolve() not in own]
    passes = [yosys.read(core[-1].stem, core, {}, *yosys.defined(*yosys.ECP5.macros))]
    passes += [f"read_verilog {path}" for path in others]
    passes += [*yosys.ECP5.passes(top, inside=False), "stat", "write_json netlist.json"]
    os.chdir(gateware)
    Path("yosys.log").write_text(yosys.run(passes), encoding="utf-8")


def tool(name: str, *words: str) -> None:
    """In gateware/: the tools' sandbox knows no absolute paths."""
    log = Path(f"{name}.log")
    with log.open("w", encoding="utf-8") as out:
        done = subprocess.run(
            [sys.executable, "-c", ecp5.RUN, f"run_{name}", *words], stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode:
        sys.exit(f"{name} stopped: see {log.resolve()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kit", type=Path, required=True, help="the kit that the project was made with")
    parser.add_argument("--project", type=Path, required=True)
    asked = parser.parse_args()
    netlist(asked.kit.resolve(), asked.project.resolve() / "gateware")
    (pins,) = Path().glob("*.lpf")
    made = ("--json", "netlist.json", "--lpf", str(pins), "--textcfg", "board.config", "--report", "report.json")
    tool("nextpnr_ecp5", *CHIP, *made)
    tool("ecppack", "--bootaddr", "0", "--compress", "--input", "board.config", "--bit", "board.bit")
    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    for clock, found in report["fmax"].items():
        print(f"{clock}: {found['achieved']:.2f} MHz, {found['constraint']:.2f} wanted")
    for cell in USED:
        print(f"{cell}: {report['utilization'][cell]['used']:,} of {report['utilization'][cell]['available']:,}")


if __name__ == "__main__":
    main()
