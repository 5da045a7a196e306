# SPDX-License-Identifier: Apache-2.0
"""The context: encrypt and decrypt on an executor. Encoding is in encoder.py, the making of keys in key_maker.py."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..arguments import checks_arguments
from ..errors import ArgumentError, RingsideError, frames_from, of_frame
from ..executors.accelerator import Accelerator, Counting
from ..executors.cpu import CPU
from ..executors.interface import Decryption, Encryption, Executor, SlotExecutor, Slots
from ..executors.names import open_device
from ..native.batch import usable_threads
from ..native.encoding import power_text, publish_round
from ..native.library import CData, fail, lib
from ..native.rng import Randomness
from ..progress import Progress
from .arrays import row
from .ciphertext import Ciphertext
from .encoder import Encoder, publishing
from .fixed_encoder import DECODED_LIMBS, DEFAULT_BITS, slot_type
from .key_maker import KeyMaker
from .keys import PublicKey, SecretKey
from .noise import limbs_for, refuse_imaginary, refuse_noise
from .params import Parameters
from .plaintext import Plaintext

# Contexts on the processor that are in use, and the last one that was made for something unpickled: a worker that takes one
# ciphertext after the other keeps its tables in between.
_shared: weakref.WeakValueDictionary[Parameters, Context] = weakref.WeakValueDictionary()
_shared_lock = threading.Lock()
_newest: Context | None = None


@checks_arguments
class Context(Encoder, KeyMaker):
    """Everything precomputed from a parameter set. Immutable: threads may share it.

    device: where encryption and decryption run: "cpu:", "sim:DESIGN" for a hardware design in simulation, or "soc:DESIGN" for a simulated
    RISC-V processor with that design, which encodes and decodes batches too. Cores with `encode` do that themselves in encrypt_fixed and decrypt_fixed
    (ringside.executors.names; DeviceError if there is none, or if it cannot compute with the parameters). Everything else runs on
    the processor.

    insecure_deterministic_seed= of its methods, 64 bytes: for tests, the same objects again. Each object has a sub-seed of its own, made
    of the operation, of insecure_deterministic_index=, and of the parameters, keys and message that go into it (ringside.native.rng).
    """

    _checks_itself = True  # its message knows what users pass instead

    def __init__(self, params: Parameters, *, device: str = CPU.name) -> None:
        if not isinstance(params, Parameters):
            how = (
                f"Parameters.named({params!r})"
                if isinstance(params, str)
                else "Parameters.named or Parameters.from_bits"
            )
            message = f"A context is made from Parameters, not from {type(params).__name__}."
            raise ArgumentError("ARGUMENT", message, f"Use {how}.")
        super().__init__(params)
        self._device = device
        self._executor: Executor = open_device(device, params._native)
        weakref.finalize(self, self._executor.close)
        if device == CPU.name:
            with _shared_lock:
                _shared.setdefault(params, self)

    @classmethod
    def shared(cls, params: Parameters) -> Context:
        """A context of these parameters on the processor: one that this process has already, else a new one.

        What is unpickled gets its context here: a thousand ciphertexts share one set of tables.
        """
        global _newest
        with _shared_lock:
            found = _shared.get(params)
        if found is None:
            found = _newest = cls(params)
        return found

    def on(self, executor: Executor) -> Context:
        """Another context with the same tables, which encrypts and decrypts on an executor that the caller has opened, and closes.

        This one stays as it is. ringside.executors.names opens executors; ringside.executors.interface says what one is.
        """
        if not isinstance(getattr(executor, "name", None), str):
            message = f"A {type(executor).__name__} is no executor."
            raise ArgumentError("ARGUMENT", message, "ringside.executors.names.open_device opens one.")
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._device, other._executor = executor.name, executor
        return other

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as parameters and the device's name: a worker process makes its own tables, once."""
        if self.device == CPU.name:
            return Context.shared, (self.params,)
        return _on_device, (self.params, self.device)

    def __copy__(self) -> Context:
        return self  # immutable

    def __deepcopy__(self, memo: object) -> Context:
        return self

    @property
    def device(self) -> str:
        """Where encryption and decryption run, by name."""
        return self._device

    @property
    def accelerator(self) -> Accelerator | None:
        """The core that encrypts and decrypts; None: there is none, or it is behind another processor (`soc:`)."""
        return self._executor if isinstance(self._executor, Accelerator) else None

    @property
    def counting(self) -> Counting | None:
        """The device that counts its cycles; None on the processor."""
        return self._executor if isinstance(self._executor, Counting) else None

    # ---- encrypt and decrypt -------------------------------------------------------------------
    def encrypt(
        self,
        values: ArrayLike | Plaintext,
        key: SecretKey | PublicKey,
        *,
        scale: float | None = None,
        level: int | None = None,
        special_prime: bool = True,
        seeded: bool | None = None,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
        insecure_deterministic_index: int = 0,
    ) -> Ciphertext:
        """Encrypts values (see encode) or a plaintext at its own scale and level.

        SecretKey: smallest noise, and half the size unless seeded is False; seed_type "shake256"
        or "blake2xb", both are SEAL's. PublicKey: special_prime False leaves out the rounding by
        the next prime of the chain (faster, about 4 bits more noise).
        InputError as for encode; MismatchError for a plaintext or key of other parameters, or a
        scale or level that is not the plaintext's.
        """
        self._check_key(key, seeded)
        randomness = Randomness(insecure_deterministic_seed, insecure_deterministic_index)
        if not isinstance(values, Plaintext):
            with self.encode(values, scale=scale, level=level) as plaintext:
                return self._encrypt(plaintext, key, special_prime, seeded, seed_type, randomness)
        plaintext = self._as_own(values)
        if level is not None and level != plaintext.level:
            fail(lib.RS_ERR_MISMATCH, f"the plaintext is at level {plaintext.level}, not {level}")
        if scale is not None and self._scale(scale) != plaintext.scale:
            is_at = f"the plaintext has scale {power_text(plaintext.scale)}"
            fail(lib.RS_ERR_MISMATCH, f"{is_at}, not {power_text(scale)}")
        return self._encrypt(plaintext, key, special_prime, seeded, seed_type, randomness)

    def _encrypt(
        self,
        plaintext: Plaintext,
        key: SecretKey | PublicKey,
        special_prime: bool,
        seeded: bool | None,
        seed_type: str,
        randomness: Randomness,
    ) -> Ciphertext:
        ciphertext = self._new_ciphertext(plaintext.level + 1, key, seeded, seed_type)
        kind = _kind_of(key, special_prime)
        digests = [plaintext._digest()] if randomness.is_deterministic else []
        rng = randomness.of_ciphertexts(kind, seed_type, key._handle, self._key_words, digests)
        self._executor.encrypt(self._handle, key._handle, plaintext._native, kind, ciphertext._native, rng)
        return ciphertext

    def _new_ciphertext(
        self, limbs: int, key: SecretKey | PublicKey, seeded: bool | None, seed_type: str
    ) -> Ciphertext:
        """Room for an encryption under the key."""
        return Ciphertext._new(self, limbs, isinstance(key, SecretKey) and seeded is not False, seed_type)

    # ---- in fixed point: encode and encrypt in one, decrypt and decode in one -----------------------
    @property
    def fixed_bits(self) -> int:
        """Of the words in which the device encodes and decodes; 0: it does not, the processor does."""
        return self._executor.fixed_bits if isinstance(self._executor, SlotExecutor) else 0

    def _on_device(self, slots: Slots) -> SlotExecutor | None:
        """Devices take integers, one at least, and have words of one width."""
        device = self._executor
        if not isinstance(device, SlotExecutor) or not device.fixed_bits:
            return None
        is_fit = slots.values.dtype.kind in "iu" and slots.values.size > 0
        return device if is_fit and slots.fixed is self._fixed[device.fixed_bits] else None

    def encrypt_fixed(
        self,
        values: ArrayLike,
        key: SecretKey | PublicKey,
        *,
        word_bits: int | None = None,
        exponent: int = 0,
        bound: int | None = None,
        scale: float | None = None,
        level: int | None = None,
        special_prime: bool = True,
        seeded: bool | None = None,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
        insecure_deterministic_index: int = 0,
    ) -> Ciphertext:
        """encode_fixed and encrypt in one. A device that encodes (fixed_bits) does both, if values are integers and word_bits are its own:
        slots go in, a ciphertext comes out. The result is the same in any case, bit for bit.

        word_bits: default the device's, 54 where there is none. All else as for encode_fixed and encrypt.
        DeviceError also where the device has too few groups for the kind of encryption, or a coefficient can be above a modulus.
        """
        self._check_key(key, seeded)
        slots = self._slots_of(values, word_bits or self.fixed_bits or DEFAULT_BITS, exponent, bound, scale, level)
        randomness = Randomness(insecure_deterministic_seed, insecure_deterministic_index)
        device = self._on_device(slots)
        if device is None:
            with self._encode_slots(slots) as plaintext:
                return self._encrypt(plaintext, key, special_prime, seeded, seed_type, randomness)
        digests = []
        if randomness.is_deterministic:
            with self._encode_slots(slots) as plaintext:
                digests.append(plaintext._digest())
        kind = _kind_of(key, special_prime)
        rng = randomness.of_ciphertexts(kind, seed_type, key._handle, self._key_words, digests)
        ciphertext = self._new_ciphertext(slots.limbs, key, seeded, seed_type)
        device.encode_encrypt(self._handle, key._handle, slots, kind, ciphertext._native, rng)
        return ciphertext

    def encrypt_fixed_batch(
        self,
        frames: Sequence[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        word_bits: int | None = None,
        exponent: int = 0,
        bound: int | None = None,
        scale: float | None = None,
        level: int | None = None,
        special_prime: bool = True,
        seeded: bool | None = None,
        seed_type: str = "shake256",
        threads: int | None = None,
        insecure_deterministic_seed: bytes | None = None,
        insecure_deterministic_index: int = 0,
    ) -> list[Ciphertext]:
        """encrypt_fixed of each frame, in one go: a device `sim:DESIGN` that encodes overlaps up to eight frames of one size and type in one program.

        frames: rows of a 2-D array, or a sequence of arrays. All else as for encrypt_fixed, and the same for all. From a deterministic seed frame k is
        what encrypt_fixed gives for it with the index k more. If a frame cannot be encoded no ciphertext is returned.
        threads: on how many devices `soc:DESIGN` side by side, each with its part of the batch; default: as many as there are processors.
        """
        self._check_key(key, seeded)
        bits = word_bits or self.fixed_bits or DEFAULT_BITS
        slots = [self._slots_of(frame, bits, exponent, bound, scale, level) for frame in frames]
        if not slots:
            return []
        randomness = Randomness(insecure_deterministic_seed, insecure_deterministic_index)
        device = self._on_device_alike(slots)
        plaintexts = [self._encode_slots(one) for one in slots] if device is None or randomness.is_deterministic else []
        try:
            digests = [plaintext._digest() for plaintext in plaintexts] if randomness.is_deterministic else []
            kind = _kind_of(key, special_prime)
            rng = randomness.of_ciphertexts(kind, seed_type, key._handle, self._key_words, digests)
            ciphertexts = [self._new_ciphertext(one.limbs, key, seeded, seed_type) for one in slots]
            results = [ciphertext._native for ciphertext in ciphertexts]
            if device is not None:
                device.encode_encrypt_frames(self._handle, key._handle, slots, kind, results, rng, threads)
            else:
                for plaintext, result in zip(plaintexts, results, strict=True):
                    self._executor.encrypt(self._handle, key._handle, plaintext._native, kind, result, rng)
            return ciphertexts
        finally:
            for plaintext in plaintexts:
                plaintext.close()

    def _on_device_alike(self, slots: Sequence[Slots]) -> SlotExecutor | None:
        """_on_device, for frames of one size and type."""
        first = slots[0].values
        is_alike = all(one.values.dtype == first.dtype and one.values.size == first.size for one in slots)
        return self._on_device(slots[0]) if is_alike and len({one.bound for one in slots}) == 1 else None

    def _decoder(
        self,
        ciphertexts: Sequence[Ciphertext],
        count: int | None,
        bits: int,
        exponent: int,
        bound: int,
        dtype: DTypeLike,
        limbs: int,
    ) -> tuple[SlotExecutor, list[Slots]] | None:
        """The device, if it decodes all of them itself, and room for their slots. limbs: of each."""
        size, wanted = self._decode_count(count), slot_type(dtype)
        if not ciphertexts or wanted.kind not in "iu":
            return None
        slots = [Slots(self._fixed[bits], np.zeros(size, wanted), exponent, bound, limbs=limbs) for _ in ciphertexts]
        device = self._on_device(slots[0])
        return None if device is None else (device, slots)

    def _limbs_to_decode(self, ciphertext: Ciphertext, limbs: int | None, max_abs: float | None) -> int:
        """Of decrypt_fixed: one, unless more are asked for or needed."""
        wanted = 1 if limbs is None and max_abs is None else limbs_for(self, ciphertext, limbs, max_abs)
        if wanted > DECODED_LIMBS:
            why = "asked for" if max_abs is None else f"needed for values up to {max_abs:.4g}"
            hint = "Have the server rescale the result, or use decrypt and decode."
            fail(lib.RS_ERR_LEVEL, f"one limb or two are decoded in fixed point, {wanted} are {why}", hint)
        return wanted

    def decrypt_fixed_batch(
        self,
        ciphertexts: Sequence[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        word_bits: int | None = None,
        exponent: int = 0,
        bound: int = 1,
        dtype: DTypeLike = np.float64,
        limbs: int | None = None,
        max_abs: float | None = None,
        threads: int | None = None,
    ) -> list[NDArray[Any]]:
        """decrypt_fixed of each, in one go: a device `sim:DESIGN` that decodes overlaps up to eight of one level and scale in one program.

        threads: as for encrypt_fixed_batch.
        """
        for ciphertext in ciphertexts:
            self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        bits = word_bits or self.fixed_bits or DEFAULT_BITS
        each = [self._limbs_to_decode(one, limbs, max_abs) for one in ciphertexts]
        alike = len(set(each)) == 1
        decoder = self._decoder(ciphertexts, count, bits, exponent, bound, dtype, each[0]) if alike else None
        if decoder is not None:
            device, slots = decoder
            natives = [ciphertext._native for ciphertext in ciphertexts]
            device.decrypt_decode_frames(self._handle, secret_key._handle, natives, slots, threads)
            return [one.values for one in slots]
        meaning: dict[str, Any] = {"word_bits": bits, "exponent": exponent, "bound": bound, "dtype": dtype}
        return [
            self.decrypt_fixed(one, secret_key, count, limbs=some, **meaning)
            for one, some in zip(ciphertexts, each, strict=True)
        ]

    def decrypt_fixed(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        count: int | None = None,
        *,
        word_bits: int | None = None,
        exponent: int = 0,
        bound: int = 1,
        dtype: DTypeLike = np.float64,
        limbs: int | None = None,
        max_abs: float | None = None,
    ) -> NDArray[Any]:
        """decrypt of the first limb, or of the first two, and decode_fixed. A device that decodes (fixed_bits) does both, if dtype is an integer and
        word_bits are its own. The result is the same in any case.

        word_bits: default the device's, 54 where there is none. limbs: 1, the default, or 2, where results do not fit the first modulus; bound is
        then one more than they need. max_abs: as few as hold values up to this, as for decrypt. All else as for decode_fixed.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        bits = word_bits or self.fixed_bits or DEFAULT_BITS
        some = self._limbs_to_decode(ciphertext, limbs, max_abs)
        decoder = self._decoder([ciphertext], count, bits, exponent, bound, dtype, some)
        if decoder is not None:
            device, (slots,) = decoder
            device.decrypt_decode(self._handle, secret_key._handle, ciphertext._native, slots)
            return slots.values
        with self._decrypt(ciphertext, secret_key, some) as plaintext:
            return self.decode_fixed(plaintext, count, word_bits=bits, exponent=exponent, bound=bound, dtype=dtype)

    def encrypt_batch(
        self,
        frames: Iterable[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        scale: float | None = None,
        level: int | None = None,
        special_prime: bool = True,
        seeded: bool | None = None,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
        insecure_deterministic_index: int = 0,
    ) -> list[Ciphertext]:
        """One ciphertext per frame, computed side by side on several threads.

        frames: rows of a 2-D array [frame, value], or any sequence of arrays, each as for encode: up to N/2 real or complex
        values of any shape. None is copied that is float64 or complex128 and contiguous.
        threads: default as many as the process may use; the result does not depend on it. Threads end with the call. An
        accelerator takes one frame after the other; one with the streaming unit takes sixteen at a time, with a public key.
        progress(done, total) is called after each frame of an accelerator, else after some; the batch is computed in such parts then.
        All else as for encrypt, and the same for all frames. Seeds are drawn in the order of the frames. From a deterministic seed
        frame k is what encrypt gives for it with the index k more.
        InputError for the first frame that cannot be encoded, with its index ("Frame 3: …"); no ciphertext is returned then.
        """
        self._check_key(key, seeded)
        arrays = [row(index, frame) for index, frame in enumerate(frames)]
        scale = self._scale(scale)
        limbs = self.params.limbs_at(level)
        randomness = Randomness(insecure_deterministic_seed, insecure_deterministic_index)
        ciphertexts = [self._new_ciphertext(limbs, key, seeded, seed_type) for _ in arrays]
        results = [ciphertext._native for ciphertext in ciphertexts]
        kind = _kind_of(key, special_prime)
        digests = self._digests(arrays, scale, level) if randomness.is_deterministic else []
        rng = randomness.of_ciphertexts(kind, seed_type, key._handle, self._key_words, digests)

        def compute(part: slice) -> None:
            job = Encryption(arrays[part], scale, limbs, kind, results[part])
            self._executor.encrypt_frames(self._handle, key._handle, job, rng, threads)

        self._in_parts(len(arrays), threads, progress, compute)
        return ciphertexts

    def _in_parts(
        self, count: int, threads: int | None, progress: Progress | None, compute: Callable[[slice], None]
    ) -> None:
        """Everything in one go, or part after part where somebody wants to know how far it is."""
        most = count
        if progress is not None:
            alone = self.accelerator is not None and not self.accelerator.streams
            most = 1 if alone else max(int(lib.RS_FRAMES_MAX), 2 * (threads or usable_threads()))
        for first in range(0, max(1, count), max(1, most)):
            part = slice(first, min(first + most, count))
            with frames_from(first):
                compute(part)
            if progress is not None:
                progress(part.stop, count)

    @property
    def _key_words(self) -> tuple[int, int]:
        return self.n, self.params.limb_count

    def _digests(self, arrays: Sequence[NDArray[Any]], scale: float, level: int | None) -> list[bytes]:
        """Of the plaintexts that an executor makes of these frames: they are encoded twice, in tests."""
        digests = []
        for index, array in enumerate(arrays):
            try:
                with self.encode(array, scale=scale, level=level) as plaintext:
                    digests.append(plaintext._digest())
            except RingsideError as error:
                raise of_frame(index, error) from error
        return digests

    def decrypt(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        *,
        limbs: int | None = None,
        max_abs: float | None = None,
    ) -> Plaintext:
        """Decrypts to a plaintext in NTT form.

        limbs: use only this many limbs, the first ones; max_abs: use as few limbs as can hold values up to this
        magnitude with noise below one unit of the scale. Both are exact for such values and
        faster; without either all limbs are used.
        MismatchError: other parameters. InputError: limbs out of range, max_abs does not fit.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        return self._decrypt(ciphertext, secret_key, limbs_for(self, ciphertext, limbs, max_abs))

    def _decrypt(self, ciphertext: Ciphertext, secret_key: SecretKey, limbs: int) -> Plaintext:
        plaintext = Plaintext._new_ntt(self, limbs)
        self._executor.decrypt(self._handle, secret_key._handle, ciphertext._native, limbs, plaintext._native)
        return plaintext

    def decrypt_values(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        count: int | None = None,
        *,
        real: bool | None = None,
        limbs: int | None = None,
        max_abs: float | None = None,
        publish_bits: int | None = None,
        flood_bits: int | None = None,
    ) -> NDArray[Any]:
        """decrypt and decode in one, without a copy of the plaintext in between.

        publish_bits, flood_bits: for values that others will see, as for decode.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        publish = publishing(publish_bits, flood_bits)
        limbs = limbs_for(self, ciphertext, limbs, max_abs, flood_bits)
        with self._decrypt(ciphertext, secret_key, limbs) as plaintext:
            return self._decode_in_place(plaintext, count, real, publish)

    def decrypt_batch(
        self,
        ciphertexts: Iterable[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        real: bool | None = None,
        limbs: int | None = None,
        max_abs: float | None = None,
        publish_bits: int | None = None,
        flood_bits: int | None = None,
    ) -> NDArray[Any]:
        """decrypt_values of many ciphertexts, computed side by side on several threads: an array [ciphertext, value].

        count: values of each, default all N/2 slots. real: as for decode. limbs, max_abs: as for decrypt, for each
        ciphertext. threads: default as many as the process may use; the result does not depend on it. An accelerator takes
        one ciphertext after the other; one with the streaming unit takes sixteen at a time that are alike and have no seed.
        progress: as for encrypt_batch. publish_bits, flood_bits: as for decode; with flood_bits one ciphertext is computed after the other.
        Errors are those of decrypt and decode, for the first ciphertext that has one, with its index ("Frame 3: …").
        """
        ciphertexts = list(ciphertexts)
        self._same(secret_key, SecretKey)
        count = self._decode_count(count)
        publish = publishing(publish_bits, flood_bits)
        used = []
        for index, ciphertext in enumerate(ciphertexts):
            try:
                self._same(ciphertext, Ciphertext)
                used.append(limbs_for(self, ciphertext, limbs, max_abs, flood_bits))
            except RingsideError as error:
                raise of_frame(index, error) from error
        if publish is not None and publish.flood_bits:
            return self._decrypt_flooded(ciphertexts, secret_key, used, count, real, publish, progress)
        slots = np.empty((len(ciphertexts), self.slots), dtype=np.complex128)
        natives = [ciphertext._native for ciphertext in ciphertexts]

        def compute(part: slice) -> None:
            job = Decryption(natives[part], used[part], slots[part])
            self._executor.decrypt_frames(self._handle, secret_key._handle, job, threads)

        self._in_parts(len(natives), threads, progress, compute)
        for index, ciphertext in enumerate(ciphertexts):
            try:
                refuse_noise(self.params, slots[index], ciphertext.scale, used[index] - 1)
                if real is None:
                    refuse_imaginary(self, slots[index, :count], ciphertext.scale)
            except RingsideError as error:
                raise of_frame(index, error) from error
        if publish is not None:
            publish_round(slots, publish)  # in place: no exact value stays in memory
        return (slots if real is False else slots.real)[:, :count].copy()

    def _decrypt_flooded(
        self,
        ciphertexts: Sequence[Ciphertext],
        secret_key: SecretKey,
        limbs: Sequence[int],
        count: int,
        real: bool | None,
        publish: CData,
        progress: Progress | None,
    ) -> NDArray[Any]:
        rows = np.empty((len(ciphertexts), count), dtype=np.complex128 if real is False else np.float64)
        for index, ciphertext in enumerate(ciphertexts):
            try:
                with self._decrypt(ciphertext, secret_key, limbs[index]) as plaintext:
                    rows[index] = self._decode_in_place(plaintext, count, real, publish)
            except RingsideError as error:
                raise of_frame(index, error) from error
            if progress is not None:
                progress(index + 1, len(ciphertexts))
        return rows

    # ---- checks --------------------------------------------------------------------------------
    def _check_key(self, key: Any, seeded: bool | None) -> None:
        if isinstance(key, PublicKey) and seeded:
            fail(lib.RS_ERR_SEEDED, "public-key ciphertexts have no seed", "Leave out `seeded`.")
        self._same(key, SecretKey, PublicKey)

    def __repr__(self) -> str:
        return f"Context({self.params!r}, device={self.device!r})"


def _on_device(params: Parameters, device: str) -> Context:
    return Context(params, device=device)


def _kind_of(key: SecretKey | PublicKey, special_prime: bool) -> int:
    """rs_encryption_t."""
    if isinstance(key, SecretKey):
        return int(lib.RS_ENCRYPT_SK)
    return int(lib.RS_ENCRYPT_PK if special_prime else lib.RS_ENCRYPT_PK_DIRECT)
