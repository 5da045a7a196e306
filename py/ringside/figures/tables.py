# SPDX-License-Identifier: Apache-2.0
"""Tables of the documents, each made from answers of the ledger."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from .. import designs
from ..sim.options import ALONE
from . import gains, systems
from .command import BATCH, FRAMES, asic, cycles, soc_profile, soc_run, synth
from .systems import ShownSystem

Table = Callable[["Known"], str]  # Markdown


class Known(Protocol):
    """Figures of recorded answers. absent: what stands for one that an answer does not have."""

    def __call__(self, command: str, path: str, absent: float | None = None) -> float: ...


def commands(table: Table) -> list[str]:
    """All whose answers a table needs."""
    asked: dict[str, None] = {}

    def note(command: str, path: str, absent: float | None = None) -> float:
        asked[command] = None
        return 1.0

    table(note)
    return list(asked)


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


def _soc_rows(op: str) -> dict[str, dict[tuple[int, int], str]]:
    """Runs by the name of their row and by N and limbs."""
    sizes = SOC_SIZES[op]
    names = ("rise-4",) if op == "encrypt-pk" else ("race", *RISE)
    rows = {ALONE: {size: systems.best(ShownSystem(ALONE, op, *size)) for size in sizes}}
    for name in names:
        found = [size for size in sizes if size[0] <= SHORT_RUNS.get(name, size[0])]
        rows[name] = {size: systems.best(ShownSystem(name, op, *size)) for size in found}
    if op == "encrypt-pk":
        return rows
    both = ((1024, 1), (4096, 1 if op == "decrypt" else 3))
    rows[f"rise-4e{BESIDE['in core']}"] = {size: systems.best(ShownSystem("rise-4e", op, *size)) for size in both}
    rows[f"rise-4e{BESIDE['overlapped in core']}"] = {
        size: systems.kinds(ShownSystem("rise-4e", op, *size))[-1] for size in both
    }
    if op == "encrypt-pk-direct":
        rows[f"rise-4{BESIDE['overlapped']}"] = {(4096, 3): systems.kinds(ShownSystem("rise-4", op, 4096, 3))[-1]}
    return rows


def soc(op: str) -> Table:
    """Thousands of cycles of a later frame, in brackets the core's, and how many times as fast as the processor alone."""
    rows = _soc_rows(op)

    def cell(known: Known, name: str, size: tuple[int, int]) -> str:
        run = rows[name].get(size)
        if run is None:
            return ""
        text = thousands(known(run, "cycles"))
        if name == ALONE:
            return text
        text += f" ({thousands(known(run, 'stages.core.cycles', 0))})"
        alone = rows[ALONE].get(size)
        return text + (f", {known(alone, 'cycles') / known(run, 'cycles'):.1f} ×" if alone else "")

    def markdown(known: Known) -> str:
        heads = [op, *(f"{n:,} / {limbs}" for n, limbs in SOC_SIZES[op])]
        return lines(
            heads, [[name, *(cell(known, name, size) for size in SOC_SIZES[op])] for name in rows if rows[name]]
        )

    return markdown


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


def soc_schemes(design: str) -> Table:
    """Cycles of a second call, by stage, and how many times as fast as the processor alone."""
    names = ("inputs", "program", "registers", "core", "polling", "between programs", "results", "core wiped")

    def row(known: Known, op: str) -> list[str]:
        run, alone = (soc_run(one, op, frames=2) for one in (design, ALONE))
        stages = [known(run, f"stages.{name}.cycles", 0) for name in names]
        ratio = f"{known(alone, 'cycles') / known(run, 'cycles'):.1f} ×" if op in BASE_OPS else ""
        cells = [f"{cycles:,.0f}" if cycles else "" for cycles in stages]
        return [op, f"{known(run, 'cycles'):,.0f}", *cells, f"{known(run, 'first.cycles'):,.0f}", ratio]

    heads = [f"`{design}`", "cycles", *names, "first call", "to software"]
    return lambda known: lines(heads, [row(known, op) for op in SCHEME_OPS])


def exchange_gains(design: str) -> Table:
    """NewHope whole on a core: what it is better by, at one clock and at Nejatollahi's."""

    def row(known: Known, side: str, ops: tuple[str, ...]) -> list[str]:
        before, runs = known(soc_profile(side), "cycles"), [soc_run(design, op, frames=2) for op in ops]
        cycles, core = (sum(known(run, what) for run in runs) for what in ("cycles", "core_cycles"))
        cells = [side, f"{before:,.0f}", f"{cycles:,.0f}", f"{core:,.0f}"]
        for ratio in (1, RATIO):
            after = gains.slowed(cycles, core, ratio)
            cells += [f"{gains.latency(before, after):.0f} %", f"{100 * ratio * core / after:.0f} %"]
            cells.append(f"{gains.energy_delay(before, after, ratio * core, 1):.0f} %")
        return cells

    heads = [f"`{design}`, cycles", "processor alone", "with the core", "of these the core"]
    for ratio in (1, RATIO):
        heads += [f"better by, 1/{ratio}", f"the core's share, 1/{ratio}", f"EDP better by, 1/{ratio}"]
    return lambda known: lines(heads, [row(known, side, ops) for side, ops in EXCHANGE.items()])


# ---- standard cells (docs/asic.md) ----------------------------------------------------------------------------------
# designs in tables of the documents; gates of larger ones take an hour and more, `ringside report --measure` has them
CELLS = ("race", "rise-1", "rise-2", "rise-4", "rise-4e", "ecp5-2", "aloha-he")


