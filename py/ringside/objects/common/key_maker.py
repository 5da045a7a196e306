# SPDX-License-Identifier: Apache-2.0
"""The making of keys: the part of a Context that works on the processor always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

from ...arguments import checks_arguments
from ...errors import InputError
from ...native.files import StrPath
from ...native.library import fail, lib, seed_type_number
from ...native.rng import Randomness
from ...native.streams import DEFAULT_VERSION
from .evaluation_keys import (
    RELINEARISE,
    SEAL_GENERATOR,
    KeyFileOptions,
    galois_elements,
    stream_keys_for,
    write_keys_for,
)
from .keys import PublicKey, SecretKey
from .tables import Tables


@checks_arguments
class KeyMaker(Tables):
    """Tables that make keys. See Context."""

    # ---- keys ----------------------------------------------------------------------------------
    def keygen(
        self, *, insecure_deterministic_seed: bytes | None = None, insecure_deterministic_index: int = 0
    ) -> SecretKey:
        """A new secret key: uniform ternary, no fixed weight."""
        return SecretKey._generate(self, Randomness(insecure_deterministic_seed, insecure_deterministic_index))

    def public_key(
        self,
        secret_key: SecretKey,
        *,
        seeded: bool = True,
        seed_type: str = "shake256",
        insecure_deterministic_seed: bytes | None = None,
        insecure_deterministic_index: int = 0,
    ) -> PublicKey:
        """A new public key. seeded: files hold a seed in place of half of it."""
        self._same(secret_key, SecretKey)
        randomness = Randomness(insecure_deterministic_seed, insecure_deterministic_index)
        return PublicKey._generate(self, secret_key, randomness, seeded, seed_type)

    def write_relin_keys(self, secret_key: SecretKey, path: StrPath, **options: Unpack[KeyFileOptions]) -> int:
        """Writes relinearisation keys (SEAL's RelinKeys) and returns the file's bytes.

        Components are made and written one at a time: memory for one is enough.
        progress(done, total) is called after each. ParameterError without a special prime.
        """
        self._same(secret_key, SecretKey)
        return write_keys_for(secret_key, path, lib.RS_WIRE_RELIN_KEYS, [RELINEARISE], options)

    def write_galois_keys(
        self,
        secret_key: SecretKey,
        path: StrPath,
        rotations: Sequence[int] | Literal["pow2"] = "pow2",
        *,
        generator: int = SEAL_GENERATOR,
        **options: Unpack[KeyFileOptions],
    ) -> int:
        """Writes rotation keys (SEAL's GaloisKeys) and returns the file's bytes.

        rotations: steps to the left, negative to the right, 0 for complex conjugation; "pow2": all
        powers of two both ways and conjugation, SEAL's default. generator: 3 rotates slots in SEAL's order, 5 in that of Lattigo
        and OpenFHE. Memory and progress as in write_relin_keys. InputError for a step outside of (-N/2, N/2).
        """
        self._same(secret_key, SecretKey)
        wanted = set(self.galois_elements(rotations, generator))
        # entry i holds the key of element 2i + 1
        entries = [element if element in wanted else None for element in range(1, 2 * self.n, 2)]
        return write_keys_for(secret_key, path, lib.RS_WIRE_GALOIS_KEYS, entries, options)

    def stream_keys(
        self,
        secret_key: SecretKey,
        path: StrPath,
        rotations: Sequence[int] | Literal["pow2"] | None = None,
        *,
        master: bytes | memoryview,
        index: int = 0,
        first: int = 0,
        count: int | None = None,
        generator: int = SEAL_GENERATOR,
        seed_type: str = "shake256",
        version: str = DEFAULT_VERSION,
        overwrite: bool | None = None,
        resume: bool = False,
    ) -> int:
        """Writes relinearisation keys, or with rotations Galois keys, in the memory of few moduli, uncompressed; the bytes written.

        master: 64 secret random bytes. All that is random in the file follows from them, the parameters, the secret key, the Galois
        element and index, which tells files apart that agree in the rest. So the same call gives the same bytes, and
        first and count any range of them: what a broken link did not bring, or a server asks for. resume: path has the first bytes already, of which
        the last ones are compared; the rest is appended. ParameterError for another length of the master, InputError for a range behind the
        end, FileError: path begins otherwise.
        """
        self._same(secret_key, SecretKey)
        if resume and (first or count is not None):
            raise InputError("RS_ERR_LENGTH", "resume goes on where the file ends.", "Leave out first and count.")
        how = {"index": index, "first": first, "bytes": count, "seed_type": seed_type_number(seed_type)}
        elements = None if rotations is None else self.galois_elements(rotations, generator)
        return stream_keys_for(secret_key, path, elements, master, version, how, overwrite=overwrite, resume=resume)

    def galois_elements(self, rotations: Sequence[int] | Literal["pow2"], generator: int = SEAL_GENERATOR) -> list[int]:
        """Galois elements of these rotations, ascending, each once. generator: see write_galois_keys."""
        return galois_elements(self, rotations, generator)

    def _check_key(self, key: Any, seeded: bool | None) -> None:
        """The key of an encryption: of these parameters, and a secret one if a seed is asked for."""
        if isinstance(key, PublicKey) and seeded:
            fail(lib.RS_ERR_SEEDED, "public-key ciphertexts have no seed", "Leave out `seeded`.")
        self._same(key, SecretKey, PublicKey)
