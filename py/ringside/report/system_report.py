# SPDX-License-Identifier: Apache-2.0
"""Systems side by side: who needs how long for which part of an operation, how many frames a second that is, and a picture of it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..cycles.system import System
from ..drawing import COLOURS, LINE, PAPER, SOFT, Box, Drawing, Label, Shape
from ..figures.systems import Found, ShownSystem, plain
from ..figures.tables import BESIDE, lines, thousands
from ..sim.options import ALONE

# SEAL-Embedded's sets: limbs of a ciphertext for each N
SETS = ((1024, 1), (2048, 1), (4096, 3), (8192, 6), (16384, 13))
RETURNED = ((4096, 1), (8192, 1), (16384, 1))  # what a server sends back has fewer limbs than what it got
# SEAL-Embedded's instructions for the same, encoding included: RV64GC, gcc 12.2 -O3, its fast build, which has the transforms' roots in tables; counted
# once in QEMU 7.2. Words of 32 bits, no special prime, keys and roots read from memory
SEAL_EMBEDDED = {
    ("encrypt-sk", 4096, 3): 16_400_000,
    ("encrypt-pk-direct", 4096, 3): 16_800_000,
    ("encrypt-pk-direct", 16384, 13): 189_500_000,
}
DESIGNS = (ALONE, "race", "rise-1", "rise-2", "rise-4", "rise-8", "rise-16", "rise-32", "rise-4e", "rise-32e")
SIZES = {"qqvga": (160, 120), "qvga": (320, 240)}  # pictures, in pixels
WORD_BYTES = 8  # bytes of a residue in a SEAL file
UPLINKS = (10.0, 50.0, 100.0)  # Mbit/s: what a 5G uplink may have; RISE's rates are not in its text
NOTES = (
    "Frames: first, the core's program is made and loaded in it; later, the core has it; overlapped, from one to the next while the processor encodes or decodes another.",
    "In core: a later frame whose slots the core itself encodes, or decodes; the processor writes registers. Overlapped in core: a frame of four that share a program.",
    "Pictures: a grey pixel for each of N/2 slots. At a clock: one ciphertext after the other, encoding or decoding included, on Rocket with 30-bit primes.",
    "SEAL-Embedded: its fast build for RV64GC, roots in tables, counted once in QEMU; what it makes has words of 32 bits and no header of a SEAL file.",
    "Links: rates of 5G uplinks are assumed. SEAL files have 8 bytes for a residue; packed into 4 bytes, twice as many frames pass.",
)

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 1100, 190, 130, 74, 24, 17
NAMES = {"first": ", first frame", **BESIDE}  # suffixes of frames that are not later ones
LETTER = 6.6  # width of one, about
# stages that are drawn together
PARTS = {
    "encode": ("encode",),
    "software": ("encrypt", "decrypt"),
    "driver": ("program", "seed", "message in", "ciphertext in", "registers", "interrupt", "wipe", "ciphertext out", "plaintext out", "values out"),
    "core": ("core",),
    "decode": ("decode",),
}  # fmt: skip


def sets(op: str) -> list[tuple[int, int]]:
    """N and limbs that are shown of an operation."""
    return sorted({*SETS, *RETURNED}) if op == "decrypt" else list(SETS)


def tiles(size: str, n: int) -> int:
    """Ciphertexts of a picture, a slot for a pixel."""
    width, height = SIZES[size]
    return -(-width * height // (n // 2))


def frames_per_second(found: System, clock_mhz: float) -> dict[str, float]:
    return {size: clock_mhz * 1e6 / (found.cycles * tiles(size, found.n)) for size in SIZES}


def uplink_frames(found: System, rate: float) -> dict[str, float]:
    """Frames per second that a link of so many Mbit/s carries, as SEAL files without compression."""
    polys = 1 if found.op.endswith("encrypt-sk") else 2
    size = WORD_BYTES * polys * found.limbs * found.n
    return {name: rate * 1e6 / (8 * size * tiles(name, found.n)) for name in SIZES}


def kind(found: System) -> str:
    """The kind of frame that was measured. The processor alone has no program to load."""
    if found.op != plain(found.op):
        return "overlapped in core" if found.overlap else "in core"
    return "overlapped" if found.overlap else "later" if found.frames > 1 or found.design == ALONE else "first"


def parts(found: System) -> dict[str, int]:
    """Cycles of each part; they add up unless frames overlap."""
    return {
        part: sum(found.stages[name].cycles for name in names if name in found.stages) for part, names in PARTS.items()
    }


def rows(
    shown: Sequence[tuple[ShownSystem, Found | None]], clocks: Sequence[float], uplinks: Sequence[float]
) -> list[dict[str, Any]]:
    """For --json. speed_up: against the processor alone, of the same set and operation; None where that was not measured. state: whether what it was made from is the same today; recorded: version and date."""
    alone = {
        (asked.op, asked.n, asked.limbs): found.system.cycles
        for asked, found in shown
        if found is not None and asked.design == ALONE
    }
    out: list[dict[str, Any]] = []
    for asked, found in shown:
        one = found.system if found is not None else None
        row: dict[str, Any] = {
            "design": asked.design, "op": plain(asked.op), "n": asked.n, "limbs": asked.limbs,
            "measured": one is not None,
        }  # fmt: skip
        if found is not None and one is not None:
            base = alone.get((plain(asked.op), asked.n, asked.limbs))
            row |= asdict(one) | {
                "op": plain(asked.op),
                "state": found.state,
                "recorded": found.recorded,
                "frame": kind(one),
                "parts": parts(one),
                "speed_up": base / one.cycles if base else None,
                "frames_per_second": {f"{clock:g}": frames_per_second(one, clock) for clock in clocks},
            }
            if row["op"] != "decrypt":
                row["uplink_frames_per_second"] = {f"{rate:g}": uplink_frames(one, rate) for rate in uplinks}
        out.append(row)
    return out


def beside_seal_embedded(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Instructions of the processor alone and SEAL-Embedded's, where both are known. rows: as rows() makes them."""
    out = []
    for row in rows:
        theirs = SEAL_EMBEDDED.get((row["op"], row["n"], row["limbs"]))
        if row["design"] == ALONE and row["measured"] and theirs:
            both = {"instructions": row["instructions"], "seal_embedded": theirs, "share": row["instructions"] / theirs}
            out.append({key: row[key] for key in ("op", "n", "limbs")} | both)
    return out


