# SPDX-License-Identifier: Apache-2.0
"""What hybrid switching's lifting (ModUp) would take if the lanes did it: an estimate, nothing of it is built."""

from dataclasses import dataclass

from ringside.designs import Design

WORD_BYTES, BLOCK_BITS = 4, 36 * 1024


@dataclass(frozen=True)
class Lifting:
    """The cost of lifting one ciphertext. passes: over half a polynomial, dst - a x constant each; cycles of all. held_blocks: memories of 36 Kbit for the residues, where
    they stay on chip. loaded, load_ms: bytes, where they come over the bus again for each prime, and their time."""

    passes: int
    cycles: int
    ms: float
    held_blocks: int
    loaded: int
    load_ms: float

    def facts(self) -> list[tuple[str, str]]:
        work = f"{self.passes} passes of half a polynomial, {self.cycles:,} cycles, {self.ms:.2f} ms"
        bus = f"{self.loaded / 1e6:.0f} MB, {self.load_ms:.1f} ms"
        return [
            ("lifting by the lanes", f"{work} more, estimated"),
            ("its residues", f"on chip {self.held_blocks} BRAM36; or each prime loads them again: {bus}"),
        ]


def lifting(design: Design, points: int, primes: int, special: int, rate: float) -> Lifting:
    """rate: bytes per cycle of a LOAD. A digit is the residues of its own primes; for any other prime it is a sum of one product for each of them, and each residue is scaled once."""
    groups = [min(special, primes - first) for first in range(0, primes, special)]
    sums = primes * (primes + special) - sum(group * group for group in groups)
    passes, half = sums + primes, points // 2
    cycles, loaded = passes * half // design.lanes, (primes + special) * primes * half * WORD_BYTES
    hertz = design.clock_mhz * 1e6
    ms = 1e3 * cycles / hertz
    return Lifting(
        passes, cycles, ms, -(-primes * half * 8 * WORD_BYTES // BLOCK_BITS), loaded, 1e3 * loaded / rate / hertz
    )
