# SPDX-License-Identifier: Apache-2.0
"""A ULX3S project of soc/boards/project.py to a bitstream, by Yosys, nextpnr and ecppack (`make hardware`).

    python soc/boards/bitstream.py --kit build/ecp5-2 --project build/ulx3s
    python soc/boards/bitstream.py --kit build/ecp5-2 --project build/ulx3s --until place

LiteX's own script has Yosys read the core by read_verilog, which does not know all of its SystemVerilog; here slang reads it. All results are in the
project's gateware/: netlist.json, placed.json, board.config, report.json (clock, cells), board.bit, and a log of each step.

Placing takes minutes and routing may take hours, so they are steps of their own. A step whose inputs are those of its last run is left out: what
was broken off goes on from there. After placement it says what the project takes of the chip and what clock nextpnr expects; only the clock after
routing is one that was reached.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from ringside.synth import ecp5, yosys

CHIP = ("--85k", "--package", "CABGA381", "--speed", "6", "--timing-allow-fail")
SEED = ("--seed", "1")
MHZ = ("--freq", "50")  # for clocks without a constraint; a netlist that is read again has lost those of the pins
USED = (*ecp5.USED.values(), "TRELLIS_IO")
STEPS = ("netlist", "place", "route", "pack")
DONE = "steps.json"  # the inputs of each step that has ended
_CLOCK = re.compile(r"Max frequency for clock\s+'([^']+)': ([\d.]+) MHz \(\w+ at ([\d.]+) MHz\)")


def sources(kit: Path) -> list[Path]:
    """Sources of the core, in order."""
    (listed,) = kit.glob("*.f")
    return [
        kit / line for line in listed.read_text(encoding="utf-8").splitlines() if line and not line.startswith("//")
    ]


def script_of(gateware: Path) -> tuple[str, list[Path]]:
    """The top, and the Verilog that LiteX's script reads."""
    (script,) = gateware.glob("*.ys")
    read = re.findall(r"^read_verilog (?:-sv )?(\S+)", script.read_text(encoding="utf-8"), re.MULTILINE)
    return script.stem, [gateware / path for path in read]


def netlist(kit: Path, gateware: Path) -> None:
    """netlist.json; files of initial values are beside LiteX's Verilog."""
    (top, read), core = script_of(gateware), sources(kit)
    own = {path.resolve() for path in core}
    passes = [yosys.read(core[-1].stem, core, {}, *yosys.defined(*yosys.ECP5.macros))]
    passes += [f"read_verilog {path}" for path in read if path.resolve() not in own]
    passes += [*ecp5.passes(top, inside=False), "stat", "write_json netlist.json"]
    Path("netlist.log").write_text(yosys.run(passes), encoding="utf-8")


def tool(name: str, log: str, *words: str) -> None:
    """In gateware/: the tools' sandbox knows no absolute paths."""
    with Path(log).open("w", encoding="utf-8") as out:
        done = subprocess.run(
            [sys.executable, "-c", ecp5.RUN, f"run_{name}", *words], stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode:
        sys.exit(f"{name} stopped: see {Path(log).resolve()}")


def clocks(log: str) -> dict[str, tuple[float, float]]:
    """MHz of each clock and what is wanted, as nextpnr said last."""
    found = _CLOCK.findall(Path(log).read_text(encoding="utf-8"))
    return {clock: (float(reached), float(wanted)) for clock, reached, wanted in found}


def report(file: str, log: str, what: str) -> None:
    for clock, (reached, wanted) in clocks(log).items():
        print(f"{clock}: {reached:.2f} MHz {what}, {wanted:.2f} wanted{'' if reached >= wanted else ': TOO SLOW'}")
    used = json.loads(Path(file).read_text(encoding="utf-8"))["utilization"]
    for cell in USED:
        full = used[cell]["used"] > used[cell]["available"]
        print(f"{cell}: {used[cell]['used']:,} of {used[cell]['available']:,}{': DOES NOT FIT' if full else ''}")


def _place(pins: str) -> None:
    made = (
        "--json", "netlist.json", "--lpf", pins, "--no-route", "--write", "placed.json", "--report",
        "placed-report.json",
    )  # fmt: skip
    tool("nextpnr_ecp5", "place.log", *CHIP, *MHZ, *SEED, *ecp5.PLACER, *made)


def _route(pins: str) -> None:
    made = ("--json", "placed.json", "--lpf", pins, "--textcfg", "board.config", "--report", "report.json")
    tool("nextpnr_ecp5", "route.log", *CHIP, *MHZ, *SEED, "--no-pack", "--no-place", *made)


def _digest(files: list[Path]) -> str:
    """The digest of files and of the tools that read them."""
    content = hashlib.sha256(
        f"{yosys.version()} {importlib.metadata.version(ecp5.PACKAGE)} {CHIP} {MHZ} {SEED} {ecp5.passes('', inside=False)} {ecp5.PLACER}".encode()
    )
    for path in files:
        content.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()[:24]


def _step(name: str, inputs: list[Path], made: str, run: Callable[[], None]) -> None:
    """Unless it has been done with the same inputs and its result is still there."""
    file = Path(DONE)
    done: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    key = _digest(inputs)
    if done.get(name) == key and Path(made).exists():
        print(f"{name}: done before")
        return
    print(f"{name}: begins", flush=True)
    run()
    file.write_text(json.dumps(done | {name: key}), encoding="utf-8")


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kit", type=Path, required=True, help="the kit that the project was made with")
    parser.add_argument("--project", type=Path, required=True)
    parser.add_argument("--until", choices=STEPS, default=STEPS[-1], help="the last step")
    asked = parser.parse_args(words)
    kit, gateware = asked.kit.resolve(), asked.project.resolve() / "gateware"
    os.chdir(gateware)
    (pins,) = Path().glob("*.lpf")
    read = [*sources(kit), *script_of(gateware)[1], *sorted(Path().glob("*.init"))]
    wanted = STEPS[: STEPS.index(asked.until) + 1]
    _step("netlist", read, "netlist.json", lambda: netlist(kit, gateware))
    if "place" in wanted:
        _step("place", [Path("netlist.json"), pins], "placed.json", lambda: _place(str(pins)))
        report("placed-report.json", "place.log", "expected after placement")
    if "route" in wanted:
        _step("route", [Path("placed.json"), pins], "board.config", lambda: _route(str(pins)))
        report("report.json", "route.log", "reached")
    if "pack" in wanted:
        packed = ("--bootaddr", "0", "--compress", "--input", "board.config", "--bit", "board.bit")
        _step("pack", [Path("board.config")], "board.bit", lambda: tool("ecppack", "pack.log", *packed))
        print(f"bitstream: {gateware / 'board.bit'}")


if __name__ == "__main__":
    main()
