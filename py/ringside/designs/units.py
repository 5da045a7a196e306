# SPDX-License-Identifier: Apache-2.0
"""The units of a core by name, in the order of rs_unit_t and of hw/sequencer/isa.toml."""

UNITS = (
    "LOAD",
    "STORE",
    "COMPUTE",
    "SAMPLE",
    "LIFT",
    "EXPAND",
    "PIPE",
    "SPONGE",
    "PACK",
)  # a core with fields has the last two
