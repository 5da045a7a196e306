# SPDX-License-Identifier: Apache-2.0
"""Timing by OpenSTA: the slowest path of a part alone, and of the whole design with its parts linked.

Before layout: wires have no capacitance, the clock is ideal, resets and constants are not ideal. Alone, a part's inputs come from
registers right at its border and its outputs go to such: paths that cross borders are only seen in the linked design.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import DeviceError
from .mapping import Sources

CLOCK = "clk_i"
PROBE_NS = 100.0  # a period that every path meets; the slowest path is what is left of it
PROGRAM = "sta"
_FIELD = re.compile(r"^RS_(\w+) (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Slowest:
    """The slowest path of a kind. period_ns: the clock period that it allows; start, end: pins; report: OpenSTA's."""

    period_ns: float
    start: str
    end: str
    report: str

    @property
    def mhz(self) -> float:
        return 1e3 / self.period_ns


@dataclass(frozen=True)
class Timing:
    """internal: between registers, what limits the clock. input, output: from an input, to an output. None: there is no such path."""

    internal: Slowest | None
    input: Slowest | None
    output: Slowest | None


def version() -> str | None:
    """Of OpenSTA; None if it is not there."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None
    done = subprocess.run([program, "-version"], capture_output=True, text=True)
    return f"OpenSTA {done.stdout.split()[0] if done.stdout.split() else ''}".strip()


def run(commands: Sequence[str], sources: Sources, verilog: str, top: str, extra: str = "") -> str:
    """What OpenSTA prints for Tcl commands on a linked design. extra: a Liberty text of memories. DeviceError: it failed."""
    if shutil.which(PROGRAM) is None:
        raise DeviceError("TIMING", "Timing needs OpenSTA.", "apt-get install opensta")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "design.v").write_text(verilog, encoding="utf-8")
        files = list(sources.files)
        if extra:
            (place / "memories.lib").write_text(extra, encoding="utf-8")
            files.append(place / "memories.lib")
        # the first library sets the units, and not all count in ns
        script = [
            *(f"read_liberty {file}" for file in files),
            "set_cmd_units -time ns -capacitance pF",
            f"read_verilog {place}/design.v",
            f"link_design {top}",
        ]
        # ports without a clock: a part may have none
        script += [
            f"if {{[llength [get_ports -quiet {CLOCK}]]}} {{",
            f"  create_clock -name {CLOCK} -period {PROBE_NS} [get_ports {CLOCK}]",
            "} else {",
            f"  create_clock -name {CLOCK} -period {PROBE_NS}",
            "}",
            *commands,
        ]
        (place / "run.tcl").write_text("\n".join(script) + "\n", encoding="utf-8")
        done = subprocess.run(
            [PROGRAM, "-no_init", "-no_splash", "-exit", place / "run.tcl"], capture_output=True, text=True
        )
    log = done.stdout + done.stderr
    error = re.search(r"^(?:Error:.*|.*child killed.*)$", log, re.MULTILINE)
    if done.returncode or error:
        raise DeviceError("TIMING", f"OpenSTA stopped: {error[0] if error else log[-500:]}")
    return log


def measure(sources: Sources, verilog: str, top: str, extra: str = "") -> Timing:
    """DeviceError: OpenSTA is not there, or it failed."""
    inverter = sources.library.inverter
    pin = inverter.outputs[0].name
    commands = [
        "set inputs {}",
        f'foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "{CLOCK}"}} {{ lappend inputs $port }} }}',
        f"if {{[llength $inputs]}} {{ set_input_delay 0 -clock {CLOCK} $inputs",
        f"  set_driving_cell -lib_cell {inverter.name} -pin {pin} $inputs }}",
        "set registers [llength [all_registers -clock_pins]]",
        f"if {{[llength [all_outputs]]}} {{ set_output_delay 0 -clock {CLOCK} [all_outputs] }}",
    ]
    there = {"internal": "$registers", "input": "$registers && [llength $inputs]", "output": "[llength [all_outputs]]"}
    for kind, options in {
        "internal": "-from [all_registers -clock_pins] -to [all_registers -data_pins]",
        "input": "-from $inputs -to [all_registers -data_pins]",
        "output": "-to [all_outputs]",
    }.items():
        commands += [
            f'puts "RS_BEGIN {kind}"',
            f"if {{{there[kind]}}} {{ puts [report_checks {options} -path_delay max -format full -digits 3] }}",
            f'puts "RS_END {kind}"',
        ]
    log = run(commands, sources, verilog, top, extra)
    found = {kind: _path(text) for kind, text in re.findall(r"RS_BEGIN (\w+)\n(.*?)RS_END", log, re.DOTALL)}
    return Timing(**found)


def _path(text: str) -> Slowest | None:
    slack = re.search(r"^\s*(-?[\d.]+)\s+slack", text, re.MULTILINE)
    start = re.search(r"^Startpoint: (\S+)", text, re.MULTILINE)
    end = re.search(r"^Endpoint: (\S+)", text, re.MULTILINE)
    if not (slack and start and end):
        return None
    return Slowest(PROBE_NS - float(slack[1]), start[1], end[1], text.strip())
