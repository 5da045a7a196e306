# SPDX-License-Identifier: Apache-2.0
"""The transform's engine (hw/ntt) in simulation: data in and out of its banks, runs, cycles.

python -m ringside.sim.ntt prints the table of cycles.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .verilate import Simulator, Words, build, pack, source_tree, unpack

Op = Literal["ntt", "intt"]
Reduction = Literal["barrett", "wlm"]
Index = NDArray[np.int64]

BLOCKS = ("common", "modmul", "lane", "ntt")
PACKAGES = ("rs_pkg", "rs_ntt_pkg")
REDUCTIONS = ("barrett", "wlm")  # rs_pkg::reduction_e
WORD_BITS = 11  # rs_pkg::WlmWordBits


def sources() -> list[Path]:
    """The engine's SystemVerilog, packages first."""
    found = [path for block in BLOCKS for path in sorted((source_tree() / "hw" / block / "rtl").glob("*.sv"))]
    return sorted(found, key=lambda path: PACKAGES.index(path.stem) if path.stem in PACKAGES else len(PACKAGES))


# ---- where things are (docs/ntt_schedule.md) -------------------------------------------------------------------------
def _bit(values: Index, position: int) -> Index:
    return values >> position & 1


def layout(log_n: int, lanes: int, stage: int) -> tuple[Index, Index]:
    """(bank, address) of every element before `stage`; 0 for coefficients, log_n for the transform's result."""
    n, p = log_n, lanes.bit_length() - 1
    address_bits = n - 2 - p
    element = np.arange(1 << n, dtype=np.int64)

    def index_bit(k: int) -> Index:  # b_k, b_0 the most significant
        return _bit(element, n - 1 - k % n)

    bank = index_bit(stage + 1) << (p + 1) | index_bit(stage) << p
    for i in range(p):
        bank = bank | index_bit(stage + 2 + i) << i
    address = np.zeros_like(element)
    for k in range(address_bits):
        address = address | index_bit(stage + 2 + p + k) << ((stage + k) % address_bits)
    return bank, address


def barrett_constants(q: int, width: int) -> tuple[int, int]:
    """mu and shift of rs_modmul_barrett."""
    bits = q.bit_length()
    return (1 << (width + 1 + bits)) // q, bits - 2


