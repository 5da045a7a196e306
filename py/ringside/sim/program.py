# SPDX-License-Identifier: Apache-2.0
"""A design as the library knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ..designs.design import Design
from ..native.library import CData, ffi, lib

SHORT_WORDS, RING = 64, 32  # in FEATURES.stream_lanes: hw/core/regs.rdl


_FEATURES = {
    "slots": "SAMPLER", "expand": "EXPAND", "reducers": "REDUCE", "stream_factor": "STREAM_FACTOR", "encode": "ENCODE",
    "stream_lanes": "PIPE", "fields": "FIELDS",
}  # fmt: skip


def dtype_of(ctype: Any) -> np.dtype[Any]:
    """NumPy's type of a C struct of unsigned integers."""
    found = ffi.typeof(ctype) if isinstance(ctype, str) else ctype
    if found.kind != "struct":
        return np.dtype(f"u{ffi.sizeof(found)}")
    members = dict(found.fields)
    formats = [dtype_of(member.type) for member in members.values()]
    offsets = [member.offset for member in members.values()]
    return np.dtype({"names": list(members), "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(found)})  # type: ignore[no-any-return, call-overload, unused-ignore]


def _feature(name: str) -> int:
    return int(getattr(lib, f"RS_FEATURE_{name}"))


def fill_design(rows: Any, fields: Mapping[str, Any]) -> None:
    """rows: an array of rs_design_t, which becomes what the configuration registers of the designs say. fields: arrays or values by the names of fields."""
    for name in ("lanes", "word_bits", "log_n_min", "log_n_max", "contexts", "slots", "bus_bits", "program_depth", "keccak_cores"):  # fmt: skip
        rows[name] = fields[name]
    rows["groups"] = fields["bank_groups"]
    features: Any = np.equal(fields["twiddles"], "on_the_fly") * _feature("ON_THE_FLY")
    for name, feature in _FEATURES.items():
        features = features + np.not_equal(fields[name], 0) * _feature(feature)
    sealed = np.not_equal(fields["fields"], 0) & np.equal(fields["field_mode"], "sealed")
    lanes = np.asarray(fields["stream_lanes"]) + SHORT_WORDS * np.asarray(fields["short"]) + RING * np.asarray(fields["ring"])  # fmt: skip
    log_slices = np.log2(fields["slices"]).astype(np.int64)
    features = features + sealed * _feature("SEALED") + (lanes << _feature("STREAM_LANES_SHIFT"))
    rows["features"] = features + (log_slices << _feature("LOG_SLICES_SHIFT"))


def native_design(design: Design) -> CData:
    """rs_design_t, as the configuration registers of the design say."""
    row = np.zeros(1, dtype_of("rs_design_t"))
    fill_design(row, asdict(design))
    found = ffi.new("rs_design_t *")
    ffi.memmove(found, row.tobytes(), row.itemsize)
    return found
