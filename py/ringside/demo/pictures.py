# SPDX-License-Identifier: Apache-2.0
"""The run's pictures: PNGs, the error's colours, the contact sheet."""

import base64
import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from .frame import Image2d
from .outcome import Outcome, readable_bytes, readable_time

Pixels = NDArray[np.uint8]

# Dark to bright with evenly rising lightness, so that the map also reads without colour.
HEAT = np.array(
    [(10, 12, 32), (62, 26, 96), (140, 41, 98), (211, 67, 73), (246, 133, 43), (252, 236, 160)], dtype=np.float64
)


@dataclass(frozen=True)
class Picture:
    """One panel; pixels are (height, width) grey or (height, width, 3) colour."""

    key: str
    title: str
    caption: str
    pixels: Pixels


def grey(frame: Image2d) -> Pixels:
    pixels: Pixels = np.rint(np.clip(frame, 0, 1) * 255).astype(np.uint8)
    return pixels


def noise(words: NDArray[np.uint64], modulus: int) -> Pixels:
    """Ciphertext words, uniform below the modulus, as grey levels."""
    return grey(words.astype(np.float64) / modulus)


def heat(values: Image2d, top: float) -> Pixels:
    """Values from 0 to `top` in colour."""
    place = np.clip(values / top if top > 0 else values, 0, 1) * (len(HEAT) - 1)
    stops = np.arange(len(HEAT))
    channels = [np.interp(place, stops, HEAT[:, channel]) for channel in range(3)]
    colours: Pixels = np.rint(np.stack(channels, axis=-1)).astype(np.uint8)
    return colours


def heat_css() -> str:
    """The same colours as a CSS gradient."""
    stops = ", ".join(f"rgb({int(r)} {int(g)} {int(b)})" for r, g, b in HEAT)
    return f"linear-gradient(to right, {stops})"


def png(pixels: Pixels) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def data_uri(pixels: Pixels) -> str:
    return "data:image/png;base64," + base64.b64encode(png(pixels)).decode("ascii")


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class Sheet:
    """Three columns, two rows: five pictures and the run's key figures."""

    WIDTH = 480
    GAP = 32
    TITLE = 108
    CAPTION = 74
    BACK = (16, 19, 27)
    PANEL = (25, 30, 42)
    INK = (236, 239, 245)
    SOFT = (158, 168, 186)
    GOOD = (94, 214, 160)
    BAD = (255, 120, 110)

    def __init__(self, outcome: Outcome, pictures: list[Picture]) -> None:
        self.outcome = outcome
        self.pictures = pictures
        frame = outcome.frame
        self.high = min(640, max(280, round(self.WIDTH * frame.height / frame.width)))
        self.cell = self.high + self.CAPTION
        size = (3 * self.WIDTH + 4 * self.GAP, self.TITLE + 2 * self.cell + 2 * self.GAP)
        self.image = Image.new("RGB", size, self.BACK)
        self.draw = ImageDraw.Draw(self.image)

    def place(self, number: int) -> tuple[int, int]:
        x = self.GAP + number % 3 * (self.WIDTH + self.GAP)
        return x, self.TITLE + number // 3 * (self.cell + self.GAP)

    def text(self, xy: tuple[int, int], text: str, size: int, ink: tuple[int, int, int]) -> None:
        self.draw.text(xy, text, font=font(size), fill=ink)

    def figures(self) -> list[tuple[str, str]]:
        outcome = self.outcome
        parameters = outcome.parameters
        return [
            ("largest error", f"2^-{outcome.error.max_bits:.1f}"),
            ("RMS error", f"2^-{outcome.error.rms_bits:.1f}"),
            ("up", readable_bytes(outcome.sent(outcome.upload))),
            ("down", readable_bytes(outcome.sent(outcome.download))),
            ("keys, once", readable_bytes(outcome.sent(outcome.keys))),
            ("camera", readable_time(outcome.seconds("camera"))),
            ("cloud", readable_time(outcome.seconds("cloud"))),
            ("security", f"{parameters.security} bit, N = {parameters.n:,}"),
        ]

    def paint(self) -> bytes:
        frame = self.outcome.frame
        self.text((self.GAP, 24), "A photograph, computed on without being seen", 34, self.INK)
        subtitle = (
            f"{frame.width}x{frame.height} pixels in {frame.tiles} ciphertexts; encrypted and "
            "decrypted by Ringside, filtered by stock Microsoft SEAL"
        )
        self.text((self.GAP, 66), subtitle, 19, self.SOFT)
        for number, picture in enumerate(self.pictures):
            x, y = self.place(number)
            scaled = Image.fromarray(picture.pixels).convert("RGB")
            box = min(self.WIDTH / scaled.width, self.high / scaled.height)
            size = round(scaled.width * box), round(scaled.height * box)
            self.image.paste(scaled.resize(size, Image.Resampling.NEAREST), (x, y))
            self.text((x, y + self.high + 10), picture.title, 23, self.INK)
            self.text((x, y + self.high + 40), picture.caption, 16, self.SOFT)
        self.paint_figures(*self.place(len(self.pictures)))
        return png(np.asarray(self.image))

    def paint_figures(self, x: int, y: int) -> None:
        self.draw.rounded_rectangle((x, y, x + self.WIDTH, y + self.high), 10, fill=self.PANEL)
        passed = self.outcome.passed
        verdict = f"every pixel within 2^-{self.outcome.error.bound_bits}"
        if not passed:
            verdict = "NOT " + verdict
        self.text((x + 24, y + 18), verdict, 23, self.GOOD if passed else self.BAD)
        figures = self.figures()
        pitch = (self.high - 70) // len(figures)
        for row, (name, value) in enumerate(figures):
            top = y + 60 + row * pitch
            self.text((x + 24, top), name, 19, self.SOFT)
            self.text((x + 200, top), value, 19, self.INK)
