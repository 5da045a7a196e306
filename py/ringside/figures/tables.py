# SPDX-License-Identifier: Apache-2.0
"""Tables of the documents, each made from answers of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import designs
from ..sim.options import ALONE
from . import gains, systems
from .questions import (
    Asic,
    Batch,
    Decryptions,
    Energy,
    Frames,
    Query,
    SchemeProfile,
    Simulation,
    SocRun,
    SocScheme,
    Synthesis,
)

Known = Callable[[Query], Mapping[str, Any]]


@dataclass(frozen=True)
class FigureTable:
    """questions: all that it needs."""

    questions: Sequence[Query]
    markdown: Callable[[Known], str]


def lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    both = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in both)


def thousands(cycles: float) -> str:
    return f"{cycles / 1000:,.0f}" if cycles >= 10_000 else f"{cycles / 1000:.1f}"


# ---- systems on a chip (docs/soc.md) --------------------------------------------------------------------------------
RISE = ("rise-1", "rise-2", "rise-4", "rise-32")
SOC_SIZES: Mapping[str, Sequence[tuple[int, int]]] = {
    "encrypt-pk-direct": ((1024, 1), (4096, 3), (8192, 6)),
    "encrypt-sk": ((1024, 1), (4096, 3)),
    "encrypt-pk": ((1024, 1),),
    "decrypt": ((1024, 1), (4096, 1)),
}
# the largest N that is recorded, where longer runs take a quarter of an hour each
SHORT_RUNS = {"race": 1024, "rise-1": 4096, "rise-2": 4096}
BESIDE = {
    "in core": ", encodes and decodes",
    "overlapped in core": ", encodes and decodes, frames overlap",
    "overlapped": ", frames overlap",
}


def _soc_rows(op: str) -> dict[str, list[SocRun]]:
    """Runs by the name of their row."""
    sizes = SOC_SIZES[op]
    names = ("rise-4",) if op == "encrypt-pk" else ("race", *RISE)
    rows = {ALONE: [SocRun(ALONE, op, *size) for size in sizes]}
    for name in names:
        found = [size for size in sizes if size[0] <= SHORT_RUNS.get(name, size[0])]
        rows[name] = [systems.best(SocRun(name, op, *size)) for size in found]
    if op == "encrypt-pk":
        return rows
    limbs = 1 if op == "decrypt" else 3
    both = [SocRun("rise-4e", op, 1024, 1), SocRun("rise-4e", op, 4096, limbs)]
    rows[f"rise-4e{BESIDE['in core']}"] = [systems.best(one) for one in both]
    rows[f"rise-4e{BESIDE['overlapped in core']}"] = [systems.kinds(one)[-1] for one in both]
    if op == "encrypt-pk-direct":
        rows[f"rise-4{BESIDE['overlapped']}"] = [systems.kinds(SocRun("rise-4", op, 4096, 3))[-1]]
    return rows


def soc(op: str) -> FigureTable:
    """Thousands of cycles of a later frame, in brackets the core's, and how many times as fast as the processor alone."""
    rows = _soc_rows(op)

    def markdown(known: Known) -> str:
        alone = {(run.n, run.limbs): known(run) for run in rows[ALONE]}
        heads = [op, *(f"{n:,} / {limbs}" for n, limbs in SOC_SIZES[op])]
        table = []
        for name, runs in rows.items():
            cells = {}
            for run in runs:
                found, base = known(run), alone.get((run.n, run.limbs))
                core = found["stages"].get("core", {"cycles": 0})["cycles"]
                text = thousands(found["cycles"])
                if run.design != ALONE:
                    text += f" ({thousands(core)})" + (f", {base['cycles'] / found['cycles']:.1f} ×" if base else "")
                cells[run.n, run.limbs] = text
            if cells:
                table.append([name, *(cells.get(size, "") for size in SOC_SIZES[op])])
        return lines(heads, table)

    return FigureTable([run for runs in rows.values() for run in runs], markdown)


