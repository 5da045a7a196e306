# SPDX-License-Identifier: Apache-2.0
"""An accelerator core (docs/core.md) behind the library's driver: what a Context with a device computes on."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..native.library import CData, Rng, check, error_of, ffi, lib, workspace

UNITS = ("LOAD", "STORE", "COMPUTE", "SAMPLE", "LIFT", "EXPAND")  # rs_unit_t


@dataclass(frozen=True)
class Run:
    """One program, from the doorbell to the interrupt. busy: cycles that each unit ran an instruction.

    idle, overlap: cycles without a busy unit, and with two or more; beats of the memory bus. Only a simulation knows them.
    """

    op: str
    n: int
    limbs: int
    cycles: int
    busy: dict[str, int]
    idle: int | None = None
    overlap: int | None = None
    read_beats: int | None = None
    write_beats: int | None = None


# Stages of an operation, and the units that do them. They run beside each other: their sum is more than the cycles.
STAGES = {
    "sampling": ("SAMPLE", "EXPAND"),
    "lifting": ("LIFT",),
    "compute": ("COMPUTE",),
    "memory_read": ("LOAD",),
    "memory_write": ("STORE",),
}


def summary(name: str, runs: Sequence[Run], clock_mhz: float) -> dict[str, Any]:
    """Several operations in one: cycles per stage, time at a clock. idle, overlap: None where they are not known."""

    def total(values: Sequence[int | None]) -> int | None:
        return None if None in values else sum(value for value in values if value is not None)

    cycles = sum(run.cycles for run in runs)
    stages: dict[str, int | None] = {
        stage: sum(run.busy[unit] for run in runs for unit in units) for stage, units in STAGES.items()
    }
    stages["idle"] = total([run.idle for run in runs])
    stages["overlap"] = total([run.overlap for run in runs])
    return {
        "device": name,
        "operations": len(runs),
        "cycles": cycles,
        "clock_mhz": clock_mhz,
        "seconds": cycles / (clock_mhz * 1e6),
        "stages": stages,
    }


class Accelerator:
    """A core with the tables and keys of one context in its memory. Threads take turns.

    runs: what was computed, one entry per operation.
    """

    def __init__(self, name: str, bus: CData) -> None:
        """bus: rs_bus_t. DeviceError: no core answers, or one of another version."""
        self.name = name
        self.runs: list[Run] = []
        self._bus = bus
        self._device: CData = ffi.new("rs_device_t *")
        self._lock = threading.RLock()
        self._context: weakref.ref[Any] | None = None
        self._keys: dict[str, weakref.ref[Any]] = {}
        self._open = False
        self.check(lib.rs_device_open(self._device, bus))
        self._open = True

    def close(self) -> None:
        """Wipes the core and its memory."""
        with self._lock:
            if self._open:
                self._open = False
                lib.rs_device_close(self._device)

    @property
    def design(self) -> CData:
        """rs_design_t, as the core's registers say."""
        return self._device.design

    @property
    def program(self) -> list[int]:
        """The words of the last program."""
        return list(self._device.program[0 : self._device.report.instructions])

    # ---- what hardware and simulation do differently
    def check(self, status: int, detail: str = "") -> None:
        """Raises unless the status is RS_OK."""
        check(status, detail or self.name)

    def report(self, op: str, n: int, limbs: int) -> Run:
        """Of the last program."""
        found = self._device.report
        busy = {unit: int(cycles) for unit, cycles in zip(UNITS, found.unit_cycles, strict=True)}
        return Run(op, n, limbs, int(found.cycles), busy)

    # ---- operations
    def self_test(self) -> None:
        """Computes every kind of operation that the design can do, and compares. InternalError if a result is wrong."""
        with self._lock:
            size = lib.rs_device_self_test_size(ffi.addressof(self.design))
            status = lib.rs_device_self_test(self._device, workspace(size), size)
            self._context, self._keys = None, {}
            self.check(status)

    def load_context(self, context: Any) -> None:
        """Constants and twiddles. Forgets the keys, if it is another context than before."""
        if self._context is None or self._context() is not context:
            self._keys.clear()
            self._context = None
            self.check(lib.rs_device_load_context(self._device, context._pointer))
            self._context = weakref.ref(context)

    def _load_key(self, kind: str, key: Any, native: CData) -> None:
        held = self._keys.get(kind)
        if held is None or held() is not key:
            load = lib.rs_device_load_public_key if kind == "public" else lib.rs_device_load_secret_key
            self.check(load(self._device, native))
            self._keys[kind] = weakref.ref(key)

    @contextmanager
    def _turn(self, context: Any, op: str, limbs: int) -> Iterator[tuple[CData, int]]:
        """A thread's turn: workspace and its size; a Run at the end."""
        with self._lock:
            self.load_context(context)
            size = int(lib.rs_device_workspace(context._pointer))
            yield workspace(size), size
            self.runs.append(self.report(op, context.n, limbs))

    def encrypt_public(self, context: Any, key: Any, plaintext: CData, kind: int, ciphertext: CData, rng: Rng) -> None:
        op = "encrypt-pk" if kind == lib.RS_ENCRYPT_PK else "encrypt-pk-direct"
        with self._turn(context, op, int(plaintext.limb_count)) as (memory, size):
            self._load_key("public", key, key._for_encryption())
            status = lib.rs_device_encrypt_public(self._device, plaintext, kind, ciphertext, rng.pointer, memory, size)
            self.check(status)

    def encrypt_secret(self, context: Any, key: Any, plaintext: CData, ciphertext: CData, rng: Rng) -> None:
        with self._turn(context, "encrypt-sk", int(plaintext.limb_count)) as (memory, size), key._borrow() as secret:
            self._load_key("secret", key, secret)
            self.check(lib.rs_device_encrypt_secret(self._device, plaintext, ciphertext, rng.pointer, memory, size))

    def decrypt(self, context: Any, key: Any, ciphertext: CData, limbs: int, plaintext: CData) -> None:
        with self._turn(context, "decrypt", limbs) as (memory, size), key._borrow() as secret:
            self._load_key("secret", key, secret)
            self.check(lib.rs_device_decrypt(self._device, ciphertext, limbs, plaintext, memory, size))

    def transform(self, context: Any, limb: int, words: CData, *, inverse: bool) -> None:
        """rs_ntt_forward or rs_ntt_inverse of N words, in place."""
        with self._turn(context, "intt" if inverse else "ntt", 1):
            self.check(lib.rs_device_transform(self._device, limb, int(inverse), words))


def fits(design: CData, params: Any, name: str) -> None:
    """DeviceError unless a design (rs_design_t) can compute with these parameters."""
    status = lib.rs_design_fits(design, params._native)
    if status != 0:
        sizes = ", ".join(str(q.bit_length()) for q in params.moduli)
        raise error_of(
            status,
            f"{name} has N = {1 << design.log_n_min} to {1 << design.log_n_max} and {design.word_bits}-bit words; "
            f"the parameters have N = {params.n} and moduli of {sizes} bits",
        )
