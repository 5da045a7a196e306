# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/engines.md: engines for transforms and the products around them, of W = 64 bits, N to 2^16, on a U250.

python engine_tables.py [P ...]     runs Yosys part by part; what it has done is in the cache. P: words per cycle of the streams, 2 if none is given
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "common" / "tb"))
from rs_yosys import measured

DEVICE, W, LOG_N = "xcu250", 64, 16
POLYS = 3  # polynomials of a public-key encryption that are transformed: u, and one per half of the ciphertext
LINK = 5  # polynomials of a limb that come and go: message, two of the public key, two of the ciphertext
CLUSTERS = 3
LANES = 4  # lanes of an in-place cluster that is synthesised
IN_PLACE = {"W": W, "LogNMax": LOG_N, "Lanes": LANES, "ChunkWords": 8, "Contexts": 2}
SHARED = ("rs_ntt_addr", "rs_twiddles")  # what clusters in lock step have once
UNITS = ("lut", "ff", "dsp", "bram36", "bram18", "uram", "memory_bits")


@dataclass(frozen=True)
class Engine:
    """cycles: of a limb, without latencies. multipliers: modular ones, those for twiddles too. polynomials: that it works on, beside its own memory.

    loads: polynomials and tables of N words that go over the link for a limb.
    """

    name: str
    multipliers: int
    cycles: int
    polynomials: int
    loads: int
    figures: dict[str, int]

    @property
    def utilisation(self) -> float:
        return products(LOG_N) / (self.multipliers * self.cycles)


def products(log_n: int) -> int:
    """Products of a limb: three transforms, pk u twice, v / p twice."""
    n = 1 << log_n
    return POLYS * n // 2 * log_n + 4 * n


def stream_multipliers(words: int, log_n: int) -> int:
    """Butterflies, the generator, products before and behind the transforms."""
    return POLYS * log_n * words // 2 + words + 4 * words


def stream_cycles(words: int, log_n: int) -> int:
    return (1 << log_n) // words


def cluster_cycles(lanes: int, log_n: int, clusters: int) -> int:
    """In place: half of N log N products in each transform, a product per word in each other pass, a product per lane and cycle.

    Of several clusters each does one of the three transforms, and two of them the other passes.
    """
    n = 1 << log_n
    transforms, passes = (POLYS, 4) if clusters == 1 else (1, 2)
    return (transforms * n // 2 * log_n + passes * n) // lanes


def picked(figures: Any) -> dict[str, int]:
    return {unit: getattr(figures, unit) for unit in UNITS}


def together(blocks: list[Any], clusters: int) -> dict[str, int]:
    """The cost of clusters in lock step: what they share counts once."""
    whole = picked(blocks[0].total)
    shared = [picked(block.total) for block in blocks if block.module in SHARED and block.depth == 1]
    assert len(shared) == len(SHARED)
    return {unit: clusters * whole[unit] - (clusters - 1) * sum(part[unit] for part in shared) for unit in UNITS}


def engines(streams: Sequence[int]) -> list[Engine]:
    found = []
    for words in streams:
        parameters = {"W": W, "P": words, "LogNMax": LOG_N}
        *_, blocks, _ = measured(DEVICE, "rs_stream_unit", parameters)
        count = stream_multipliers(words, LOG_N)
        assert sum(block.instances for block in blocks if block.module == "rs_modmul") == count
        name = f"stream, {words} words per cycle"
        found.append(Engine(name, count, stream_cycles(words, LOG_N), 0, LINK, picked(blocks[0].total)))
    for on_the_fly in (1, 0):
        *_, blocks, _ = measured(DEVICE, "rs_compute", IN_PLACE | {"OnTheFly": on_the_fly, "Groups": 3})
        count = sum(block.instances for block in blocks if block.module == "rs_modmul")
        assert count == LANES * (1 + on_the_fly)
        how = "twiddles on the fly" if on_the_fly else "stored twiddles"
        for clusters in (1, CLUSTERS):
            name = (
                f"{LANES} lanes, {how}" if clusters == 1 else f"{clusters} clusters of {LANES} lanes, {how}, lock step"
            )
            multipliers = LANES * (clusters + on_the_fly)
            cycles = cluster_cycles(LANES, LOG_N, clusters)
            found.append(
                Engine(name, multipliers, cycles, 2 * POLYS, LINK + (not on_the_fly), together(blocks, clusters))
            )
    return found


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def main() -> None:
    found = engines(list(map(int, sys.argv[1:])) or [2])
    n = 1 << LOG_N
    rows = [
        [
            engine.name,
            f"{engine.multipliers}",
            f"{engine.cycles:,}",
            f"{100 * engine.utilisation:.0f} %",
            f"{n / (engine.multipliers * engine.cycles):.4f}",
            f"{engine.figures['memory_bits'] / 1e6:.1f}",
            f"{engine.polynomials * n * W / 1e6:.1f}",
            f"{engine.loads * n * W / 8 / engine.cycles:.1f}",
        ]
        for engine in found
    ]
    head = ["engine", "modular multipliers", "cycles per limb", "busy", "words per multiplier and cycle"]
    head += ["its memory [Mbit]", "polynomials [Mbit]", "link [bytes per cycle]"]
    print(table(head, rows))
    print()
    rows = [
        [
            engine.name,
            *(f"{engine.figures[unit]:,}" for unit in UNITS[:3]),
            f"{engine.figures['bram36'] + engine.figures['bram18'] / 2:g}",
            str(engine.figures["uram"]),
            *(f"{engine.figures[unit] * engine.cycles / n:,.0f}" for unit in ("lut", "dsp")),
        ]
        for engine in found
    ]
    print(table(["engine", "LUT", "FF", "DSP", "BRAM36", "URAM", "LUT x cycles / N", "DSP x cycles / N"], rows))


if __name__ == "__main__":
    main()
