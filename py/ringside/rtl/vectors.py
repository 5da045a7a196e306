# SPDX-License-Identifier: Apache-2.0
"""Known answers for a core, and how to ask for them: the register accesses and the memory of the library's driver, recorded without a core.

A bus that only listens stands in for the core. When the driver starts the program, the memory is as the core finds it. Then every word of
the memory is replaced by its own number, so the result that the driver reads back says which word of the memory became which word of
the result. The library computes the same result by itself; that is what these words of the memory must hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cycles.operation import compute, parameters
from ..designs import Design
from ..devices.accelerator import Accelerator
from ..errors import DeviceError, ParameterError
from ..native.library import CData, ffi, lib
from ..objects.ckks.context import Context
from ..sim.program import native_design
from .registers import BYTES, Registers

# What is asked: about each, one line. The first three need no sampler or expander that a design may lack.
OPERATIONS = {
    "ntt": "one transform",
    "decrypt": "decryption by a secret key",
    "encrypt-pk-direct": "encryption by a public key",
    "encrypt-sk": "encryption by a secret key",
}
BASE = 1 << 32  # address of the memory: more than 32 bits, so that a bus that drops the upper ones is found
PAGE = 4096
LIMBS = 1
MODULUS_BITS_MAX = 60
ALL = (1 << 32) - 1
POLYS = 2

WRITE, READ, POLL, WAIT, COMPARE, BEGIN, END = "WRITE", "READ", "POLL", "WAIT", "COMPARE", "BEGIN", "END"
# 0 is none of them: a script that is not there ends nothing
CODES = {WRITE: 1, READ: 2, POLL: 3, WAIT: 4, COMPARE: 5, BEGIN: 6, END: 7}


@dataclass(frozen=True)
class Step:
    """What a host does.

    WRITE data to the register at `address`; READ it: value & mask is data; POLL: read it until that is so; WAIT for the interrupt;
    COMPARE `data` rows of the memory, from row `address` on; BEGIN job `data`.
    """

    kind: str
    address: int = 0
    data: int = 0
    mask: int = ALL
    about: str = ""

    @property
    def line(self) -> str:
        """For $readmemh: 104 bits."""
        return f"{CODES[self.kind]:02x}_{self.address:08x}_{self.data:08x}_{self.mask:08x} // {self.kind} {self.about}"


@dataclass(frozen=True)
class RecordedJob:
    """place: byte of the memory where its part begins, size: its bytes. answers: of (byte of the part, bytes)."""

    op: str
    n: int
    moduli: Sequence[int]
    place: int
    size: int
    image: bytes
    answers: Sequence[tuple[int, bytes]]
    steps: Sequence[Step]


@dataclass
class _Listener:
    """A bus behind which there is no core."""

    design: Design
    registers: Registers
    place: int
    memory: NDArray[np.uint8]
    tag: int  # bytes of the words that are numbered
    steps: list[Step] = field(default_factory=list)
    image: bytes = b""

    def __post_init__(self) -> None:
        self._written: dict[int, int] = {}
        self._names = {
            one.offset + BYTES * i: one.name + (f"[{i}]" if one.count else "")
            for one in self.registers.all
            for i in range(max(1, one.count))
        }
        native = native_design(self.design)
        self._built = {
            self.registers[name.upper()].offset: int(getattr(native, name)) for name, _ in ffi.typeof(native[0]).fields
        }
        for name in ("ID", "VERSION", "REDUCTION"):
            self._built[self.registers[name].offset] = self.registers[name].reset
        control, status = self.registers["CONTROL"], self.registers["STATUS"]
        self._control, self._start = control.offset, control.field("start").mask
        self._status = status.offset
        self._idle = status.field("busy").mask | status.field("zeroizing").mask
        self._done = status.field("done").mask
        self._ended = self._idle | self._done | status.field("error").mask | status.field("cause").mask

    @property
    def started(self) -> bool:
        return bool(self.image)

    def _add(self, kind: str, offset: int, data: int, mask: int = ALL) -> None:
        self.steps.append(Step(kind, offset, data, mask, self._names.get(offset, "")))

    def read(self, _: Any, offset: int, value: CData) -> int:
        if offset in self._built:
            value[0] = self._built[offset]
            self._add(READ, offset, value[0])
        elif offset == self._status:
            value[0] = self._done if self.started else 0
            at_once = bool(self.steps) and self.steps[-1].kind == WAIT  # after the interrupt it is final
            self._add(READ if at_once else POLL, offset, value[0], self._ended if self.started else self._idle)
        else:  # counters, which only a core knows
            value[0] = self._written.get(offset, 0)
        return 0

    def write(self, _: Any, offset: int, value: int) -> int:
        self._written[offset] = value
        self._add(WRITE, offset, value)
        if offset == self._control and value & self._start:
            if self.started:
                return int(lib.RS_ERR_DEVICE_PROGRAM)
            self.image = self.memory.tobytes()
            numbers = self.memory.view(np.uint32 if self.tag == 4 else np.uint64)
            numbers[:] = np.arange(numbers.size, dtype=numbers.dtype)
        return 0

    def wait(self, _: Any) -> int:
        self.steps.append(Step(WAIT))
        return 0


def _listen(listener: _Listener, context: Context, op: str) -> tuple[NDArray[np.uint64], list[Step]]:
    """The result of the operation on what the bus says, and the accesses until there, without the wipe of the driver's end."""
    calls = {
        "read": ffi.callback("rs_status_t(void *, uint32_t, uint32_t *)", listener.read, error=lib.RS_ERR_DEVICE_BUS),
        "write": ffi.callback("rs_status_t(void *, uint32_t, uint32_t)", listener.write, error=lib.RS_ERR_DEVICE_BUS),
        "wait": ffi.callback("rs_status_t(void *)", listener.wait, error=lib.RS_ERR_DEVICE_BUS),
    }
    bus = ffi.new(
        "rs_bus_t *",
        {
            **calls,
            "memory": ffi.cast("uint8_t *", listener.memory.ctypes.data),
            "memory_address": BASE + listener.place,
            "memory_bytes": listener.memory.size,
        },
    )
    with closing(Accelerator(f"{listener.design.name}, recorded", bus)) as device:
        (found,) = compute(context, op, LIMBS, device)
        return found.ravel(), listener.steps.copy()


