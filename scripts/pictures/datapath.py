# SPDX-License-Identifier: Apache-2.0
"""The picture of docs/core.md: where data flow in the core, and how wide, as SVG.

scripts/generate.py writes it. The units are those of hw/sequencer/isa.toml: one that is missing here, or here alone, is an error.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from common import StopError

WIDTH, HEIGHT = 1660, 560
STYLE = {
    "control": ("#eef5fa", "#1b6ca8"),
    "unit": ("#eef7ee", "#2e7d4f"),
    "memory": ("#fdf3e7", "#c2651a"),
    "port": ("#ffffff", "#888888"),
}
INK, SOFT = "#222222", "#555555"


@dataclass(frozen=True)
class Box:
    """lines: the first is its name."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Flow:
    """An arrow through these places; at the last one is its head. about: beside `at`, from there on or up to there (end)."""

    places: Sequence[tuple[float, float]]
    about: str = ""
    at: tuple[float, float] = (0, 0)
    end: bool = False
    both: bool = False
    control: bool = False


# V: words of a chunk; W: bits of a residue. Units stand from the left, where data come in, to the right, where they leave.
UNITS = {
    "LOAD": Box(130, 190, 130, 66, "unit", ("LOAD", "checks residues")),
    "EXPAND": Box(290, 190, 130, 66, "unit", ("EXPAND", "SHAKE256, uniform")),
    "SAMPLE": Box(450, 190, 130, 66, "unit", ("SAMPLE", "CBD, ternary")),
    "LIFT": Box(610, 190, 120, 66, "unit", ("LIFT", "small to residues")),
    "COMPUTE": Box(760, 190, 170, 66, "unit", ("COMPUTE", "Lanes butterflies", "twiddles of each context")),
    "PIPE": Box(960, 190, 150, 66, "unit", ("PIPE", "a frame's limbs as a", "stream; optional")),
    "STORE": Box(1140, 190, 120, 66, "unit", ("STORE", "DMA, public only")),
    "SPONGE": Box(1290, 190, 130, 66, "unit", ("SPONGE", "hashes, digests,", "polynomials; optional")),
    "PACK": Box(1450, 190, 110, 66, "unit", ("PACK", "packed fields;", "optional")),
}
ABOUT_REGISTERS = "design, control, status, pointers; seeds and public seed: written, never read"
ABOUT_SEQUENCER = "program memory, decoder, scoreboard, tags of secrets, watchdog: starts one instruction per unit"
ABOUT_GROUPS = (
    "groups: a polynomial each, in 4 Lanes single-port banks of W bits",
    "a group belongs to one instruction at a time; bank and address of a coefficient: docs/ntt_schedule.md",
    "wiped a row per cycle, after reset and on command",
)
BOXES = (
    Box(10, 20, 90, 46, "port", ("s_axil", "AXI4-Lite")),
    Box(130, 20, 1430, 46, "control", ("registers", ABOUT_REGISTERS)),
    Box(1590, 20, 60, 46, "port", ("irq_o",)),
    Box(130, 100, 1430, 52, "control", ("sequencer", ABOUT_SEQUENCER)),
    Box(10, 190, 90, 66, "port", ("m_axi", "AR, R", "BusBits")),
    Box(1590, 190, 60, 66, "port", ("m_axi", "AW, W, B", "BusBits")),
    Box(450, 338, 130, 52, "memory", ("slots", "N values of 6 bits")),
    Box(130, 440, 130, 96, "memory", ("contexts", "q, mu, shift, factor", "of a modulus,", "for every unit")),
    Box(290, 440, 1270, 96, "memory", ABOUT_GROUPS),
)
MESSAGES = "AR, R, AW, W, B: messages, keys, ciphertexts"
FLOWS = (
    Flow(((100, 43), (130, 43)), both=True),
    Flow(((1560, 43), (1590, 43))),
    Flow(((605, 66), (605, 100)), "program, LOG_N, pointers, start", (613, 83), control=True),
    *(Flow(((unit.x + unit.width / 2, 152), (unit.x + unit.width / 2, 190)), control=True) for unit in UNITS.values()),
    Flow(((100, 223), (130, 223))),
    Flow(((1560, 223), (1590, 223)), both=True),
    Flow(((150, 256), (150, 440)), "header", (144, 400), end=True),
    Flow(((190, 256), (190, 412), (320, 412), (320, 440)), "V words", (196, 404)),
    Flow(((215, 256), (215, 300), (640, 300), (640, 256)), "STREAM: V words", (222, 292)),
    Flow(((240, 256), (240, 274), (775, 274), (775, 256)), "twiddles: V words", (247, 267)),
    Flow(((355, 256), (355, 440)), "1 or more words", (361, 404)),
    Flow(((515, 256), (515, 338)), "V x 6 bits", (521, 322)),
    Flow(((580, 364), (660, 364), (660, 256)), "V x 6 bits", (587, 356), both=True),
    Flow(((685, 256), (685, 440)), "V words", (679, 424), end=True),
    Flow(((715, 440), (715, 256)), "ROUND", (721, 424)),
    Flow(((800, 440), (800, 256)), "2 Lanes words", (806, 400)),
    Flow(((915, 256), (915, 440)), "2 Lanes words", (921, 320)),
    Flow(((580, 380), (985, 380), (985, 256)), "3 V x 6 bits", (992, 372)),
    Flow(((1045, 440), (1045, 256)), "2 StreamLanes words", (1051, 404)),
    Flow(((1085, 256), (1085, 300), (1630, 300), (1630, 256)), MESSAGES, (1091, 292), both=True),
    Flow(((1200, 440), (1200, 256)), "V words", (1206, 348)),
    Flow(((1245, 256), (1245, 282), (1605, 282), (1605, 256))),
    Flow(((1310, 256), (1310, 282)), both=True),
    Flow(((1355, 256), (1355, 440)), "words", (1361, 348)),
    Flow(((1505, 256), (1505, 440)), "words", (1511, 348), both=True),
)


