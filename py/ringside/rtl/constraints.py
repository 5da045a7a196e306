# SPDX-License-Identifier: Apache-2.0
"""Timing constraints: SDC for an ASIC or any tool that reads it, XDC for the core alone in Vivado."""

from __future__ import annotations

from .module import Top

HASH = "# SPDX-License-Identifier: Apache-2.0\n"
CLOCK, RESET = "clk_i", "rst_ni"
SHARE = 0.3  # the share of the period that the system around takes at each port


def period_ns(clock_mhz: float) -> float:
    return round(1000 / clock_mhz, 3)


def _head(name: str, clock_mhz: float, made: str, what: str) -> str:
    return f"""{HASH}# {name}: {what}
# {made}
# {clock_mhz:g} MHz is what the design aims at, not a measurement: read your tool's report. All flip-flops are on one edge of {CLOCK}. There are
# no false or multicycle paths. {RESET} is sampled by {CLOCK} like any other input, so it is timed too: synchronise it outside.
"""


def sdc(top: Top, name: str, clock_mhz: float, made: str) -> str:
    period = period_ns(clock_mhz)
    delay = round(SHARE * period, 3)
    inputs = " ".join(port.name for port in top.outside if not port.is_output and port.name != CLOCK)
    outputs = " ".join(port.name for port in top.outside if port.is_output)
    head = _head(name, clock_mhz, made, "constraints of the core alone")
    return f"""{head}# The delays at the ports assume that the system takes {SHARE:.0%} of the period on each side: replace them by yours. Uncertainty, loads and
# driving cells belong to your technology and are not set here.
create_clock -name {CLOCK} -period {period:.3f} [get_ports {CLOCK}]
set_input_delay -clock {CLOCK} {delay:.3f} [get_ports {{{inputs}}}]
set_output_delay -clock {CLOCK} {delay:.3f} [get_ports {{{outputs}}}]
"""


def xdc(name: str, clock_mhz: float, made: str) -> str:
    head = _head(name, clock_mhz, made, "the clock for synthesis out of context")
    return f"""{head}# In a block design the clock comes from its source, and this file is not used (USED_IN out_of_context).
create_clock -name {CLOCK} -period {period_ns(clock_mhz):.3f} [get_ports {CLOCK}]
"""
