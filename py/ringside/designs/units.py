# SPDX-License-Identifier: Apache-2.0
"""The units of a core by name, in the order of rs_unit_t. One without fields has no SPONGE and PACK."""

from ..native.library import ffi

UNITS: tuple[str, ...] = tuple(
    name.removeprefix("RS_UNIT_")
    for _, name in sorted(ffi.typeof("rs_unit_t").elements.items())
    if name != "RS_UNIT_COUNT"
)