def box(one: Box) -> str:
    fill, stroke = STYLE[one.kind]
    dash = ' stroke-dasharray="5 4"' if one.kind == "port" else ""
    shape = f'<rect x="{one.x:g}" y="{one.y:g}" width="{one.width:g}" height="{one.height:g}" rx="6" fill="{fill}" stroke="{stroke}"{dash}/>'
    middle, step = one.x + one.width / 2, 17
    first = one.y + one.height / 2 - step * (len(one.lines) - 1) / 2 + 5
    texts = []
    for index, line in enumerate(one.lines):
        look = 'font-weight="bold"' if index == 0 else f'font-size="11.5" fill="{SOFT}"'
        texts.append(
            f'<text x="{middle:g}" y="{first + step * index:g}" text-anchor="middle" {look}>{escape(line)}</text>'
        )
    return "\n".join([shape, *texts])


def flow(one: Flow) -> str:
    places = " ".join(f"{x:g},{y:g}" for x, y in one.places)
    colour = STYLE["control"][1] if one.control else INK
    name = "control" if one.control else "data"
    start = f' marker-start="url(#{name})"' if one.both else ""
    line = f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"{start} marker-end="url(#{name})"/>'
    if not one.about:
        return line
    anchor = ' text-anchor="end"' if one.end else ""
    x, y = one.at
    return f'{line}\n<text x="{x:g}" y="{y:g}" font-size="11.5" fill="{SOFT}"{anchor}>{escape(one.about)}</text>'


def head(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
    )


def picture(units: Iterable[str]) -> str:
    """units: of the instruction set."""
    if differing := set(units) ^ UNITS.keys():
        names = ", ".join(sorted(differing))
        raise StopError(f"scripts/pictures/datapath.py and the units of hw/sequencer/isa.toml differ in {names}")
    note = "V words of W bits are a chunk; V = min(BusBits / 32, or / 64 where W > 32; 4 Lanes). SAMPLE and EXPAND have Keccak cores of their own, or share one. Blue: control."
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="14" fill="{INK}">',
        f"<defs>{head('data', INK)}{head('control', STYLE['control'][1])}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *(flow(one) for one in FLOWS),
        *(box(one) for one in (*BOXES, *UNITS.values())),
        f'<text x="10" y="554" font-size="11.5" fill="{SOFT}">{escape(note)}</text>',
    ]
    return "\n".join([*lines, "</svg>", ""])
