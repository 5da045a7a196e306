# SPDX-License-Identifier: Apache-2.0
"""Keys for bootstrapping, made by the client, so that no server needs its secret key.

Ciphertexts are raised to more primes under an ephemeral secret of few coefficients that are not 0 (Bossuat, Troncoso-Pastoriza and Hubaux, eprint
2022/024), as their error grows with that number. Keys that lead to it, or to a smaller ring, have few moduli, Lattigo's q_0 and P_0 alone: they are encryptions
under that secret, and a smaller ring, or a sparse secret, is secure with few bits only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..formats.cursor import LimbWords
from ..formats.lattigo import Gadget, write_evaluation_keys
from ..formats.lattigo_bootstrapping import BootstrappingParameters, write_bootstrapping_keys
from ..formats.rings import generator_root
from ..native.files import StrPath, write_pieces
from ..native.library import SEED_BYTES, ffi, lib, secret_bytes
from ..native.rng import drawn
from ..objects.ckks.context import Context
from ..objects.common.keys import SecretKey
from ..objects.common.params import Parameters, check_security
from .hybrid import HybridKeys, KeyRow
from .residues import ResidueForm
from .secrets import lifted, small_secret

Root = Callable[[int, int], int]
SPARSE_WEIGHT = 32  # that other libraries' ephemeral secrets have


def sparse_secret(n: int, weight: int) -> NDArray[np.int8]:
    """An ephemeral secret with so many coefficients -1 or 1, the others 0, in memory that is wiped."""
    seed, small = drawn(SEED_BYTES), secret_bytes(n)
    lib.rs_sample_sparse(ffi.cast("int8_t *", small), n, weight, ffi.cast("rs_seed_t const *", seed))
    return np.frombuffer(ffi.buffer(small), dtype=np.int8)


def embedded(small: NDArray[np.int8], n: int) -> NDArray[np.int8]:
    """s(X^t) in a ring of degree N, from s in a ring of degree N / t."""
    found = np.frombuffer(ffi.buffer(secret_bytes(n)), dtype=np.int8)
    found[:] = 0
    found[:: n // small.size] = small
    return found


def check_weight(weight: int, security: int) -> None:
    """ParameterError: secrets of this weight can be guessed, or there is no ephemeral secret."""
    if weight == 0:
        message = "Without an ephemeral secret (EphemeralSecretWeight 0) bootstrapping needs a sparse secret key, and Ringside's are dense: results would be noise."
        raise ParameterError("BOOTSTRAPPING", message, "Leave EphemeralSecretWeight out, for Lattigo's 32.")
    if security and weight < SPARSE_WEIGHT:
        message = f"An ephemeral secret of weight {weight} is less secure than Lattigo's own."
        raise ParameterError("BOOTSTRAPPING", message, f"Take {SPARSE_WEIGHT} or more.")


def lead_to(small: NDArray[np.int8], key: SecretKey, low: Sequence[int], root: Root) -> Iterator[KeyRow]:
    """The key to a small secret, modulo the first prime of Q and few special ones. root: as of ResidueForm."""
    form = ResidueForm(small.size, low, root)
    with closing(HybridKeys(key, form, low[:1], low[1:], 1)) as maker:
        yield from maker.switch(maker.secret, lifted(small, form, low))


def lead_from(small: NDArray[np.int8], maker: HybridKeys, form: ResidueForm, moduli: Sequence[int]) -> Iterator[KeyRow]:
    """The key back, modulo all primes."""
    return maker.switch(lifted(small, form, moduli), maker.secret)


class LattigoBootstrapping:
    """Makes the keys of bootstrapping.EvaluationKeys for one secret key. ParameterError: a ring is not as secure as wanted, or bootstrapping cannot work."""

    def __init__(self, found: BootstrappingParameters, security: int) -> None:
        self._found, self._circuit = found, found.circuit
        check_weight(found.weight, security)
        check_security(self._circuit.n, self._circuit.moduli, security)
        self._low = (self._circuit.q[0], self._circuit.p[0])
        if self.is_raised:
            check_security(found.residual.n, self._low, security)
        self._form = ResidueForm(self._circuit.n, self._circuit.moduli, generator_root)

    @property
    def is_raised(self) -> bool:
        """Whether ciphertexts go to a larger ring for bootstrapping, with another secret."""
        return self._found.residual.n < self._circuit.n

    def write(self, key: SecretKey, path: StrPath, overwrite: bool | None) -> int:
        """Streams the file, a key after the other; its bytes."""
        own = self._circuit
        small = small_secret(key)
        if not self.is_raised:
            return self._write(key, None, path, overwrite)
        context = Context(Parameters.from_moduli(own.n, own.q[:1], security=0))
        with context.keygen() as large:
            return self._write(large, embedded(small, own.n), path, overwrite)

    def _write(self, key: SecretKey, client: NDArray[np.int8] | None, path: StrPath, overwrite: bool | None) -> int:
        """key: of the circuit's ring. client: the client's, where it is another."""
        own, low = self._circuit, self._low
        with closing(HybridKeys(key, self._form, own.q, own.p, len(own.p))) as full:

            def switches() -> Iterator[tuple[Gadget, int] | None]:
                """From the secret of the client, or from a sparse one, and back."""
                sparse = sparse_secret(own.n, self._found.weight)
                for small in (client, None, sparse):
                    if small is None:
                        yield from (None, None)
                        continue
                    up = self._gadget(lead_from(small, full, self._form, own.moduli), own.moduli)
                    down = self._gadget(lead_to(small, key, low, generator_root), low)
                    pair = (up, len(own.q)), (down, 1)
                    yield from pair if small is client else reversed(pair)

            def key_of(element: int) -> Gadget:
                return self._gadget(full.rows(element), own.moduli)

            rest = write_evaluation_keys(True, self._found.elements, key_of, own.n, len(own.q))
            return write_pieces(path, write_bootstrapping_keys(switches(), rest), overwrite=overwrite)

    def _gadget(self, rows: Iterator[KeyRow], moduli: tuple[int, ...]) -> Gadget:
        def limbs(poly: list[LimbWords]) -> list[LimbWords]:
            return [self._form.to_library(row, q, montgomery=True) for row, q in zip(poly, moduli, strict=True)]

        return [(limbs(b), limbs(a)) for b, a in rows]