def _mul_latency(width_a: int, width_b: int) -> int:
    return 2 + (width_b > 24) + (-(-width_a // 17) - 1).bit_length()


def lane_latency(width: int, reduction: Reduction) -> int:
    """rs_pkg::lane_latency."""
    product = _mul_latency(width, width)
    if reduction == "wlm":
        return 4 + product + -(-width // WORD_BITS) * (_mul_latency(WORD_BITS, width - WORD_BITS) + 1) + 1
    return 4 + 2 * product + _mul_latency(width + 2, width + 2) + 3


def cycle_bound(log_n: int, lanes: int) -> int:
    """Cycles if every lane made a butterfly in every cycle."""
    return (log_n << log_n) // (2 * lanes)


# ---- the engine ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Design:
    lanes: int
    log_n_max: int = 13
    width: int = 32
    reduction: Reduction = "barrett"

    @property
    def radix(self) -> int:
        """What the twiddles are multiplied by."""
        return 1 if self.reduction == "barrett" else 1 << WORD_BITS * -(-self.width // WORD_BITS)

    def library(self, cache: Path | None = None, assertions: bool = True) -> Path:
        parameters = {
            "W": self.width,
            "Reduction": REDUCTIONS.index(self.reduction),  # Verilator takes an enum's number
            "WordBits": WORD_BITS,
            "LogNMax": self.log_n_max,
            "Lanes": self.lanes,
        }
        return build("rs_ntt_engine", sources(), parameters, cache=cache, assertions=assertions)


class Engine:
    def __init__(self, design: Design, cache: Path | None = None, seed: int = 1) -> None:
        self.design = design
        self.sim = Simulator(design.library(cache), seed)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(2)

    def close(self) -> None:
        self.sim.close()

    def set_modulus(self, q: int) -> None:
        mu, shift = barrett_constants(q, self.design.width)
        self.q = q
        self.sim.set(q_i=q, mu_i=mu, shift_i=shift)

    def set_twiddles(self, table: Words) -> None:
        """w[i] = psi^brv(i), i = 0 .. N-1, as the library has them."""
        log_n = len(table).bit_length() - 1
        stored = np.array([int(w) * self.design.radix % self.q for w in table], np.uint64)
        index = np.arange(1, len(table))
        self.sim.set(log_n_i=log_n, twiddle_we_i=1)
        self.sim.play(
            {"twiddle_index_i": index.astype(np.uint32), "twiddle_i": pack(stored[1:, None], self.design.width)}
        )
        self.sim.set(twiddle_we_i=0)

    def load(self, values: Words, *, transformed: bool = False) -> None:
        lanes, width = self.design.lanes, self.design.width
        log_n = len(values).bit_length() - 1
        bank, address = layout(log_n, lanes, log_n if transformed else 0)
        rows = np.zeros((len(values) // (4 * lanes), 4 * lanes), np.uint64)
        rows[address, bank] = values
        self.sim.set(row_req_i=1, row_we_i=1, row_mask_i=(1 << 4 * lanes) - 1)
        self.sim.play({"row_addr_i": np.arange(len(rows), dtype=np.uint32), "row_data_i": pack(rows, width)})
        self.sim.set(row_req_i=0, row_we_i=0)

    def store(self, log_n: int, *, transformed: bool = True) -> Words:
        lanes, width = self.design.lanes, self.design.width
        bank, address = layout(log_n, lanes, log_n if transformed else 0)
        count = (1 << log_n) // (4 * lanes)
        self.sim.set(row_req_i=1, row_we_i=0)
        rows = np.append(np.arange(count, dtype=np.uint32), np.uint32(0))
        taken = self.sim.play({"row_addr_i": rows}, ["row_data_o"])["row_data_o"]
        self.sim.set(row_req_i=0)
        words = unpack(taken[1:], width, 4 * lanes)
        return np.array(words[address, bank])

    def cycles(self, log_n: int) -> int:
        """What `run` returns: the formula of docs/ntt_schedule.md."""
        p = self.design.lanes.bit_length() - 1
        lag = (lane_latency(self.design.width, self.design.reduction) + 6) | 1
        busy, slack = (2 << log_n) // (4 * self.design.lanes), (1 << log_n) // (4 * self.design.lanes) + 1
        pause = (lag - slack + 3) // 4 * 4 if lag > slack else 0
        return log_n * busy + (log_n - 1) * pause + lag + 1 + max(0, (p + 2) // 3 - 1)

    def run(self, op: Op, log_n: int) -> int:
        """Cycles from the one after start_i to that of the last write."""
        self.sim.set(op_i=int(op == "intt"), log_n_i=log_n, start_i=1)
        self.sim.step()
        self.sim.set(start_i=0)
        return self.sim.wait("done_o", 1, 64 * cycle_bound(log_n, self.design.lanes) + 4096)


@cache
def _engine(design: Design, cache: Path | None) -> Engine:
    return Engine(design, cache)


def measure(
    lanes: int,
    log_n: int,
    op: Op = "ntt",
    *,
    log_n_max: int | None = None,
    width: int = 32,
    reduction: Reduction = "barrett",
    cache: Path | None = None,
) -> int:
    """Cycles of one transform, which do not depend on the data."""
    engine = _engine(Design(lanes, log_n_max or log_n, width, reduction), cache)
    engine.set_modulus((1 << width) - 1)
    return engine.run(op, log_n)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m ringside.sim.ntt", description="Cycles of the transform, simulated."
    )
    parser.add_argument("--lanes", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32])
    parser.add_argument("--log-n", type=int, nargs="+", default=[10, 11, 12, 13, 14])
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--reduction", choices=["barrett", "wlm"], default="barrett")
    given = parser.parse_args()
    print(f"W = {given.width}, {given.reduction}; cycles (over N/2 log2 N / P)")
    print("| P | op |" + "".join(f" N = {1 << log_n} |" for log_n in given.log_n))
    print("|---|---|" + "---|" * len(given.log_n))
    for lanes in given.lanes:
        ops: tuple[Op, Op] = ("ntt", "intt")
        for op in ops:
            row = ""
            for log_n in given.log_n:
                if log_n < lanes.bit_length() + 3:
                    row += " |"
                    continue
                top = max(given.log_n)
                count = measure(lanes, log_n, op, log_n_max=top, width=given.width, reduction=given.reduction)
                row += f" {count:,} ({count / cycle_bound(log_n, lanes):.3f}) |"
            print(f"| {lanes} | {op.upper()} |{row}")


if __name__ == "__main__":
    main()
