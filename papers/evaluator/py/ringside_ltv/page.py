# SPDX-License-Identifier: Apache-2.0
"""The demonstration as one HTML page, made with the report's kit."""

import base64
import io
from pathlib import Path

from markupsafe import Markup
from PIL import Image

from ringside.drawing import COLOURS, INK, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Line, Shape
from ringside.report import kit

from . import LABEL
from .outcome import DemoOutcome, Seen
from .scheme import Bytes, NoiseStep, RoundRecord

TEMPLATE = Path(__file__).with_name("ltv_demo.html")
WIDE, LEFT, RIGHT = 1060, 60, 30
MEASURED, FORMULA, LIMIT = COLOURS[0], COLOURS[1], COLOURS[5]
PARTS = ("products", "relinearisation", "switching", "linear")


def data_uri(pixels: Bytes) -> str:
    """Larger, with its pixels as squares."""
    image = Image.fromarray(pixels)
    times = max(1, 320 // image.width)
    out = io.BytesIO()
    image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST).save(out, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


def noise_chart(records: list[RoundRecord]) -> Drawing:
    """Noise after every step of every round, measured and by formula, and the bound of decryption."""
    steps: list[tuple[int, NoiseStep]] = [(record.round, step) for record in records for step in record.steps]
    high, top, base = 360, 30, 320
    most = max(step.bound for _, step in steps)
    pitch = (WIDE - LEFT - RIGHT) / max(1, len(steps) - 1)

    def place(index: int, bits: float) -> tuple[float, float]:
        return LEFT + index * pitch, base - (base - top) * max(bits, 0) / most

    shapes: list[Shape] = []
    for bits in range(0, int(most) + 1, 10):
        x, y = place(0, bits)
        shapes += [Box(x, y, WIDE - LEFT - RIGHT, 1, LINE), Label(x - 8, y, str(bits), SOFT, "end")]
    for series, (colour, name) in enumerate(((MEASURED, "measured"), (FORMULA, "by formula"), (LIMIT, "bound"))):
        values = [(step.rms, step.predicted, step.bound)[series] for _, step in steps]
        shapes.append(Line(tuple(place(index, value) for index, value in enumerate(values)), colour, series))
        shapes += [
            Box(LEFT + 130 * series, 4, 12, 12, colour, series=series),
            Label(LEFT + 18 + 130 * series, 10, name, INK, series=series),
        ]
    for index, (number, step) in enumerate(steps):
        title = f"round {number}, {step.name}, level {step.level}: 2^{step.rms:.1f}, largest 2^{step.max:.1f}"
        shapes.append(Dot(*place(index, step.rms), MEASURED, title, 0, PAPER, radius=3))
        if step.name == "state":
            shapes.append(Label(place(index, 0)[0], base + 16, f"{number}", SOFT, "middle"))
    shapes.append(Label(WIDE / 2, high - 8, "across: rounds; up: log2 of the noise after each step", SOFT, "middle"))
    return Drawing(shapes, WIDE, high, "noise after every step")


def time_chart(records: list[RoundRecord]) -> Drawing:
    """A bar per round, of the parts of its time."""
    pitch, left = 24, 90
    high = pitch * len(records) + 40
    top = max(record.seconds for record in records)
    shapes: list[Shape] = []
    for series, part in enumerate(PARTS):
        shapes += [
            Box(left + 150 * series, 4, 12, 12, COLOURS[series], series=series),
            Label(left + 18 + 150 * series, 10, part, INK, series=series),
        ]
    for row, record in enumerate(records):
        y, x = 30 + row * pitch, float(left)
        shapes.append(Label(left - 10, y + 8, f"round {record.round}", INK, "end"))
        for series, part in enumerate(PARTS):
            width = (WIDE - left - 110) * getattr(record, part) / top
            shapes.append(Box(x, y, width, 16, COLOURS[series], f"{part}: {getattr(record, part):.3f} s", series))
            x += width
        shapes.append(Label(x + 8, y + 8, f"{record.seconds:.2f} s", SOFT))
    return Drawing(shapes, WIDE, high, "time of each round")


def render(outcome: DemoOutcome, seen: Seen, command: str) -> str:
    records = list(outcome.records)
    pictures = [
        ("At the client", seen.original, "the picture, one byte a pixel"),
        ("What leaves the client", seen.sent, "its AES-CTR bytes, as long as the picture; the server has no key"),
        ("Decrypted", seen.decrypted, "after the server's AES on ciphertexts, and XOR"),
    ]
    p = outcome.parameters
    return kit.render(
        TEMPLATE,
        label=LABEL,
        command=command,
        tiles=[
            (f"{outcome.right} of {outcome.slots}", "blocks right", "good" if outcome.passed else "bad"),
            (f"{outcome.seconds:.1f} s", "ten rounds at the server", ""),
            (f"{1e3 * outcome.seconds / outcome.slots:.1f} ms", "per block", ""),
            (
                Markup("2<sup>{:.1f}</sup>").format(outcome.noise),
                Markup("largest noise at the end; 2<sup>{:.0f}</sup> is allowed").format(outcome.bound),
                "",
            ),
        ],
        pictures=[(title, data_uri(pixels), text) for title, pixels, text in pictures],
        noise=Markup(noise_chart(records).in_page()),
        times=Markup(time_chart(records).in_page()),
        steps=[(record.round, step) for record in records for step in record.steps],
        facts=[
            ("Ring", f"Z[X]/Phi_{p.m}, {outcome.slots} slots"),
            ("Primes", f"{p.primes} of {p.prime_bits} bits and {p.special} special ones"),
            ("S-box", f"depth {p.sbox_depth}"),
            ("Key switching", p.switching),
            ("Processor", f"{outcome.backend}, {outcome.threads} threads"),
            ("Client", f"keys {outcome.key_seconds:.2f} s, round keys {outcome.client_seconds:.2f} s"),
        ],
    )