def _record(design: Design, registers: Registers, op: str, place: int) -> RecordedJob:
    bits = min(design.word_bits, MODULUS_BITS_MAX)
    # rings of post-quantum schemes are smaller than any of the library's parameters
    params = parameters(op, 1 << max(design.log_n_min, int(lib.RS_LOG_N_MIN)), LIMBS, bits)
    context = Context(params)
    size = int(lib.rs_device_memory_bytes(native_design(design), params._native, POLYS, 1))
    size = -(-size // PAGE) * PAGE
    (found,) = compute(context, op, LIMBS, None)
    wanted = found.ravel()
    for tag in (8, 4):
        aligned = np.zeros(size // 8, np.uint64).view(np.uint8)
        listener = _Listener(design, registers, place, aligned, tag)
        numbers, steps = _listen(listener, context, op)
        # words of another size than the driver's would be seen twice or not be numbers of words at all
        if len(np.unique(numbers)) == numbers.size and int(numbers.max()) < size // tag:
            break
    else:
        message = f"The driver changes the results of {op} after the core: they cannot be recorded."
        raise DeviceError("SELF_TEST", message)
    order = np.argsort(numbers)
    answers: list[tuple[int, bytes]] = []
    for number, word in zip(numbers[order].tolist(), wanted[order].tolist(), strict=True):
        begin, data = number * tag, int(word).to_bytes(tag, "little")
        if answers and answers[-1][0] + len(answers[-1][1]) == begin:
            answers[-1] = (answers[-1][0], answers[-1][1] + data)
        else:
            answers.append((begin, data))
    return RecordedJob(op, params.n, tuple(params.moduli), place, size, listener.image, answers, steps)


def record(design: Design, registers: Registers) -> list[RecordedJob]:
    """What the design can do of OPERATIONS, at the smallest N of design and library. DeviceError: it can do nothing."""
    jobs: list[RecordedJob] = []
    for op in OPERATIONS:
        place = jobs[-1].place + jobs[-1].size if jobs else 0
        try:
            jobs.append(_record(design, registers, op, place))
        except (ParameterError, DeviceError) as error:
            if error.code not in ("RS_ERR_DESIGN", "RS_ERR_PRIMES"):
                raise
    if not jobs:
        raise DeviceError("SELF_TEST", f"{design.name} can do none of {', '.join(OPERATIONS)} at its smallest N.")
    return jobs


# ---- files ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Vectors:
    """For $readmemh: the memory before, what it must hold afterwards (only the rows that are compared), and the steps."""

    memory: str
    answers: str
    script: str
    rows: int
    steps: int
    compared: int  # rows


HEAD = "// SPDX-License-Identifier: Apache-2.0\n"


def files(jobs: Sequence[RecordedJob], bus_bits: int) -> Vectors:
    """A row is a beat of the bus."""
    row = bus_bits // 8
    memory, answers, steps = [HEAD], [HEAD], []
    for number, job in enumerate(jobs):
        steps += [Step(BEGIN, data=number, about=job.op), *job.steps]
        used = len(job.image.rstrip(b"\0"))
        memory += [f"@{job.place // row:x} // {job.op}", *_rows(job.image[: -(-used // row) * row], row)]
        for begin, data in job.answers:
            if begin % row or len(data) % row:
                raise DeviceError("SELF_TEST", f"The result of {job.op} is not made of whole beats of the bus.")
            first = (job.place + begin) // row
            answers += [f"@{first:x} // {job.op}", *_rows(data, row)]
            steps.append(Step(COMPARE, first, len(data) // row, about=f"{len(data)} bytes"))
    steps.append(Step(END))
    rows = (jobs[-1].place + jobs[-1].size) // row
    script = [HEAD + "// kind_address_data_mask", *(step.line for step in steps)]
    compared = sum(step.data for step in steps if step.kind == COMPARE)
    return Vectors(_text(memory), _text(answers), _text(script), rows, len(steps), compared)


def _rows(data: bytes, row: int) -> list[str]:
    return [data[place : place + row][::-1].hex() for place in range(0, len(data), row)]


def _text(lines: Sequence[str]) -> str:
    return "\n".join([*lines, ""])