# ---- post-quantum schemes on a chip (docs/soc.md, docs/pqc.md) --------------------------------------------------------
BASE_OPS = tuple(f"ml-kem-768-{op}" for op in ("keygen", "encaps", "decaps"))  # by software, too
# the sides of NewHope's exchange: the software's operation, and the calls that a core does it by
EXCHANGE: Mapping[str, tuple[str, ...]] = {
    "newhope-server": ("newhope-begin", "newhope-finish"),
    "newhope-client": ("newhope-client",),
}
SCHEME_OPS = (
    *BASE_OPS,
    *(f"ml-dsa-65-{op}" for op in ("keygen", "sign", "verify")),
    *(call for calls in EXCHANGE.values() for call in calls),
)
RATIO = 20  # Nejatollahi's clocks: processor 2 GHz, accelerator 100 MHz


def soc_schemes(design: str) -> FigureTable:
    """Cycles of a second call, by part, and how many times as fast as the processor alone."""
    runs = {op: SocScheme(design, op, 2) for op in SCHEME_OPS}
    alone = {op: SocScheme(ALONE, op, 2) for op in BASE_OPS}
    names = ("inputs", "program", "registers", "core", "polling", "between programs", "results", "core wiped")

    def markdown(known: Known) -> str:
        table = []
        for op, run in runs.items():
            found = known(run)
            parts = [found["parts"].get(name, {"cycles": 0})["cycles"] for name in names]
            ratio = f"{known(alone[op])['cycles'] / found['cycles']:.1f} ×" if op in alone else ""
            cells = [f"{cycles:,}" if cycles else "" for cycles in parts]
            table.append([op, f"{found['cycles']:,}", *cells, f"{found['first']['cycles']:,}", ratio])
        return lines([f"`{design}`", "cycles", *names, "first call", "to software"], table)

    return FigureTable([*runs.values(), *alone.values()], markdown)


def exchange_gains(design: str) -> FigureTable:
    """NewHope whole on a core: what it is better by, at one clock and at Nejatollahi's."""
    alone = {side: SchemeProfile(ALONE, side) for side in EXCHANGE}
    calls = {side: [SocScheme(design, op, 2) for op in ops] for side, ops in EXCHANGE.items()}

    def markdown(known: Known) -> str:
        table = []
        for side, runs in calls.items():
            before = known(alone[side])["cycles"]
            cycles, core = (sum(known(run)[what] for run in runs) for what in ("cycles", "core_cycles"))
            row = [side, f"{before:,.0f}", f"{cycles:,}", f"{core:,}"]
            for ratio in (1, RATIO):
                after = gains.slowed(cycles, core, ratio)
                row += [f"{gains.latency(before, after):.0f} %", f"{100 * ratio * core / after:.0f} %"]
                row.append(f"{gains.energy_delay(before, after, ratio * core, 1):.0f} %")
            table.append(row)
        heads = ["with the core", "of these the core"]
        for ratio in (1, RATIO):
            heads += [f"better by, 1/{ratio}", f"the core's share, 1/{ratio}", f"EDP better by, 1/{ratio}"]
        return lines([f"`{design}`, cycles", "processor alone", *heads], table)

    return FigureTable([*alone.values(), *(run for runs in calls.values() for run in runs)], markdown)


# ---- standard cells (docs/asic.md) ----------------------------------------------------------------------------------
# questions of designs in tables of the documents; gates of larger ones take an hour and more, `ringside report --measure` has them
CELLS = ("race", "rise-1", "rise-2", "rise-4", "rise-4e", "ecp5-2", "aloha-he")


