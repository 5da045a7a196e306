# SPDX-License-Identifier: Apache-2.0
"""What exchange with Lattigo and with OpenFHE has in common: slots in the order of 5^k, ciphertexts, keys, files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import checks_arguments
from ..errors import InputError, ParameterError, in_frame, without_frame
from ..formats.cursor import LimbWords
from ..formats.rings import Places, integer_slot_places, rotation_element, slot_places, smallest_root
from ..native.files import StrPath
from ..native.library import aligned, fail, ffi, lib, words_of
from ..objects.ckks.context import Context
from ..objects.common.arrays import as_array, numbers
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.integers import Integers
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import BFV
from ..objects.exact.context import ExactContext
from ..objects.exact.options import SLOTS
from ..tenseal.source import Source
from .bootstrap_upload import BootstrapUpload
from .residues import ResidueForm
from .secrets import moved
from .switching import Component, permuted

LibraryName = Literal["lattigo", "openfhe"]


@checks_arguments
class ForeignLibrary(ABC):
    """Ringside as the client of a server that runs another library. `context` has its parameters; its methods work as ever, in SEAL's order
    of slots. Those of this class keep slots in the order of 5^k, which both libraries have; in BFV and BGV there are two rows of N/2.
    """

    name: str
    context: Any  # Context, or of BFV and BGV ExactContext
    _form: ResidueForm
    _root = staticmethod(smallest_root)  # the root of order 2N that the library takes, also modulo the plain modulus

    @property
    @abstractmethod
    def default_scale(self) -> float:
        """Scale to encode with."""

    # ---- slots ------------------------------------------------------------------------------------------------------
    def _numbers(self, values: ArrayLike) -> NDArray[Any]:
        return as_array(values).reshape(-1) if isinstance(self.context, ExactContext) else numbers(values)

    @property
    def _slot_places(self) -> tuple[Places, NDArray[np.bool_]]:
        """For each of the library's slots SEAL's, and whether its value is the conjugate."""
        n, t = self.context.n, self.context.params.plain_modulus
        if t is None:
            return slot_places(n)
        if not self.context.params.batching:
            fail(lib.RS_ERR_BATCHING)
        return integer_slot_places(t, n, self._root), np.zeros(n, np.bool_)

    def to_seal_slots(self, values: ArrayLike) -> NDArray[Any]:
        """Values in the library's slots, moved to the slots in which Ringside encodes them. At most as many as slots; the rest is 0."""
        given = self._numbers(values)
        if given.size > self.context.slots:
            message = f"{given.size} values do not fit into {self.context.slots} slots."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Encode at most as many at a time.")
        places, conjugate = self._slot_places
        places, conjugate = places[: given.size], conjugate[: given.size]
        found = np.zeros(self.context.slots, dtype=given.dtype)
        found[places] = np.where(conjugate, np.conj(given), given) if conjugate.any() else given
        return found

    def from_seal_slots(self, values: ArrayLike, count: int | None = None) -> NDArray[Any]:
        """The reverse, of all values; count: how many are wanted."""
        given, slots = self._numbers(values), self.context.slots
        if given.size != slots:
            message = f"There are {given.size} values, and {slots} slots."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Pass all that decrypt_values returns.")
        if count is not None and not 0 < count <= slots:
            raise InputError("RS_ERR_VALUE_COUNT", f"The count is {count}.", f"It is 1 to {slots}, or None for all.")
        places, conjugate = self._slot_places
        places, conjugate = places[:count], conjugate[:count]
        found = given[places]
        return np.where(conjugate, np.conj(found), found) if conjugate.any() else found

    def galois_elements(self, rotations: Sequence[int]) -> list[int]:
        """Galois elements of rotations to the left in the library's order, negative to the right, 0 for conjugation, in BFV and BGV an exchange of
        the rows; ascending."""
        slots = self.context.n // 2
        for steps in rotations:
            if not -slots < steps < slots:
                message = f"A rotation by {steps} with {slots} slots."
                raise InputError("RS_ERR_GALOIS", message, "Rotate by fewer than N/2.")
        return sorted({rotation_element(steps, self.context.n) for steps in rotations})

    # ---- encrypt and decrypt ----------------------------------------------------------------------------------------
    def encrypt(self, values: ArrayLike, key: SecretKey | PublicKey, **options: Any) -> Ciphertext:
        """As Context.encrypt or ExactContext.encrypt, with values in the library's slots. scale: default the library's."""
        with without_frame():
            return self._encrypt_batch([values], key, threads=1, **options)[0]

    @property
    def answers(self) -> Any:
        """The context of ciphertexts that are read."""
        return self.context

    def _context_of(self, ciphertext: Ciphertext) -> Any:
        context = self.context if ciphertext.context.params.scheme == self.context.params.scheme else self.answers
        context._same(ciphertext, Ciphertext)
        return context

    @contextmanager
    def _opening(self, ciphertext: Ciphertext, secret_key: SecretKey) -> Iterator[tuple[Any, SecretKey]]:
        """The context of a ciphertext, and the key in it."""
        self.context._same(secret_key, SecretKey)
        context = self._context_of(ciphertext)
        if context is self.context:
            yield context, secret_key
        else:
            with moved(secret_key, context) as key:
                yield context, key

    def noise_budget(self, ciphertext: Ciphertext, secret_key: SecretKey, *, consent: str) -> int:
        """As ExactContext.noise_budget."""
        if not isinstance(self.context, ExactContext):
            raise ParameterError("RS_ERR_SCHEME", "Ciphertexts of CKKS have no noise budget.", "It is for BFV and BGV.")
        with self._opening(ciphertext, secret_key) as (context, key):
            bits: int = context.noise_budget(ciphertext, key, consent=consent)
            return bits

    def decrypt_values(
        self, ciphertext: Ciphertext, secret_key: SecretKey, count: int | None = None, **options: Any
    ) -> NDArray[Any]:
        """As decrypt_values of the context, with values in the library's slots."""
        self._only_slots(options.get("packing", SLOTS))
        with self._opening(ciphertext, secret_key) as (context, key):
            return self.from_seal_slots(context.decrypt_values(ciphertext, key, **options), count)

    def _encrypt_batch(
        self, frames: Iterable[ArrayLike], key: SecretKey | PublicKey, **options: Any
    ) -> list[Ciphertext]:
        """As encrypt_batch of the context, with values in the library's slots."""
        context, rows = self.context, list[NDArray[Any]]()
        is_exact, factor = isinstance(context, ExactContext), 0
        if is_exact:
            self._only_slots(options.setdefault("packing", SLOTS))
            if context.params.scheme == BFV and options.get("form") is None:
                options["form"] = "ntt"  # as the files have it
            wrap, factor = options.pop("wrap", False), self._factor(context.params.limbs_at(options.get("level")))
        else:
            options["scale"] = options.get("scale") or self.default_scale
        for frame in frames:
            with in_frame(len(rows)):
                given = self._multiplied(context._row(frame, wrap=wrap), factor) if is_exact else frame
                rows.append(self.to_seal_slots(given))
        found: list[Ciphertext] = context.encrypt_batch(rows, key, **options)
        for one in found if is_exact else ():
            one._native.correction_factor = factor
        return found

    # ---- for bootstrapping ------------------------------------------------------------------------------------------
    @abstractmethod
    def bootstrap_upload(self, *, packing: str = SLOTS, scale: float | None = None) -> BootstrapUpload:
        """How to encrypt for a server that bootstraps. InputError: it takes no such scale or packing."""

    def encrypt_for_bootstrapping(
        self,
        values: ArrayLike,
        key: SecretKey | PublicKey,
        *,
        packing: str = SLOTS,
        scale: float | None = None,
        **options: Any,
    ) -> Ciphertext:
        """Encrypts with as few limbs as the server's bootstrapping takes, which gives it all levels: one for Lattigo, two for OpenFHE.

        packing: "slots", or for Lattigo "coefficients": N real values, which come back in bit-reversed slots of two ciphertexts, the first half first, if
        the server leaves out SlotsToCoeffs. scale: for Lattigo a power of two of at most q_0 / 2^9; default the largest. options: as for encrypt.
        """
        upload = self.bootstrap_upload(packing=packing, scale=scale)
        with without_frame():
            return self._bootstrap_batch(upload, [values], key, threads=1, **options)[0]

    def _bootstrap_batch(
        self, upload: BootstrapUpload, frames: Iterable[ArrayLike], key: SecretKey | PublicKey, **options: Any
    ) -> list[Ciphertext]:
        rows = frames if upload.packing != SLOTS else [self.to_seal_slots(frame) for frame in frames]
        return upload.encrypt_batch(rows, key, **options)

    def _only_reals(self) -> Context:
        """The context. ParameterError: it is of integers, which nobody bootstraps here."""
        if not isinstance(self.context, Context):
            hint = "Use parameters of CKKS."
            raise ParameterError("RS_ERR_SCHEME", "Uploads for bootstrapping are of CKKS.", hint)
        return self.context

    def _only_slots(self, packing: str | None) -> None:
        """InputError for another packing of integers."""
        if packing not in (None, SLOTS):
            message = f"For {self.name} values are packed in slots alone."
            raise InputError("PACKING", message, "Leave out `packing`, --packing.")

    def _factor(self, limbs: int) -> int:
        """What integers of a fresh ciphertext of so many limbs are multiplied by, modulo the plain modulus."""
        return 1

    def _multiplied(self, row: NDArray[Any], factor: int) -> NDArray[Any]:
        """Values that are in range, which is checked here, where each has its own place."""
        t = self.context.params.plain_modulus
        assert t is not None
        span = (0, t - 1) if row.dtype == np.uint64 else (-(t // 2), t // 2)
        hint = "A larger plain modulus makes room, and wrap=True, --wrap takes values modulo it."
        Integers(span, hint).checked("the values", row)
        return row if factor == 1 else np.array(row.astype(object) * factor % t, dtype=np.uint64)

    # ---- files ------------------------------------------------------------------------------------------------------
    @abstractmethod
    def ciphertext_to_bytes(self, ciphertext: Ciphertext) -> bytes:
        """What the library reads."""

    @abstractmethod
    def read_ciphertext(self, source: Source) -> Ciphertext:
        """From bytes, or from the file of that name. FileError, WireError."""

    @abstractmethod
    def public_key_to_bytes(self, key: PublicKey) -> bytes:
        """What the library reads."""

    @abstractmethod
    def read_public_key(self, source: Source) -> PublicKey:
        """From bytes, or from the file of that name. FileError, WireError."""

    @abstractmethod
    def save_secret_key(self, key: SecretKey, path: StrPath, *, overwrite: bool = False) -> int:
        """Writes the file that the library reads (mode 0600); its bytes."""

    @abstractmethod
    def read_secret_key(self, source: Source) -> SecretKey:
        """From the file of that name, whose copy in memory is wiped. FileError, WireError, SecretKeyError."""

    @property
    @abstractmethod
    def has_seal_keys(self) -> bool:
        """Whether a key for key switching of the library and one of SEAL are the same numbers."""

    # ---- residues ---------------------------------------------------------------------------------------------------
    def _to_library(self, ciphertext: Ciphertext) -> list[list[LimbWords]]:
        context = self._context_of(ciphertext)
        data, factor = ciphertext.expand().data, self._multiplier(context)
        inverses = {modulus: pow(factor, -1, modulus) for modulus in context.params.moduli}
        if ciphertext.form == "coef":
            data = self._transformed(data, lib.rs_plan_forward)
        return [
            [self._form.to_library(words, q, factor=f) for words, (q, f) in zip(poly, inverses.items(), strict=False)]
            for poly in data
        ]

    def _multiplier(self, context: Any) -> int:
        """The product of the library's residues and this are those of the context."""
        return 1

    def _key_rows(self, limbs: Sequence[LimbWords], theirs: Sequence[int], **how: Any) -> LimbWords:
        """Limbs of a key over these moduli of the library's file as the context has them: [limb, N]. Those that the file does not have are zero."""
        known, moduli = dict(zip(theirs, limbs, strict=False)), self.context.params.moduli
        rows = aligned((len(moduli), self.context.n))
        for modulus, row in zip(moduli, rows, strict=True):
            if modulus in known:
                self._form.from_library(known[modulus], modulus, row, **how)
            else:
                row[:] = 0
        return rows

    def _component(self, pair: Sequence[LimbWords], element: int) -> Component:
        """A component (b, a) of a key for key switching, of rows as _key_rows makes them."""
        component = aligned((2, self.context.params.limb_count, self.context.n))
        for given, rows in zip(pair, component, strict=True):
            for row, words in zip(rows, given, strict=True):
                row[:] = words if element == RELINEARISE else permuted(self.context, words, element)
        return component

    def _transformed(self, data: NDArray[np.uint64], transform: Any) -> NDArray[np.uint64]:
        """A copy of polynomials [poly, limb, N], each transformed."""
        found = aligned(data.shape)
        found[:] = data
        for poly in found:
            for limb, row in enumerate(poly):
                transform(lib.rs_context_plan(self.context._pointer, limb), ffi.cast("uint64_t *", words_of(row)))
        return found

    def _from_library(
        self, polys: Sequence[Sequence[LimbWords]], scale: float, factor: int | None = None, *, is_coef: bool = False
    ) -> Ciphertext:
        """Of `answers`; in BFV in coefficient form, as SEAL has it."""
        context = self.answers
        moduli, multiplier = context.params.moduli, self._multiplier(context)
        data = aligned((len(polys), len(polys[0]), self.context.n))
        for poly, rows in zip(polys, data, strict=True):
            for words, modulus, row in zip(poly, moduli, rows, strict=False):
                self._form.from_library(words, modulus, row, factor=multiplier)
        is_bfv = context.params.scheme == BFV
        if is_bfv and not is_coef:
            data = self._transformed(data, lib.rs_plan_inverse)
        form = "coef" if is_bfv else "ntt"
        return Ciphertext.from_data(context, data, scale=scale, form=form, correction_factor=factor)