def not_measured(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, int, int], list[str]]:
    """Designs without a row, by operation, N and limbs."""
    out: dict[tuple[str, int, int], list[str]] = {}
    for row in rows:
        if not row["measured"]:
            out.setdefault((row["op"], row["n"], row["limbs"]), []).append(row["design"])
    return out


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """A table for each operation: thousands of cycles, in brackets the core's, and how many times as fast as the processor alone.

    rows: as rows() makes them. Only what was measured.
    """
    tables: list[str] = []
    for op in dict.fromkeys(row["op"] for row in rows):
        of = [row for row in rows if row["op"] == op and row["measured"]]
        sizes = sorted({(row["n"], row["limbs"]) for row in of})
        cells: dict[str, dict[tuple[int, int], str]] = {}
        for row in of:
            name = row["design"] + NAMES.get(row["frame"], "")
            text = thousands(row["cycles"])
            if row["design"] != ALONE:
                faster = f", {row['speed_up']:.1f} ×" if row["speed_up"] else ""
                text += f" ({thousands(row['parts']['core'])}){faster}"
            cells.setdefault(name, {})[row["n"], row["limbs"]] = text
        heads = [op, *(f"{n:,} / {limbs}" for n, limbs in sizes)]
        tables.append(lines(heads, [[name, *(found.get(size, "") for size in sizes)] for name, found in cells.items()]))
    return "\n\n".join(tables)


def draw(shown: Sequence[tuple[ShownSystem, Found | None]], title: str) -> Drawing:
    """A bar for each system, from the values to the ciphertext or back, frames that overlap left out; sets have scales of their own."""
    found = [
        (asked, one.system if one is not None else None)
        for asked, one in shown
        if one is None or not one.system.overlap
    ]
    shapes: list[Shape] = [Label(10, 20, title, bold=True)]
    x = 10.0
    for index, part in enumerate(PARTS):
        shapes += [Box(x, 38, 11, 11, COLOURS[index], series=index), Label(x + 16, 44, part, SOFT, series=index)]
        x += 36 + LETTER * len(part)
    y = float(TOP)
    for op, n, limbs in dict.fromkeys((plain(asked.op), asked.n, asked.limbs) for asked, _ in found):
        group = [(asked, one) for asked, one in found if (plain(asked.op), asked.n, asked.limbs) == (op, n, limbs)]
        longest = max((one.cycles for _, one in group if one is not None), default=1)
        scale = (WIDTH - LEFT - RIGHT) / longest
        shapes += [
            Box(10, y, WIDTH - 20, 1, LINE),
            Label(10, y + 14, f"{op}, N = {n}, {limbs} limb{'s' * (limbs > 1)}", bold=True),
        ]
        y += 30
        for asked, one in group:
            name = asked.design if one is None or one.design == ALONE else f"{asked.design}, {kind(one)} frame"
            shapes.append(Label(LEFT - 10, y + BAR / 2, name, anchor="end"))
            place = float(LEFT)
            if one is None:
                shapes.append(Label(LEFT, y + BAR / 2, "not measured", SOFT))
            else:
                for index, (part, cycles) in enumerate(parts(one).items()):
                    if cycles:
                        tip = f"{name}, {part}: {cycles:,} cycles, {100 * cycles / one.cycles:.1f} %"
                        shapes.append(Box(place, y, max(1.0, cycles * scale), BAR, COLOURS[index], tip, index))
                    place += cycles * scale
                shapes.append(Label(place + 6, y + BAR / 2, f"{one.cycles:,}"))
            y += ROW
        y += 10
    height = y + 10
    return Drawing([Box(0, 0, WIDTH, height, PAPER), *shapes], WIDTH, height, title)
