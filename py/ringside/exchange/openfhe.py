# SPDX-License-Identifier: Apache-2.0
"""Ringside's objects in OpenFHE's binary files, and back."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import Self

from ..arguments import checks_arguments
from ..errors import InputError, MismatchError
from ..formats import openfhe as files
from ..formats.cursor import LimbWords
from ..formats.openfhe import OpenFheParameters, Polys
from ..formats.rings import smallest_root
from ..native.files import StrPath
from ..native.library import aligned
from ..native.streams import WireOptions
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.keys import PublicKey, SecretKey
from ..tenseal.source import Source, contents
from .hybrid import RELINEARISE, HybridKeys, check_elements
from .library import ForeignLibrary, write_pieces
from .residues import ResidueForm
from .secrets import secret_key_from, secret_residues
from .switching import Component, entries_of, permuted, refuse_several_primes, unpermuted, write_entries


@checks_arguments
class OpenFHE(ForeignLibrary):
    """Files of OpenFHE 1.6 (checked with 1.6.1) for a context that Context.from_openfhe made, and its parameters. `read` makes both.

    tag: by which OpenFHE tells secret keys apart; it must be the same in a key's files. Default: made of the parameters, so that all keys have one
    tag. A server with several clients needs one for each: tag_of makes it of a public key.
    """

    name = files.LIBRARY

    def __init__(self, context: Context, parameters: OpenFheParameters, tag: str | None = None) -> None:
        own = context.params
        if (parameters.n, parameters.q) != (own.n, own.moduli[: own.data_limbs]):
            message = "The context has other primes than these parameters of OpenFHE."
            raise MismatchError("RS_ERR_MISMATCH", message, "Make it by Context.from_openfhe.")
        if tag is not None and not (tag.isascii() and 0 < len(tag) <= 256):
            raise InputError(
                "OPENFHE_TAG", "A tag has 1 to 256 characters of ASCII.", "Use OpenFHE.tag_of(public_key)."
            )
        self.context, self.parameters = context, parameters
        self.tag = tag or hashlib.blake2b(bytes.fromhex(own.parms_id()), digest_size=16).hexdigest()
        spare = [q for q in own.moduli if q not in parameters.moduli]
        self._form = ResidueForm(own.n, [*parameters.moduli, *spare], smallest_root)

    @classmethod
    def read(cls, source: Source, *, security: int = 128, tag: str | None = None) -> Self:
        """From the file of a CryptoContext. FileError, WireError, ParameterError."""
        data = contents(source, "CryptoContext")
        return cls(Context.from_openfhe(bytes(data), security=security), files.read_context(data), tag)

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
        polys = self._to_library(ciphertext)
        return b"".join(files.write_ciphertext(polys, ciphertext.scale, self.tag, self.parameters))

    def read_ciphertext(self, source: Source) -> Ciphertext:
        found = files.read_ciphertext(contents(source, "ciphertext"), self.parameters)
        return self._from_library(found.polys, found.scale)

    # ---- keys -------------------------------------------------------------------------------------------------------
    def save_secret_key(self, key: SecretKey, path: StrPath, *, overwrite: bool = False) -> int:
        self.context._same(key, SecretKey)
        limbs = secret_residues(key, self._form, self.parameters.q, montgomery=False)
        pieces = files.write_secret_key(list(limbs), self.tag, self.parameters)
        return write_pieces(path, pieces, private=True, overwrite=overwrite)

    def read_secret_key(self, source: Source) -> SecretKey:
        limbs, _ = files.read_secret_key(contents(source, "private key"), self.parameters)
        by_modulus = dict(zip(self.parameters.q, limbs, strict=True))
        return secret_key_from(self.context, self._form, by_modulus, montgomery=False)

    def public_key_to_bytes(self, key: PublicKey) -> bytes:
        self.context._same(key, PublicKey)
        b, a = (
            [self._form.to_library(row, q) for row, q in zip(poly, self.parameters.q, strict=False)]
            for poly in key.data
        )
        return b"".join(files.write_public_key(b, a, self.tag, self.parameters))

    def read_public_key(self, source: Source) -> PublicKey:
        """OpenFHE's public keys lack the special prime: see PublicKey.data_only."""
        polys, _ = files.read_public_key(contents(source, "public key"), self.parameters)
        data_only = self.context.params.special_prime is not None
        return PublicKey._from_words(self.context, [self._from_file(poly) for poly in polys], data_only=data_only)

    def _from_file(self, limbs: Sequence[LimbWords]) -> LimbWords:
        known = dict(zip(self.parameters.moduli, limbs, strict=False))
        moduli = self.context.params.moduli
        rows = aligned((len(moduli), self.context.n))
        for modulus, row in zip(moduli, rows, strict=True):
            if modulus in known:
                self._form.from_library(known[modulus], modulus, row)
            else:
                row[:] = 0
        return rows

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

    def make_keys_for(
        self, secret_key: SecretKey, elements: Sequence[int], path: StrPath, *, overwrite: bool | None = None
    ) -> int:
        """The same for these Galois elements; [0]: the key for products."""
        self.context._same(secret_key, SecretKey)
        self._refuse_other_switching()
        if not elements:
            raise InputError("RS_ERR_GALOIS", "There are no rotations to make keys for.", "Name one or more.")
        check_elements(elements, self.context.n)
        own = self.parameters
        maker = HybridKeys(secret_key, self._form, own.q, own.p, own.digit_primes)

        def key_of(element: int) -> tuple[Polys, Polys]:
            rows = list(maker.rows(element))
            return [a for _, a in rows], [b for b, _ in rows]

        try:
            pieces = files.write_evaluation_keys(elements, key_of, self.tag, own)
            return write_pieces(path, pieces, overwrite=overwrite)
        finally:
            maker.close()

    def _refuse_other_switching(self) -> None:
        if not self.parameters.p:
            name = files.KEY_SWITCHINGS[self.parameters.facts["ks"]]
            message = f"The context's key switching is {name}, for which Ringside makes no keys."
            raise MismatchError(
                "OPENFHE_KEY_SWITCHING", message, "Call SetKeySwitchTechnique(HYBRID), or make them with OpenFHE."
            )

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
            found = []
            for a, b in zip(*keys[element], strict=True):
                component = aligned((2, self.context.params.limb_count, self.context.n))
                for limbs, rows in zip((b, a), component, strict=True):
                    rows[:] = self._from_file(limbs)
                    if element != RELINEARISE:
                        for row in rows:
                            row[:] = permuted(self.context, row, element)
                found.append(component)
            return found

        elements = list(keys) if galois else None
        return write_entries(
            self.context, os.fspath(path), elements, components, options or WireOptions(), overwrite=overwrite
        )
