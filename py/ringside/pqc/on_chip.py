# SPDX-License-Identifier: Apache-2.0
"""A parameter set on a simulated SoC, `device="soc:pqc-4"`: a call starts a SoC, whose firmware sets up the core and makes the call there."""

from __future__ import annotations

from ..errors import DeviceError
from ..devices.on_chip import build_soc, told
from ..native.library import error_of, ffi
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES, Chip
from ..sim.verilate import SimulationError
from ..soc.schemes import SchemeAnswer, SchemeCall, SchemeSetupError, call_scheme
from .place import CALLS, Member, SchemeText, cannot, is_of_device, is_refusal


class SchemeChip:
    """It keeps nothing between calls. answer: of the last one."""

    answer: SchemeAnswer

    def __init__(self, name: str, wanted: Chip, number: int, progress: Progress | None = None) -> None:
        """number: of the set. DeviceError: the design cannot, or the SoC cannot be built."""
        if wanted.design is None or not wanted.design.fields:
            raise cannot(name)
        self.name, self._set, self._memory = name, number, wanted.numbers
        self._program, _ = build_soc(wanted.design, progress)

    def close(self) -> None:
        """Nothing to wipe: memory images are, after each call."""

    def call(self, name: str, **members: Member) -> int:
        """As SchemePlace says."""
        reads, writes = CALLS[name]
        text = members.get("message") if "message" in reads else None
        more = (text.form, text.prehash, bytes(text.context)) if isinstance(text, SchemeText) else ()
        inputs = [
            bytes(m.message) if isinstance(m, SchemeText) else bytes(ffi.buffer(m)) for m in map(members.get, reads)
        ]
        outputs = [members[key] for key in writes]
        asked = SchemeCall([*CALLS].index(name), self._set, inputs, [ffi.sizeof(memory) for memory in outputs], *more)
        try:
            with told(self.name) as progress:
                self.answer = call_scheme(
                    self._program,
                    asked,
                    on_core=True,
                    latency=self._memory.get("latency", CHIP_LATENCY_CYCLES),
                    stall=self._memory.get("stall", 0),
                    limit=self._memory.get("limit"),
                    progress=progress,
                )
        except SchemeSetupError as error:
            if is_refusal(error.status):
                raise cannot(self.name) from error
            raise self._failed(error) from error
        except SimulationError as error:
            raise self._failed(error) from error
        status = self.answer.status
        if is_of_device(status):
            raise error_of(status, self.name)
        for memory, found in zip(outputs, self.answer.outputs, strict=True):
            ffi.memmove(memory, found, len(found))
        return status

    def _failed(self, error: SimulationError) -> DeviceError:
        return DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}")
