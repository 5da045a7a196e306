# SPDX-License-Identifier: Apache-2.0
"""Calls of ML-KEM, ML-DSA and NewHope on a simulated SoC, by its core or by its processor alone: soc/firmware/schemes, in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..native.library import lib
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES
from ..sim.verilate import SimulationError
from .build import SCHEMES, image_of
from .job import DONE, PLACE, RAM, RUN, NativeCount
from .run import private_directory, simulate

MAGIC = 0x31686373636F7372
# CALL_…, in its order: what a call reads and what it writes, by the names of the library's requests
CALLS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "mlkem_keygen": (("seed",), ("ek", "dk")),
    "mlkem_encaps": (("ek", "m"), ("ct", "shared")),
    "mlkem_decaps": (("dk", "ct"), ("shared",)),
    "mldsa_keygen": (("seed",), ("pk", "sk")),
    "mldsa_sign": (("sk", "message", "rnd"), ("signature",)),
    "mldsa_verify": (("pk", "message", "signature"), ()),
    "newhope_server": (("seed", "noise_seed"), ("message", "secret")),
    "newhope_client": (("server_message", "noise_seed"), ("message", "shared")),
    "newhope_shared": (("client_message", "secret"), ("shared",)),
}
# PART_…
PARTS = ("inputs", "program", "registers", "core", "polling", "between programs", "results", "core wiped", "software")
INPUTS, OUTPUTS = 3, 2
LINE, PAGE = 64, 4096
# the core reads pk of ML-DSA where it is if it begins in the middle of a line, and z of a signature at the beginning of one (device_mldsa.h)
HALF_LINE, CHALLENGE_BYTES = 32, {lib.RS_MLDSA_44: 32, lib.RS_MLDSA_65: 48, lib.RS_MLDSA_87: 64}
SHARED_BYTES, WORKSPACE_BYTES = 1 << 17, 3 << 16  # enough for all sets
SPARE = 1 << 16  # bytes of RAM behind what is named
READS_MAX = 4_000_000  # reads of STATUS; one takes some 30 cycles, a program of the core 22,000
SOFTWARE_CYCLES = 80_000_000  # cycles of a call, at most: a signature of many rounds
CORE_CYCLES = 20_000_000  # likewise, with the set-up
EXPECTED_SET_UP, EXPECTED_CALL, EXPECTED_SOFTWARE = 700_000, 20_000, 2_500_000


class NativeArray(ctypes.LittleEndianStructure):
    """array_t."""

    _fields_ = [("address", ctypes.c_uint64), ("bytes", ctypes.c_uint64)]


class NativeSchemes(ctypes.LittleEndianStructure):
    """schemes_t."""

    _fields_ = [
        *(
            (name, ctypes.c_uint64)
            for name in ("magic", "bytes", "phase", "call", "set", "device", "calls", "reads_max")
        ),
        ("inputs", NativeArray * INPUTS),
        ("outputs", NativeArray * OUTPUTS),
        *((name, ctypes.c_uint64) for name in ("form", "hash")),
        *((name, NativeArray) for name in ("context", "shared", "workspace")),
        *((name, ctypes.c_uint64) for name in ("end", "status", "answer", "rounds", "done")),
        *((name, NativeCount) for name in ("setup", "first", "total")),
        ("parts", NativeCount * len(PARTS)),
        *((name, ctypes.c_uint64) for name in ("programs", "core_cycles", "accesses")),
    ]


@dataclass(frozen=True)
class SchemeJob:
    """name: of CALLS; set: the library's number. inputs, and the sizes of outputs: as there. form, prehash, context: of a message.

    calls: so many, one after the other; the last one is measured.
    """

    name: str
    set: int
    inputs: Sequence[bytes]
    sizes: Sequence[int]
    form: int = 0
    prehash: int = 0
    context: bytes = b""
    calls: int = 1


@dataclass(frozen=True)
class SchemeAnswer:
    """status: the library's. job: with what was measured. simulated: cycles of the whole run."""

    status: int
    outputs: tuple[bytes, ...]
    job: NativeSchemes
    simulated: int


def _image(code: bytes, call: SchemeJob, on_core: bool) -> tuple[bytes, NativeSchemes]:
    """RAM with firmware, struct and what it names."""
    job = NativeSchemes(magic=MAGIC, bytes=ctypes.sizeof(NativeSchemes), phase=RUN, calls=call.calls)
    job.call, job.set, job.device, job.reads_max = [*CALLS].index(call.name), call.set, int(on_core), READS_MAX
    job.form, job.hash = call.form, call.prehash
    image = bytearray(code + bytes(PLACE - RAM - len(code)) + bytes(job))

    def placed(array: NativeArray, content: bytes, alignment: int = LINE, ahead: int = 0) -> None:
        image.extend(bytes((ahead - len(image)) % alignment))
        array.address, array.bytes = RAM + len(image), len(content)
        image.extend(content)

    ahead = (HALF_LINE, 0, -CHALLENGE_BYTES[call.set]) if call.name == "mldsa_verify" else (0, 0, 0)
    for array, content, before in zip(job.inputs, call.inputs, ahead, strict=False):
        placed(array, content, ahead=before)
    placed(job.context, call.context)
    for array, size in zip(job.outputs, call.sizes, strict=False):
        placed(array, bytes(size))
    if on_core:
        placed(job.shared, bytes(SHARED_BYTES), PAGE)
    else:
        placed(job.workspace, bytes(WORKSPACE_BYTES))
    image.extend(bytes(SPARE - len(image) % LINE))
    job.end = RAM + len(image)
    image[PLACE - RAM : PLACE - RAM + ctypes.sizeof(job)] = bytes(job)
    return bytes(image), job


def _limit(call: SchemeJob, on_core: bool) -> int:
    each = CORE_CYCLES if on_core else SOFTWARE_CYCLES
    return (call.calls + 1) * each


def expected(call: SchemeJob, on_core: bool) -> int:
    """About how many cycles it takes."""
    return EXPECTED_SET_UP + call.calls * EXPECTED_CALL if on_core else call.calls * EXPECTED_SOFTWARE


def call_scheme(
    program: Path,
    call: SchemeJob,
    *,
    on_core: bool,
    latency: int = CHIP_LATENCY_CYCLES,
    stall: int = 0,
    limit: int | None = None,
    progress: Progress | None = None,
) -> SchemeAnswer:
    """One SoC, which ends with the answer. program: of soc.build.program. SimulationError: the firmware failed, or did not end."""
    image, _ = _image(image_of(SCHEMES), call, on_core)
    with private_directory() as place:
        ran = simulate(
            program,
            image,
            len(image),
            {"latency": latency, "stall": stall},
            limit=limit or _limit(call, on_core) * max(1, latency // CHIP_LATENCY_CYCLES),
            place=place,
            progress=None if progress is None else _telling(progress, expected(call, on_core)),
        )
    job = NativeSchemes.from_buffer_copy(ran.image, PLACE - RAM)
    if ran.code or job.phase != DONE or job.done != call.calls:
        raise SchemeSetupError(f"the firmware failed: {ran.console.strip() or 'it printed nothing'}", int(job.status))
    outputs = [ran.image[one.address - RAM : one.address - RAM + one.bytes] for one in job.outputs]
    return SchemeAnswer(int(job.answer), tuple(outputs[: len(call.sizes)]), job, ran.cycles)


def _telling(progress: Progress, about: int) -> Callable[[int], None]:
    return lambda done: progress(min(done, about), about)


class SchemeSetupError(SimulationError):
    """The core could not be set up. status: the library's, or 0."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status