def asic() -> FigureTable:
    """Area, clock, time and energy of designs with few lanes."""

    def encryption(name: str) -> Simulation:
        return Simulation(name, "encrypt-pk-direct", 4096)

    def markdown(known: Known) -> str:
        table = []
        for name in CELLS:
            area, energy, run = known(Asic(name)), known(Energy(name)), known(encryption(name))
            time = run["cycles"] / area["fmax_mhz"]
            cells, memories = area["cells_um2"] / 1e6, area["memory_um2"] / 1e6
            design = designs.load(name)
            table.append(
                [
                    f"`{name}`",
                    str(design.word_bits),
                    f"{1 << design.log_n_max:,}",
                    f"{area['kge']:,.1f}",
                    f"{area['flip_flops']:,}",
                    f"{cells:.2f} + {memories:.2f}",
                    f"{area['fmax_mhz']:.1f}",
                    f"{time:.1f}",
                    f"{energy['energy_uj']:.1f}",
                    f"{(cells + memories) * time / 1e3:.2f}",
                    f"{energy['energy_uj'] * time / 1e3:.1f}",
                ]
            )
        heads = ["design", "word", "largest N", "logic, kGE", "flip-flops", "logic + memories, mm²", "MHz", "time, µs"]
        return lines([*heads, "energy, µJ", "ADP, mm² ms", "EDP, µJ ms"], table)

    wanted = [question for name in CELLS for question in (Asic(name), Energy(name), encryption(name))]
    return FigureTable(wanted, markdown)


# ---- FPGAs (docs/synthesis.md) --------------------------------------------------------------------------------------
LARGE = ("pqc-4", "pqc-4s", "doroz2015")  # to map one takes up to a quarter of an hour


def fpga() -> FigureTable:
    """Cells of the 7 series, of the same designs."""
    return _on_fpga(CELLS)


def fpga_large() -> FigureTable:
    """Of larger ones."""
    return _on_fpga(LARGE)


def _on_fpga(names: Sequence[str]) -> FigureTable:
    def markdown(known: Known) -> str:
        table = []
        for name in names:
            found = known(Synthesis(name))
            blocks = found["bram36"] + found["bram18"] / 2
            table.append([f"`{name}`", *(f"{found[one]:,.0f}" for one in ("lut", "ff", "dsp")), f"{blocks:g}"])
        return lines(["design", "LUT6", "FF", "DSP48E1", "BRAM36"], table)

    return FigureTable([Synthesis(name) for name in names], markdown)


# ---- batches of the streaming unit (docs/core.md) --------------------------------------------------------------------
# longer sets take an hour and more
STREAM_SETS = ("lee-12", "lee-13", "lee-14")
STREAM_MHZ = 250  # Lee's clock


def stream(op: str, design: str) -> FigureTable:
    """Cycles of frames that go in one call, by set."""
    kind = {Batch.OP: Batch, Decryptions.OP: Decryptions}[op]
    runs = [kind(design, params) for params in STREAM_SETS]

    def markdown(known: Known) -> str:
        table = []
        for run in runs:
            found = known(run)
            each = found["batch"] / run.frames
            cells = [
                f"{found['first']:,.0f}",
                f"{found['cycles']:,.0f}",
                f"{each:,.0f}",
                f"{STREAM_MHZ * 1e6 / each:,.0f}",
            ]
            table.append([run.params, *cells])
        heads = ["one alone", "each further one", "all 16, by 16", f"per second at {STREAM_MHZ} MHz, all by 16"]
        return lines([f"`{design}`, {op}: cycles", *heads], table)

    return FigureTable(runs, markdown)


# ---- frames that the core encodes (docs/report.md) --------------------------------------------------------------------
def pictures(design: str) -> FigureTable:
    """QQVGA pictures per second at 500 MHz, from pixels to ciphertexts."""
    runs = {
        what: Frames(design, f"encode-encrypt-{kind}", 4096)
        for kind, what in (("pk-direct", "public key"), ("sk", "secret key, seeded"))
    }
    pixels, clock = 160 * 120, 500e6
    count = -(-pixels // (4096 // 2))

    def markdown(known: Known) -> str:
        table = []
        for what, run in runs.items():
            found = known(run)
            rate = clock / (count * found["further"])
            table.append([what, f"{found['first']:,.0f}", f"{found['further']:,.0f}", f"{rate:,.0f}"])
        return lines(["encryption", "cycles, the first", "a further one", "QQVGA pictures per second, 500 MHz"], table)

    return FigureTable(list(runs.values()), markdown)


TABLES: Mapping[str, Callable[..., FigureTable]] = {
    "soc": soc,
    "soc-schemes": soc_schemes,
    "newhope-gains": exchange_gains,
    "asic": asic,
    "fpga": fpga,
    "fpga-large": fpga_large,
    "stream": stream,
    "pictures": pictures,
}
