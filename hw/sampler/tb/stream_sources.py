# SPDX-License-Identifier: Apache-2.0
"""Sources of rs_streams_bench: the units of SAMPLE and EXPAND with their streams."""

from pathlib import Path

from rs_cocotb import HW, rtl

BENCH = "rs_streams_bench"
KECCAK = ("rs_keccak", "rs_keccak_round", "rs_keccak_chi", "rs_keccak_fold")
STREAMS = ("rs_xof_pkg", "rs_xof", "rs_xof_private", "rs_xof_public", "rs_xof_fold", *KECCAK)
SAMPLER = (
    "rs_xof_pkg",
    "rs_stream_gear",
    "rs_piece_gear",
    "rs_sample_cbd",
    "rs_cbd21",
    "rs_sample_ternary",
    "rs_trits5",
)
MUL = (
    "rs_mul",
    "rs_mul_row",
    "rs_mul_booth",
    "rs_mul_tile",
    "rs_mul_add_tile",
    "rs_mul_carry_save",
    "rs_csub",
    "rs_delay",
    "rs_delay_en",
)
UNIFORM = ("rs_xof_pkg", "rs_sample_uniform", "rs_reduce_word", "rs_reduce_serial", "rs_reduce_steps", *MUL)
UNITS = ("rs_isa_pkg", "rs_sampler", "rs_sample_unit", *SAMPLER, "rs_expand_unit", *UNIFORM)


def streams() -> list[Path]:
    """Packages first."""
    benches = [HW / "keccak" / "tb" / "rs_seed_rows.sv", Path(__file__).with_name(f"{BENCH}.sv")]
    return [*rtl("rs_isa_pkg", *STREAMS, *UNITS), *benches]
