# SPDX-License-Identifier: Apache-2.0
"""A core in simulation whose flip-flops are public: their names, their channels, and how many toggle in each cycle of a program."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..designs import Design
from ..devices.simulated import SimulatedDevice, open_simulated
from ..native.files import write_bytes
from ..progress import Progress
from ..sim.core import model, sources
from ..sim.flip_flops import public
from ..sim.options import Simulated
from ..sim.sources import CORE_HARNESS, Harness
from ..sim.verilate import build_model, cache_directory, content_hash

TOGGLES = Harness(
    ("flips/core_toggles.cpp", *CORE_HARNESS.sources[1:]),
    (*CORE_HARNESS.headers, "core.cpp", "flips/flips.h", "flips/toggles.h", "../lib/include/ringside/isa.h"),
)
DEPTH = 2  # instances in a channel's name


@dataclass(frozen=True)
class FlipFlops:
    """A register of the RTL: its path from the core down, and its bits."""

    path: str
    bits: int

    @property
    def channel(self) -> str:
        """The unit that has it, and in it the next one: fields.sponge. The core's own: top."""
        units = [part for part in self.path.split(".")[:-1] if part.startswith("u_")]
        return ".".join(part.removeprefix("u_") for part in units[:DEPTH]) or "top"


def library(design: Design, *, checked: bool = False, progress: Progress | None = None) -> Path:
    """The design's model with public flip-flops; built at first use."""
    files = sources()
    text = public(files)
    place = cache_directory() / f"flip_flops-{content_hash([text], [])}.vlt"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, text.encode())
    plain = model(design, checked=checked)
    return build_model(replace(plain, sources=[place, *files], harness=TOGGLES), progress=progress)


class Bench:
    """The toggles of a simulated core, by channel. One core at a time."""

    def __init__(self, device: SimulatedDevice) -> None:
        core = device.core
        self._lib: Any = core._lib
        self._lib.rs_core_flip_flop.restype = ctypes.c_char_p
        for name in ("flip_flops", "flip_flop_bits", "recorded", "lane"):
            getattr(self._lib, f"rs_core_{name}").restype = ctypes.c_uint64
        numbers = [ctypes.c_uint64(i) for i in range(self._lib.rs_core_flip_flops(core._core))]
        self.flip_flops = [
            FlipFlops(_path(self._lib.rs_core_flip_flop(i).decode()), int(self._lib.rs_core_flip_flop_bits(i)))
            for i in numbers
        ]
        self.channels = sorted({one.channel for one in self.flip_flops})
        number = [self.channels.index(one.channel) for one in self.flip_flops]
        self._channel = (ctypes.c_uint32 * len(number))(*number)

    def bits(self, channel: str) -> int:
        return sum(one.bits for one in self.flip_flops if one.channel == channel)

    def lane(self, index: int) -> int:
        """What the driver wrote last at this index of a slot's lanes."""
        return int(self._lib.rs_core_lane(ctypes.c_uint32(index)))

    def record(self, call: Callable[[], object], counts: NDArray[np.uint32]) -> int:
        """Makes the call; counts: [cycles, channels], what toggles in each cycle in which a program runs. How many cycles there were, which may be more than counts has."""
        counts[:] = 0
        place, capacity = ctypes.c_void_p(counts.ctypes.data), ctypes.c_uint64(len(counts))
        self._lib.rs_core_record(self._channel, ctypes.c_uint32(len(self.channels)), place, capacity)
        try:
            call()
            return int(self._lib.rs_core_recorded())
        finally:
            self._lib.rs_core_record(None, ctypes.c_uint32(0), None, ctypes.c_uint64(0))


def _path(name: str) -> str:
    """Without the names of the model and of the core."""
    return re.sub(r"^.*?\brs_core\.", "", name)


@contextmanager
def opened(wanted: Simulated) -> Iterator[tuple[SimulatedDevice, Bench]]:
    """DeviceError: as open_simulated."""
    with open_simulated(wanted, build=library) as device:
        yield device, Bench(device)
