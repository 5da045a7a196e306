# SPDX-License-Identifier: Apache-2.0
"""What an operation of a scheme takes on the simulated processor, alone or with its transforms and hashes on a core, and what its kernels take of it:
soc/firmware/profile/profile.c."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .. import pqc
from ..designs import Design
from ..devices.calls import Program
from ..devices.simulated import SimulatedDevice, open_simulated
from ..errors import DeviceError, ParameterError
from ..native.library import ffi
from ..operations import BLISS, KEMS, NEWHOPE, SIGNATURES, TABLE, OperationRow, find
from ..progress import Progress
from ..sim.options import CHIP_LATENCY_CYCLES, Simulated
from ..sim.verilate import SimulationError
from ..soc import build
from ..soc.job import DONE, PLACE, RAM, RUN, SEED_BYTES, NativeCount
from ..soc.run import private_directory, simulate

MAGIC = 0x31666F72706F7372
KERNELS = (
    "rest",
    "transform",
    "product",
    "keccak",
    "chacha20",
    "sampler",
    "gaussian",
    "coding",
)  # in the firmware's order
PROGRAMS = 13  # that a core runs
POINTER_CONTEXT = 0  # the first one, as in offload.c
REGION = 1 << 13  # bytes that a program of those reaches behind each of its pointers, at most
# cycles of the processor: from the core to RAM and back, through caches that may hold a line, beside the latency of RAM
WAY_CYCLES = 80
SPARE = 1 << 20  # bytes of RAM behind the struct
# a run of the largest operation, a signature of many rounds, takes less
CYCLES_MAX = 400_000_000


@dataclass(frozen=True)
class SchemeOperation:
    """Numbers are the firmware's. cycles: about what it takes, for progress. averages: how long it takes depends on its seeds."""

    scheme: int
    set: int
    operation: int
    cycles: int
    averages: bool = False


SCHEME_MLKEM, SCHEME_MLDSA, SCHEME_NEWHOPE, SCHEME_BLISS = range(4)
RINGS = {SCHEME_NEWHOPE: 10, SCHEME_BLISS: 9}  # log2 N of the transforms that a core does
SLICE_LEAST = 7  # log2 of the words of the smallest slice
_NUMBERS = {
    "keygen": 0,
    "encaps": 1,
    "decaps": 2,
    "server": 0,
    "client": 1,
}  # but for signatures of ML-DSA: the firmware's


def _native(row: OperationRow) -> SchemeOperation:
    """Numbers of the firmware."""
    scheme, of_set = {NEWHOPE: (SCHEME_NEWHOPE, 0), BLISS: (SCHEME_BLISS, 0)}.get(row.scheme, (SCHEME_MLKEM, 0))
    if row.scheme in (*KEMS, *SIGNATURES):
        scheme, of_set = SCHEME_MLDSA if row.scheme in SIGNATURES else SCHEME_MLKEM, int(row.scheme.rpartition("-")[2])
    first = int(scheme == SCHEME_MLDSA)  # behind key generation
    number = _NUMBERS.get(row.what, first + (row.what == "verify"))
    return SchemeOperation(scheme, of_set, number, row.alone, row.averages)


OPERATIONS = {name: _native(row) for name, row in TABLE.items() if row.alone}


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
        *((name, ctypes.c_uint64) for name in ("magic", "bytes", "phase", "scheme", "set", "operation", "runs")),
        ("offload", ctypes.c_uint64),
        ("seed", ctypes.c_uint8 * SEED_BYTES),
        *((name, ctypes.c_uint64) for name in ("status", "done")),
        ("total", NativeCount),
        ("kernels", NativeKernel * len(KERNELS)),
        ("programs", NativeProgram * PROGRAMS),
        ("core_runs", ctypes.c_uint64),
        ("digest", ctypes.c_uint8 * 32),
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
    asked = OPERATIONS[name]
    if design is not None:
        _check_design(name, asked, design)
    given = NativeProfile(magic=MAGIC, bytes=ctypes.sizeof(NativeProfile), phase=RUN, runs=runs)
    given.scheme, given.set, given.operation = asked.scheme, asked.set, asked.operation
    given.offload = sum(1 << KERNELS.index(kernel) for kernel in kernels_on(design, asked))
    given.seed[:] = seed
    try:
        program, code = build.program(design, progress), build.image_of(build.PROFILE)
        image = code + bytes(PLACE - RAM - len(code)) + bytes(given)
        tell = None if progress is None else _telling(progress, asked.cycles * runs)
        with private_directory() as place:
            ran = simulate(
                program,
                image,
                len(image) + SPARE,
                {"latency": latency},
                limit=CYCLES_MAX * runs,
                place=place,
                progress=tell,
            )
    except SimulationError as error:
        raise DeviceError("SIMULATION", f"The profile cannot be made: {error}") from error
    found = NativeProfile.from_buffer_copy(ran.image, PLACE - RAM)
    if ran.code or found.phase != DONE or found.done != runs:
        raise DeviceError("SIMULATION", f"The firmware failed: {ran.console.strip() or 'it printed nothing'}.")
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
        bit_exact=bytes(found.digest) == expected_digest(name, runs, seed),
    )


