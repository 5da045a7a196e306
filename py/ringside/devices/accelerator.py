# SPDX-License-Identifier: Apache-2.0
"""An accelerator core (docs/core.md) behind the library's driver: what a Context with a device computes on."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from ..designs.units import UNITS
from ..errors import DeviceError, RingsideError, of_frame
from ..native.batch import Items
from ..native.encoding import decode, encode, encode_error, memory_of
from ..native.fixed import FixedHandle, encode_detail, layout_of
from ..native.handles import ContextHandle, PublicHandle, SecretHandle
from ..native.library import CData, check, error_of, ffi, lib, request, secret_doubles, secret_words, workspace
from ..operations import SWITCH_KEY
from .calls import (
    Call,
    Decryption,
    DeviceSet,
    Encryption,
    FixedRows,
    Plaintexts,
    Program,
    Rows,
    SchemeCall,
    Slots,
    SwitchRow,
    Transform,
    is_exact,
)
from .device import AnyDevice, Counting, Run, cannot, is_of_device, is_refusal

OPS = {lib.RS_ENCRYPT_SK: "encrypt-sk", lib.RS_ENCRYPT_PK: "encrypt-pk", lib.RS_ENCRYPT_PK_DIRECT: "encrypt-pk-direct"}


CoreItems = Sequence[Mapping[str, Any]]  # rs_encrypt_item_t or rs_decrypt_item_t


class Accelerator(Counting):
    """A core with the tables and keys of one context, or of a parameter set of a scheme, in its memory. Threads take turns."""

    def __init__(self, name: str, bus: CData) -> None:
        """bus: rs_bus_t. DeviceError: no core answers, or one of another version."""
        super().__init__(name)
        self._bus = bus
        self._memory: CData = ffi.new("uint64_t[]", lib.RS_DEVICE_BYTES_MAX // 8)  # the device's
        opened = ffi.new("rs_device_t **")
        self._lock = threading.RLock()
        self._context: ContextHandle | None = None  # the library keeps a pointer to it
        self._scheme: DeviceSet | None = None  # at most one of both
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
            self._holds()
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

    def begin(self) -> None:
        """A call begins."""

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
            self._holds()
            self.check(status)

    def _holds(self, context: ContextHandle | None = None, scheme: DeviceSet | None = None) -> None:
        """This, and no keys."""
        self._context, self._scheme = context, scheme
        self._public = self._secret = self._roots = None

    def load_context(self, context: ContextHandle) -> None:
        """Constants and twiddles. Forgets the keys, if it is another context than before."""
        if self._context is not context:
            # if it is refused, the device keeps what it has
            self._load(context=context.pointer)
            self._holds(context)

    def prepare(self, scheme: DeviceSet) -> None:
        """Constants and programs. Forgets a sealed key, if it is another set than before."""
        with self._lock:
            if self._scheme == scheme:
                return
            self._context = self._scheme = None  # a secret key of CKKS stays known, if the set is refused
            ours = scheme.number if scheme.newhope is None else scheme.newhope
            status = getattr(lib, f"rs_device_{scheme.name}_prepare")(self._device, ours)
            if is_refusal(status):
                raise cannot(self.name)
            self.check(status)
            self._holds(scheme=scheme)

    def _load(self, **members: CData) -> None:
        self.check(lib.rs_device_load(self._device, request("rs_device_load_request_t", **members)))

    @property
    def fixed_bits(self) -> int:
        return int(self.design.word_bits) if self.design.features & lib.RS_FEATURE_ENCODE else 0

    @property
    def is_sealed(self) -> bool:
        wanted = lib.RS_FEATURE_FIELDS | lib.RS_FEATURE_SEALED
        return bool(self.design.features & wanted == wanted)

    @property
    def streams(self) -> bool:
        """Whether the core has the streaming unit."""
        return bool(self.design.features & lib.RS_FEATURE_PIPE)

    @property
    def memory(self) -> tuple[CData, int, int]:
        """What nothing that is loaded takes of its memory: a pointer, the core's address of it, and bytes."""
        room, address = ffi.new("size_t *"), ffi.new("uint64_t *")
        memory = lib.rs_device_memory(self._device, room, address)
        return memory, int(address[0]), int(room[0])

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
    def _turn(self, op: str, n: int, limbs: int) -> Iterator[None]:
        """A thread's turn. A Run at the end."""
        try:
            with self._lock:
                if self._unwiped:
                    self._wipe_secret()
                self.begin()
                yield
                self.count(self.report(op, n, limbs))
        finally:
            self._sweep()

    # ---- calls
    @property
    def _most(self) -> int:
        """Frames whose messages it has room for at a time."""
        return int(lib.RS_FRAMES_MAX) if self.streams else 1

    @property
    def _most_slots(self) -> int:
        """Frames of slots that a program can have: more where they stream."""
        return max(int(lib.RS_FRAMES_ENCODE), self._most)

    def _together(self, call: Encryption) -> int:
        """Frames that may share a program: those of the streaming unit."""
        return self._most if isinstance(call.key, PublicHandle) else 1

    def frames_at_once(self, call: Encryption | Decryption) -> int:
        return self._most_slots if isinstance(call.messages, FixedRows) else self._most

    def refusal(self, call: Call) -> tuple[str, str] | None:
        return None if isinstance(call, Program) else super().refusal(call)

    def compute(self, call: Call) -> None:
        """Frames that a program can share go together, others one after the other, whatever call.threads says."""
        match call:
            case Transform():
                with self._turn("intt" if call.inverse else "ntt", call.context.n, 1):
                    self.load_context(call.context)
                    self.check(lib.rs_device_transform(self._device, call.limb, int(call.inverse), call.words))
            case SwitchRow():
                self._key_row(call)
            case Program():
                self._program(call)
            case SchemeCall():
                self._of_scheme(call)
            case Encryption(messages=Plaintexts(natives)):
                pairs, most = list(zip(natives, call.ciphertexts, strict=True)), self._together(call)
                for first in range(0, len(pairs), most):
                    self._encrypt(call, *pairs[first : first + most])
            case Decryption(messages=Plaintexts(natives)):
                for part in self._alike(call.limbs):
                    self._decrypt(call[part], natives[part])
            case Encryption(messages=Rows()) | Decryption(messages=Rows()) if is_exact(call):
                self._integers(call)
            case Encryption(messages=Rows() as rows):
                self._encode_encrypt(call, rows)
            case Decryption(messages=Rows() as rows):
                for part in self._alike(call.limbs):
                    self._decrypt_decode(call[part], rows[part], part.start)
            case Encryption(messages=FixedRows(slots)) | Decryption(messages=FixedRows(slots)):
                for first in range(0, len(slots), self._most_slots):
                    part = slice(first, first + self._most_slots)
                    self._fixed(call, slots[part], call.ciphertexts[part])

    def _key_row(self, call: SwitchRow) -> None:
        with self._turn(SWITCH_KEY, call.context.n, call.context.limb_count), self._loaded(call, None):
            room = workspace(int(lib.rs_device_workspace(call.context.pointer)))
            how = {"key": call.row, "rng": call.rng.pointer, "workspace": room, **call.members}
            asked = request("rs_keygen_request_t", **how)
            self.check(lib.rs_device_keygen_switch(self._device, asked, lib.RS_DEVICE_RUN))

    def _program(self, call: Program) -> None:
        words, pointers = (ffi.new("uint64_t[]", list(numbers)) for numbers in (call.words, call.pointers))
        run = ffi.new("rs_run_t *", {"words": words, "length": len(words), "pointers": pointers, "log_n": call.log_n})
        run.pointer_count = len(pointers)
        with self._turn("program", 1 << call.log_n, 0):
            self.check(lib.rs_device_run(self._device, run))

    def _of_scheme(self, call: SchemeCall) -> None:
        with self._turn(call.name.replace("_", "-"), call.scheme.n, 1):
            self.prepare(call.scheme)
            asked = call.drawn().request()
            mode = () if call.function == "seal" else (lib.RS_DEVICE_RUN,)
            status = getattr(lib, f"rs_device_{call.name}")(self._device, asked, *mode)
            if call.sealed and status == lib.RS_ERR_DEVICE_NOT_LOADED:
                raise DeviceError("DEVICE", f"{self.name} has no sealed key.", "Put one into it with seal().")
            if is_of_device(status):
                self.check(status)
            check(status)

    @contextmanager
    def _loaded(self, call: Encryption | Decryption | SwitchRow, fixed: FixedHandle | None) -> Iterator[None]:
        """With its context and key in the core's memory."""
        key = call.key
        self.load_context(call.context)
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
        job: Encryption | Decryption,
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
        with self._turn(op, job.context.n, limbs), self._loaded(job, fixed):
            room = workspace(int(lib.rs_device_workspace(job.context.pointer)))
            how: dict[str, Any] = {"items": native, "count": len(native), "workspace": room}
            if isinstance(job, Encryption):
                like = items[0]["ciphertext"] if items and job.kind == lib.RS_ENCRYPT_SK else None
                how |= {"kind": job.kind, "rng": job.rng.pointer, "ntt": job.ntt}
                how |= {"seeded": like.seeded, "seed_type": like.seed_type} if like is not None else {}
            else:
                how["margin_bits"] = job.margin_bits
            status = call(self._device, request(f"rs_{kind}_request_t", **how), lib.RS_DEVICE_RUN)
            self.check(status, detail(status))

    def _encrypt(self, job: Encryption, *frames: tuple[CData, CData]) -> None:
        """frames: plaintext and ciphertext of each."""
        items = [{"plaintext": plaintext, "ciphertext": ciphertext} for plaintext, ciphertext in frames]
        self._call(job, OPS[job.kind], int(frames[0][0].limb_count), items)

    def _decrypt(self, job: Decryption, plaintexts: Sequence[CData]) -> None:
        """Ciphertexts that are decrypted from as many limbs each."""
        limbs, pairs = job.limbs[0], zip(plaintexts, job.ciphertexts, strict=True)
        items = [{"plaintext": one, "ciphertext": other, "limb_count": limbs} for one, other in pairs]
        self._call(job, "decrypt", limbs, items)

    def _fixed(self, job: Encryption | Decryption, slots: Sequence[Slots], ciphertexts: Sequence[CData]) -> None:
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
        most = self._together(job)
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

    def _integers(self, job: Encryption | Decryption) -> None:
        """Of BFV and BGV; the core's share is the ring. Those of one shape share a program if they can, and are told apart by an error one by one."""
        rows = job.messages
        assert isinstance(rows, Rows)
        count, encrypts = len(job.ciphertexts), isinstance(job, Encryption)
        op = OPS[job.kind] if isinstance(job, Encryption) else "decrypt"
        limbs = [job.limbs] * count if isinstance(job, Encryption) else job.limbs

        def run(part: range) -> None:
            items = Items("", [job.ciphertexts[index] for index in part])
            for place, index in enumerate(part):
                items.set_values(place, rows.values[index], limbs[index], packing=rows.packing)

            def detail(status: int) -> str:
                if encrypts and len(part) == 1 and status in (lib.RS_ERR_VALUE_COUNT, lib.RS_ERR_VALUE_RANGE):
                    raise encode_error(job.context, status, rows.values[part.start], 0.0, limbs[part.start])
                return ""

            self._call(job, op, limbs[part.start], items.members, detail=detail)

        if count > 1 and (not isinstance(job, Encryption) or self._together(job) > 1):
            try:
                run(range(count))
                return
            except RingsideError as error:
                if error.code not in OF_FRAMES:
                    raise
        for index in range(count):
            with _naming(index):
                run(range(index, index + 1))

    def _alike(self, limbs: Sequence[int]) -> Iterator[slice]:
        """Frames that go together: neighbours of as many limbs."""
        first = 0
        while first < len(limbs):
            end = first + 1
            while end - first < self._most and end < len(limbs) and limbs[end] == limbs[first]:
                end += 1
            yield slice(first, end)
            first = end

    def _decrypt_decode(self, job: Decryption, messages: Rows, first: int) -> None:
        """Frames of as many limbs each. first: its index."""
        context, limbs, count = job.context, job.limbs[0], len(job.limbs)
        memory, _ = secret_words(count * limbs * context.n)
        plaintexts = [ffi.new("rs_plaintext_t *", {"ntt": memory + i * limbs * context.n}) for i in range(count)]
        alike = count > 1
        if alike:
            try:
                self._decrypt(job, plaintexts)
            except RingsideError as error:
                if error.code not in OF_FRAMES:
                    raise
                alike = False  # one by one they show which frame it is
        for index, plaintext in enumerate(plaintexts if not alike else ()):
            with _naming(first + index):
                self._decrypt(job[index : index + 1], [plaintext])
        for index, plaintext in enumerate(plaintexts):
            with _naming(first + index):
                decode(context, plaintext, messages.values[index])


def core_of(device: AnyDevice) -> Accelerator | None:
    """The core, if the device is one, and not behind another processor."""
    return device if isinstance(device, Accelerator) else None


# Errors that a frame's own values, ciphertext or form can cause. All others are the device's, the key's or the machine's.
OF_FRAMES = frozenset(
    "RS_ERR_" + name
    for name in [
        "LEVEL", "SCALE", "VALUE_COUNT", "NOT_FINITE", "OVERFLOW", "VALUE_RANGE", "WORD_BITS", "LAYOUT", "RESIDUE",
        "NOT_NTT", "MISMATCH", "FORM", "SEEDED", "POLY_COUNT", "DEVICE_RESIDUE", "NOISE", "CORRECTION", "BATCHING",
    ]
)  # fmt: skip


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
