# SPDX-License-Identifier: Apache-2.0
"""Ringside's objects in OpenFHE's binary files, and back."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Self

from ..arguments import checks_arguments
from ..errors import InputError, MismatchError
from ..formats import openfhe as files
from ..formats.cursor import LimbWords
from ..formats.openfhe import OpenFheParameters, Polys
from ..formats.rings import smallest_root
from ..native.files import StrPath, write_pieces
from ..native.streams import WireOptions
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import chain_of
from ..objects.exact.context import ExactContext
from ..objects.exact.options import SLOTS
from ..objects.keydir import context_for
from ..tenseal.source import Source, contents
from .bootstrap_upload import BootstrapUpload
from .bootstrapping import SPARSE_WEIGHT, lead_from, lead_to, sparse_secret
from .hybrid import HybridKeys, check_elements
from .library import ForeignLibrary
from .residues import ResidueForm
from .secrets import secret_key_from, secret_residues
from .switching import Component, entries_of, refuse_several_primes, unpermuted, write_entries


@checks_arguments
class OpenFHE(ForeignLibrary):
    """Files of OpenFHE 1.6 (checked with 1.6.1) in CKKS, BFV or BGV, for a context of its parameters. `read` makes both.

    tag: by which OpenFHE tells secret keys apart; it must be the same in a key's files. Default: made of the parameters, so that all keys have one
    tag. A server with several clients needs one for each: tag_of makes it of a public key.
    """

    name = files.LIBRARY

    def __init__(self, context: Context | ExactContext, parameters: OpenFheParameters, tag: str | None = None) -> None:
        own = context.params
        known = (own.n, own.moduli[: own.data_limbs], own.scheme, own.plain_modulus)
        if (parameters.n, parameters.q, parameters.scheme, parameters.plain_modulus) != known:
            message = "The context has other primes, or another scheme, than these parameters of OpenFHE."
            raise MismatchError("RS_ERR_MISMATCH", message, "OpenFHE.read makes it.")
        if tag is not None and not (tag.isascii() and 0 < len(tag) <= 256):
            message = "A tag has 1 to 256 characters of ASCII."
            raise InputError("OPENFHE_TAG", message, "Use OpenFHE.tag_of(public_key).")
        self.context, self.parameters = context, parameters
        self.tag = tag or hashlib.blake2b(bytes.fromhex(own.parms_id()), digest_size=16).hexdigest()
        spare = [q for q in own.moduli if q not in parameters.moduli]
        self._form = ResidueForm(own.n, [*parameters.moduli, *spare], smallest_root)

    @classmethod
    def read(cls, source: Source, *, security: int = 128, tag: str | None = None) -> Self:
        """From the file of a CryptoContext. FileError, WireError, ParameterError."""
        data = contents(source, "CryptoContext")
        parameters = files.read_context(data)
        return cls(context_for(chain_of(parameters, security)), parameters, tag)

    @classmethod
    def tag_of(cls, key: PublicKey) -> str:
        """A tag for a secret key, made of its public key."""
        return hashlib.blake2b(key.data[0, 0].tobytes(), digest_size=16).hexdigest()

    def tag_in(self, source: Source) -> str:
        """The tag in a public key that OpenFHE made. FileError, WireError."""
        return files.read_public_key(contents(source, "public key"), self.parameters)[1]

    @property
    def default_scale(self) -> float:
        return self.parameters.scale

    # ---- ciphertexts ------------------------------------------------------------------------------------------------
    def ciphertext_to_bytes(self, ciphertext: Ciphertext) -> bytes:
        polys, factor = self._to_library(ciphertext), ciphertext.correction_factor or 1
        if factor != (wanted := self._factor(len(polys[0]))):
            message = (
                f"The ciphertext has the correction factor {factor}; at its level this context of OpenFHE has {wanted}."
            )
            hint = "Encrypt by OpenFHE.encrypt, or by `ringside encrypt --format openfhe`."
            raise MismatchError("RS_ERR_CORRECTION", message, hint)
        return b"".join(files.write_ciphertext(polys, ciphertext.scale, self.tag, self.parameters, factor=factor))

    def _factor(self, limbs: int) -> int:
        _, factor = self.parameters.fresh(len(self.parameters.q) - limbs)
        if not factor:
            message = "At its last level a context of FLEXIBLEAUTOEXT takes no encryptions."
            raise InputError("RS_ERR_LEVEL", message, "Encrypt at a higher one.")
        return factor

    def bootstrap_upload(self, *, packing: str = SLOTS, scale: float | None = None) -> BootstrapUpload:
        """Two limbs: OpenFHE rescales once before it raises the modulus."""
        context, own = self._only_reals(), self.parameters
        self._only_slots(packing)
        if len(own.q) < 2 or scale not in (None, own.scale):
            message = f"OpenFHE bootstraps two limbs at the scale of its context, 2^{own.scale_bits}."
            raise InputError(
                "RS_ERR_SCALE", message, "Leave scale out, and make the context with SetMultiplicativeDepth."
            )
        return BootstrapUpload(context, packing, 1, own.scale, own.q[0] / own.scale / 2)

    def read_ciphertext(self, source: Source) -> Ciphertext:
        found = files.read_ciphertext(contents(source, "ciphertext"), self.parameters)
        factor = None if self.parameters.plain_modulus is None else found.factor
        return self._from_library(found.polys, found.scale if factor is None else 1.0, factor, is_coef=found.is_coef)

    # ---- keys -------------------------------------------------------------------------------------------------------
    def save_secret_key(self, key: SecretKey, path: StrPath, *, overwrite: bool = False) -> int:
        self.context._same(key, SecretKey)
        limbs = secret_residues(key, self._form, self.parameters.key_moduli, montgomery=False)
        pieces = files.write_secret_key(list(limbs), self.tag, self.parameters)
        return write_pieces(path, pieces, private=True, overwrite=overwrite)

    def read_secret_key(self, source: Source) -> SecretKey:
        limbs, _ = files.read_secret_key(contents(source, "private key"), self.parameters)
        by_modulus = dict(zip(self.parameters.key_moduli, limbs, strict=True))
        return secret_key_from(self.context, self._form, by_modulus, montgomery=False)

    def public_key_to_bytes(self, key: PublicKey) -> bytes:
        self.context._same(key, PublicKey)
        b, a = (
            [self._form.to_library(row, q) for row, q in zip(poly, self.parameters.key_moduli, strict=False)]
            for poly in key.data
        )
        return b"".join(files.write_public_key(b, a, self.tag, self.parameters))

    def read_public_key(self, source: Source) -> PublicKey:
        """OpenFHE's public keys lack the special prime, unless BFV's encryption is EXTENDED: see PublicKey.data_only."""
        own = self.parameters
        polys, _ = files.read_public_key(contents(source, "public key"), own)
        data_only = self.context.params.special_prime not in (None, *own.extra)
        rows = [self._key_rows(poly, own.key_moduli) for poly in polys]
        return PublicKey._from_words(self.context, rows, data_only=data_only)

    # ---- keys for key switching -------------------------------------------------------------------------------------
    def elements_in(self, source: Source, *, galois: bool) -> list[int]:
        """Galois elements of the keys in a file of SerializeEvalAutomorphismKey; galois=False: [0] of one of SerializeEvalMultKey.

        Checks the file, of any number of digits and special primes. FileError, WireError.
        """
        self._refuse_other_switching()
        data = contents(source, "set of evaluation keys")
        return list(files.read_evaluation_keys(data, self.parameters, galois=galois)[0])

    def make_relin_keys(self, secret_key: SecretKey, path: StrPath, *, overwrite: bool | None = None) -> int:
        """Makes the key for products and writes what DeserializeEvalMultKey reads; its bytes. Any number of digits and special primes."""
        return self.make_keys_for(secret_key, [RELINEARISE], path, overwrite=overwrite)

    def make_rotation_keys(
        self, secret_key: SecretKey, path: StrPath, rotations: Sequence[int], *, overwrite: bool | None = None
    ) -> int:
        """Makes keys for these rotations (see galois_elements) and writes what DeserializeEvalAutomorphismKey reads; its bytes."""
        return self.make_keys_for(secret_key, self.galois_elements(rotations), path, overwrite=overwrite)

    def make_bootstrapping_keys(
        self, secret_key: SecretKey, elements: Sequence[int], path: StrPath, *, overwrite: bool | None = None
    ) -> int:
        """Makes what EvalBootstrapKeyGen does, so that the server has no secret, and writes what DeserializeEvalAutomorphismKey reads; its bytes.

        elements: what GetExistingEvalAutomorphismKeyIndices gives after EvalBootstrapKeyGen with any key that the server makes and throws away. 2N - 4 and 2N - 2 are
        among them where the context is SPARSE_ENCAPSULATED: they lead to an ephemeral sparse secret, modulo three primes, and back. The key for products is
        that of make_relin_keys.
        """
        if not self.parameters.p:
            message = "OpenFHE bootstraps with HYBRID key switching alone."
            raise MismatchError("OPENFHE_KEY_SWITCHING", message, "Call SetKeySwitchTechnique(HYBRID).")
        return self._make_keys(secret_key, elements, path, overwrite, is_sparse=True)

    def make_keys_for(
        self, secret_key: SecretKey, elements: Sequence[int], path: StrPath, *, overwrite: bool | None = None
    ) -> int:
        """The same for these Galois elements; [0]: the key for products."""
        return self._make_keys(secret_key, elements, path, overwrite)

    def _make_keys(
        self,
        secret_key: SecretKey,
        elements: Sequence[int],
        path: StrPath,
        overwrite: bool | None,
        *,
        is_sparse: bool = False,
    ) -> int:
        """is_sparse: two even numbers may stand in the place of elements, for the keys to a sparse secret and back."""
        self.context._same(secret_key, SecretKey)
        self._refuse_other_switching()
        if not elements:
            raise InputError("RS_ERR_GALOIS", "There are no rotations to make keys for.", "Name one or more.")
        own = self.parameters
        pair = (own.sparse_element, own.sparse_element + 2) if is_sparse else ()
        check_elements([element for element in elements if element not in pair], self.context.n)
        with closing(HybridKeys(secret_key, self._form, own.switched, own.p, own.digit_primes)) as maker:
            sparse = sparse_secret(own.n, SPARSE_WEIGHT)

            def key_of(element: int) -> tuple[Polys, Polys]:
                if element not in pair:
                    rows = list(maker.rows(element))
                elif element == own.sparse_element:
                    rows = list(lead_to(sparse, secret_key, own.encapsulated, smallest_root))
                else:
                    rows = list(lead_from(sparse, maker, self._form, own.moduli))
                return [a for _, a in rows], [b for b, _ in rows]

            pieces = files.write_evaluation_keys(elements, key_of, self.tag, own)
            return write_pieces(path, pieces, overwrite=overwrite)

    def _refuse_other_switching(self) -> None:
        if not self.parameters.p and (bits := self.parameters.facts["rw"]):
            message = f"The context's key switching is BV with digits of {bits} bits, for which Ringside makes no keys."
            hint = "Call SetDigitSize(0) or SetKeySwitchTechnique(HYBRID), or make them with OpenFHE."
            raise MismatchError("OPENFHE_KEY_SWITCHING", message, hint)

    @property
    def has_seal_keys(self) -> bool:
        """Whether a key for key switching of OpenFHE and one of SEAL are the same numbers."""
        own = self.parameters
        return own.p == (self.context.params.special_prime,) and own.digit_primes == 1

    def _refuse_other_keys(self) -> None:
        """MismatchError unless a key of OpenFHE and one of SEAL are the same numbers."""
        self._refuse_other_switching()
        refuse_several_primes(self.context, self.parameters.p, self.name)
        if self.parameters.digit_primes != 1:
            message = f"Keys of this context have {self.parameters.digits} digits of up to {self.parameters.digit_primes} primes; SEAL's have a digit for each prime."
            hint = "Make them by OpenFHE.make_relin_keys, or call SetNumLargeDigits with the number of primes."
            raise MismatchError("OPENFHE_DIGITS", message, hint)

    def convert_relin_keys(self, source: StrPath, path: StrPath, *, overwrite: bool | None = None) -> int:
        """Relinearisation keys in SEAL's file for DeserializeEvalMultKey."""
        return self._convert(source, path, galois=False, overwrite=overwrite)

    def convert_rotation_keys(self, source: StrPath, path: StrPath, *, overwrite: bool | None = None) -> int:
        """Galois keys in SEAL's file for DeserializeEvalAutomorphismKey. OpenFHE rotates by 5^k: make them with generator=5."""
        return self._convert(source, path, galois=True, overwrite=overwrite)

    def _convert(self, source: StrPath, path: StrPath, *, galois: bool, overwrite: bool | None) -> int:
        self._refuse_other_keys()
        elements = [element for element, _ in entries_of(self.context, source, galois=galois)]
        stream = entries_of(self.context, source, galois=galois)

        def key_of(element: int) -> tuple[Polys, Polys]:
            found, components = next(stream)
            assert found == element, "entries ascend by element"
            b, a = ([self._to_file(component[index], element) for component in components] for index in range(2))
            return a, b

        def pieces() -> Iterator[bytes | memoryview]:
            yield from files.write_evaluation_keys(elements, key_of, self.tag, self.parameters)
            for _ in stream:  # to the end of the file, which is checked there
                pass

        return write_pieces(path, pieces(), overwrite=overwrite)

    def _to_file(self, rows: LimbWords, element: int) -> list[LimbWords]:
        return [row if element == RELINEARISE else unpermuted(self.context, row, element) for row in rows]

    def read_relin_keys(
        self, source: Source, path: StrPath, *, options: WireOptions | None = None, overwrite: bool | None = None
    ) -> int:
        """The key of SerializeEvalMultKey as SEAL's file of relinearisation keys; its bytes."""
        return self._read_keys(source, path, options, galois=False, overwrite=overwrite)

    def read_rotation_keys(
        self, source: Source, path: StrPath, *, options: WireOptions | None = None, overwrite: bool | None = None
    ) -> int:
        """The keys of SerializeEvalAutomorphismKey as SEAL's file of Galois keys; its bytes."""
        return self._read_keys(source, path, options, galois=True, overwrite=overwrite)

    def _read_keys(
        self, source: Source, path: StrPath, options: WireOptions | None, *, galois: bool, overwrite: bool | None
    ) -> int:
        self._refuse_other_keys()
        data = contents(source, "set of evaluation keys")
        keys, _ = files.read_evaluation_keys(data, self.parameters, galois=galois)

        def components(element: int) -> list[Component]:
            pairs = zip(*keys[element], strict=True)
            moduli = self.parameters.moduli
            return [self._component([self._key_rows(limbs, moduli) for limbs in (b, a)], element) for a, b in pairs]

        elements = list(keys) if galois else None
        return write_entries(
            self.context, os.fspath(path), elements, components, options or WireOptions(), overwrite=overwrite
        )
