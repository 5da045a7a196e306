# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, the key encapsulation mechanism of FIPS 203."""

from __future__ import annotations

from ..arguments import checks_arguments
from ..errors import SecretKeyError
from ..native.library import NO_BYTES, BytesLike, check, get_bytes, lib, secret_bytes, span
from .buffers import given, public_memory
from .names import KEM_SETS
from .on_device import StandardScheme


@checks_arguments
class MLKEM(StandardScheme):
    """One parameter set of ML-KEM: "ML-KEM-512", "ML-KEM-768" or "ML-KEM-1024".

    The owner of a key pair publishes the encapsulation key `ek` and keeps the decapsulation key `dk`. Anyone with `ek` makes a shared secret of
    32 bytes and a ciphertext; `dk` makes the same secret of the ciphertext. Keys, ciphertexts and secrets are bytes as FIPS 203 lays them out:

    =============  =====  =====  ==========  =========  ======
    set            `ek`   `dk`   ciphertext  category   FIPS 203
    =============  =====  =====  ==========  =========  ======
    ML-KEM-512       800   1632         768          1  table 2
    ML-KEM-768      1184   2400        1088          3  table 2
    ML-KEM-1024     1568   3168        1568          5  table 2
    =============  =====  =====  ==========  =========  ======

    Attributes: name, oid, category, ek_bytes, dk_bytes, ct_bytes, shared_bytes (32), seed_bytes (64), randomness_bytes (32); public_bytes and
    private_bytes are ek_bytes and dk_bytes under the names that all schemes have.
    An object holds no key, and threads may share it. Memory of the library that held a secret is wiped; `bytes` that are returned cannot be.

    device: where it computes, "cpu:", a simulated core with [fields], "sim:pqc-4", or a simulated SoC with that core, "soc:pqc-4", whose firmware makes the
    call; the bytes are the same. Checks are made by the processor.

    Raises ParameterError for another name, DeviceError for a device that cannot; its methods ArgumentError for what is not bytes, and InputError for a wrong length.
    """

    def __init__(self, name: str = "ML-KEM-768", device: str = "cpu:") -> None:
        super().__init__(name, KEM_SETS, "mlkem", device)
        self.ek_bytes, self.dk_bytes, self.ct_bytes = self._sizes.ek, self._sizes.dk, self._sizes.ct
        self.public_bytes, self.private_bytes = self.ek_bytes, self.dk_bytes
        self.shared_bytes = int(lib.RS_MLKEM_SHARED_BYTES)
        self.seed_bytes = int(lib.RS_MLKEM_SEED_BYTES)
        self.randomness_bytes = int(lib.RS_MLKEM_RANDOM_BYTES)

    def keygen(self, seed: BytesLike | None = None) -> tuple[bytes, bytes]:
        """A key pair (ek, dk): FIPS 203, algorithm 19, with fresh randomness of the operating system.

        seed: d || z, 64 bytes, for a pair that is kept as its seed (algorithm 16), for imports and for tests. It is as secret as dk. Whoever
        makes it up, rather than drawing it, has a key that can be guessed. InputError: another length.
        """
        ek, dk = public_memory(self.ek_bytes), secret_bytes(self.dk_bytes)
        self._run("keygen", {}, {"ek": ek, "dk": dk}, {"seed": self._seed("keygen", seed)})
        return get_bytes(ek, self.ek_bytes), get_bytes(dk, self.dk_bytes)

    def encaps(self, ek: BytesLike, randomness: BytesLike | None = None) -> tuple[bytes, bytes]:
        """A shared secret of 32 bytes and its ciphertext, (ss, ct): FIPS 203, algorithm 20, with the check of `ek` of section 7.2.

        randomness: m, 32 bytes, for tests alone (algorithm 17): whoever knows it, or uses it twice, has no secret. InputError: a wrong length,
        or an `ek` with a coefficient that is not below 3329.
        """
        key = given("MLKEM.encaps", "ek", ek, self.ek_bytes, f"an encapsulation key of {self.name}")
        ct, ss = public_memory(self.ct_bytes), secret_bytes(self.shared_bytes)
        size = self.randomness_bytes
        what = f"the randomness of {self.name}"
        m = None if randomness is None else given("MLKEM.encaps", "randomness", randomness, size, what)
        self._run("encaps", {"ek": key}, {"ct": ct, "shared": ss}, {"m": (m, size)})
        return get_bytes(ss, self.shared_bytes), get_bytes(ct, self.ct_bytes)

    def decaps(self, dk: BytesLike, ct: BytesLike) -> bytes:
        """The shared secret of a ciphertext, 32 bytes: FIPS 203, algorithm 21, with the checks of section 7.3.

        A ciphertext that nobody made for this key gives 32 bytes too, which only the owner of `dk` can compute (implicit rejection): a
        protocol finds out when the two sides' secrets differ. InputError: a wrong length. SecretKeyError: `dk` is damaged.
        """
        key = given("MLKEM.decaps", "dk", dk, self.dk_bytes, f"a decapsulation key of {self.name}")
        cipher = given("MLKEM.decaps", "ct", ct, self.ct_bytes, f"a ciphertext of {self.name}")
        ss = secret_bytes(self.shared_bytes)
        self._run("decaps", {"dk": key, "ct": cipher}, {"shared": ss})
        return get_bytes(ss, self.shared_bytes)

    def seal(self, seed: BytesLike | None = None) -> bytes:
        """Puts a key pair into a sealed core, such as sim:pqc-4s, and returns its `ek`. From then on only shared secrets leave (decaps_sealed).

        seed: d || z, 64 bytes; else the operating system's. Another pair replaces the one before, and so does closing the device: a pair that
        has to last is kept as its seed, somewhere safe. InputError: another length. DeviceError: a processor, or a core that is not sealed.
        """
        ek = public_memory(self.ek_bytes)
        self._run("seal", {}, {"ek": ek}, {"seed": self._seed("seal", seed)}, sealed=True)
        return get_bytes(ek, self.ek_bytes)

    def decaps_sealed(self, ct: BytesLike) -> bytes:
        """The shared secret of a ciphertext by the pair that is sealed in the core: what `decaps` returns for its `dk`. InputError, DeviceError."""
        cipher = given("MLKEM.decaps_sealed", "ct", ct, self.ct_bytes, f"a ciphertext of {self.name}")
        ss = secret_bytes(self.shared_bytes)
        self._run("decaps", {"ct": cipher}, {"shared": ss}, sealed=True)
        return get_bytes(ss, self.shared_bytes)

    def public_key(self, dk: BytesLike) -> bytes:
        """The `ek` that a `dk` contains (FIPS 203, algorithm 16, line 3), once the hash beside it says that both are whole. SecretKeyError."""
        self.check(dk=dk)
        start = self.dk_bytes - self.ek_bytes - 2 * self.shared_bytes  # dk = dk_PKE || ek || H(ek) || z
        return bytes(memoryview(dk).cast("B")[start : start + self.ek_bytes])

    def check(self, ek: BytesLike | None = None, dk: BytesLike | None = None) -> None:
        """Raises unless the keys are such as key generation makes, as far as they can be told from others: FIPS 203, sections 7.2 and 7.3.

        InputError: a wrong length, or an `ek` with a coefficient that is not below 3329. SecretKeyError: the hash in `dk` is not that of the `ek` in it,
        or, if both are given, they are not one pair.
        """
        if ek is not None:
            given("MLKEM.check", "ek", ek, self.ek_bytes, f"an encapsulation key of {self.name}")
            check(lib.rs_mlkem_check(self._set, span(ek), NO_BYTES))
        if dk is not None:
            given("MLKEM.check", "dk", dk, self.dk_bytes, f"a decapsulation key of {self.name}")
            check(lib.rs_mlkem_check(self._set, NO_BYTES, span(dk)))
        if ek is not None and dk is not None and self.public_key(dk) != bytes(ek):
            raise SecretKeyError("KEY_PAIR", f"These two keys of {self.name} are not one pair.", "Make the pair again.")
