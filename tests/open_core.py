# SPDX-License-Identifier: Apache-2.0
"""A core in simulation that tests can look into, and whose memory they can take away."""

import ctypes

import numpy as np
from numpy.typing import NDArray

from ringside.sim.core import Core
from ringside.sim.sources import CORE_HARNESS, Harness

CHANNELS = ("AR", "R", "AW", "W", "B")


def harness_of(first: str, *headers: str) -> Harness:
    """That of a core with another first file, which includes core.cpp and these headers."""
    return Harness((first, *CORE_HARNESS.sources[1:]), (*CORE_HARNESS.headers, "core.cpp", *headers))


class OpenCore(Core):
    def kill_bus(self, channel: str, handshakes: int = 0, port: int = 0) -> None:
        """After so many more handshakes on one of CHANNELS the memory neither takes nor answers anything at that port, on any channel."""
        assert port < self.ports
        number = port * len(CHANNELS) + CHANNELS.index(channel)
        self._lib.rs_core_kill_bus(self._core, number, ctypes.c_uint64(handshakes))

    def revive_bus(self) -> None:
        """The memory goes on where it stopped."""
        self._lib.rs_core_revive_bus(self._core)

    def reset_bus(self, *, on: bool) -> None:
        """Keeps the memory in reset from on to off: it forgets all that is under way."""
        self._lib.rs_core_reset_bus(self._core, int(on))

    @property
    def bus_is_dead(self) -> bool:
        return bool(self._lib.rs_core_bus_is_dead(self._core))

    def look(self, path: str) -> tuple[int, int]:
        """Bytes of the model's public signals in modules whose path has this text, and how many of them are not zero."""
        self._lib.rs_core_look.restype = ctypes.c_uint64
        not_zero = ctypes.c_uint64()
        return int(self._lib.rs_core_look(self._core, path.encode(), ctypes.byref(not_zero))), not_zero.value

    def signals(self) -> list[tuple[str, int]]:
        """Path and bytes of all public signals of the model, in the order in which `signal_bytes` has them."""
        names = ctypes.c_char_p()
        self._lib.rs_core_state(self._core, None, ctypes.byref(names))
        lines = (names.value or b"").decode().splitlines()
        return [(name, int(count)) for name, _, count in (line.rpartition(" ") for line in lines)]

    def signal_bytes(self) -> NDArray[np.uint8]:
        """What they hold while the model's inputs are zero."""
        self._lib.rs_core_state.restype = ctypes.c_uint64
        data = np.zeros(int(self._lib.rs_core_state(self._core, None, None)), np.uint8)
        self._lib.rs_core_state(self._core, ctypes.c_void_p(data.ctypes.data), None)
        return data
