# SPDX-License-Identifier: Apache-2.0
"""An accelerator core (docs/core.md) behind the library's driver: what a Context with a device computes on."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from ..designs.units import UNITS
from ..errors import RingsideError, of_frame
from ..native.encoding import decode, encode, memory_of
from ..native.fixed import FixedHandle, encode_detail, layout_of
from ..native.handles import ContextHandle, PublicHandle, SecretHandle
from ..native.library import CData, check, error_of, ffi, lib, request, secret_doubles, secret_words, workspace
from ..notebook import facts_html
from .calls import Decryption, Encryption, FixedRows, Job, Plaintexts, Rows, Slots

OPS = {
    lib.RS_ENCRYPT_SK: "encrypt-sk",
    lib.RS_ENCRYPT_PK: "encrypt-pk",
    lib.RS_ENCRYPT_PK_DIRECT: "encrypt-pk-direct",
}


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

    def _repr_html_(self) -> str:
        busy = [(f"{unit} busy", f"{cycles / self.cycles:.0%}") for unit, cycles in self.busy.items() if cycles]
        return facts_html(
            f"Run of {self.op}", [("N", self.n), ("limbs", self.limbs), ("cycles", f"{self.cycles:,}"), *busy]
        )


# Stages of an operation, and the units that do them. They run beside each other: their sum is more than the cycles.
STAGES = {
    "sampling": ("SAMPLE", "EXPAND"),
    "lifting": ("LIFT",),
    "compute": ("COMPUTE",),
    "memory_read": ("LOAD",),
    "memory_write": ("STORE",),
}
RUNS_MAX = 1024  # that are remembered one by one
CoreItems = Sequence[Mapping[str, Any]]  # rs_encrypt_item_t or rs_decrypt_item_t


@dataclass
class Total:
    """Sums over the runs of one kind of operation. idle, overlap: None where a run does not know them."""

    operations: int = 0
    cycles: int = 0
    busy: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNITS, 0))
    idle: int | None = 0
    overlap: int | None = 0

    def add(self, run: Run) -> None:
        self.operations += 1
        self.cycles += run.cycles
        for unit in UNITS:
            self.busy[unit] += run.busy[unit]
        self.idle = _sum([self.idle, run.idle])
        self.overlap = _sum([self.overlap, run.overlap])


def _sum(values: Sequence[int | None]) -> int | None:
    """None if one of them is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def summary(name: str, totals: Iterable[Total], clock_mhz: float) -> dict[str, Any]:
    """Several operations in one: cycles per stage, time at a clock. idle, overlap: None where they are not known."""
    totals = list(totals)
    cycles = sum(total.cycles for total in totals)
    stages: dict[str, int | None] = {
        stage: sum(total.busy[unit] for total in totals for unit in units) for stage, units in STAGES.items()
    }
    stages["idle"] = _sum([total.idle for total in totals])
    stages["overlap"] = _sum([total.overlap for total in totals])
    return {
        "device": name,
        "operations": sum(total.operations for total in totals),
        "cycles": cycles,
        "clock_mhz": clock_mhz,
        "seconds": cycles / (clock_mhz * 1e6),
        "stages": stages,
    }


class Counting:
    """An executor that counts cycles.

    runs: what was computed, one entry per operation, the last RUNS_MAX of them; totals: sums over all, by operation.
    """

    name: str
    runs: deque[Run]
    totals: dict[str, Total]


