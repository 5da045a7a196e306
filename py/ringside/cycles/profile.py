# SPDX-License-Identifier: Apache-2.0
"""What an operation of a scheme takes on the simulated processor, alone or with its transforms and hashes on a core, and what its kernels take of it:
soc/firmware/profile/profile.c."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from ..designs import Design
from ..devices.calls import Program
from ..devices.on_chip import build_soc, call_arena_bytes
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import ParameterError
from ..native.library import ffi, lib
from ..operations import BLISS, NEWHOPE, TABLE, find
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES, Simulated
from ..sim.verilate import reported
from ..soc.build import PROFILE
from ..soc.job import RAM, SEED_BYTES, GivenCalls, MemoryImage, NativeCount
from ..soc.run import run
from .known import KnownCall, known

KERNELS = (
    "rest", "transform", "product", "keccak", "chacha20", "sampler", "gaussian", "coding",
)  # in the firmware's order  # fmt: skip
PROGRAMS = 13  # that a core runs
POINTER_CONTEXT = 0  # the first one, as in offload.c
REGION = 1 << 13  # bytes that a program of those reaches behind each of its pointers, at most
# cycles of the processor: from the core to RAM and back, through caches that may hold a line, beside the latency of RAM
WAY_CYCLES = 80
RINGS = {NEWHOPE: 10, BLISS: 9}  # log2 N of the transforms that a core does
SLICE_LEAST = 7  # log2 of the words of the smallest slice
OPERATIONS = tuple(name for name, row in TABLE.items() if row.alone)


class NativeKernel(ctypes.LittleEndianStructure):
    """kernel_count_t."""

    _fields_ = [("calls", ctypes.c_uint64), ("work", NativeCount), ("core_cycles", ctypes.c_uint64)]


class NativeProgram(ctypes.LittleEndianStructure):
    """program_t."""

    _fields_ = [
        *((name, ctypes.c_uint64) for name in ("runs", "kernel", "log_n", "length")),
        ("pointers", ctypes.c_uint64 * 4),
        ("words", ctypes.c_uint64 * 24),
    ]


class NativeProfile(ctypes.LittleEndianStructure):
    """profile_t."""

    _fields_ = [
        ("total", NativeCount),
        ("kernels", NativeKernel * len(KERNELS)),
        ("programs", NativeProgram * PROGRAMS),
        ("core_runs", ctypes.c_uint64),
    ]


@dataclass(frozen=True)
class Kernel:
    """A kernel's counts in one run, on average. share: of the operation's cycles. Kernels that it calls are not in it."""

    calls: float
    cycles: float
    instructions: float
    share: float


@dataclass(frozen=True)
class Profile:
    """cycles, instructions: of one run, on average. simulated: all cycles of the simulation. bit_exact: outputs are the library's on this machine.

    design: the core that does the kernels of kernels_on(), or "none". core_runs: its programs; core_cycles: from their starts to their interrupts, as the
    core counts. divider: of how many of the processor's cycles one of the core's is. With more than 1, core_cycles are those of a core whose memory
    answers after the same time, which is fewer of its cycles, and each counts so many times: slow_cycles(). equal_clock: cycles
    as simulated, with one clock.
    """

    operation: str
    design: str
    divider: int
    runs: int
    latency: int
    cycles: float
    instructions: float
    kernels: dict[str, Kernel]
    core_runs: float
    core_cycles: float
    equal_clock: float
    simulated: int
    bit_exact: bool


def profile(
    name: str,
    runs: int = 1,
    *,
    design: Design | None = None,
    divider: int = 1,
    seed: bytes = bytes(SEED_BYTES),
    latency: int = CHIP_LATENCY_CYCLES,
    progress: Progress | None = None,
) -> Profile:
    """An operation of OPERATIONS, `runs` times with seeds of their own. It builds what is not in the cache.

    ParameterError: there is no such operation, or its transforms are none that a core does here. DeviceError: the SoC cannot be built, or the run failed.
    """
    find(name, OPERATIONS)
    if design is not None:
        _check_design(name, design)
    wanted = [_known(name, seed, index) for index in range(runs)]
    calls = [one.given for one in (wanted[0], *wanted)]  # the first brings code into the caches, and does not count
    given = GivenCalls(
        wanted[0].op,
        wanted[0].set,
        calls,
        stream=int(lib.RS_NEWHOPE_STREAM_CHACHA20),
        uncounted=1,
        offload=sum(1 << KERNELS.index(kernel) for kernel in kernels_on(design, name)),
        kernel_bytes=ctypes.sizeof(NativeProfile),
        cycles=TABLE[name].alone,
    )
    program, firmware = build_soc(design, progress, link=PROFILE)
    with reported("The profile cannot be made"):
        memory = MemoryImage(given, call_arena_bytes())
        ran = run(program, firmware, memory, latency=latency, progress=progress)
    found = NativeProfile.from_buffer_copy(ran.at(ran.job.kernels))
    core_cycles = sum(one.core_cycles for one in found.kernels)
    slow = [0.0] * len(KERNELS)
    if design is not None and divider > 1:
        slow = slow_cycles(design, found.programs, ran.image, -(-(latency + WAY_CYCLES) // divider), progress)
    more = [
        divider * at_ratio - one.core_cycles if at_ratio else 0
        for at_ratio, one in zip(slow, found.kernels, strict=True)
    ]
    total = found.total.cycles + sum(more)

    def kernel(one: NativeKernel, more: float) -> Kernel:
        cycles = one.work.cycles + more
        return Kernel(one.calls / runs, cycles / runs, one.work.instructions / runs, cycles / total)

    return Profile(
        operation=name,
        design="none" if design is None else design.name,
        divider=divider,
        runs=runs,
        latency=latency,
        cycles=total / runs,
        instructions=found.total.instructions / runs,
        kernels={
            name: kernel(one, plus)
            for name, one, plus in zip(KERNELS, found.kernels, more, strict=True)
            if name == "rest" or one.calls
        },
        core_runs=found.core_runs / runs,
        core_cycles=(sum(slow) or core_cycles) / runs,
        equal_clock=found.total.cycles / runs,
        simulated=ran.cycles,
        bit_exact=all(
            frame.answer == 0 and ran.outputs(frame) == list(one.outputs)
            for frame, one in zip(ran.frames[1:], wanted, strict=True)
        ),
    )


def slow_cycles(
    design: Design, programs: Iterable[NativeProgram], image: bytes, latency: int, progress: Progress | None
) -> list[float]:
    """What the core takes for the programs of each kernel, all runs of them, if memory answers after so many of its own cycles. Each runs once more, on the
    core alone."""
    found = [0.0] * len(KERNELS)
    with open_simulated(Simulated(design, {"latency": latency}), progress=progress) as device:
        for program in programs:
            if program.runs:
                found[program.kernel] += program.runs * _run_again(device, program, image)
    return found


def _run_again(device: SimulatedDevice, program: NativeProgram, image: bytes) -> int:
    memory, address, _ = device.memory
    places = []
    for i, pointer in enumerate(program.pointers):
        # words that a program reads are zeros: what stands there after the run may be no residues, and cycles do not depend on them
        at = max(0, pointer - RAM)
        content = image[at : at + REGION].ljust(REGION, b"\0") if i == POINTER_CONTEXT else bytes(REGION)
        ffi.memmove(memory + i * REGION, content, REGION)
        places.append(address + i * REGION)
    device.run(Program(program.words[: program.length], places, program.log_n))
    return device.job.cycles


def kernels_on(design: Design | None, name: str) -> tuple[str, ...]:
    """The kernels that the core of a design does in an operation: transforms, and in BLISS hashes if it has the unit SPONGE."""
    if design is None:
        return ()
    return ("transform", "keccak") if design.fields and TABLE[name].scheme == BLISS else ("transform",)


def _check_design(name: str, design: Design) -> None:
    """ParameterError unless the core does what is asked of it."""
    ring = RINGS.get(TABLE[name].scheme)
    if ring is None:
        message = f"{name} has no transforms that a core does."
        raise ParameterError("OP", message, "The operations of NewHope and of BLISS have.")
    least = design.log_n_min if design.slices == 1 else SLICE_LEAST
    if not least <= ring <= design.log_n_max:
        sizes = f"2^{least} … 2^{design.log_n_max}"
        message = f"{name} transforms polynomials of 2^{ring} words, {design.name} of {sizes}."
        hint = "`ringside designs` shows the sizes of all designs; newhope and bliss are made for these two schemes."
        raise ParameterError("DESIGN_DEGREE", message, hint)


def _known(name: str, seed: bytes, index: int) -> KnownCall:
    """Inputs of a run, and the library's outputs."""
    drawn = hashlib.shake_256(seed + index.to_bytes(8, "little")).digest(128)
    return known(TABLE[name], drawn[:96], drawn[96:] if TABLE[name].scheme == BLISS else drawn[32:64], "chacha20")
