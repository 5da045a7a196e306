# SPDX-License-Identifier: Apache-2.0
"""Cycles of a product and of a relinearisation: a part measured in RTL simulation and compared with the library, the whole counted by the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ringside.designs import Design
from ringside.errors import DeviceError, ParameterError
from ringside.formats.rings import primes_below
from ringside.progress import Progress
from ringside.sim.asm import instruction
from ringside.sim.core import ProgramRun
from ringside.sim.options import Simulated
from ringside.sim.timing import ProgramTime, program_time, row_of

from .engine import Engine, Residues, radix
from .programs import Program, product, relinearisation

POINTS, PRIMES = 1 << 16, 41  # the paper's
OPERATIONS = ("product", "relinearise")
PRODUCT_PRIMES, WINDOWS, HYBRID_PRIMES = 3, 8, 2  # counts of the part that is measured
WINDOW_BITS = 16
# between two programs: the host writes registers, or the ring reads a descriptor, a latency away, and writes them
DOORBELL_CYCLES, RING_CYCLES = 60, 80
LATENCY, BANDWIDTH = 250, 28  # figures of a bus of PCI Express: cycles, bytes per cycle
MODULUS_BITS = 31
SMALLEST_STEP = 12  # log2 of what primes of small rings are 1 modulo; word-level Montgomery needs 11


@dataclass(frozen=True)
class Part:
    """What was measured and what the model says of it."""

    what: str
    measured: int
    modelled: int
    busy: dict[str, int]

    @property
    def error(self) -> float:
        return self.modelled / self.measured - 1


@dataclass(frozen=True)
class LtvCycles:
    """counted: of the whole operation, for one ciphertext of the batch, by the model. part: measured in RTL simulation."""

    design: str
    operation: str
    points: int
    primes: int
    digits: int
    batch: int
    programs: int
    instructions: int
    counted: int
    milliseconds: float
    lanes_busy: float
    read_bytes: int
    write_bytes: int
    latency: int
    bandwidth: float
    overhead: int
    part: Part | None

    def facts(self) -> list[tuple[str, str]]:
        more = f", {self.overhead} bytes more for each burst" if self.overhead else ""
        measured = []
        if self.part:
            by_model = f"{self.part.modelled:,} by the model ({100 * self.part.error:+.2f} %)"
            measured = [("measured in RTL", f"{self.part.what}: {self.part.measured:,} cycles, {by_model}")]
        return [
            (
                "operation",
                f"{self.operation}, {self.points} points, {self.primes} primes, {self.digits} digits, batch {self.batch}",
            ),
            ("bus", f"latency {self.latency} cycles, {self.bandwidth:g} bytes per cycle in each direction{more}"),
            *measured,
            ("counted", f"{self.counted:,} cycles each, {self.milliseconds:.2f} ms at the design's clock"),
            ("lanes busy", f"{100 * self.lanes_busy:.1f} %"),
            ("programs", f"{self.programs} of up to {self.instructions} instructions"),
            ("memory", f"{self.read_bytes / 1e6:.1f} MB read, {self.write_bytes / 1e6:.1f} MB written, each"),
        ]


@dataclass(frozen=True)
class Task:
    """primes: of the whole. whole, part: programs of both."""

    operation: str
    hybrid: bool
    primes: int
    digits: int
    batch: int
    whole: Program
    part: Program
    part_digits: int


def task_of(
    wanted: Simulated, operation: str, points: int, primes: int, batch: int, hybrid: bool, special: int
) -> Task:
    """ParameterError: no such operation or size; DeviceError: the design cannot do it."""
    if operation not in OPERATIONS:
        raise ParameterError("OP", f"There is no operation {operation!r}.", f"Operations: {', '.join(OPERATIONS)}.")
    log_points = points.bit_length() - 1
    if points != 1 << log_points:
        raise ParameterError("N", f"A transform has a power of two of points, not {points}.", "The paper's has 65536.")
    design = wanted.design
    if operation == "product":
        whole, part = (product(design, log_points, count) for count in (primes, min(primes, PRODUCT_PRIMES)))
        return Task(operation, False, primes, 1, 1, whole, part, 1)
    if hybrid:
        digits, rows = -(-primes // special), primes + special
        whole, part = (
            relinearisation(design, log_points, count, digits, batch, narrow=False) for count in (rows, HYBRID_PRIMES)
        )
        return Task(operation, True, rows, digits, batch, whole, part, digits)
    digits = -(-31 * primes // WINDOW_BITS)
    whole = relinearisation(design, log_points, primes, digits, batch, narrow=True)
    part = relinearisation(design, log_points, 1, WINDOWS, batch, narrow=True)
    return Task(operation, False, primes, digits, batch, whole, part, WINDOWS)


@dataclass(frozen=True)
class Bus:
    """bandwidth: bytes per cycle in each direction; latency: cycles; overhead: bytes besides its data that a burst takes of the bandwidth."""

    bandwidth: float
    latency: int
    overhead: int = 0


@dataclass(frozen=True)
class Counted:
    """cycles: of all programs and between them. working: of the lanes."""

    cycles: int
    working: int
    read_bytes: int
    write_bytes: int


# ---- the whole, by the model --------------------------------------------------------------------------------------------------
def bus_of(wanted: Simulated) -> Bus:
    numbers = wanted.numbers
    bandwidth = float(numbers.get("bandwidth", 0)) or wanted.design.bus_bits / 8
    return Bus(bandwidth, int(numbers.get("latency", 40)), int(numbers.get("overhead", 0)))


def time_of(design: Design, log_points: int, words: Sequence[int], bus: Bus) -> ProgramTime:
    return program_time(row_of(design, log_points, MODULUS_BITS, bus.latency, bus.bandwidth, bus.overhead), words)


def loading_rate(wanted: Simulated, points: int) -> float:
    """Bytes per cycle of a LOAD of half a polynomial."""
    found = time_of(wanted.design, points.bit_length() - 1, [instruction("LOAD", half=1)], bus_of(wanted))
    return found.read_beats * wanted.design.bus_bits / 8 / found.active["LOAD"]


def _counted(wanted: Simulated, task: Task, log_points: int, bus: Bus) -> tuple[Counted, int]:
    """All programs of the operation, one after the other, and how many they are; the last one is for the primes that are left."""
    design, programs = wanted.design, [task.whole] * (task.primes // task.whole.primes)
    left = task.primes % task.whole.primes
    if left and task.operation == "product":
        programs.append(product(design, log_points, left))
    elif left:
        narrow = not task.hybrid
        programs.append(relinearisation(design, log_points, left, task.digits, task.batch, narrow=narrow))
    each = {id(one): time_of(design, log_points, one.words, bus) for one in programs}
    found = [each[id(one)] for one in programs]
    between = RING_CYCLES + bus.latency if design.ring else DOORBELL_CYCLES
    cycles = sum(one.cycles for one in found) + between * (len(programs) - 1)
    working, beat = sum(one.active["COMPUTE"] for one in found), design.bus_bits // 8
    reads, writes = beat * sum(one.read_beats for one in found), beat * sum(one.write_beats for one in found)
    return Counted(cycles, working, reads, writes), len(programs)


# ---- the part, in RTL simulation ----------------------------------------------------------------------------------------------
def moduli(primes: int, points: int) -> list[int]:
    """The largest primes of 31 bits that have roots of order twice the points: those of the scheme for its ring with so many points."""
    return list(islice(primes_below(1 << 31, max(2 * points, 1 << SMALLEST_STEP), ()), primes))


def _residues(rng: np.random.Generator, q: int, words: int) -> Residues:
    return rng.integers(0, q, words).astype(np.uint64)


def _check(name: str, pairs: Sequence[tuple[Residues, Residues]]) -> None:
    if not all(np.array_equal(found, wanted) for found, wanted in pairs):
        raise DeviceError("SIMULATION", f"{name} computes other products than the library: a fault of the RTL.")


def _u32(values: Residues) -> bytes:
    return values.astype("<u4").tobytes()


def _measure_product(engine: Engine, program: Program) -> ProgramRun:
    shape, rng = program.shape, np.random.default_rng(1)
    qs = moduli(program.primes, shape.points)
    sizes = (shape.context, shape.half, shape.half, shape.whole)
    places = [engine.room(program.primes * size) for size in sizes]
    operands = [[_residues(rng, q, shape.points // 2) for _ in range(2)] for q in qs]
    for prime, q in enumerate(qs):
        engine.put(places[0] + prime * shape.context, engine.context(q))
        for operand in range(2):
            engine.put(places[1 + operand] + prime * shape.half, _u32(operands[prime][operand]))
    job = engine.run(program, places)
    found = []
    for prime, q in enumerate(qs):
        result = engine.words(places[3] + prime * shape.whole, shape.points)
        # both operands are plain: their product lacks R
        plain = result * np.uint64(radix(engine.design.word_bits) % q) % np.uint64(q)
        a, b = operands[prime]
        found.append((plain, engine.multiplied(q, [(a, b)])))
    _check(engine.design.name, found)
    return job


def _measure_relinearisation(engine: Engine, program: Program, digits: int, batch: int) -> ProgramRun:
    shape, rng = program.shape, np.random.default_rng(1)
    qs = moduli(program.primes, shape.points)
    rows = 1 if shape.narrow else len(qs)
    places = [
        engine.room(len(qs) * shape.context),
        engine.room(len(qs) * digits * shape.whole),
        engine.room(rows * batch * digits * shape.digit),
        engine.room(len(qs) * batch * shape.whole),
    ]
    limit = 1 << WINDOW_BITS if shape.narrow else min(qs)
    given = [_residues(rng, limit, shape.points // 2) for _ in range(rows * batch * digits)]
    for index, words in enumerate(given):
        data = words.astype("<u2").tobytes() if shape.narrow else _u32(words)
        engine.put(places[2] + index * shape.digit, data)
    keys = [[_residues(rng, q, shape.points // 2) for _ in range(digits)] for q in qs]
    for prime, q in enumerate(qs):
        engine.put(places[0] + prime * shape.context, engine.context(q))
        for digit in range(digits):
            engine.put(places[1] + (prime * digits + digit) * shape.whole, engine.key(q, keys[prime][digit]))
    job = engine.run(program, places)
    found = []
    for prime, q in enumerate(qs):
        first = 0 if shape.narrow else prime * batch * digits
        for one in range(batch):
            wanted = engine.multiplied(q, list(zip(given[first + one * digits :][:digits], keys[prime], strict=True)))
            place = places[3] + (prime * batch + one) * shape.whole
            found.append((engine.words(place, shape.points), wanted))
    _check(engine.design.name, found)
    return job


def _image_bytes(program: Program, digits: int, batch: int) -> int:
    shape = program.shape
    return (
        program.primes * (shape.context + (digits + batch + 1) * shape.whole)
        + program.primes * batch * digits * shape.half
    )


def _measured(wanted: Simulated, task: Task, log_points: int, bus: Bus, progress: Progress | None) -> Part:
    program = task.part
    with Engine(wanted, log_points, _image_bytes(program, task.part_digits, task.batch), progress) as engine:
        if task.operation == "product":
            job, what = _measure_product(engine, program), f"a product modulo {program.primes} primes"
        else:
            job = _measure_relinearisation(engine, program, task.part_digits, task.batch)
            what = f"{task.part_digits} digits of {task.batch} ciphertexts modulo {program.primes} prime(s)"
    modelled = time_of(wanted.design, log_points, program.words, bus).cycles
    return Part(what, job.cycles, modelled, job.busy)


def measure(
    wanted: Simulated,
    operation: str,
    *,
    points: int = POINTS,
    primes: int = PRIMES,
    batch: int = 1,
    hybrid: bool = False,
    special: int = 7,
    simulate: bool = True,
    progress: Progress | None = None,
) -> LtvCycles:
    """One of OPERATIONS. ParameterError, DeviceError: as task_of; the part is not what the library computes."""
    task = task_of(wanted, operation, points, primes, batch, hybrid, special)
    log_points, bus = points.bit_length() - 1, bus_of(wanted)
    part = _measured(wanted, task, log_points, bus, progress) if simulate else None
    whole, programs = _counted(wanted, task, log_points, bus)
    per = whole.cycles // task.batch
    return LtvCycles(
        wanted.design.name,
        f"{operation}{' by hybrid switching' if hybrid else ' by windows' if operation == 'relinearise' else ''}",
        points,
        task.primes,
        task.digits,
        task.batch,
        programs,
        len(task.whole.words),
        per,
        per / wanted.design.clock_mhz / 1e3,
        whole.working / whole.cycles,
        whole.read_bytes // task.batch,
        whole.write_bytes // task.batch,
        bus.latency,
        bus.bandwidth,
        bus.overhead,
        part,
    )
