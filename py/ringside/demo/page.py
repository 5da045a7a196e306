# SPDX-License-Identifier: Apache-2.0
"""The run as one HTML page that needs no other file: what demo.html shows of numbers, pictures and charts."""

import re
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from ..drawing import INK, LINE, SOFT, Box, Drawing, Label, Shape, round_step
from ..report import kit
from .frame import Image2d
from .outcome import CAMERA, CLOUD, Outcome, Size, Stage, readable_bytes, readable_time
from .pictures import Picture, data_uri, heat_css
from .summary import device_rows

TEMPLATE = Path(__file__).with_name("demo.html")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(bits: float) -> Markup:
    return Markup("2<sup>−{:.1f}</sup>").format(bits)


def typeset(text: str) -> Markup:
    """A plain caption with its numbers set: 2^-16.5 with a raised exponent, 160x120 with a times sign."""
    text = re.sub(r"2\^-([0-9.]*[0-9])", r"2<sup>−\1</sup>", str(escape(text)))
    return Markup(re.sub(r"\b([0-9]+)x([0-9]+)\b", r"\1×\2", text))


def key_figures(outcome: Outcome) -> list[tuple[str, str, str]]:
    """Value, name, and whether it is good or bad."""
    error = outcome.error
    verdict = "largest error of any pixel; allowed" if error.passed else "largest error: more than the allowed"
    return [
        (power(error.max_bits), typeset(f"{verdict} 2^-{error.bound_bits}"), "good" if error.passed else "bad"),
        (f"{outcome.parameters.security} bit", "security of the parameters", ""),
        (readable_bytes(outcome.sent(outcome.upload)), "up, per frame", ""),
        (readable_bytes(outcome.sent(outcome.download)), "down, per frame", ""),
        (readable_time(outcome.total_seconds), "the whole run, both processes", ""),
    ]


def histogram(difference: Image2d, width: int, height: int) -> Drawing:
    """How many pixels have which error, in half bits, the largest right; shaped as the pictures."""
    bits = -np.log2(np.maximum(difference, 2.0**-52)).ravel()
    last = np.floor(2 * np.quantile(bits, 0.999)) / 2
    first = np.floor(2 * bits.min()) / 2
    edges = np.arange(first, last + 1, 0.5)
    counts, _ = np.histogram(np.minimum(bits, last), edges)
    wide, left, bottom = 400, 22, 34
    high = max(220, round(wide * height / width))
    pitch, top, base = (wide - 2 * left) / len(counts), 16, high - bottom
    shapes: list[Shape] = []
    for place, count in enumerate(counts):
        bar = (base - top) * count / counts.max()
        x = wide - left - (place + 1) * pitch
        title = f"{count:,} pixels: 2^-{edges[place + 1]:.1f} to 2^-{edges[place]:.1f}"
        shapes.append(Box(x + 0.5, base - bar, pitch - 1, bar, "var(--camera)", title, corner=1))
    shapes.append(Box(left, base, wide - 2 * left, 1, LINE))
    every = max(1, round((last - first) / 5))
    for tick in np.arange(np.ceil(first), last + 0.1, every):
        x = wide - left - 2 * pitch * (tick - first)
        exponent = f"-{tick:.0f}".translate(RAISED)
        shapes.append(Label(x, base + 16, f"2{exponent}", SOFT, "middle"))
    return Drawing(shapes, wide, high, "histogram of the errors")


def figures(outcome: Outcome, pictures: list[Picture], difference: Image2d) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    for picture in pictures:
        largest = power(outcome.error.max_bits) if picture.key == "error" else None
        image, caption = data_uri(picture.pixels), typeset(picture.caption)
        shown.append({"title": picture.title, "caption": caption, "image": image, "chart": None, "largest": largest})
    frame = outcome.frame
    chart = Markup(histogram(difference, frame.width, frame.height).in_page())
    text = f"pixels by size of their error; 2^-{outcome.error.bound_bits} is allowed, 2^-8 is one grey level"
    last = {"title": "Errors, counted", "caption": typeset(text), "image": None, "chart": chart, "largest": None}
    return [*shown, last]


def size_table(title: str, sizes: list[Size], kind: str = "") -> dict[str, Any]:
    return {"title": title, "kind": kind, "sizes": sizes, "top": max(size.bytes for size in sizes)}


def time_chart(stages: list[Stage]) -> Drawing:
    """Horizontal bars on one linear axis, in the order of the run."""
    left, right, pitch, wide = 236, 150, 25, 1060
    top = max(stage.seconds for stage in stages)
    span = wide - left - right
    high = pitch * len(stages) + 34
    shapes: list[Shape] = []
    step = round_step(top)
    for tick in range(int(top / step) + 1):
        x = left + span * tick * step / top
        shapes.append(Box(x, 22, 1, high - 30, LINE))
        shapes.append(Label(x, 10, "0" if tick == 0 else readable_time(tick * step), SOFT, "middle"))
    for number, stage in enumerate(stages):
        middle = 28 + number * pitch + 9.5
        width = max(span * stage.seconds / top, 1)
        seconds = readable_time(stage.seconds)
        calls = f" · {stage.calls}×" if stage.calls > 1 else ""
        colour = f"var(--{stage.place})"
        shapes.append(Label(left - 10, middle, stage.name, INK, "end"))
        shapes.append(Box(left, middle - 7.5, width, 15, colour, f"{stage.name}: {seconds}", corner=3))
        shapes.append(Label(left + width + 8, middle, f"{seconds}{calls}", SOFT))
    return Drawing(shapes, wide, high, "time per stage")


def parameter_rows(outcome: Outcome) -> list[tuple[str, str]]:
    parameters, frame = outcome.parameters, outcome.frame
    chain = " · ".join(map(str, parameters.prime_bits))
    largest = power(outcome.error.max_bits)
    return [
        ("Set", parameters.name),
        ("Ring degree N", f"{parameters.n:,} ({parameters.n // 2:,} slots)"),
        ("Primes, bits", f"{chain}, special {parameters.special_bits}"),
        ("All together", f"{parameters.total_bits} bits"),
        ("Security", f"{parameters.security} bit (HomomorphicEncryption.org standard, ternary secret)"),
        ("Scale", Markup("2<sup>{}</sup>").format(parameters.scale_bits)),
        ("Encryption", parameters.encryption),
        ("Fresh ciphertext, predicted", Markup("RMS error {}").format(power(parameters.fresh_bits))),
        ("Result, measured", Markup("RMS {}, largest {}").format(power(outcome.error.rms_bits), largest)),
        ("Slots used", f"{frame.slots_used:,} of {frame.slots:,} in each of {frame.tiles} ciphertexts"),
    ]


def render(outcome: Outcome, pictures: list[Picture], difference: Image2d) -> str:
    return kit.render(
        TEMPLATE,
        frame=outcome.frame,
        parameters=outcome.parameters,
        server=outcome.server,
        key_figures=key_figures(outcome),
        figures=figures(outcome, pictures, difference),
        heat=heat_css(),
        tables=[
            size_table("Up, one frame", outcome.upload),
            size_table("Down, one frame", outcome.download, "down"),
            size_table("Keys, once", outcome.keys),
        ],
        camera=readable_time(outcome.seconds(CAMERA)),
        cloud=readable_time(outcome.seconds(CLOUD)),
        threads="one thread" if outcome.threads == 1 else f"up to {outcome.threads} threads",
        time_chart=Markup(time_chart(outcome.stages).in_page()),
        device=device_rows(outcome.device),
        parameter_rows=parameter_rows(outcome),
        command=outcome.command,
    )