class Accelerator(Counting):
    """A core with the tables and keys of one context in its memory, as an executor. Threads take turns."""

    def __init__(self, name: str, bus: CData) -> None:
        """bus: rs_bus_t. DeviceError: no core answers, or one of another version."""
        self.name = name
        self.runs: deque[Run] = deque(maxlen=RUNS_MAX)
        self.totals: dict[str, Total] = {}
        self._bus = bus
        self._memory: CData = ffi.new("uint64_t[]", lib.RS_DEVICE_BYTES_MAX // 8)  # the device's
        opened = ffi.new("rs_device_t **")
        self._lock = threading.RLock()
        self._context: ContextHandle | None = None  # the library keeps a pointer to it
        self._roots: FixedHandle | None = None
        self._public: weakref.ref[PublicHandle] | None = None
        self._secret: weakref.ref[SecretHandle] | None = None
        self._orphan: weakref.ref[SecretHandle] | None = None  # a secret key that went away without close()
        self._unwiped = False  # the core may hold a secret key that nobody has any more
        self._open = False
        bus.size = ffi.sizeof("rs_bus_t")
        status = lib.rs_device_open(opened, (self._memory, ffi.sizeof(self._memory)), bus)
        self._device: CData = opened[0]
        self.check(status)
        self._open = True

    def close(self) -> None:
        """Wipes the core and its memory. DeviceError: it could not be wiped, and may hold secrets; a further call tries again."""
        with self._lock:
            if not self._open:
                return
            status = lib.rs_device_close(self._device)
            self._context = self._public = self._secret = self._roots = None
            if status == lib.RS_ERR_DEVICE_UNWIPED:
                self.check(status)
            self._open = self._unwiped = False

    @property
    def design(self) -> CData:
        """rs_design_t, as the core's registers say."""
        return lib.rs_device_design(self._device)[0]

    @property
    def program(self) -> list[int]:
        """The words of the last program."""
        length = ffi.new("size_t *")
        words = lib.rs_device_program(self._device, length)
        return list(words[0 : length[0]]) if words else []

    # ---- what hardware and simulation do differently
    def check(self, status: int, detail: str = "") -> None:
        """Raises unless the status is RS_OK."""
        check(status, detail or self.name)

    def report(self, op: str, n: int, limbs: int) -> Run:
        """The run of the last program."""
        found = lib.rs_device_report(self._device)
        busy = {unit: int(cycles) for unit, cycles in zip(UNITS, found.unit_cycles, strict=True)}
        return Run(op, n, limbs, int(found.cycles), busy)

    # ---- what it holds
    def self_test(self) -> None:
        """Computes every kind of operation that the design can do, and compares. InternalError if a result is wrong."""
        with self._lock:
            size = lib.rs_device_self_test_size(ffi.addressof(self.design))
            status = lib.rs_device_self_test(self._device, workspace(size), size)
            self._context = self._public = self._secret = self._roots = None
            self.check(status)

    def load_context(self, context: ContextHandle) -> None:
        """Constants and twiddles. Forgets the keys, if it is another context than before."""
        if self._context is not context:
            # if it is refused, the device keeps what it has
            self._load(context=context.pointer)
            self._context, self._public, self._secret, self._roots = context, None, None, None

    def _load(self, **members: CData) -> None:
        self.check(lib.rs_device_load(self._device, request("rs_device_load_request_t", **members)))

    @property
    def fixed_bits(self) -> int:
        return int(self.design.word_bits) if self.design.features & lib.RS_FEATURE_ENCODE else 0

    @property
    def streams(self) -> bool:
        """Whether the core has the streaming unit."""
        return bool(self.design.features & lib.RS_FEATURE_PIPE)

    def _load_roots(self, fixed: FixedHandle) -> None:
        if self._roots is not fixed:
            self._load(fixed=fixed.pointer)
            self._roots = fixed

    def _load_public(self, key: PublicHandle) -> None:
        if self._public is None or self._public() is not key:
            self._public = None
            self._load(public_key=key.expanded())
            self._public = weakref.ref(key)

    def _load_secret(self, key: SecretHandle, native: CData) -> None:
        if self._secret is None or self._secret() is not key:
            held, self._secret = self._secret, None  # so that the end of the old key does not wipe the new one
            try:
                self._load(secret_key=native)
            except RingsideError:
                self._secret = held
                if held is not None and held() is None:
                    self._wipe_secret()
                raise
            key.copied_to(self)
            device = weakref.ref(self)

            def gone(orphan: weakref.ref[SecretHandle]) -> None:
                found = device()
                if found is not None:
                    found._orphan = orphan
                    found._sweep()

            self._secret = weakref.ref(key, gone)

    def forget(self, key: SecretHandle) -> None:
        """Wipes this secret key from the memory and from the core, if it is the one held."""
        with self._lock:
            if self._secret is not None and self._secret() is key:
                self._wipe_secret()

    def _wipe_secret(self) -> None:
        """DeviceError: the core may still hold the key. It does not compute again before it is wiped."""
        self._secret = None
        if self._open:
            self._unwiped = True
            self.check(lib.rs_device_forget(self._device))
            self._unwiped = False

    def _sweep(self) -> None:
        """Wipes a key that went away without close(). Never waits: the garbage collector calls it in any thread, whatever locks
        that holds. If the device is busy, the thread whose turn it is sweeps after it. Nobody would see an exception here: a failure
        is reported by the next call, which tries again first.
        """
        while self._orphan is not None and self._lock.acquire(blocking=False):
            try:
                orphan, self._orphan = self._orphan, None
                if self._secret is orphan:
                    with suppress(RingsideError):  # _unwiped knows
                        self._wipe_secret()
            finally:
                self._lock.release()

    @contextmanager
    def _turn(self, context: ContextHandle, op: str, limbs: int) -> Iterator[CData]:
        """A thread's turn: a workspace; a Run at the end."""
        try:
            with self._lock:
                if self._unwiped:
                    self._wipe_secret()
                self.load_context(context)
                yield workspace(int(lib.rs_device_workspace(context.pointer)))
                run = self.report(op, context.n, limbs)
                self.runs.append(run)
                self.totals.setdefault(op, Total()).add(run)
        finally:
            self._sweep()

    # ---- operations
    def run(self, job: Job) -> None:
        """Frames that a program can share go together, others one after the other, whatever job.threads says."""
        match job, job.messages:
            case Encryption(), Plaintexts():
                for plaintext, ciphertext in zip(job.messages.natives, job.ciphertexts, strict=True):
                    self._encrypt(job, (plaintext, ciphertext))
            case Decryption(), Plaintexts():
                for plaintext, ciphertext, limbs in zip(job.messages.natives, job.ciphertexts, job.limbs, strict=True):
                    self._decrypt(job, plaintext, ciphertext, limbs)
            case Encryption(), Rows():
                self._encode_encrypt(job, job.messages)
            case Decryption(), Rows():
                self._decrypt_decode(job, job.messages)
            case _, FixedRows():
                slots = job.messages.slots
                for first in range(0, len(slots), lib.RS_FRAMES_ENCODE):
                    part = slice(first, first + lib.RS_FRAMES_ENCODE)
                    self._fixed(job, slots[part], job.ciphertexts[part])

    @contextmanager
    def _loaded(self, key: PublicHandle | SecretHandle, fixed: FixedHandle | None) -> Iterator[None]:
        """With these in the core's memory."""
        if fixed is not None:
            self._load_roots(fixed)
        if isinstance(key, PublicHandle):
            self._load_public(key)
            yield
            return
        with key.borrow() as secret:
            self._load_secret(key, secret)
            yield

    def _call(
        self,
        job: Job,
        op: str,
        limbs: int,
        items: CoreItems,
        fixed: FixedHandle | None = None,
        detail: Callable[[int], str] = lambda status: "",
    ) -> None:
        """Encrypts or decrypts these items, as many in a program as the core takes. detail: of an error."""
        encrypts = isinstance(job, Encryption)
        kind, call = ("encrypt", lib.rs_device_encrypt) if encrypts else ("decrypt", lib.rs_device_decrypt)
        native = ffi.new(f"rs_{kind}_item_t[]", list(items))
        with self._turn(job.context, op, limbs) as room, self._loaded(job.key, fixed):
            how: dict[str, Any] = {"items": native, "count": len(native), "workspace": room}
            if isinstance(job, Encryption):
                like = items[0]["ciphertext"] if items and job.kind == lib.RS_ENCRYPT_SK else None
                how |= {"kind": job.kind, "rng": job.rng.pointer}
                how |= {"seeded": like.seeded, "seed_type": like.seed_type} if like is not None else {}
            status = call(self._device, request(f"rs_{kind}_request_t", **how), lib.RS_DEVICE_RUN)
            self.check(status, detail(status))

    def _encrypt(self, job: Encryption, *frames: tuple[CData, CData]) -> None:
        """frames: plaintext and ciphertext of each."""
        items = [{"plaintext": plaintext, "ciphertext": ciphertext} for plaintext, ciphertext in frames]
        self._call(job, OPS[job.kind], int(frames[0][0].limb_count), items)

    def _decrypt(self, job: Decryption, plaintext: CData, ciphertext: CData, limbs: int) -> None:
        self._call(job, "decrypt", limbs, [{"plaintext": plaintext, "ciphertext": ciphertext, "limb_count": limbs}])

    def _fixed(self, job: Job, slots: Sequence[Slots], ciphertexts: Sequence[CData]) -> None:
        """Frames of one program that encodes or decodes."""
        one, encrypts = slots[0], isinstance(job, Encryption)
        numbers = layout_of(one.values, one.exponent, one.bound)
        layout = ffi.new("rs_layout_t *", {"format": numbers.format + 1, "is_complex": numbers.is_complex})
        layout.exponent, layout.bound = numbers.exponent, numbers.bound
        shared = {"layout": layout, "count": numbers.count, "limb_count": one.limbs} | (
            {"scale": one.scale} if encrypts else {}
        )
        items = [
            shared
            | {"values": ffi.from_buffer(memory_of(each.values) if encrypts else each.values), "ciphertext": ciphertext}
            for each, ciphertext in zip(slots, ciphertexts, strict=True)
        ]

        def detail(status: int) -> str:
            if encrypts:
                return encode_detail(job.context, status, one.values.size, one.bound, one.scale, one.limbs)
            return f"slots must stay below 2^{one.bound}" if status == lib.RS_ERR_VALUE_RANGE else ""

        op = f"encode-{OPS[job.kind]}" if isinstance(job, Encryption) else "decrypt-decode"
        self._call(job, op, one.limbs, items, one.fixed, detail)

    def _encode_encrypt(self, job: Encryption, messages: Rows) -> None:
        """The processor encodes. Where the core has the streaming unit it takes several frames at a time with a public key."""
        rows, context = messages.values, job.context
        most = int(lib.RS_FRAMES_MAX) if isinstance(job.key, PublicHandle) and self.streams else 1
        memory, _ = secret_doubles(max(1, min(most, len(rows))) * context.n)
        for first in range(0, len(rows), most):
            count = min(most, len(rows) - first)
            plaintexts = [ffi.new("rs_plaintext_t *", {"message": memory + i * context.n}) for i in range(count)]
            for index, plaintext in enumerate(plaintexts, first):
                with _naming(index):
                    encode(context, plaintext, rows[index], messages.scale, job.limbs)
                    if most == 1:
                        self._encrypt(job, (plaintext, job.ciphertexts[index]))
            if most > 1:
                with _naming(first):
                    self._encrypt(job, *zip(plaintexts, job.ciphertexts[first : first + count], strict=True))

    def _decrypt_decode(self, job: Decryption, messages: Rows) -> None:
        """Several at a time where the core has the streaming unit, and so the memory for them."""
        most = int(lib.RS_FRAMES_MAX) if self.streams else 1
        first = 0
        while first < len(job.limbs):
            count = 1
            while count < most and first + count < len(job.limbs) and job.limbs[first + count] == job.limbs[first]:
                count += 1
            self._decrypt_some(job, messages, first, count)
            first += count

    def _decrypt_some(self, job: Decryption, messages: Rows, first: int, count: int) -> None:
        """These frames, of as many limbs each."""
        context, limbs, ciphertexts = job.context, job.limbs[first], job.ciphertexts[first : first + count]
        memory, _ = secret_words(count * limbs * context.n)
        plaintexts = [ffi.new("rs_plaintext_t *", {"ntt": memory + i * limbs * context.n}) for i in range(count)]
        alike = count > 1
        if alike:
            try:
                self.decrypt_alike(context, job.key, ciphertexts, limbs, plaintexts)
            except RingsideError as error:
                if error.code not in OF_FRAMES:
                    raise
                alike = False  # one by one they show which frame it is
        for index, plaintext in enumerate(plaintexts if not alike else (), first):
            with _naming(index):
                self._decrypt(job, plaintext, job.ciphertexts[index], limbs)
        for index, plaintext in enumerate(plaintexts, first):
            with _naming(index):
                decode(context, plaintext, messages.values[index])

    def decrypt_alike(
        self,
        context: ContextHandle,
        key: SecretHandle,
        ciphertexts: Sequence[CData],
        limbs: int,
        plaintexts: Sequence[CData],
    ) -> None:
        """Decrypts each, as many in a program as the core takes."""
        job = Decryption(context, key, Plaintexts(plaintexts), ciphertexts, [limbs] * len(ciphertexts))
        pairs = zip(plaintexts, ciphertexts, strict=True)
        self._call(
            job,
            "decrypt",
            limbs,
            [{"plaintext": one, "ciphertext": other, "limb_count": limbs} for one, other in pairs],
        )

    def transform(self, context: ContextHandle, limb: int, words: CData, *, inverse: bool) -> None:
        """rs_plan_forward or rs_plan_inverse of N words, in place."""
        with self._turn(context, "intt" if inverse else "ntt", 1):
            self.check(lib.rs_device_transform(self._device, limb, int(inverse), words))


# Errors that a frame's own values, ciphertext or form can cause. All others are the device's, the key's or the machine's.
OF_FRAMES = frozenset(
    "RS_ERR_" + name
    for name in [
        "LEVEL",
        "SCALE",
        "VALUE_COUNT",
        "NOT_FINITE",
        "OVERFLOW",
        "VALUE_RANGE",
        "WORD_BITS",
        "LAYOUT",
        "RESIDUE",
        "NOT_NTT",
        "MISMATCH",
        "FORM",
        "SEEDED",
        "POLY_COUNT",
        "DEVICE_RESIDUE",
    ]
)


@contextmanager
def _naming(index: int) -> Iterator[None]:
    """The error gets the frame's index in front, if a frame can be why."""
    try:
        yield
    except RingsideError as error:
        if error.code not in OF_FRAMES:
            raise
        raise of_frame(index, error) from error


def fits(design: CData, params: CData, name: str) -> None:
    """DeviceError unless a design (rs_design_t) can compute with these parameters (rs_params_t)."""
    status = lib.rs_design_fits(design, params)
    if status != 0:
        sizes = ", ".join(str(int(q).bit_length()) for q in params.moduli[0 : params.limb_count])
        raise error_of(
            status,
            f"{name} has N = {1 << design.log_n_min} to {1 << design.log_n_max} and {design.word_bits}-bit words; "
            f"the parameters have N = {1 << params.log_n} and moduli of {sizes} bits",
        )
