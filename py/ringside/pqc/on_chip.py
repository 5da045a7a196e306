# SPDX-License-Identifier: Apache-2.0
"""A parameter set on a simulated SoC, `device="soc:pqc-4"`: a call starts a SoC, whose firmware sets up the core and makes the call there."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import DeviceError
from ..executors.on_chip import build_soc, told
from ..native.library import CData, error_of, ffi
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES, Chip
from ..sim.verilate import SimulationError
from ..soc import schemes
from ..soc.schemes import SchemeAnswer, SchemeCall, SchemeSetupError, call_scheme
from .place import (
    DSA_KEYGEN,
    DSA_SIGN,
    DSA_VERIFY,
    HOPE_CLIENT,
    HOPE_SERVER,
    HOPE_SHARED,
    KEM_DECAPS,
    KEM_ENCAPS,
    KEM_KEYGEN,
    GivenBytes,
    SchemeText,
    cannot,
    is_of_device,
    is_refusal,
)

NUMBERS = {
    KEM_KEYGEN: schemes.MLKEM_KEYGEN,
    KEM_ENCAPS: schemes.MLKEM_ENCAPS,
    KEM_DECAPS: schemes.MLKEM_DECAPS,
    DSA_KEYGEN: schemes.MLDSA_KEYGEN,
    DSA_SIGN: schemes.MLDSA_SIGN,
    DSA_VERIFY: schemes.MLDSA_VERIFY,
    HOPE_SERVER: schemes.NEWHOPE_SERVER,
    HOPE_CLIENT: schemes.NEWHOPE_CLIENT,
    HOPE_SHARED: schemes.NEWHOPE_SHARED,
}


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

    def call(self, function: str, outputs: Sequence[GivenBytes], inputs: Sequence[GivenBytes | SchemeText]) -> int:
        """As SchemePlace says."""
        texts = [given for given in inputs if isinstance(given, SchemeText)]
        more = (texts[0].form, texts[0].prehash, bytes(texts[0].context)) if texts else ()
        arrays = [bytes(given.message) if isinstance(given, SchemeText) else _bytes(*given) for given in inputs]
        asked = SchemeCall(NUMBERS[function], self._set, arrays, [size for _, size in outputs], *more)
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
        for (memory, size), found in zip(outputs, self.answer.outputs, strict=True):
            ffi.memmove(memory, found, size)
        return status

    def _failed(self, error: SimulationError) -> DeviceError:
        return DeviceError("SIMULATION", f"The simulation of {self.name} failed: {error}")


def _bytes(memory: CData, size: int) -> bytes:
    return bytes(ffi.buffer(memory, size))
