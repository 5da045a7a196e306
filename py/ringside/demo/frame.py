# SPDX-License-Identifier: Apache-2.0
"""The photograph, its tiles, and the filter in plain NumPy: what the decrypted result must equal."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from ..errors import FileError, RingsideError
from ..hints import install

SIZES = {"qqvga": (160, 120), "qvga": (320, 240)}

# Unsharp mask and contrast curve: s = x + AMOUNT (x - blur(x)), out = 1/2 + GAIN u - CUBIC u^3, u = s - 1/2.
AMOUNT = 1.0
GAIN = 1.25
CUBIC = 0.8

Image2d = NDArray[np.float64]


class DemoError(RingsideError):
    """The demo cannot run as asked."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__("DEMO", message, hint)


def parse_size(text: str) -> tuple[int, int]:
    """(width, height) of `qqvga`, `qvga` or `WxH`."""
    if text.lower() in SIZES:
        return SIZES[text.lower()]
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise DemoError(f"{text!r} is not a size.", "Use qqvga, qvga or WxH, for example 200x150.")
    size = int(width), int(height)
    if min(size) < 8 or max(size) > 2048:
        raise DemoError(f"Size {text!r} is not possible.", "Each side can have 8 to 2048 pixels.")
    return size


def default_image() -> Path:
    """The photograph `camera` of scikit-image (CC0), found without importing scikit-image."""
    spec = importlib.util.find_spec("skimage")
    for place in (spec.submodule_search_locations or []) if spec else []:
        path = Path(place) / "data" / "camera.png"
        if path.is_file():
            return path
    message = f"Name another picture with --image, or run {install('demo', 'demo')}."
    raise DemoError("The default photograph is part of scikit-image, which is not installed.", message)


def load_frame(path: Path, size: tuple[int, int]) -> Image2d:
    """A photograph as grey levels in [0, 1], cropped to the size's shape and scaled to it: (height, width)."""
    try:
        with Image.open(path) as image:
            grey = ImageOps.fit(image.convert("L"), size, method=Image.Resampling.LANCZOS)
    except (OSError, UnidentifiedImageError) as error:
        reason = getattr(error, "strerror", None) or "it is not in a format that Pillow knows"
        raise FileError("PICTURE", f"Cannot read {path} as a picture: {reason}.", "Name a PNG or JPEG file.") from error
    return np.asarray(grey, dtype=np.float64) / 255


@dataclass(frozen=True)
class Tiling:
    """How a frame is cut so that each tile, with one pixel of its surroundings on every side, fits the slots.

    A tile lies row after row in the slots, `stride` slots apart, so its neighbours to the left and right are one
    slot away and those above and below `stride` slots. The frame's own border repeats its outermost pixels.
    """

    width: int
    height: int
    tile_width: int
    tile_height: int

    @property
    def stride(self) -> int:
        return self.tile_width + 2

    @property
    def slots(self) -> int:
        return self.stride * (self.tile_height + 2)

    @property
    def origins(self) -> list[tuple[int, int]]:
        """(row, column) of each tile's first pixel."""
        rows = range(0, self.height, self.tile_height)
        return [(y, x) for y in rows for x in range(0, self.width, self.tile_width)]

    def inside(self, origin: tuple[int, int]) -> tuple[slice, slice]:
        y, x = origin
        return slice(y, min(y + self.tile_height, self.height)), slice(x, min(x + self.tile_width, self.width))

    def cut(self, frame: Image2d) -> list[Image2d]:
        """The slot values of every tile."""
        padded = np.zeros((self.height + self.tile_height + 2, self.width + self.tile_width + 2))
        padded[: self.height + 2, : self.width + 2] = np.pad(frame, 1, mode="edge")
        windows = [padded[y : y + self.tile_height + 2, x : x + self.stride] for y, x in self.origins]
        return [window.ravel().copy() for window in windows]

    def join(self, tiles: list[Image2d]) -> Image2d:
        """The frame from the slot values of every tile, borders dropped."""
        frame = np.empty((self.height, self.width))
        for origin, values in zip(self.origins, tiles, strict=True):
            tile = values[: self.slots].reshape(self.tile_height + 2, self.stride)[1:-1, 1:-1]
            rows, columns = self.inside(origin)
            frame[rows, columns] = tile[: rows.stop - rows.start, : columns.stop - columns.start]
        return frame


def plan_tiles(size: tuple[int, int], slots: int) -> Tiling:
    """The tiling with the fewest tiles; among equals the widest, then evenly high ones."""
    width, height = size
    best: Tiling | None = None
    for columns in range(1, width + 1):
        tile_width = -(-width // columns)
        fitting = min(slots // (tile_width + 2) - 2, height)
        if fitting < 1:
            continue
        tile_height = -(-height // -(-height // fitting))
        tiling = Tiling(width, height, tile_width, tile_height)
        if best is None or len(tiling.origins) < len(best.origins):
            best = tiling
        elif columns > 2 * len(best.origins):
            break
    if best is None:
        raise DemoError(f"{slots} slots do not hold a single 3x3 neighbourhood.")
    return best


def filter_frame(frame: Image2d) -> Image2d:
    """The cloud's filter, in double precision on the open picture."""
    height, width = frame.shape
    padded = np.pad(frame, 1, mode="edge")
    blur = np.zeros_like(frame)
    for dy, row_weight in enumerate((1, 2, 1)):
        for dx, column_weight in enumerate((1, 2, 1)):
            blur += row_weight * column_weight / 16 * padded[dy : dy + height, dx : dx + width]
    centred = frame + AMOUNT * (frame - blur) - 0.5
    result: Image2d = 0.5 + GAIN * centred - CUBIC * centred**3
    return result
