# SPDX-License-Identifier: Apache-2.0
"""The context: encode, encrypt, decrypt, decode, make keys."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, RingsideError, SecretKeyError
from ..executors.devices import open_device
from ..native.files import StrPath
from ..native.library import CData, Rng, aligned, check, error_of, fail, ffi, lib, words_of, workspace
from ..native.streams import DEFAULT_COMPRESSION, DEFAULT_VERSION, WireOptions
from . import precision
from .batch import decrypt_slots, encrypt_arrays, of_frame
from .ciphertext import Ciphertext
from .evaluation_keys import Progress, write_galois_keys, write_relin_keys
from .keys import PublicKey, SecretKey
from .params import Parameters
from .plaintext import Plaintext

# A decryption under the wrong key is uniform below the modulus Q: its coefficients have a
# root-mean-square of Q/sqrt(12) = 0.289 Q. Encoded values never come near it: encode refuses
# coefficients above Q/4.
_UNIFORM_RMS = 0.25

# Contexts on the processor that are in use, and the last one that was made for something unpickled: a worker that takes one
# ciphertext after the other keeps its tables in between.
_shared: weakref.WeakValueDictionary[Parameters, Context] = weakref.WeakValueDictionary()
_shared_lock = threading.Lock()
_newest: Context | None = None


class Context:
    """Everything precomputed from a parameter set. Immutable: threads may share it.

    device: where encryption and decryption run: "cpu:", or "sim:DESIGN" for a hardware design in simulation (ringside.executors.devices;
    DeviceError if there is none, or if it cannot compute with the parameters). Everything else runs on the processor.
    accelerator: that device, None for the processor.
    """

    def __init__(self, params: Parameters, *, device: str = "cpu:") -> None:
        self.device = device
        self.params = params
        native = params._native
        words = (lib.rs_context_size(native) + 7) // 8
        self._memory = aligned(max(1, words))
        out = ffi.new("rs_context_t const **")
        # The security level was checked, or waived by name, when `params` was made.
        check(lib.rs_context_init(out, words_of(self._memory), 8 * words, native, 0))
        self._pointer: CData = out[0]
        self.accelerator = open_device(device, params)
        if self.accelerator is not None:
            weakref.finalize(self, self.accelerator.close)

        if self.accelerator is None:
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

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as parameters and the device's name: a worker process makes its own tables, once."""
        if self.accelerator is None:
            return Context.shared, (self.params,)
        return _on_device, (self.params, self.device)

    def __copy__(self) -> Context:
        return self  # immutable

    def __deepcopy__(self, memo: object) -> Context:
        return self

    # ---- properties ----------------------------------------------------------------------------
    @property
    def n(self) -> int:
        """Ring degree N."""
        return self.params.n

    @property
    def slots(self) -> int:
        """Values per ciphertext, N/2."""
        return self.params.slots

    @property
    def max_level(self) -> int:
        """Level of a fresh ciphertext."""
        return self.params.max_level

    @property
    def nbytes(self) -> int:
        """Bytes of precomputed tables."""
        return self._memory.nbytes

    # ---- encode and decode ---------------------------------------------------------------------
    def encode(self, values: ArrayLike, *, scale: float | None = None, level: int | None = None) -> Plaintext:
        """Encodes up to N/2 real or complex values; missing slots are zero.

        values: any shape, read in row-major order; float64 and complex128 are not copied.
        scale: default params.default_scale. level: default the highest, max_level.
        Rounds scale * embedding^-1(values), half away from zero (Cheon-Kim-Kim-Song 2017), to the
        same integers as SEAL.
        InputError: too many values, NaN or infinity, scale or level out of range, values that
        overflow the modulus of the level.
        """
        array = _numbers(values)
        is_complex = array.dtype == np.complex128
        scale = self._scale(scale)
        limbs = self.params.limbs_at(level)
        plaintext = Plaintext._new_coef(self)
        memory = array if array.size else np.zeros(1, dtype=array.dtype)
        status = lib.rs_encode(
            self._pointer,
            plaintext._native,
            ffi.cast("double *", ffi.from_buffer(memory)),
            array.size,
            1 if is_complex else 0,
            scale,
            limbs,
        )
        if status != 0:
            raise self._encode_error(status, array, scale, limbs)
        return plaintext

    def _encode_error(self, status: int, array: NDArray[Any], scale: float, limbs: int) -> RingsideError:
        if status == lib.RS_ERR_VALUE_COUNT:
            needed = -(-array.size // self.slots)
            detail = f"{array.size} values, {self.slots} slots; {needed} ciphertexts are needed"
            return error_of(status, detail, "Encode at most N/2 values at a time.")
        if status == lib.RS_ERR_NOT_FINITE:
            index = int(np.flatnonzero(~np.isfinite(array))[0])
            return error_of(status, f"value {index} is {array[index]}")
        if status in (lib.RS_ERR_OVERFLOW, lib.RS_ERR_SCALE):
            bits = lib.rs_params_total_bits(self.params._native, limbs)
            largest = float(np.abs(array).max(initial=0.0))
            return error_of(
                status,
                f"values up to {largest:.4g} at scale {_power(scale)}, {bits} modulus bits at level {limbs - 1}",
            )
        return error_of(status)

    @overload
    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, real: Literal[True] = True
    ) -> NDArray[np.float64]: ...
    @overload
    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, real: Literal[False]
    ) -> NDArray[np.complex128]: ...
    @overload
    def decode(self, plaintext: Plaintext, count: int | None = None, *, real: bool) -> NDArray[Any]: ...
    def decode(self, plaintext: Plaintext, count: int | None = None, *, real: bool = True) -> NDArray[Any]:
        """The first `count` (default: all N/2) slot values, real parts or complex.

        The plaintext is kept. SecretKeyError if the plaintext fills the modulus the way only a
        decryption with a wrong key does. InputError: count above N/2, value beyond a double.
        """
        with self._as_own(plaintext)._as_ntt(copy=True) as scratch:
            return self._decode_in_place(scratch, count, real)

    def _decode_in_place(self, plaintext: Plaintext, count: int | None, real: bool) -> NDArray[Any]:
        count = self._decode_count(count)
        values = np.empty(self.slots, dtype=np.complex128)
        size = lib.rs_decode_workspace(self._pointer)
        memory = ffi.cast("double *", ffi.from_buffer(values))
        status = lib.rs_decode(self._pointer, plaintext._native, memory, self.slots, 1, workspace(size), size)
        check(status)
        self._refuse_noise(values, plaintext.scale, plaintext.level)
        return values.real[:count].copy() if real else values[:count].copy()

    def _decode_count(self, count: int | None) -> int:
        count = self.slots if count is None else count
        if not 0 <= count <= self.slots:
            fail(lib.RS_ERR_VALUE_COUNT, f"{count} values asked for, {self.slots} slots")
        return count

    def _refuse_noise(self, values: NDArray[np.complex128], scale: float, level: int) -> None:
        """SecretKeyError if the coefficients behind `values` are uniform below the modulus."""
        largest = float(np.abs(values.view(np.float64)).max())
        if largest == 0:
            return
        log_modulus = math.log2(self.params.modulus(level))
        # Parseval: rms of the slots = sqrt(N) rms of the coefficients / scale
        log_unit = math.log2(largest) + math.log2(scale) - self.params.log_n / 2
        if log_unit < log_modulus - 3.5:  # |z| <= sqrt(2) * largest: cannot reach the limit
            return
        mean_square = float(np.mean(np.square(np.abs(values / largest))))
        if log_unit + math.log2(mean_square) / 2 > log_modulus + math.log2(_UNIFORM_RMS):
            raise SecretKeyError(
                "WRONG_KEY",
                "The decrypted values are noise that fills the whole modulus.",
                "The secret key is another one, the ciphertext is damaged, or values exceed max_abs.",
            )

    # ---- keys ----------------------------------------------------------------------------------
    def keygen(self, *, insecure_deterministic_seed: bytes | None = None) -> SecretKey:
        """A new secret key: uniform ternary, no fixed weight."""
        return SecretKey._generate(self, Rng(insecure_deterministic_seed))

    def public_key(
        self,
        secret_key: SecretKey,
        *,
        seeded: bool = True,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
    ) -> PublicKey:
        """A new public key. seeded: files hold a seed in place of half of it."""
        self._same(secret_key, SecretKey)
        rng = Rng(insecure_deterministic_seed)
        return PublicKey._generate(self, secret_key, rng, seeded, seed_type)

    def write_relin_keys(
        self,
        secret_key: SecretKey,
        path: StrPath,
        *,
        seed_type: str = "shake256",
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool = True,
        progress: Progress | None = None,
        insecure_deterministic_seed: bytes | None = None,
    ) -> int:
        """Writes relinearisation keys (SEAL's RelinKeys) and returns the file's bytes.

        Components are made and written one at a time: memory for one is enough.
        progress(done, total) is called after each. ParameterError without a special prime.
        """
        self._same(secret_key, SecretKey)
        options = WireOptions(compression, version)
        rng = Rng(insecure_deterministic_seed)
        return write_relin_keys(secret_key, path, seed_type, options, rng, overwrite=overwrite, progress=progress)

    def write_galois_keys(
        self,
        secret_key: SecretKey,
        path: StrPath,
        rotations: Sequence[int] | Literal["pow2"] = "pow2",
        *,
        seed_type: str = "shake256",
        compression: str = DEFAULT_COMPRESSION,
        version: str = DEFAULT_VERSION,
        overwrite: bool = True,
        progress: Progress | None = None,
        insecure_deterministic_seed: bytes | None = None,
    ) -> int:
        """Writes rotation keys (SEAL's GaloisKeys) and returns the file's bytes.

        rotations: steps to the left, negative to the right, 0 for complex conjugation; "pow2": all
        powers of two both ways and conjugation, SEAL's default. Memory and progress as in
        write_relin_keys. InputError for a step outside of (-N/2, N/2).
        """
        self._same(secret_key, SecretKey)
        options = WireOptions(compression, version)
        rng = Rng(insecure_deterministic_seed)
        elements = self.galois_elements(rotations)
        return write_galois_keys(
            secret_key,
            path,
            elements,
            seed_type,
            options,
            rng,
            overwrite=overwrite,
            progress=progress,
        )

    def galois_elements(self, rotations: Sequence[int] | Literal["pow2"]) -> list[int]:
        """Galois elements of these rotations, ascending, each once."""
        if isinstance(rotations, str):
            if rotations != "pow2":
                raise InputError("RS_ERR_GALOIS", f"Unknown rotations {rotations!r}.", 'Use "pow2".')
            count = lib.rs_galois_powers_of_two(self._pointer, ffi.NULL, 0)
            array = ffi.new("uint32_t[]", count)
            lib.rs_galois_powers_of_two(self._pointer, array, count)
            return sorted({int(element) for element in array})
        elements = set()
        for steps in rotations:
            element = ffi.new("uint32_t *")
            if not -self.slots < steps < self.slots:
                fail(lib.RS_ERR_GALOIS, f"rotation by {steps} with {self.slots} slots")
            check(lib.rs_galois_element(self._pointer, steps, element), f"rotation by {steps}")
            elements.add(int(element[0]))
        return sorted(elements)

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
    ) -> Ciphertext:
        """Encrypts values (see encode) or a plaintext at its own scale and level.

        SecretKey: smallest noise, and half the size unless seeded is False; seed_type "shake256"
        or "blake2xb", both are SEAL's. PublicKey: special_prime False leaves out the rounding by
        the next prime of the chain (faster, about 4 bits more noise).
        InputError as for encode; MismatchError for a plaintext or key of other parameters, or a
        scale or level that is not the plaintext's.
        """
        self._check_key(key, seeded)
        rng = Rng(insecure_deterministic_seed)
        if not isinstance(values, Plaintext):
            with self.encode(values, scale=scale, level=level) as plaintext:
                return self._encrypt(plaintext, key, special_prime, seeded, seed_type, rng)
        plaintext = self._as_own(values)
        if level is not None and level != plaintext.level:
            fail(lib.RS_ERR_MISMATCH, f"the plaintext is at level {plaintext.level}, not {level}")
        if scale is not None and self._scale(scale) != plaintext.scale:
            is_at = f"the plaintext has scale {_power(plaintext.scale)}"
            fail(lib.RS_ERR_MISMATCH, f"{is_at}, not {_power(scale)}")
        return self._encrypt(plaintext, key, special_prime, seeded, seed_type, rng)

    def _encrypt(
        self,
        plaintext: Plaintext,
        key: SecretKey | PublicKey,
        special_prime: bool,
        seeded: bool | None,
        seed_type: str,
        rng: Rng,
    ) -> Ciphertext:
        pointer, limbs = self._pointer, plaintext.level + 1
        if isinstance(key, PublicKey):
            kind = _kind_of(key, special_prime)
            ciphertext = Ciphertext._new(self, limbs, False, seed_type)
            if self.accelerator is not None:
                self.accelerator.encrypt_public(self, key, plaintext._native, kind, ciphertext._native, rng)
                return ciphertext
            size = lib.rs_encrypt_workspace(pointer, kind)
            status = lib.rs_encrypt_public(
                pointer,
                key._for_encryption(),
                plaintext._native,
                kind,
                ciphertext._native,
                rng.pointer,
                workspace(size),
                size,
            )
            check(status)
            return ciphertext
        ciphertext = Ciphertext._new(self, limbs, seeded is not False, seed_type)
        if self.accelerator is not None:
            self.accelerator.encrypt_secret(self, key, plaintext._native, ciphertext._native, rng)
            return ciphertext
        size = lib.rs_encrypt_workspace(pointer, lib.RS_ENCRYPT_SK)
        with key._borrow() as secret:
            status = lib.rs_encrypt_secret(
                pointer,
                secret,
                plaintext._native,
                ciphertext._native,
                rng.pointer,
                workspace(size),
                size,
            )
        check(status)
        return ciphertext

    def encrypt_batch(
        self,
        frames: Iterable[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        threads: int | None = None,
        scale: float | None = None,
        level: int | None = None,
        special_prime: bool = True,
        seeded: bool | None = None,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
    ) -> list[Ciphertext]:
        """One ciphertext per frame, computed side by side on several threads.

        frames: rows of a 2-D array [frame, value], or any sequence of arrays, each as for encode: up to N/2 real or complex
        values of any shape. None is copied that is float64 or complex128 and contiguous.
        threads: default as many as the process may use; the result does not depend on it. Threads end with the call. An
        accelerator takes one frame after the other.
        All else as for encrypt, and the same for all frames. Seeds are drawn in the order of the frames.
        InputError for the first frame that cannot be encoded, with its index ("Frame 3: …"); no ciphertext is returned then.
        """
        self._check_key(key, seeded)
        arrays = [_row(index, frame) for index, frame in enumerate(frames)]
        scale = self._scale(scale)
        limbs = self.params.limbs_at(level)
        rng = Rng(insecure_deterministic_seed)
        if self.accelerator is None:
            is_seeded = isinstance(key, SecretKey) and seeded is not False
            kind = _kind_of(key, special_prime)
            return encrypt_arrays(self, arrays, key, scale, limbs, kind, is_seeded, seed_type, rng, threads)
        ciphertexts = []
        for index, array in enumerate(arrays):
            try:
                plaintext = self.encode(array, scale=scale, level=level)
            except RingsideError as error:
                raise of_frame(index, error) from error
            with plaintext:
                ciphertexts.append(self._encrypt(plaintext, key, special_prime, seeded, seed_type, rng))
        return ciphertexts

    def decrypt(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        *,
        limbs: int | None = None,
        max_abs: float | None = None,
    ) -> Plaintext:
        """Decrypts to a plaintext in NTT form.

        limbs: use only the first so many limbs; max_abs: use as few as hold values up to this
        magnitude with noise below one unit of the scale. Both are exact for such values and
        faster; without either all limbs are used.
        MismatchError: other parameters. InputError: limbs out of range, max_abs does not fit.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        limbs = self._decrypt_limbs(ciphertext, limbs, max_abs)
        plaintext = Plaintext._new_ntt(self, limbs)
        if self.accelerator is not None:
            self.accelerator.decrypt(self, secret_key, ciphertext._native, limbs, plaintext._native)
            return plaintext
        size = lib.rs_decrypt_workspace(self._pointer)
        with secret_key._borrow() as secret:
            status = lib.rs_decrypt(
                self._pointer,
                secret,
                ciphertext._native,
                limbs,
                plaintext._native,
                workspace(size),
                size,
            )
        check(status)
        return plaintext

    def decrypt_values(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        count: int | None = None,
        *,
        real: bool = True,
        limbs: int | None = None,
        max_abs: float | None = None,
    ) -> NDArray[Any]:
        """decrypt and decode in one, without a copy of the plaintext in between."""
        with self.decrypt(ciphertext, secret_key, limbs=limbs, max_abs=max_abs) as plaintext:
            return self._decode_in_place(plaintext, count, real)

    def decrypt_batch(
        self,
        ciphertexts: Iterable[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        threads: int | None = None,
        real: bool = True,
        limbs: int | None = None,
        max_abs: float | None = None,
    ) -> NDArray[Any]:
        """decrypt_values of many ciphertexts, computed side by side on several threads: an array [ciphertext, value].

        count: values of each, default all N/2 slots. real: float64, else complex128. limbs, max_abs: as for decrypt, for each
        ciphertext. threads: default as many as the process may use; the result does not depend on it. An accelerator takes
        one ciphertext after the other.
        Errors are those of decrypt and decode, for the first ciphertext that has one, with its index ("Frame 3: …").
        """
        ciphertexts = list(ciphertexts)
        self._same(secret_key, SecretKey)
        count = self._decode_count(count)
        used = []
        for index, ciphertext in enumerate(ciphertexts):
            try:
                self._same(ciphertext, Ciphertext)
                used.append(self._decrypt_limbs(ciphertext, limbs, max_abs))
            except RingsideError as error:
                raise of_frame(index, error) from error
        if self.accelerator is None:
            slots = decrypt_slots(self, ciphertexts, secret_key, used, threads)
            for index, (ciphertext, row) in enumerate(zip(ciphertexts, slots, strict=True)):
                try:
                    self._refuse_noise(row, ciphertext.scale, used[index] - 1)
                except SecretKeyError as error:
                    raise of_frame(index, error) from error
            return (slots.real if real else slots)[:, :count].copy()
        values = np.empty((len(ciphertexts), count), dtype=np.float64 if real else np.complex128)
        for index, ciphertext in enumerate(ciphertexts):
            try:
                values[index] = self.decrypt_values(ciphertext, secret_key, count, real=real, limbs=used[index])
            except RingsideError as error:
                raise of_frame(index, error) from error
        return values

    def _decrypt_limbs(self, ciphertext: Ciphertext, limbs: int | None, max_abs: float | None) -> int:
        have = ciphertext.level + 1
        if max_abs is None:
            limbs = have if limbs is None else limbs
            if not 1 <= limbs <= have:
                fail(lib.RS_ERR_LEVEL, f"{limbs} limbs asked for, the ciphertext has {have}")
            return limbs
        if limbs is not None:
            raise InputError("RS_ERR_LEVEL", "Give either limbs or max_abs, not both.")
        if not (math.isfinite(max_abs) and max_abs > 0):
            raise InputError("RS_ERR_NOT_FINITE", f"max_abs must be positive, got {max_abs}.")
        noise_bits = max(0, math.ceil(math.log2(ciphertext.scale)))
        needed = int(lib.rs_limbs_needed(self._pointer, have, ciphertext.scale, max_abs, noise_bits))
        if needed == 0:
            detail = f"values up to {max_abs:.4g} at scale {_power(ciphertext.scale)}"
            hint = "Leave out max_abs (--max-abs), or give a smaller one."
            fail(lib.RS_ERR_OVERFLOW, f"{detail} need more than {have} limbs", hint)
        return needed

    # ---- precision -----------------------------------------------------------------------------
    def noise_variance(self, kind: str = precision.SECRET_KEY, level: int | None = None) -> float:
        """Variance per coefficient of a fresh ciphertext's noise, encode rounding included.

        kind: "secret-key", "public-key", or "public-key-direct" (without special prime).
        """
        if kind not in precision.KINDS:
            known = ", ".join(precision.KINDS)
            raise InputError("KIND", f"Unknown encryption {kind!r}.", f"Use one of: {known}.")
        variance = ffi.new("double *")
        limbs = self.params.limbs_at(level)
        number = precision.KINDS[kind]
        check(lib.rs_noise_variance(self._pointer, number, limbs, variance))
        return float(variance[0])

    def predicted_precision(
        self,
        *,
        scale: float | None = None,
        kind: str = precision.SECRET_KEY,
        level: int | None = None,
    ) -> float:
        """Bits after the point that survive a fresh encryption: -log2 of the rms slot error."""
        variance = self.noise_variance(kind, level)
        return float(lib.rs_precision_predicted(self._pointer, variance, self._scale(scale)))

    # ---- checks --------------------------------------------------------------------------------
    def _scale(self, scale: float | None) -> float:
        if scale is None:
            return self.params.default_scale
        try:
            return float(scale)
        except OverflowError:
            fail(lib.RS_ERR_SCALE, "beyond the range of a double")

    def _check_key(self, key: Any, seeded: bool | None) -> None:
        if isinstance(key, PublicKey) and seeded:
            fail(lib.RS_ERR_SEEDED, "public-key ciphertexts have no seed", "Leave out `seeded`.")
        self._same(key, SecretKey, PublicKey)

    def _as_own(self, plaintext: Plaintext) -> Plaintext:
        _ = plaintext.data  # raises if it was closed
        self._same(plaintext, Plaintext)
        return plaintext

    def _same(self, item: Any, *kinds: type[Any]) -> None:
        """TypeError or MismatchError unless the object is of a kind and of these parameters."""
        if not isinstance(item, kinds):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"expected {wanted}, got {type(item).__name__}")
        if item.context is not self and item.context.params != self.params:
            raise error_of(lib.RS_ERR_MISMATCH, f"{item.context.params!r} instead of {self.params!r}")

    def __repr__(self) -> str:
        return f"Context({self.params!r}, device={self.device!r})"


def _on_device(params: Parameters, device: str) -> Context:
    return Context(params, device=device)


def _numbers(values: ArrayLike) -> NDArray[Any]:
    """Values as one contiguous row of float64 or complex128, not copied if they are that."""
    array = np.asarray(values)
    if array.dtype.kind not in "biufc":
        kind = "text" if array.dtype.kind in "US" else f"dtype {array.dtype}"
        raise InputError("VALUE_TYPE", f"Values must be real or complex numbers, not {kind}.")
    dtype = np.complex128 if array.dtype.kind == "c" else np.float64
    return np.ascontiguousarray(array, dtype=dtype).reshape(-1)


def _row(index: int, frame: ArrayLike) -> NDArray[Any]:
    """One frame's values, see _numbers."""
    if np.ndim(frame) == 0:
        message = f"Frame {index} is a single value."
        raise InputError("VALUE_TYPE", message, "Give one row of values per ciphertext; `encrypt` takes a single row.")
    try:
        return _numbers(frame)
    except InputError as error:
        raise of_frame(index, error) from error


def _kind_of(key: SecretKey | PublicKey, special_prime: bool) -> int:
    """rs_encryption_t."""
    if isinstance(key, SecretKey):
        return int(lib.RS_ENCRYPT_SK)
    return int(lib.RS_ENCRYPT_PK if special_prime else lib.RS_ENCRYPT_PK_DIRECT)


def _power(scale: float) -> str:
    if not (math.isfinite(scale) and scale > 0):
        return str(scale)
    return f"2^{math.log2(scale):.6g}"
