# SPDX-License-Identifier: Apache-2.0
"""The context of BFV and BGV: integers in, ciphertexts out, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checks_arguments
from ...devices.calls import Decryption, Messages, Rows
from ...devices.cpu import CPU
from ...errors import InputError, ParameterError, in_frame, without_frame
from ...native import encoding
from ...native.library import check, fail, ffi, lib, span, workspace
from ...native.rng import Randomness, message_digest
from ...progress import Progress
from ..common.arrays import as_array
from ..common.ciphertext import Ciphertext
from ..common.device_tables import DeviceTables
from ..common.keys import PublicKey, SecretKey
from ..common.params import BFV, CKKS, Parameters
from ..common.plaintext import Plaintext
from .options import PACKINGS, SLOTS, DecryptIntegers, EncryptIntegers


@checks_arguments
class ExactContext(DeviceTables):
    """Everything precomputed from a parameter set of BFV or BGV. Immutable: threads may share it.

    Messages are up to N integers modulo t = params.plain_modulus. In slots, where t is a prime with params.batching, sums and products are those of
    the integers in each slot; slots lie in two rows of N/2, which rotations turn, and 0 steps change places. In coefficients products are those of polynomials.
    A result is exact, or lost: a server's noise has a limit (docs/exact.md). device=, insecure_deterministic_seed= of its methods: as of Context.
    """

    def __init__(self, params: Parameters, *, device: str = CPU.name) -> None:
        if params.scheme == CKKS:
            message = "These are parameters of CKKS."
            raise ParameterError("RS_ERR_SCHEME", message, "Use Context(params) for real and complex values.")
        super().__init__(params)
        self._open(device)

    @property
    def plain_modulus(self) -> int:
        """The modulus of messages."""
        found = self.params.plain_modulus
        assert found is not None
        return found

    # ---- encode --------------------------------------------------------------------------------
    def encode(self, values: ArrayLike, *, packing: str = SLOTS, wrap: bool = False) -> Plaintext:
        """A plaintext for a server's sums and products; all as for encrypt."""
        plaintext, row = Plaintext._new_words(self), self._row(values, wrap=wrap)
        encoding.encode(self._handle, plaintext._native, row, 0.0, self.params.data_limbs, packing_of(packing))
        return plaintext

    def decode(
        self, plaintext: Plaintext, count: int | None = None, *, packing: str = SLOTS, unsigned: bool = False
    ) -> NDArray[Any]:
        """The first `count` (default: all N) integers; all as for decrypt_values."""
        self._same(plaintext, Plaintext)
        found = self._room((), count, unsigned)
        native = ffi.new("rs_plaintext_t *")
        native[0] = plaintext._native[0]
        with Plaintext._new_words(self, native) as used:
            used.data[:] = plaintext.data
            encoding.decode(self._handle, native, found, packing=packing_of(packing))
        return found

    def _room(self, shape: tuple[int, ...], count: int | None, unsigned: bool) -> NDArray[Any]:
        """Memory for so many integers of each message."""
        size = self.n if count is None else count
        if not 0 <= size <= self.n:
            fail(lib.RS_ERR_VALUE_COUNT, f"{count} values, a ciphertext has {self.n}", "Decrypt at most N values.")
        return np.zeros((*shape, size), dtype=np.uint64 if unsigned else np.int64)

    # ---- encrypt -------------------------------------------------------------------------------
    def encrypt(self, values: ArrayLike, key: SecretKey | PublicKey, **options: Unpack[EncryptIntegers]) -> Ciphertext:
        """Encrypts up to N integers; missing ones are zero.

        values: of any shape, read in row-major order, so that [2, N/2] are the two rows of slots. Integers from -floor(t/2) to floor((t-1)/2); of uint64 from
        0 to t - 1; wrap=True takes all modulo t. Numbers with a point are refused, even if they are whole.
        packing: "slots", or "coefficients", where t may be any number. level: default the highest.
        SecretKey: smallest noise, and half the size unless seeded is False; seed_type "shake256" or "blake2xb". PublicKey: special_prime False leaves
        out the rounding by the next prime of the chain (faster, more noise). form: of BFV "coef", as SEAL has it, or "ntt", which costs half the transforms;
        a server takes that for products with plaintexts, or transforms it (transform_from_ntt). BGV has "ntt" alone.
        InputError: too many values, one out of range, a level out of range. ParameterError: no slots. MismatchError: key of other parameters.
        """
        with without_frame():
            return self.encrypt_batch([values], key, threads=1, **options)[0]

    def encrypt_batch(
        self,
        frames: Iterable[ArrayLike],
        key: SecretKey | PublicKey,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[EncryptIntegers],
    ) -> list[Ciphertext]:
        """One ciphertext per frame, computed side by side on several threads. All as for encrypt, and the same for all frames.

        threads: default as many as the process may use. progress(done, total) is called after some frames. InputError for the first frame that cannot be
        encrypted, with its index; no ciphertext is returned then.
        """
        self._check_key(key, options["seeded"])
        packing = packing_of(options["packing"])
        rows = self._rows(frames, wrap=options["wrap"])
        return self._encrypted_integers(Rows(rows, packing=packing), rows, key, options, threads, progress)

    def _encrypted_integers(
        self,
        messages: Messages,
        contents: Sequence[NDArray[Any]],
        key: SecretKey | PublicKey,
        options: EncryptIntegers,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> list[Ciphertext]:
        """Messages by the device. contents: what each consists of, for tests."""
        limbs, packing = self.params.limbs_at(options["level"]), packing_of(options["packing"])
        randomness = Randomness(options["insecure_deterministic_seed"], options["insecure_deterministic_index"])
        digests = (
            [message_digest(one, limbs, float(packing)) for one in contents] if randomness.is_deterministic else []
        )
        given: Any = (messages, len(contents), limbs, key, options, randomness, digests, threads, progress)
        return self._encrypted(*given, ntt=self._ntt(options["form"]))

    def _ntt(self, form: str | None) -> bool:
        """Whether BFV is to be in NTT form."""
        if form not in (None, "coef", "ntt"):
            raise InputError("RS_ERR_FORM", f"Unknown form {form!r}.", 'Use "coef" or "ntt".')
        if form == "coef" and self.params.scheme != BFV:
            raise InputError("RS_ERR_FORM", "Ciphertexts of BGV are in NTT form.", "Leave out `form`, --form.")
        return form == "ntt" and self.params.scheme == BFV

    def _rows(self, frames: Iterable[ArrayLike], *, wrap: bool) -> list[NDArray[Any]]:
        rows: list[NDArray[Any]] = []
        for frame in frames:
            with in_frame(len(rows)):
                rows.append(self._row(frame, wrap=wrap))
        return rows

    def _row(self, values: ArrayLike, *, wrap: bool) -> NDArray[Any]:
        """int64 or uint64, contiguous."""
        array = as_array(values).reshape(-1)
        if array.dtype.kind not in "iub" and not (array.size == 0 or all(type(one) is int for one in array.tolist())):
            hint = "Round them, as by np.rint(values).astype(np.int64); CKKS encrypts real numbers."
            raise InputError("VALUE_TYPE", f"Values must be integers, not dtype {array.dtype}.", hint)
        if wrap:
            return np.array(array.astype(object) % self.plain_modulus, dtype=np.uint64)
        try:
            return np.ascontiguousarray(array, dtype=np.uint64 if array.dtype == np.uint64 else np.int64)
        except OverflowError as error:
            message = "A value has more than 64 bits."
            raise InputError("RS_ERR_VALUE_RANGE", message, "Take values modulo t: wrap=True.") from error

    # ---- decrypt -------------------------------------------------------------------------------
    def decrypt_values(
        self,
        ciphertext: Ciphertext,
        secret_key: SecretKey,
        count: int | None = None,
        **options: Unpack[DecryptIntegers],
    ) -> NDArray[Any]:
        """The first `count` (default: all N) integers: int64 from -floor(t/2) to floor((t-1)/2), or with unsigned=True uint64 from 0 to t - 1.

        packing: as at encryption. margin_bits, 2 to 48: refuses (InputError RS_ERR_NOISE) where the noise is within 2^-margin_bits of what would change a
        value; change the key after one such refusal that others could see. Without it a ciphertext whose noise is too large gives wrong values.
        limbs: of BGV, the first moduli alone, which takes less time; their product must be above twice the noise. BFV finds by itself what it needs.
        """
        with without_frame():
            found: NDArray[Any] = self.decrypt_batch([ciphertext], secret_key, count, threads=1, **options)[0]
            return found

    def decrypt_batch(
        self,
        ciphertexts: Iterable[Ciphertext],
        secret_key: SecretKey,
        count: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[DecryptIntegers],
    ) -> NDArray[Any]:
        """decrypt_values of many ciphertexts, computed side by side on several threads: an array [ciphertext, value]."""
        packing, margin = packing_of(options["packing"]), options["margin_bits"]
        self._same(secret_key, SecretKey)
        if margin is not None and not 2 <= margin <= 48:
            raise InputError("RS_ERR_NOISE", f"margin_bits must be 2 to 48, got {margin}.", "8 is a usual margin.")
        chosen: list[Ciphertext] = []
        for ciphertext in ciphertexts:
            with in_frame(len(chosen)):
                self._same(ciphertext, Ciphertext)
            chosen.append(ciphertext)
        found = self._room((len(chosen),), count, options["unsigned"])
        natives, limbs = [one._native for one in chosen], [self._limbs(one, options["limbs"]) for one in chosen]
        messages = Rows(found, packing=packing)
        self._device.run(
            Decryption(
                self._handle, secret_key._handle, messages, natives, limbs, threads, progress, margin_bits=margin or 0
            )
        )
        return found

    def _limbs(self, ciphertext: Ciphertext, limbs: int | None) -> int:
        """How many moduli are to be decrypted from."""
        if limbs is None:
            return ciphertext.level + 1
        if self.params.scheme == BFV:
            raise InputError("RS_ERR_SCHEME", "`limbs` is for BGV.", "Leave it out: BFV finds what it needs.")
        if not 1 <= limbs <= ciphertext.level + 1:
            message = f"{limbs} limbs, the ciphertext has {ciphertext.level + 1}"
            raise InputError("RS_ERR_LEVEL", message, "Leave out `limbs`.")
        return limbs

    def noise_budget(self, ciphertext: Ciphertext, secret_key: SecretKey, *, consent: str) -> int:
        """Bits that the noise may still grow before values are lost: SEAL's invariant_noise_budget; 0: they are lost, perhaps.

        It tells about the noise, and so about the key. A service that answers others must not show it, nor act on it (docs/threat-model.md).
        consent: "owner", who alone may know.
        """
        self._same(ciphertext, Ciphertext)
        self._same(secret_key, SecretKey)
        bits = ffi.new("uint32_t *")
        room = span(workspace(lib.rs_noise_budget_workspace(self._pointer, ciphertext.level + 1)))
        text = ffi.new("char[]", consent.encode(errors="replace").replace(b"\0", b"?"))
        with secret_key._handle.borrow() as secret:
            hint = 'consent="owner" says that the key\'s owner asks'
            check(lib.rs_noise_budget(self._pointer, secret, ciphertext._native, text, bits, room), hint)
        return int(bits[0])


def packing_of(packing: str) -> int:
    """rs_layout_t's packing. InputError: there is none of that name."""
    if packing not in PACKINGS:
        raise InputError("PACKING", f"Unknown packing {packing!r}.", f"Use one of: {', '.join(PACKINGS)}.")
    return PACKINGS[packing]
