# SPDX-License-Identifier: Apache-2.0
"""Sources of rs_streams_bench, the units of SAMPLE and EXPAND with their streams, and the words that they expand."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rs_cocotb import HW, whole

BENCH = "rs_streams_bench"


def streams() -> list[Path]:
    """Packages first."""
    benches = [HW / "keccak" / "tb" / "rs_seed_rows.sv", Path(__file__).with_name(f"{BENCH}.sv")]
    return [*whole("rs_xof", "rs_sample_unit", "rs_expand_unit"), *benches]


def uniform(seed: bytes, log_n: int, moduli: Sequence[int]) -> Iterator[list[int]]:
    """What the library expands of a seed, limb by limb."""
    from ringside.native._cdef import ffi
    from ringside.native.library import SEED_TYPES, lib

    state, out = ffi.new("rs_uniform_t *"), ffi.new("uint64_t[]", 1 << log_n)
    given = ffi.new("rs_seed_t *", {"bytes": seed})
    assert lib.rs_uniform_init(state, SEED_TYPES["shake256"], given, log_n, len(moduli)) == 0
    for q in moduli:
        assert lib.rs_uniform_next(state, q, out) == 0
        yield list(out)