def cells() -> Table:
    """Area, clock, time and energy of designs with few lanes."""

    def row(known: Known, name: str) -> list[str]:
        area, design = asic(name), designs.load(name)
        logic, memories = known(area, "area_um2") / 1e6, known(area, "memory_um2") / 1e6
        time = known(cycles(name, "encrypt-pk-direct", 4096), "cycles") / known(area, "fmax_mhz")
        energy = known(asic(name, energy=True), "energy.energy_uj")
        return [
            f"`{name}`", str(design.word_bits), f"{1 << design.log_n_max:,}", f"{known(area, 'kge'):,.1f}",
            f"{known(area, 'blocks.rs_core.flip_flops'):,.0f}", f"{logic:.2f} + {memories:.2f}",
            f"{known(area, 'fmax_mhz'):.1f}", f"{time:.1f}", f"{energy:.1f}",
            f"{(logic + memories) * time / 1e3:.2f}", f"{energy * time / 1e3:.1f}",
        ]  # fmt: skip

    heads = ["design", "word", "largest N", "logic, kGE", "flip-flops", "logic + memories, mm²", "MHz", "time, µs"]
    heads += ["energy, µJ", "ADP, mm² ms", "EDP, µJ ms"]
    return lambda known: lines(heads, [row(known, name) for name in CELLS])


# ---- FPGAs (docs/synthesis.md) --------------------------------------------------------------------------------------
LARGE = ("pqc-4", "pqc-4s", "doroz2015")  # to map one takes up to a quarter of an hour


def fpga(names: Sequence[str]) -> Table:
    """Cells of the 7 series."""

    def row(known: Known, name: str) -> list[str]:
        found = {one: known(synth(name), f"{one}.value") for one in ("lut", "ff", "dsp", "bram36", "bram18")}
        counts = [f"{found[one]:,.0f}" for one in ("lut", "ff", "dsp")]
        return [f"`{name}`", *counts, f"{found['bram36'] + found['bram18'] / 2:g}"]

    return lambda known: lines(["design", "LUT6", "FF", "DSP48E1", "BRAM36"], [row(known, name) for name in names])


# ---- batches of the streaming unit (docs/core.md) --------------------------------------------------------------------
# longer sets take an hour and more
STREAM_SETS = ("lee-12", "lee-13", "lee-14")
STREAM_MHZ = 250  # Lee's clock


def stream(op: str, design: str) -> Table:
    """Cycles of frames that go in one call, by set."""
    if op not in ("encrypt-pk", "decrypt"):
        raise KeyError(op)

    def row(known: Known, params: str) -> list[str]:
        run = cycles(design, op, params=params, frames=BATCH)
        first, further, batch = (known(run, name) for name in ("cycles", "cycles_per_frame", "batch_cycles"))
        each = batch / BATCH
        return [params, f"{first:,.0f}", f"{further:,.0f}", f"{each:,.0f}", f"{STREAM_MHZ * 1e6 / each:,.0f}"]

    heads = ["one alone", "each further one", "all 16, by 16", f"per second at {STREAM_MHZ} MHz, all by 16"]
    return lambda known: lines([f"`{design}`, {op}: cycles", *heads], [row(known, params) for params in STREAM_SETS])


# ---- integers (docs/exact.md) ------------------------------------------------------------------------------------------
EXACT_DESIGNS = {"rise-4": (30, 6), "rise-32": (30, 6), "ringside-32": (30, 6), "aloha-he": (54, 3)}
EXACT_OPS = ("encrypt-pk-direct", "encrypt-pk", "encrypt-sk", "decrypt")


def exact() -> Table:
    """Thousands of cycles at N = 8192 of CKKS, BFV and BGV, as far as the core does them."""

    def cell(known: Known, design: str, op: str) -> str:
        bits, limbs = EXACT_DESIGNS[design]
        runs = [cycles(design, prefix + op, 8192, limbs, bits) for prefix in ("", "bfv-", "bgv-")]
        return ", ".join(thousands(known(run, "cycles")) for run in runs)

    def row(known: Known, design: str) -> list[str]:
        bits, limbs = EXACT_DESIGNS[design]
        return [f"`{design}`, {limbs} of {bits} bits", *(cell(known, design, op) for op in EXACT_OPS)]

    heads = ["thousand cycles: CKKS, BFV, BGV", *EXACT_OPS]
    return lambda known: lines(heads, [row(known, design) for design in EXACT_DESIGNS])


# ---- frames that the core encodes (docs/report.md) --------------------------------------------------------------------
def pictures(design: str) -> Table:
    """QQVGA pictures per second at 500 MHz, from pixels to ciphertexts."""
    count, clock = -(-160 * 120 // (4096 // 2)), 500e6

    def row(known: Known, kind: str, what: str) -> list[str]:
        run = cycles(design, f"encode-encrypt-{kind}", 4096, frames=FRAMES)
        first, further = known(run, "cycles"), known(run, "cycles_per_frame")
        return [what, f"{first:,.0f}", f"{further:,.0f}", f"{clock / (count * further):,.0f}"]

    kinds = {"pk-direct": "public key", "sk": "secret key, seeded"}
    heads = ["encryption", "cycles, the first", "a further one", "QQVGA pictures per second, 500 MHz"]
    return lambda known: lines(heads, [row(known, kind, what) for kind, what in kinds.items()])


TABLES: Mapping[str, Callable[..., Table]] = {
    "soc": soc, "soc-schemes": soc_schemes, "newhope-gains": exchange_gains, "asic": cells,
    "fpga": lambda: fpga(CELLS), "fpga-large": lambda: fpga(LARGE), "stream": stream, "pictures": pictures,
    "exact": exact,
}  # fmt: skip
