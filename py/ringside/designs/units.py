# SPDX-License-Identifier: Apache-2.0
"""The units of a core by name, in the order of rs_unit_t and of hw/sequencer/isa.toml."""

TRACED = ("LOAD", "STORE", "COMPUTE", "SAMPLE", "LIFT", "EXPAND", "PIPE")  # a simulation tells when each of these works
UNITS = (*TRACED, "SPONGE", "PACK")  # all units of a core with fields: the last two are not traced, and count as idle
