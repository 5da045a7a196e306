# SPDX-License-Identifier: Apache-2.0
"""A parameter set on a simulated SoC, `device="soc:pqc-4"`: a call starts a SoC, whose firmware sets up the core and makes the call there."""

from __future__ import annotations

from ..errors import DeviceError
from ..executors.on_chip import build_soc, call_arena_bytes, told
from ..native.library import error_of, ffi
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES, Chip
from ..sim.verilate import SimulationError
from ..soc.build import SCHEMES
from ..soc.job import MLKEM_KEYGEN, GivenCall, GivenCalls, MemoryImage
from ..soc.run import FirmwareError, Ran, run
from .place import CALLS, Member, SchemeText, cannot, is_of_device, is_refusal


class SchemeChip:
    """It keeps nothing between calls. ran: the last one."""

    ran: Ran

    def __init__(self, name: str, wanted: Chip, number: int, progress: Progress | None = None) -> None:
        """number: of the set. DeviceError: the design cannot, or the SoC cannot be built."""
        if wanted.design is None or not wanted.design.fields:
            raise cannot(name)
        self.name, self._set, self._memory = name, number, wanted.numbers
        self._program, self._firmware = build_soc(wanted.design, progress)

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
        call = GivenCall(inputs, [ffi.sizeof(memory) for memory in outputs], *more)
        asked = GivenCalls(MLKEM_KEYGEN + [*CALLS].index(name), self._set, [call], on_core=True)
        try:
            with told(self.name) as progress:
                self.ran = run(
                    self._program,
                    self._firmware.with_name(SCHEMES),
                    MemoryImage(asked, call_arena_bytes()),
                    latency=self._memory.get("latency", CHIP_LATENCY_CYCLES),
                    stall=self._memory.get("stall", 0),
                    limit=self._memory.get("limit"),
                    progress=progress,
                )
        except FirmwareError as error:
            if is_refusal(int(error.ran.job.status)):
                raise cannot(self.name) from error
            raise self._failed(error) from error
        except SimulationError as error:
            raise self._failed(error) from error
        (frame,) = self.ran.frames
        status = int(frame.answer)
        if is_of_device(status):
            raise error_of(status, self.name)
        for memory, found in zip(outputs, self.ran.outputs(frame), strict=True):
            ffi.memmove(memory, found, len(found))
        return status

    def _failed(self, error: SimulationError) -> DeviceError:
        return DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}")
