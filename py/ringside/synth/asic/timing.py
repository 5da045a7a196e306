# SPDX-License-Identifier: Apache-2.0
"""Timing by OpenSTA: the slowest path of a part alone, and of the whole design with its parts linked.

Before layout: wires have no capacitance, the clock is ideal, resets and constants are not ideal. Alone, a part's inputs come from
registers right at its border and its outputs go to such: paths that cross borders are only seen in the linked design.

Latches of clock gates are open for all of the cycle but its first ps, so a path to one has until the next edge: minus the latch's
set-up time, or its delay if that is longer, because the gate's AND wants the enable by then.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import DeviceError
from .mapping import Sources

CLOCK = "clk_i"
PROBE_NS = 100.0  # a period that every path meets; the slowest path is what is left of it
PULSE_NS = 0.001  # a pulse of the clock
PROGRAM = "sta"
_NO_CLOCK = re.compile(r"^Warning: There (?:is|are) (\d+) unclocked register", re.MULTILINE)
_ARRIVAL = r"^\s*(-?[\d.]+)   data arrival time"
_SETUP = r"^library setup time\s+(-?[\d.]+)"


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
    """The version of OpenSTA; None if it is not there."""
    program = shutil.which(PROGRAM)
    if program is None:
        return None
    done = subprocess.run([program, "-version"], capture_output=True, text=True)
    return f"OpenSTA {done.stdout.split()[0] if done.stdout.split() else ''}".strip()


def run(commands: Sequence[str], sources: Sources, verilog: str, top: str, extra: str = "") -> str:
    """The text that OpenSTA prints for Tcl commands on a linked design. extra: a Liberty text of memories. DeviceError: it failed."""
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
        waveform = f"-period {PROBE_NS} -waveform {{0 {PULSE_NS}}}"
        # ports without a clock: a part may have none
        script += [
            f"if {{[llength [get_ports -quiet {CLOCK}]]}} {{",
            f"  create_clock -name {CLOCK} {waveform} [get_ports {CLOCK}]",
            "} else {",
            f"  create_clock -name {CLOCK} {waveform}",
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
    """DeviceError: OpenSTA is not there, it failed, or registers have no clock."""
    inverter = sources.library.inverter
    pin = inverter.outputs[0].name
    flops, latches = "[all_registers -edge_triggered -data_pins]", "[all_registers -level_sensitive -data_pins]"

    def report(kind: str, condition: str, options: str) -> list[str]:
        return [
            f'puts "RS_BEGIN {kind}"',
            f"if {{{condition}}} {{ puts [report_checks {options} -path_delay max -format full -digits 3] }}",
            f'puts "RS_END {kind}"',
        ]

    # OpenSTA 2.0.17 may crash when paths go through latches; what they take from data to output is added below
    disabled = [
        f"foreach cell [get_lib_cells -quiet */{cell.name}] {{ set_disable_timing -from {data} -to {cell.held} $cell }}"
        for cell in (sources.library.clock_gate.cells if sources.library.clock_gate else ())
        if cell.latch and (data := cell.next_state.strip(" ()"))
    ]
    clocked = "-from [all_registers -clock_pins]"
    commands = [
        *disabled,
        "set inputs {}",
        f'foreach port [all_inputs] {{ if {{[get_property $port full_name] ne "{CLOCK}"}} {{ lappend inputs $port }} }}',
        f"if {{[llength $inputs]}} {{ set_input_delay 0 -clock {CLOCK} $inputs",
        f"  set_driving_cell -lib_cell {inverter.name} -pin {pin} $inputs }}",
        "set registers [llength [all_registers -clock_pins]]",
        f"set latches [llength {latches}]",
        "check_setup -no_clock",
        # without latches, all that ends is a flip-flop, a memory, or an integrated clock gate; latches have reports of their own
        *report("internal", "$registers && !$latches", clocked),
        *report("internal", "$latches", f"{clocked} -to {flops}"),
        *report("enable", "$latches", f"{clocked} -to {latches}"),
        *report("gate", "$latches", "-path_group **clock_gating_default**"),
        *report("input", "$registers && [llength $inputs]", f"-from $inputs -to {flops}"),
        f"if {{[llength [all_outputs]]}} {{ set_output_delay 0 -clock {CLOCK} [all_outputs] }}",
        *report("output", "[llength [all_outputs]]", "-to [all_outputs]"),
    ]
    log = run(commands, sources, verilog, top, extra)
    unclocked = _NO_CLOCK.search(log)
    if unclocked:
        raise DeviceError("TIMING", f"{unclocked[1]} registers of {top} have no clock.")
    texts = dict.fromkeys(("internal", "enable", "gate", "input", "output"), "")
    for kind, text in re.findall(r"RS_BEGIN (\w+)\n(.*?)RS_END", log, re.DOTALL):
        texts[kind] += text
    internal = [path for path in (_path(texts["internal"]), _enable(texts["enable"], texts["gate"])) if path]
    slowest = max(internal, key=lambda path: path.period_ns, default=None)
    return Timing(slowest, _path(texts["input"]), _path(texts["output"]))


def _enable(to_latch: str, to_gate: str) -> Slowest | None:
    """The latest enable at a clock gate's latch. to_gate: from the latch, when it opens, to the AND."""
    latch, gate = _path(to_latch), _path(to_gate)
    arrival, setup = (re.search(line, to_latch, re.MULTILINE) for line in (_ARRIVAL, _SETUP))
    if not (latch and gate and arrival and setup):
        return None
    return replace(latch, period_ns=float(arrival[1]) + max(-float(setup[1]), gate.period_ns))


def _path(text: str) -> Slowest | None:
    slack = re.search(r"^\s*(-?[\d.]+)\s+slack", text, re.MULTILINE)
    start = re.search(r"^Startpoint: (\S+)", text, re.MULTILINE)
    end = re.search(r"^Endpoint: (\S+)", text, re.MULTILINE)
    if not (slack and start and end):
        return None
    return Slowest(PROBE_NS - float(slack[1]), start[1], end[1], text.strip())
