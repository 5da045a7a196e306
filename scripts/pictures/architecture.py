# SPDX-License-Identifier: Apache-2.0
"""The picture of docs/architecture.md: the rooms of the C library and of the Python package in layers, as SVG.

scripts/generate.py writes it. The rooms are those of c_rooms.py and rooms.py: one that is missing here, or here alone, is an error.
"""

from html import escape

from checks import c_rooms, rooms
from common import StopError

Layer = list[tuple[str, str]]


def layers(text: str) -> list[Layer]:
    """From the top to the bottom; of each room its folder and what it holds. A name with a "+" in front has a place, but no code yet."""
    rooms_of = ([room.split(":", 1) for room in line.split("|")] for line in text.strip().splitlines())
    return [[(name.strip(), about.strip()) for name, about in layer] for layer in rooms_of]


LIBRARY = layers("""
host: files, zlib, zstd, random seeds, threads
lean: microcontrollers | selftest: known answers
seal: SEAL's files | schemes: a context of any scheme
ckks: a scheme | exact: BFV and BGV | mlkem: FIPS 203 | mldsa: FIPS 204 | papers: NewHope, BLISS, Falcon
client: requests of CKKS, BFV, BGV | rlwe: keys, ciphertexts, noise | params: chains of moduli
machine: the accelerator: designs, images, programs, calls; it knows no scheme
backend: which tables are in use; streams, samples and plans by them
x86: AVX2, AVX-512, IFMA | arm: NEON, SHA-3 | wasm: relaxed SIMD | fma: rings in doubles | riscv: vectors
sampling: samplers | encoding: FFT, digits | arith: ring of one q | hash: Keccak, BLAKE2
base: bytes, doubles, status, wiping
""")
PACKAGE = layers("""
cli: the command | demo: photograph
explore: spaces, models, fronts
report: papers, pages | figures: the ledger of all figures
leak: what toggles tell of secrets
synth: FPGA, ASIC | rtl: kit for systems | cycles: timelines
__init__: the names ringside.X | pqc: ML-KEM, ML-DSA, key files | tenseal: its formats | exchange: Lattigo, OpenFHE | tables: Parquet
objects: parameters, keys, ciphertexts, values
devices: calls on CPU, core or SoC | soc: with a processor
sim: Verilated designs | designs: fields, rules, files
formats: bytes of Lattigo's and OpenFHE's files
native: the C library, files
""")
# modules of the package that are too small for the picture
SMALL = {"arguments", "drawing", "errors", "hints", "interrupt", "notebook", "operations"}
SMALL |= {"processors", "progress", "__main__"}
(HARDWARE,) = layers(
    "designs/: one TOML per design | hw/: blocks; the core wires them | sim/: harness | soc/: CPU, adapters, firmware"
)

WIDTH, COLUMN, HEIGHT, GAP, MARGIN, TOP = 1180, 570, 52, 8, 10, 34
STYLE = {
    "lib": ("#eef5fa", "#1b6ca8"), "py": ("#eef7ee", "#2e7d4f"), "hw": ("#fdf3e7", "#c2651a"),
    "later": ("#ffffff", "#888888"),
}  # fmt: skip


def check(drawn_layers: list[Layer], names: set[str], source: str) -> None:
    drawn = {name for layer in drawn_layers for name, _ in layer if not name.startswith("+")}
    if drawn != names:
        raise StopError(f"scripts/pictures/architecture.py and {source} differ in {', '.join(sorted(drawn ^ names))}")


def box(x: float, y: float, width: float, kind: str, name: str, about: str) -> str:
    later = name.startswith("+")
    fill, stroke = STYLE["later" if later else kind]
    dash = ' stroke-dasharray="5 4"' if later else ""
    middle = x + width / 2
    shown = name.removeprefix("+")
    lines = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}" rx="6" fill="{fill}" stroke="{stroke}"{dash}/>'
    ]
    title_y = y + (22 if about else 31)
    weight = "normal" if later else "bold"
    lines.append(f'<text x="{middle:g}" y="{title_y:g}" font-weight="{weight}">{escape(shown)}</text>')
    if about:
        lines.append(f'<text x="{middle:g}" y="{y + 41:g}" font-size="12" fill="#444444">{escape(about)}</text>')
    return "\n".join(lines)


def row(x: float, y: float, kind: str, layer: Layer, width: float = COLUMN) -> str:
    """Boxes side by side, as wide as their texts ask for."""
    needs = [max(8 * len(name), 6.5 * len(about)) + 24 for name, about in layer]
    room = width - GAP * (len(layer) - 1)
    lines = []
    for (name, about), need in zip(layer, needs, strict=True):
        share = room * need / sum(needs)
        lines.append(box(x, y, share, kind, name, about))
        x += share + GAP
    return "\n".join(lines)


def picture() -> str:
    check(LIBRARY, set(c_rooms.ROOMS), "scripts/checks/c_rooms.py")
    check(PACKAGE, set(rooms.ROOMS) - SMALL, "scripts/checks/rooms.py")
    step = HEIGHT + GAP
    right = WIDTH - MARGIN - COLUMN
    bottom = TOP + len(LIBRARY) * step
    height = bottom + 42 + HEIGHT + MARGIN
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="sans-serif" font-size="14" text-anchor="middle" fill="#222222">'
        ),
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<g text-anchor="start" font-weight="bold">',
        f'<text x="{MARGIN}" y="22">py/ringside: a room imports from those below it</text>',
        f'<text x="{right}" y="22">lib/src: the same; include/ is the public API</text>',
        f'<text x="{MARGIN}" y="{bottom + 30}">Hardware. It meets lib/src/machine in registers, instructions and memory formats only</text>',
        "</g>",
    ]
    for drawn, x, kind in ((PACKAGE, MARGIN, "py"), (LIBRARY, right, "lib")):
        parts += [row(x, TOP + k * step, kind, layer) for k, layer in enumerate(drawn)]
    parts.append(row(MARGIN, bottom + 42, "hw", HARDWARE, WIDTH - 2 * MARGIN))
    return "\n".join([*parts, "</svg>", ""])
