# SPDX-License-Identifier: Apache-2.0
"""Ringside's objects in Lattigo's binary files, and back."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any, Self

from ..arguments import checks_arguments
from ..errors import InputError, MismatchError, UsageError
from ..formats import lattigo as files
from ..formats.cursor import LimbWords
from ..formats.lattigo import Gadget, LattigoParameters
from ..formats.lattigo_bootstrapping import client_parameters, read_bootstrapping
from ..formats.rings import generator_root
from ..native.files import StrPath, write_pieces
from ..native.library import lib
from ..native.streams import WireOptions
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation_keys import RELINEARISE
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import BFV, BGV, Parameters, chain_of
from ..objects.exact.context import ExactContext, packing_of
from ..objects.exact.options import SLOTS
from ..objects.keydir import context_for
from ..tenseal.source import Source, contents
from .bootstrap_upload import BootstrapUpload
from .bootstrapping import LattigoBootstrapping
from .hybrid import HybridKeys, check_elements
from .library import ForeignLibrary
from .residues import ResidueForm
from .secrets import secret_key_from, secret_residues
from .switching import Component, entries_of, refuse_several_primes, unpermuted, write_entries

MESSAGE_RATIO_BITS = 8  # q_0 over the largest message, Lattigo's default
_RAISED_ERROR = 2.0**-24  # bits of the scale


def parameters_of(own: Parameters) -> LattigoParameters:
    """Lattigo's parameters with these moduli. ParameterError: it refuses the plain modulus."""
    q, p = own.moduli[: own.data_limbs], own.moduli[own.data_limbs :]
    return LattigoParameters(own.n, q, p, round(math.log2(own.default_scale)), own.plain_modulus)


