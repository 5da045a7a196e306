# SPDX-License-Identifier: Apache-2.0
"""The context: encrypt and decrypt on a device. Encoding is in encoder.py, the making of keys in key_maker.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checks_arguments
from ...devices.calls import Decryption, FixedRows, Messages, Plaintexts, Rows, Slots
from ...devices.cpu import CPU
from ...errors import ArgumentError, ParameterError, in_frame
from ...formats.lattigo_bootstrapping import client_parameters
from ...formats.openfhe import read_context as read_openfhe_context
from ...native.encoding import power_text, publish_round
from ...native.files import StrPath, read_file
from ...native.library import CData, fail, lib
from ...native.rng import Randomness
from ...progress import Progress
from ..common.arrays import row
from ..common.ciphertext import Ciphertext
from ..common.device_tables import DeviceTables
from ..common.keys import PublicKey, SecretKey
from ..common.params import CKKS, Parameters, chain_of
from ..common.plaintext import Plaintext
from .encoder import Encoder, publishing
from .fixed_encoder import DECODED_LIMBS, DEFAULT_BITS, slot_type
from .noise import limbs_for, refuse_imaginary, refuse_noise
from .options import DecryptFixedOptions, DecryptOptions, EncryptFixedOptions, EncryptOptions, FixedFormat, Limbs


@checks_arguments
class Context(Encoder, DeviceTables):
    """Everything precomputed from a parameter set. Immutable: threads may share it.

    device: where encryption and decryption run: "cpu:", "sim:DESIGN" for a hardware design in simulation, or "soc:DESIGN" for a simulated
    RISC-V processor with that design, which encodes and decodes batches too. Cores with `encode` do that themselves in encrypt_fixed and decrypt_fixed
    (ringside.devices.names; DeviceError if there is none, or if it cannot compute with the parameters). Everything else runs on
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
        if params.scheme != CKKS:
            message = f"These are parameters of {params.scheme.upper()}."
            raise ParameterError("RS_ERR_SCHEME", message, "Use ExactContext(params) for integers.")
        super().__init__(params)
        self._open(device)

    @classmethod
    def from_lattigo(cls, source: bytes | StrPath, *, security: int = 128, device: str = CPU.name) -> Context:
        """For ckks.Parameters of Lattigo v6: JSON, or the file of that name. ringside.Lattigo reads and writes the files of such a context.

        The special prime is Lattigo's first of P below 2^60; where there is none, one is added that Lattigo need not know. FileError,
        ParameterError, also for primes of Q above 2^60.
        """
        data = source if isinstance(source, bytes) else read_file(source)
        return cls(chain_of(client_parameters(data), security), device=device)

    @classmethod
    def from_openfhe(cls, source: bytes | StrPath, *, security: int = 128, device: str = CPU.name) -> Context:
        """For a CryptoContext of OpenFHE 1.6, serialised as BINARY: bytes, or the file of that name. ringside.OpenFHE reads and writes the
        files of such a context.

        The special prime is OpenFHE's first of HYBRID key switching; where it has none, one is added. FileError, WireError, ParameterError.
        """
        data = source if isinstance(source, bytes) else read_file(source)
        return cls(chain_of(read_openfhe_context(memoryview(data)), security), device=device)

    # ---- encrypt and decrypt -------------------------------------------------------------------
    def encrypt(
        self, values: ArrayLike | Plaintext, key: SecretKey | PublicKey, **options: Unpack[EncryptOptions]
    ) -> Ciphertext:
        """Encrypts values (see encode) or a plaintext at its own scale and level.

        SecretKey: smallest noise, and half the size unless seeded is False; seed_type "shake256"
        or "blake2xb", both are SEAL's. PublicKey: special_prime False leaves out the rounding by
        the next prime of the chain (faster, about 4 bits more noise).
        InputError as for encode; MismatchError for a plaintext or key of other parameters, or a
        scale or level that is not the plaintext's.
        """
        self._check_key(key, options["seeded"])
        scale, level = options["scale"], options["level"]
        randomness = _randomness(options)
        if not isinstance(values, Plaintext):
            with self.encode(values, scale=scale, level=level) as plaintext:
                return self._encrypt([plaintext], key, options, randomness)[0]
        plaintext = self._as_own(values)
        if level is not None and level != plaintext.level:
            fail(lib.RS_ERR_MISMATCH, f"the plaintext is at level {plaintext.level}, not {level}")
        if scale is not None and self._scale(scale) != plaintext.scale:
            is_at = f"the plaintext has scale {power_text(plaintext.scale)}"
            fail(lib.RS_ERR_MISMATCH, f"{is_at}, not {power_text(scale)}")
        return self._encrypt([plaintext], key, options, randomness)[0]

    def _encrypt(
        self,
        plaintexts: Sequence[Plaintext],
        key: SecretKey | PublicKey,
        options: EncryptOptions,
        randomness: Randomness,
    ) -> list[Ciphertext]:
        digests = [plaintext._digest() for plaintext in plaintexts] if randomness.is_deterministic else []
        messages = Plaintexts([plaintext._native for plaintext in plaintexts])
        return self._encrypted(messages, len(plaintexts), plaintexts[0].level + 1, key, options, randomness, digests)

    # ---- in fixed point: encode and encrypt in one, decrypt and decode in one -----------------------
    @property
    def fixed_bits(self) -> int:
        """Width of the words in which the device encodes and decodes; 0: it does not, the processor does."""
        return self._device.fixed_bits

    def _fits_device(self, slots: Sequence[Slots]) -> bool:
        """Whether the device encodes or decodes these frames: integers, one at least, of one size, type and bound, in words of its width."""
        bits = self._device.fixed_bits
        if not slots or not bits:
            return False
        kinds = {(one.values.dtype, one.values.size, one.bound) for one in slots}
        first = slots[0]
        is_fit = first.values.dtype.kind in "iu" and first.values.size > 0
        return is_fit and len(kinds) == 1 and first.fixed is self._fixed[bits]

    def encrypt_fixed(
        self, values: ArrayLike, key: SecretKey | PublicKey, **options: Unpack[EncryptFixedOptions]
    ) -> Ciphertext:
        """encode_fixed and encrypt in one. A device that encodes (fixed_bits) does both, if values are integers and word_bits are its own:
        slots go in, a ciphertext comes out. The result is the same in any case, bit for bit.

        word_bits: default the device's, 54 where there is none. All else as for encode_fixed and encrypt.
        DeviceError also where the device has too few groups for the kind of encryption, or a coefficient can be above a modulus.
        """
        return self._encrypt_fixed([values], key, options, 1)[0]

    def encrypt_fixed_batch(
        self,
        frames: Sequence[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[EncryptFixedOptions],
    ) -> list[Ciphertext]:
        """encrypt_fixed of each frame, in one go: a device `sim:DESIGN` that encodes overlaps up to eight frames of one size and type in one program,
        one with a streaming unit up to sixteen.

        frames: rows of a 2-D array, or a sequence of arrays. All else as for encrypt_fixed, and the same for all. From a deterministic seed frame k is
        what encrypt_fixed gives for it with the index k more. If a frame cannot be encoded no ciphertext is returned.
        threads: on how many devices `soc:DESIGN` side by side, each with its part of the batch; default: as many as there are processors.
        progress(done, total): as for encrypt_batch; a device is given eight frames at a time then.
        """
        return self._encrypt_fixed(frames, key, options, threads, progress)

    def _encrypt_fixed(
        self,
        frames: Sequence[ArrayLike],
        key: SecretKey | PublicKey,
        options: EncryptFixedOptions,
        threads: int | None,
        progress: Progress | None = None,
    ) -> list[Ciphertext]:
        self._check_key(key, options["seeded"])
        meaning = (self._word_bits(options), options["exponent"], options["bound"], options["scale"], options["level"])
        slots = [self._slots_of(frame, *meaning) for frame in frames]
        if not slots:
            return []
        randomness = _randomness(options)
        with ExitStack() as stack:
            on_device = self._fits_device(slots)
            plaintexts = []
            if not on_device or randomness.is_deterministic:
                plaintexts = [stack.enter_context(self._encode_slots(one)) for one in slots]
            digests = [plaintext._digest() for plaintext in plaintexts] if randomness.is_deterministic else []
            messages = FixedRows(slots) if on_device else Plaintexts([one._native for one in plaintexts])
            threads = threads if on_device else 1
            return self._encrypted(
                messages, len(slots), slots[0].limbs, key, options, randomness, digests, threads, progress
            )

    def _word_bits(self, options: FixedFormat) -> int:
        return options["word_bits"] or self.fixed_bits or DEFAULT_BITS

    def _limbs_to_decode(self, ciphertext: Ciphertext, options: DecryptFixedOptions) -> int:
        """One, unless more are asked for or needed."""
        limbs, max_abs = options["limbs"], options["max_abs"]
        wanted = 1 if limbs is None and max_abs is None else limbs_for(self, ciphertext, limbs, max_abs)
        if wanted > DECODED_LIMBS:
            why = "asked for" if max_abs is None else f"needed for values up to {max_abs:.4g}"
            hint = "Have the server rescale the result, or use decrypt and decode."
            fail(lib.RS_ERR_LEVEL, f"one limb or two are decoded in fixed point, {wanted} are {why}", hint)
        return wanted

    def decrypt_fixed(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        count: int | None = None,
        **options: Unpack[DecryptFixedOptions],
    ) -> NDArray[Any]:
        """decrypt of the first limb, or of the first two, and decode_fixed. A device that decodes (fixed_bits) does both, if dtype is an integer and
        word_bits are its own. The result is the same in any case.

        word_bits: default the device's, 54 where there is none. limbs: 1, the default, or 2, where results do not fit the first modulus; bound is
        then one more than they need. max_abs: as few as hold values up to this, as for decrypt. All else as for decode_fixed.
        """
        return self._decrypt_fixed([ciphertext], secret_key, count, options, 1)[0]

    def decrypt_fixed_batch(
        self,
        ciphertexts: Sequence[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[DecryptFixedOptions],
    ) -> list[NDArray[Any]]:
        """decrypt_fixed of each, in one go: a device `sim:DESIGN` that decodes overlaps up to eight of one level and scale in one program.

        threads, progress: as for encrypt_fixed_batch.
        """
        return self._decrypt_fixed(ciphertexts, secret_key, count, options, threads, progress)

    def _decrypt_fixed(
        self,
        ciphertexts: Sequence[Ciphertext],
        secret_key: SecretKey,
        count: int | None,
        options: DecryptFixedOptions,
        threads: int | None,
        progress: Progress | None = None,
    ) -> list[NDArray[Any]]:
        for ciphertext in ciphertexts:
            self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        bits, exponent, bound = self._word_bits(options), options["exponent"], options["bound"]
        limbs = [self._limbs_to_decode(one, options) for one in ciphertexts]
        size, wanted = self._decode_count(count), slot_type(options["dtype"])
        found: list[NDArray[Any]] = []

        def add(values: NDArray[Any]) -> None:
            found.append(values)
            if progress is not None:
                progress(len(found), len(ciphertexts))

        if len(set(limbs)) > 1:
            for one in ciphertexts:
                add(self._decrypt_fixed([one], secret_key, count, options, 1)[0])
            return found
        if wanted.kind in "iu":
            slots = [Slots(self._fixed[bits], np.zeros(size, wanted), exponent, bound, limbs=some) for some in limbs]
            if self._fits_device(slots):
                self._decrypted(FixedRows(slots), ciphertexts, secret_key, limbs, threads, progress)
                return [one.values for one in slots]
        for ciphertext, some in zip(ciphertexts, limbs, strict=True):
            with self._decrypt(ciphertext, secret_key, some) as plaintext:
                meaning: dict[str, Any] = {"word_bits": bits, "exponent": exponent, "bound": bound, "dtype": wanted}
                add(self.decode_fixed(plaintext, count, **meaning))
        return found

    def encrypt_batch(
        self,
        frames: Iterable[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[EncryptOptions],
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
        self._check_key(key, options["seeded"])
        arrays = [row(index, frame) for index, frame in enumerate(frames)]
        scale, level = self._scale(options["scale"]), options["level"]
        limbs = self.params.limbs_at(level)
        randomness = _randomness(options)
        digests = self._digests(arrays, scale, level) if randomness.is_deterministic else []
        messages = Rows(arrays, scale)
        return self._encrypted(messages, len(arrays), limbs, key, options, randomness, digests, threads, progress)

    def _digests(self, arrays: Sequence[NDArray[Any]], scale: float, level: int | None) -> list[bytes]:
        """Hashes of the plaintexts that a device makes of these frames: they are encoded twice, in tests."""
        digests = []
        for index, array in enumerate(arrays):
            with in_frame(index), self.encode(array, scale=scale, level=level) as plaintext:
                digests.append(plaintext._digest())
        return digests

    def decrypt(self, ciphertext: Ciphertext, secret_key: SecretKey, **options: Unpack[Limbs]) -> Plaintext:
        """Decrypts to a plaintext in NTT form.

        limbs: use only this many limbs, the first ones; max_abs: use as few limbs as can hold values up to this
        magnitude with noise below one unit of the scale. Both are exact for such values and
        faster; without either all limbs are used.
        MismatchError: other parameters. InputError: limbs out of range, max_abs does not fit.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        return self._decrypt(ciphertext, secret_key, limbs_for(self, ciphertext, options["limbs"], options["max_abs"]))

    def _decrypt(self, ciphertext: Ciphertext, secret_key: SecretKey, limbs: int) -> Plaintext:
        plaintext = Plaintext._new_ntt(self, limbs)
        self._decrypted(Plaintexts([plaintext._native]), [ciphertext], secret_key, [limbs])
        return plaintext

    def _decrypted(
        self,
        messages: Messages,
        ciphertexts: Sequence[Ciphertext],
        key: SecretKey,
        limbs: Sequence[int],
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> None:
        natives = [ciphertext._native for ciphertext in ciphertexts]
        self._device.run(Decryption(self._handle, key._handle, messages, natives, limbs, threads, progress))

    def decrypt_values(
        self, ciphertext: Ciphertext, secret_key: SecretKey, count: int | None = None, **options: Unpack[DecryptOptions]
    ) -> NDArray[Any]:
        """decrypt and decode in one, without a copy of the plaintext in between.

        publish_bits, flood_bits: for values that others will see, as for decode.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        publish = publishing(options)
        with self._decrypt(ciphertext, secret_key, self._limbs_for(ciphertext, options)) as plaintext:
            return self._decode_in_place(plaintext, count, options["real"], publish)

    def _limbs_for(self, ciphertext: Ciphertext, options: DecryptOptions) -> int:
        return limbs_for(self, ciphertext, options["limbs"], options["max_abs"], options["flood_bits"])

    def decrypt_batch(
        self,
        ciphertexts: Iterable[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[DecryptOptions],
    ) -> NDArray[Any]:
        """decrypt_values of many ciphertexts, computed side by side on several threads: an array [ciphertext, value].

        count: values of each, default all N/2 slots. real: as for decode. limbs, max_abs: as for decrypt, for each
        ciphertext. threads: default as many as the process may use; the result does not depend on it. An accelerator takes
        one ciphertext after the other; one with the streaming unit takes sixteen at a time that are alike and have no seed.
        progress: as for encrypt_batch. publish_bits, flood_bits: as for decode; with flood_bits one ciphertext is computed after the other.
        Errors are those of decrypt and decode, for the first ciphertext that has one, with its index ("Frame 3: …").
        """
        ciphertexts, real = list(ciphertexts), options["real"]
        self._same(secret_key, SecretKey)
        count = self._decode_count(count)
        publish = publishing(options)
        used = []
        for index, ciphertext in enumerate(ciphertexts):
            with in_frame(index):
                self._same(ciphertext, Ciphertext)
                used.append(self._limbs_for(ciphertext, options))
        if publish is not None and options["flood_bits"] is not None:
            return self._decrypt_flooded(ciphertexts, secret_key, used, count, real, publish, progress)
        slots = np.empty((len(ciphertexts), self.slots), dtype=np.complex128)
        self._decrypted(Rows(slots), ciphertexts, secret_key, used, threads, progress)
        for index, ciphertext in enumerate(ciphertexts):
            with in_frame(index):
                refuse_noise(self.params, slots[index], ciphertext.scale, used[index] - 1)
                if real is None:
                    refuse_imaginary(self, slots[index, :count], ciphertext.scale)
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
            with in_frame(index), self._decrypt(ciphertext, secret_key, limbs[index]) as plaintext:
                rows[index] = self._decode_in_place(plaintext, count, real, publish)
            if progress is not None:
                progress(index + 1, len(ciphertexts))
        return rows


def _randomness(options: EncryptOptions) -> Randomness:
    return Randomness(options["insecure_deterministic_seed"], options["insecure_deterministic_index"])
