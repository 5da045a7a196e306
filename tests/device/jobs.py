# SPDX-License-Identifier: Apache-2.0
"""Random jobs on simulated accelerators: one to three operations in a row, each compared with the processor bit for bit.

A job is drawn from a seed. It is written as one line, and what is read from that line is the same job.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

import ringside as rs
from device.operations import ENCODING, OPERATIONS, STREAMING, Bench, MismatchError
from ringside import designs
from ringside.designs import Design
from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.progress import Progress
from ringside.sim.core import library
from ringside.sim.options import Simulated

FOLDER = Path(__file__).with_name("designs")
# small ones first
DESIGNS = sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (len(name), name))

LIMBS_MAX = 13
OPERATIONS_MAX = 3
BUTTERFLIES_MAX = 1 << 23  # butterflies of a job, about: some ten seconds
GROUPS_FOR_ROUNDING, CONTEXTS_FOR_DIVISION = 5, 2  # one of them, and a slot (ringside/device.h)
GROUPS_FOR_ENCODING = {"encode-encrypt-pk-direct": 4, "encode-encrypt-pk": 6, "encode-encrypt-sk": 4}


class JobError(Exception):
    """An operation failed, or its result is wrong. The text says which, and how to repeat the job."""


def design(name: str) -> Design:
    return designs.load(str(FOLDER / f"{name}.toml"))


def build(name: str, progress: Progress | None = None) -> None:
    """The design's simulator, with the RTL's assertions, if it is not there yet."""
    library(design(name), checked=True, progress=progress)


@dataclass(frozen=True)
class Job:
    """bits: of the moduli, the special prime last. latency, bandwidth, outstanding, stall: of the memory (ringside.sim.core).

    seed: of keys, inputs, limbs; of the memory's pauses, and of what memories hold before they are written.
    """

    design: str
    n: int
    bits: tuple[int, ...]
    operations: tuple[str, ...]
    latency: int
    bandwidth: int
    outstanding: int
    stall: int
    seed: int

    def __str__(self) -> str:
        def text(value: object) -> str:
            return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)

        return ",".join(f"{field.name}={text(getattr(self, field.name))}" for field in fields(self))

    @classmethod
    def parse(cls, text: str) -> Job:
        """ValueError unless it is the text of a job."""
        given = {name: value for name, _, value in (part.partition("=") for part in text.split(","))}
        names = [field.name for field in fields(cls)]
        if sorted(given) != sorted(names):
            raise ValueError(f"a job has {', '.join(names)}")
        name, operations = given.pop("design"), tuple(given.pop("operations").split("+"))
        unknown = {*operations} - {*OPERATIONS} or {name} - {*DESIGNS}
        if unknown:
            raise ValueError(f"there is no {', '.join(sorted(unknown))}")
        bits = tuple(map(int, given.pop("bits").split("+")))
        return cls(design=name, operations=operations, bits=bits, **{key: int(value) for key, value in given.items()})

    @property
    def command(self) -> str:
        """Runs it again."""
        return f'make soak ARGS="--repeat {self}"'


def draw(seed: object, name: str, *, log_n_max: int = 14, limbs_max: int = LIMBS_MAX) -> Job:
    """A job that the design of that name can do."""
    dice = random.Random(f"{seed} {name}")
    built = design(name)
    log_n = dice.randint(built.log_n_min, min(built.log_n_max, log_n_max))
    count = dice.randint(1, OPERATIONS_MAX)
    transforms = BUTTERFLIES_MAX // ((log_n << log_n) // 2)  # an encryption has four of a limb
    limbs = dice.randint(1, max(2, min(limbs_max, transforms // (4 * count))))
    smallest, largest = log_n + 9, min(60, built.word_bits)  # with fewer bits there may be too few primes
    bits = [dice.choice((dice.randint(smallest, largest), largest)) for _ in range(limbs)]
    # the longest programs more often, where the design can do them; of one modulus nothing is rounded
    enough = built.bank_groups >= GROUPS_FOR_ROUNDING or built.contexts >= CONTEXTS_FOR_DIVISION
    rounds = limbs == 1 or (enough and built.slots > 0)
    weights = [4 * rounds if operation == "encrypt-pk" else 1 for operation in OPERATIONS]
    for i, operation in enumerate(OPERATIONS):
        groups = GROUPS_FOR_ENCODING.get(operation, 0)
        if operation in ENCODING and not (built.encode and built.bank_groups >= groups):
            weights[i] = 0
        if operation in STREAMING:
            weights[i] = 4 * (built.stream_lanes > 0)
    operations = dice.choices(list(OPERATIONS), weights, k=count)
    bus_bytes = built.bus_bits // 8
    return Job(
        design=name,
        n=1 << log_n,
        bits=tuple(bits),
        operations=tuple(operations),
        latency=dice.choice((1, dice.randint(1, 200))),
        bandwidth=dice.choice((0, dice.randint(bus_bytes // 4, bus_bytes))),
        outstanding=dice.choice((16, dice.randint(1, 16))),
        stall=dice.choice((0, dice.randint(1, 160))),
        seed=dice.getrandbits(32),
    )


@contextmanager
def opened(job: Job, params: rs.Parameters) -> Iterator[SimulatedDevice]:
    numbers = {key: getattr(job, key) for key in ("latency", "bandwidth", "outstanding", "stall", "seed")}
    with closing(open_simulated(Simulated(design(job.design), numbers, checked=True), params._native)) as accelerator:
        yield accelerator


def run(job: Job) -> int:
    """Cycles of all operations. JobError."""
    notes: list[str] = []
    numbers = np.random.default_rng(job.seed)
    try:
        params = rs.Parameters.from_bits(job.n, job.bits, security=0)
        processor = rs.Context(params)
        with (
            opened(job, params) as accelerator,
            processor.keygen(insecure_deterministic_seed=numbers.bytes(64)) as secret,
        ):
            public = processor.public_key(secret, insecure_deterministic_seed=numbers.bytes(64))
            bench = Bench(processor, processor.on(accelerator), accelerator, secret, public, numbers, notes)
            for operation in job.operations:
                OPERATIONS[operation](bench)
            if accelerator.core.message:  # also what did not stop the model
                raise MismatchError(f"the model says: {accelerator.core.message}")
            return sum(ran.cycles for ran in accelerator.runs)
    except (MismatchError, rs.RingsideError) as error:
        done = [f"{operation}: {note}" for operation, note in zip(job.operations, notes, strict=False)]
        raise JobError("\n".join([*done, f"{type(error).__name__}: {error}", f"again: {job.command}"])) from error
