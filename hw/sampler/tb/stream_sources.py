# SPDX-License-Identifier: Apache-2.0
"""Sources of rs_streams_bench: the units of SAMPLE and EXPAND with their streams."""

from pathlib import Path

from rs_cocotb import HW, whole

BENCH = "rs_streams_bench"


def streams() -> list[Path]:
    """Packages first."""
    benches = [HW / "keccak" / "tb" / "rs_seed_rows.sv", Path(__file__).with_name(f"{BENCH}.sv")]
    return [*whole("rs_xof", "rs_sample_unit", "rs_expand_unit"), *benches]
