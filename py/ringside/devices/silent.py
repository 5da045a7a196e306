# SPDX-License-Identifier: Apache-2.0
"""A core that takes programs and computes nothing: what the driver would run on a design, without simulating it."""

from __future__ import annotations

from typing import Any

from ..designs import Design
from ..native.library import CData, ffi, lib
from ..sim.program import native_design
from ..soc.job import DESIGN
from .accelerator import Accelerator, fits
from .device import POLYS
from .simulated import SELF_TEST_BYTES

_ADDRESS = 1 << 32


class SilentCore(Accelerator):
    """Its registers say that every program has ended well. Results are what was in memory. programs: words of all that were started."""

    def __init__(self, design: Design, params: CData | None = None) -> None:
        """params: rs_params_t; none for what is no operation of CKKS. DeviceError: the design cannot compute with them."""
        native = native_design(design)
        if params is not None:
            fits(native, params, design.name)
        self.programs: list[tuple[int, ...]] = []
        values = {getattr(lib, f"RS_REG_{name.upper()}"): int(getattr(native, name)) for name in DESIGN}
        for name in ("ID", "VERSION", "REDUCTION"):
            values[getattr(lib, f"RS_REG_{name}")] = getattr(lib, f"RS_REG_{name}_VALUE")
        values[lib.RS_REG_STATUS] = 1 << lib.RS_REG_STATUS_DONE_SHIFT

        def read(_: Any, offset: int, value: Any) -> int:
            value[0] = values.get(offset, 0)
            return 0

        written: list[int] = []
        low = place = 0

        def write(_: Any, offset: int, value: int) -> int:
            nonlocal low, place
            if offset == lib.RS_REG_PROGRAM_INDEX:
                place = value
                if place == 0:  # a new program; elsewhere one word is put in the place of another
                    written.clear()
            elif offset == lib.RS_REG_PROGRAM_LO:
                low = value
            elif offset == lib.RS_REG_PROGRAM_HI:
                written[place : place + 1] = [value << 32 | low]
                place += 1
            elif offset == lib.RS_REG_CONTROL and value >> lib.RS_REG_CONTROL_START_SHIFT & 1:
                self.programs.append(tuple(written))
            return 0

        self._calls = (
            ffi.callback("rs_status_t(void *, uint32_t, uint32_t *)", read),
            ffi.callback("rs_status_t(void *, uint32_t, uint32_t)", write),
        )
        size = (
            SELF_TEST_BYTES
            if params is None
            else int(lib.rs_device_memory_bytes(native, params, POLYS, lib.RS_FRAMES_MAX))
        )
        self._ram = ffi.new("uint8_t[]", size + 64)
        skip = -int(ffi.cast("uintptr_t", self._ram)) % 64
        memory = {"memory": self._ram + skip, "memory_address": _ADDRESS, "memory_bytes": size}
        super().__init__(
            design.name, ffi.new("rs_bus_t *", dict(zip(("read", "write"), self._calls, strict=True)) | memory)
        )