@checks_arguments
class Lattigo(ForeignLibrary):
    """Files of Lattigo v6 (checked with 6.2.0) for a context: of CKKS, or of Lattigo's package bgv, which is BGV and BFV at once.

    In BGV ciphertexts go from files of SEAL to files of Lattigo and back, but no keys for key switching: make_evaluation_keys makes them of the secret
    key. In BFV all keys do, and ciphertexts to Lattigo alone; what is read from there belongs to `answers`.

    parameters: Lattigo's; default: those of the context, whose special prime is then Lattigo's only prime of P.
    """

    name = files.LIBRARY
    _root = staticmethod(generator_root)

    def __init__(self, context: Context | ExactContext, parameters: LattigoParameters | None = None) -> None:
        own = parameters_of(context.params)
        parameters = own if parameters is None else parameters
        if (parameters.n, parameters.q, parameters.plain_modulus) != (own.n, own.q, own.plain_modulus):
            message = "The context has other moduli than these parameters of Lattigo."
            raise MismatchError("RS_ERR_MISMATCH", message, "Lattigo.read makes it.")
        self.context, self.parameters = context, parameters
        spare = [q for q in own.moduli if q not in parameters.moduli]
        self._form = ResidueForm(own.n, [*parameters.moduli, *spare], generator_root)

    @classmethod
    def read(cls, source: Source, *, security: int = 128) -> Self:
        """From the parameters that Lattigo wrote as JSON, also bootstrapping.Parameters. FileError, ParameterError."""
        parameters = client_parameters(contents(source, "parameters"))
        return cls(context_for(chain_of(parameters, security)), parameters)

    def parameters_to_bytes(self) -> bytes:
        """ckks.Parameters or bgv.Parameters as JSON."""
        return self.parameters.to_bytes()

    @property
    def default_scale(self) -> float:
        bits = self.parameters.log_default_scale
        return float(self.context.params.default_scale if bits is None else 2.0**bits)

    # ---- ciphertexts ------------------------------------------------------------------------------------------------
    def ciphertext_to_bytes(self, ciphertext: Ciphertext) -> bytes:
        polys, t = self._to_library(ciphertext), self.parameters.plain_modulus
        scale: float = ciphertext.correction_factor or ciphertext.scale
        if t is not None and ciphertext.context.params.scheme == BFV:
            scale = -self.context.params.modulus(ciphertext.level) % t
        return b"".join(files.write_ciphertext(scale, polys, self.context.n, t))

    def bootstrap_upload(self, *, packing: str = SLOTS, scale: float | None = None) -> BootstrapUpload:
        """One limb. Lattigo multiplies by round(q_0 / 2^8 scale), which has to be a power of two, up to its own precision."""
        context, first = self._only_reals(), self.parameters.q[0]
        packing_of(packing)
        ratio, hint = first / 2.0**MESSAGE_RATIO_BITS, "Leave it out, for the largest that Lattigo takes."
        largest = 2.0 ** (math.floor(math.log2(ratio)) - 1)
        chosen = largest if scale is None else float(scale)
        if not (0 < chosen <= largest and math.frexp(chosen)[0] == 0.5):
            message = f"Lattigo's bootstrapping takes one limb at a scale that is a power of two and at most 2^{math.log2(largest):.0f}, q_0 / 2^9; this is {chosen:g}."
            raise InputError("RS_ERR_SCALE", message, hint)
        raised = math.log2(round(ratio / chosen))
        if abs(raised - round(raised)) > _RAISED_ERROR:
            message = f"Lattigo's bootstrapping of one limb is exact only where q_0 is close to a power of two, and q_0 is {first}."
            raise InputError("RS_ERR_SCALE", message, "Choose the primes by LogQ, which makes them so.")
        return BootstrapUpload(context, packing, 0, chosen, 2.0 ** math.floor(math.log2(ratio)) / chosen)

    def read_ciphertext(self, source: Source) -> Ciphertext:
        scale, polys = files.read_ciphertext(contents(source, "ciphertext"), self.parameters)
        if self.parameters.plain_modulus is None:
            return self._from_library(polys, float(scale))
        return self._from_library(polys, 1.0, int(scale))

    @property
    def answers(self) -> Any:
        """The context of ciphertexts that are read: for BFV one of BGV with the same moduli, which has a place for Lattigo's scale."""
        own = self.context.params
        if own.scheme != BFV:
            return self.context
        given: Any = {"scheme": BGV, "plain_modulus": own.plain_modulus, "security": 0}
        return ExactContext.shared(Parameters.from_moduli(own.n, own.moduli, **given))

    def _multiplier(self, context: Any) -> int:
        """Phases are scale m / t + e in Lattigo, scale m + t e in BGV, with the scale as correction factor, and - q m / t + e in BFV.

        Errors of public keys are e or t e likewise.
        """
        return context.plain_modulus if context.params.scheme == BGV else 1

    # ---- keys -------------------------------------------------------------------------------------------------------
    def save_secret_key(self, key: SecretKey, path: StrPath, *, overwrite: bool = False) -> int:
        self.context._same(key, SecretKey)
        limbs = secret_residues(key, self._form, self.parameters.moduli, montgomery=True)
        pieces = files.write_secret_key(list(limbs), len(self.parameters.q))
        return write_pieces(path, pieces, private=True, overwrite=overwrite)

    def read_secret_key(self, source: Source) -> SecretKey:
        limbs = files.read_secret_key(contents(source, "secret key"), self.parameters)
        by_modulus = dict(zip(self.parameters.moduli, limbs, strict=True))
        return secret_key_from(self.context, self._form, by_modulus, montgomery=True)

    def public_key_to_bytes(self, key: PublicKey) -> bytes:
        self.context._same(key, PublicKey)
        self._refuse_missing("A public key", data_only=key.data_only)
        b, a = (self._to_montgomery(poly) for poly in key.data)
        return b"".join(files.write_public_key(b, a, len(self.parameters.q)))

    def read_public_key(self, source: Source) -> PublicKey:
        pair = files.read_public_key(contents(source, "public key"), self.parameters)
        special = self.context.params.special_prime
        data_only = special is not None and special not in self.parameters.moduli
        return PublicKey._from_words(self.context, [self._from_montgomery(poly) for poly in pair], data_only=data_only)

    def _refuse_missing(self, what: str, *, data_only: bool = False) -> None:
        """MismatchError if Lattigo's file would have residues that Ringside does not know."""
        known = self.context.params.moduli[: self.context.params.data_limbs if data_only else None]
        missing = [p for p in self.parameters.p if p not in known]
        if missing:
            message = f"{what} for these parameters of Lattigo has residues modulo the special primes {', '.join(map(str, self.parameters.p))}; Ringside's has not."
            hint = f"Choose parameters of Lattigo with one prime P below 2^{lib.RS_MODULUS_BITS_MAX}, or make this key there."
            raise MismatchError("LATTIGO_SPECIAL_PRIMES", message, hint)

    def _to_montgomery(self, rows: Sequence[LimbWords]) -> list[LimbWords]:
        """Limbs of a key over the moduli of Lattigo's file."""
        known = dict(zip(self.context.params.moduli, rows, strict=True))
        inverses = {q: pow(self._multiplier(self.context), -1, q) for q in self.parameters.moduli}
        return [self._form.to_library(known[q], q, montgomery=True, factor=f) for q, f in inverses.items()]

    def _from_montgomery(self, limbs: Sequence[LimbWords]) -> LimbWords:
        """The same back."""
        factor = self._multiplier(self.context)
        return self._key_rows(limbs, self.parameters.moduli, montgomery=True, factor=factor)

    # ---- keys for key switching -------------------------------------------------------------------------------------
    @property
    def has_seal_keys(self) -> bool:
        """Whether a key for key switching of Lattigo and one of SEAL are the same numbers."""
        own = self.context.params
        return own.scheme != BGV and self.parameters.p == (own.special_prime,)

    def _refuse_other_keys(self) -> None:
        """MismatchError unless a key of Lattigo and one of SEAL are the same numbers."""
        if self.context.params.scheme == BGV:
            message = (
                "Keys for key switching of BGV have errors that are multiples of t, which those of Lattigo have not."
            )
            hint = "make_evaluation_keys makes them of the secret key; keys of BFV are the same in Lattigo and in SEAL."
            raise MismatchError("RS_ERR_SCHEME", message, hint)
        refuse_several_primes(self.context, self.parameters.p, self.name)

    def convert_evaluation_keys(
        self,
        path: StrPath,
        *,
        relin_keys: StrPath | None = None,
        galois_keys: StrPath | None = None,
        level: int | None = None,
        overwrite: bool | None = None,
    ) -> int:
        """Writes rlwe.MemEvaluationKeySet from SEAL's files of these keys; its bytes. At least one of the two is needed.

        level: of the Galois keys, whose file then has the parameters `at_level`; None: the highest. Lattigo rotates by 5^k: keys for its rotations
        come from KeyMaker.write_galois_keys with generator=5.
        """
        self._refuse_other_keys()
        if relin_keys is None and galois_keys is None:
            message = "There are no keys to convert."
            raise UsageError("USAGE", message, "Name relinearisation keys, Galois keys or both.")
        pieces = self._put_keys(relin_keys, galois_keys, self._at_level(level))
        return write_pieces(path, pieces, overwrite=overwrite)

    def _at_level(self, level: int | None) -> Lattigo:
        """For keys of this level alone."""
        params, limbs = self.context.params, self.context.params.limbs_at(level)
        if limbs == params.data_limbs:
            return self
        return Lattigo(context_for(params.at_level(limbs - 1)), replace(self.parameters, q=self.parameters.q[:limbs]))

    def _put_keys(
        self, relin_keys: StrPath | None, galois_keys: StrPath | None, below: Lattigo
    ) -> Iterator[bytes | memoryview]:
        elements: list[int] = []
        stream: Iterator[tuple[int, list[Component]]] = iter(())
        if galois_keys is not None:
            elements = [element for element, _ in entries_of(below.context, galois_keys, galois=True)]
            stream = entries_of(below.context, galois_keys, galois=True)

        def key_of(element: int) -> Gadget:
            if element == RELINEARISE:
                assert relin_keys is not None
                found, components = next(iter(entries_of(self.context, relin_keys, galois=False)))
            else:
                found, components = next(stream)
            assert found == element, "entries ascend by element"
            return (self if element == RELINEARISE else below)._gadget(components, element)

        special = len(self.parameters.p)
        yield from files.write_evaluation_keys(relin_keys is not None, elements, key_of, self.context.n, -special)
        for _ in stream:  # to the end of the file, which is checked there
            pass

    def make_evaluation_keys(
        self,
        secret_key: SecretKey,
        path: StrPath,
        *,
        relin: bool = True,
        rotations: Sequence[int] = (),
        elements: Sequence[int] = (),
        level: int | None = None,
        overwrite: bool | None = None,
    ) -> int:
        """Makes keys for products and for these rotations (see galois_elements) and writes rlwe.MemEvaluationKeySet; its bytes.

        elements: further Galois elements. level: at which they rotate (EvaluationKeyParameters.LevelQ); None: the highest. Any number of special
        primes but none.
        """
        self.context._same(secret_key, SecretKey)
        own = self.parameters
        if not own.p:
            message = "Parameters of Lattigo without special primes (P) decompose keys to a base of two, which Ringside does not."
            raise MismatchError("LATTIGO_SPECIAL_PRIMES", message, "Give P one prime or more.")
        check_elements(elements, own.n)

        wanted = sorted({*self.galois_elements(rotations), *elements})
        lower = own.q[: self.context.params.limbs_at(level)]
        with ExitStack() as stack:
            makers = {
                q: stack.enter_context(closing(HybridKeys(secret_key, self._form, q, own.p, len(own.p))))
                for q in {own.q, lower}
            }

            def key_of(element: int) -> Gadget:
                q = own.q if element == RELINEARISE else lower
                return [
                    ([self._form.to_library(row, p, montgomery=True) for row, p in zip(b, q + own.p, strict=True)],
                     [self._form.to_library(row, p, montgomery=True) for row, p in zip(a, q + own.p, strict=True)])
                    for b, a in makers[q].rows(element)
                ]  # fmt: skip

            pieces = files.write_evaluation_keys(relin, wanted, key_of, own.n, -len(own.p))
            return write_pieces(path, pieces, overwrite=overwrite)

    def make_bootstrapping_keys(
        self,
        secret_key: SecretKey,
        literal: Source,
        path: StrPath,
        *,
        security: int = 128,
        overwrite: bool | None = None,
    ) -> int:
        """Makes all of bootstrapping.EvaluationKeys, so that the server has no secret; bytes of the file.

        literal: bootstrapping.Parameters as MarshalBinary writes them, the file of that name or its bytes. Where their ring is larger than this context's,
        keys lead to it and back; the key back is for the first prime alone, to which the server drops its results. ParameterError: the literal is not
        usable, or not as secure as wanted: that of its ring, and of the client's for the keys that lead there.
        """
        self.context._same(secret_key, SecretKey)
        found = read_bootstrapping(contents(literal, "parameters"))
        own = self.parameters
        if (found.client.n, found.client.q) != (own.n, own.q):
            message = "These bootstrapping parameters are for other ciphertexts."
            raise MismatchError("RS_ERR_MISMATCH", message, "Lattigo.read makes a context of them.")
        return LattigoBootstrapping(found, security).write(secret_key, path, overwrite)

    def _gadget(self, components: Sequence[Component], element: int) -> Gadget:
        def poly(rows: LimbWords) -> list[LimbWords]:
            if element == RELINEARISE:
                return self._to_montgomery(list(rows))
            return self._to_montgomery([unpermuted(self.context, row, element) for row in rows])

        return [(poly(component[0]), poly(component[1])) for component in components]

    def read_evaluation_keys(
        self,
        source: Source,
        *,
        relin_keys: StrPath | None = None,
        galois_keys: StrPath | None = None,
        overwrite: bool | None = None,
        options: WireOptions | None = None,
    ) -> dict[str, int]:
        """Writes the keys of a rlwe.MemEvaluationKeySet as SEAL's files, as far as they are there and named; bytes by name."""
        self._refuse_other_keys()
        keys = files.read_evaluation_keys(contents(source, "set of evaluation keys"), self.parameters)
        how, sizes = options or WireOptions(), {}
        if keys.relin is not None and relin_keys is not None:
            rows = self._components(keys.relin, RELINEARISE)
            sizes[os.fspath(relin_keys)] = write_entries(
                self.context, relin_keys, None, lambda _: rows, how, overwrite=overwrite
            )
        if keys.galois and galois_keys is not None:
            sizes[os.fspath(galois_keys)] = write_entries(
                self.context,
                galois_keys,
                list(keys.galois),
                lambda element: self._components(keys.galois[element], element),
                how,
                overwrite=overwrite,
            )
        return sizes

    def levels_in(self, source: Source) -> dict[int, int]:
        """The level of each Galois key in a rlwe.MemEvaluationKeySet, by its element."""
        keys = files.read_evaluation_keys(contents(source, "set of evaluation keys"), self.parameters)
        return {element: len(rows[0][0]) - len(self.parameters.p) - 1 for element, rows in keys.galois.items()}

    def kinds_in(self, source: Source) -> tuple[bool, bool]:
        """Whether a rlwe.MemEvaluationKeySet has a relinearisation key, and Galois keys."""
        keys = files.read_evaluation_keys(contents(source, "set of evaluation keys"), self.parameters)
        return keys.relin is not None, bool(keys.galois)

    def _components(self, gadget: Gadget, element: int) -> list[Component]:
        if len(gadget) < self.context.params.data_limbs:
            message = f"These keys of Lattigo are of level {len(gadget) - 1}, and SEAL's files of such keys have parameters of their own."
            raise MismatchError("RS_ERR_LEVEL", message, "Make the keys again by `ringside keygen --plan`.")
        return [self._component([self._from_montgomery(limbs) for limbs in pair], element) for pair in gadget]