def slow_cycles(
    design: Design, programs: Iterable[NativeProgram], image: bytes, latency: int, progress: Progress | None
) -> list[float]:
    """What the core takes for the programs of each kernel, all runs of them, if memory answers after so many of its own cycles. Each runs once more, on the
    core alone."""
    found = [0.0] * len(KERNELS)
    device = open_simulated(Simulated(design, {"latency": latency}), progress=progress)
    try:
        for program in programs:
            if program.runs:
                found[program.kernel] += program.runs * _run_again(device, program, image)
    finally:
        device.close()
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


def kernels_on(design: Design | None, asked: SchemeOperation) -> tuple[str, ...]:
    """The kernels that the core of a design does in an operation: transforms, and in BLISS hashes if it has the unit SPONGE."""
    if design is None:
        return ()
    return ("transform", "keccak") if design.fields and asked.scheme == SCHEME_BLISS else ("transform",)


def _check_design(name: str, asked: SchemeOperation, design: Design) -> None:
    """ParameterError unless the core does what is asked of it."""
    ring = RINGS.get(asked.scheme)
    if ring is None:
        raise ParameterError(
            "OP", f"{name} has no transforms that a core does.", "The operations of NewHope and of BLISS have."
        )
    least = design.log_n_min if design.slices == 1 else SLICE_LEAST
    if not least <= ring <= design.log_n_max:
        sizes = f"2^{least} … 2^{design.log_n_max}"
        raise ParameterError(
            "DESIGN_DEGREE",
            f"{name} transforms polynomials of 2^{ring} words, {design.name} of {sizes}.",
            "`ringside designs` shows the sizes of all designs; newhope and bliss are made for these two schemes.",
        )


def _telling(progress: Progress, expected: int) -> Callable[[int], None]:
    return lambda done: progress(min(done, expected), expected)


# ---- the same outputs, by the library on this machine ---------------------------------------------------------------
def expected_digest(name: str, runs: int, seed: bytes) -> bytes:
    """SHA3-256 of the outputs of all runs."""
    asked = OPERATIONS[name]
    outputs = hashlib.sha3_256()
    for run in range(runs):
        drawn = hashlib.shake_256(seed + run.to_bytes(8, "little")).digest(128)
        for output in (_mlkem, _mldsa, _newhope, _bliss)[asked.scheme](asked, drawn):
            outputs.update(output)
    return outputs.digest()


def _mlkem(asked: SchemeOperation, seeds: bytes) -> list[bytes]:
    kem = pqc.MLKEM(f"ML-KEM-{asked.set}")
    ek, dk = kem.keygen(seeds[:64])
    shared, ct = kem.encaps(ek, seeds[64:96])
    return [[ek, dk], [ct, shared], [kem.decaps(dk, ct)]][asked.operation]


def _mldsa(asked: SchemeOperation, seeds: bytes) -> list[bytes]:
    dsa = pqc.MLDSA(f"ML-DSA-{asked.set}")
    pk, sk = dsa.keygen(seeds[:32])
    signature = dsa.sign(sk, seeds[32:64], deterministic=True)
    return [[pk, sk], [signature], [signature]][asked.operation]


def _newhope(asked: SchemeOperation, seeds: bytes) -> list[bytes]:
    scheme = pqc.NewHope(research=True)
    message, secret = scheme.server(seeds=(seeds[:32], seeds[32:64]))
    answer, _ = scheme.client(message, noise_seed=seeds[64:96])
    return [message, answer, scheme.shared(secret, answer)]


def _bliss(asked: SchemeOperation, seeds: bytes) -> list[bytes]:
    scheme = pqc.Bliss(research=True)
    _, sk = scheme.keygen(seeds[:64])
    return [scheme.sign(sk, seeds[96:128], seeds[32:96])]
