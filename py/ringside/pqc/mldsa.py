# SPDX-License-Identifier: Apache-2.0
"""ML-DSA, the signatures of FIPS 204."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ..arguments import checks_arguments
from ..devices.calls import SchemeText
from ..errors import InputError, SecretKeyError
from ..hints import did_you_mean
from ..native.library import BytesLike, CData, check, get_bytes, lib, secret_bytes, span, view_of
from .buffers import given, public_memory
from .names import SIGNATURE_SETS
from .on_device import StandardScheme

# Functions that may hash a message beforehand (FIPS 204, section 5.4.1): hashlib's name, and the library's number.
PREHASHES: Mapping[str, tuple[str, int]] = {
    "SHA2-224": ("sha224", lib.RS_MLDSA_SHA2_224),
    "SHA2-256": ("sha256", lib.RS_MLDSA_SHA2_256),
    "SHA2-384": ("sha384", lib.RS_MLDSA_SHA2_384),
    "SHA2-512": ("sha512", lib.RS_MLDSA_SHA2_512),
    "SHA2-512/224": ("sha512_224", lib.RS_MLDSA_SHA2_512_224),
    "SHA2-512/256": ("sha512_256", lib.RS_MLDSA_SHA2_512_256),
    "SHA3-224": ("sha3_224", lib.RS_MLDSA_SHA3_224),
    "SHA3-256": ("sha3_256", lib.RS_MLDSA_SHA3_256),
    "SHA3-384": ("sha3_384", lib.RS_MLDSA_SHA3_384),
    "SHA3-512": ("sha3_512", lib.RS_MLDSA_SHA3_512),
    "SHAKE128": ("shake_128", lib.RS_MLDSA_SHAKE128),
    "SHAKE256": ("shake_256", lib.RS_MLDSA_SHAKE256),
}


def _digest(prehash: str, message: BytesLike) -> tuple[int, bytes]:
    """The library's number of a hash function, and the message's digest by it."""
    if prehash not in PREHASHES:
        known = f"Use one of: {', '.join(PREHASHES)}."
        raise InputError(
            "PREHASH", f"{prehash!r} is no hash function of ML-DSA.", did_you_mean(prehash, PREHASHES, known)
        )
    name, number = PREHASHES[prehash]
    state = hashlib.new(name, message)
    if name.startswith("shake"):  # the length is the standard's: 32 and 64 bytes
        return number, state.digest(int(lib.rs_mldsa_digest_bytes(number)))  # type: ignore[call-arg]
    return number, state.digest()


def _text(message: BytesLike, context: BytesLike, prehash: str | None) -> SchemeText:
    if prehash is None:
        return SchemeText(int(lib.RS_MLDSA_PURE), message, context=context)
    number, digest = _digest(prehash, message)
    return SchemeText(int(lib.RS_MLDSA_DIGEST), digest, number, context)


@checks_arguments
class MLDSA(StandardScheme):
    """One parameter set of ML-DSA: "ML-DSA-44", "ML-DSA-65" or "ML-DSA-87".

    The signer keeps the secret key `sk` and publishes the public key `pk`. Keys and signatures are bytes as FIPS 204 lays them out:

    =========  =====  =====  =========  ========  ========
    set        `pk`   `sk`   signature  category  FIPS 204
    =========  =====  =====  =========  ========  ========
    ML-DSA-44   1312   2560       2420         2  table 2
    ML-DSA-65   1952   4032       3309         3  table 2
    ML-DSA-87   2592   4896       4627         5  table 2
    =========  =====  =====  =========  ========  ========

    Attributes: name, oid, category, pk_bytes, sk_bytes, signature_bytes, seed_bytes (32), context_bytes_max (255); public_bytes and private_bytes are
    pk_bytes and sk_bytes under the names that all schemes have.
    An object holds no key, and threads may share it. Memory of the library that held a secret is wiped; `bytes` that are returned cannot be.

    device: where it computes, "cpu:", a simulated core with [fields], "sim:pqc-4", or a simulated SoC with that core, "soc:pqc-4", whose firmware makes the
    call; the bytes are the same. `public_key` and `check` are this machine's processor's.

    Raises ParameterError for another name, DeviceError for a device that cannot; its methods ArgumentError for what is not bytes, and InputError for a wrong length.
    """

    def __init__(self, name: str = "ML-DSA-65", device: str = "cpu:") -> None:
        super().__init__(name, SIGNATURE_SETS, "mldsa", device)
        self.pk_bytes, self.sk_bytes, self.signature_bytes = self._sizes.pk, self._sizes.sk, self._sizes.signature
        self.public_bytes, self.private_bytes = self.pk_bytes, self.sk_bytes
        self.seed_bytes = int(lib.RS_MLDSA_SEED_BYTES)
        self.context_bytes_max = int(lib.RS_MLDSA_CONTEXT_BYTES_MAX)

    def keygen(self, seed: BytesLike | None = None) -> tuple[bytes, bytes]:
        """A key pair (pk, sk): FIPS 204, algorithm 1, with fresh randomness of the operating system.

        seed: xi, 32 bytes, for a pair that is kept as its seed (algorithm 6), for imports and for tests. It is as secret as sk. Whoever makes
        it up, rather than drawing it, has a key that can be guessed. InputError: another length.
        """
        pk, sk = public_memory(self.pk_bytes), secret_bytes(self.sk_bytes)
        self._run("keygen", {}, {"pk": pk, "sk": sk}, {"seed": self._seed("keygen", seed)})
        return get_bytes(pk, self.pk_bytes), get_bytes(sk, self.sk_bytes)

    def sign(
        self,
        sk: BytesLike,
        message: BytesLike,
        context: BytesLike = b"",
        deterministic: bool = False,
        prehash: str | None = None,
    ) -> bytes:
        """A signature: FIPS 204, algorithm 2, or with prehash algorithm 4.

        context: up to 255 bytes that say what the signature is for; whoever verifies needs the same. deterministic: use no randomness, so that a
        message has one signature; section 3.4 advises against it where faults or power analysis are feared. prehash: sign the message's digest by
        this function ("SHA2-512", ...; PREHASHES has all). Such a signature is not one of the message itself.

        InputError: a wrong length or context. SecretKeyError: `sk` is damaged.
        """
        key = given("MLDSA.sign", "sk", sk, self.sk_bytes, f"a secret key of {self.name}")
        self._context("MLDSA.sign", context)
        return self._sign(_text(message, context, prehash), deterministic, {"sk": key})

    def seal(self, seed: BytesLike | None = None) -> bytes:
        """Puts a key pair into a sealed core, such as sim:pqc-4s, and returns its `pk`. From then on only signatures leave (sign_sealed).

        seed: xi, 32 bytes; else the operating system's. Another pair replaces the one before, and so do `sign` on this device and closing it: a pair that
        has to last is kept as its seed, somewhere safe. InputError: another length. DeviceError: a processor, or a core that is not sealed.
        """
        pk = public_memory(self.pk_bytes)
        self._run("seal", {}, {"pk": pk}, {"seed": self._seed("seal", seed)}, sealed=True)
        return get_bytes(pk, self.pk_bytes)

    def sign_sealed(
        self, message: BytesLike, context: BytesLike = b"", deterministic: bool = False, prehash: str | None = None
    ) -> bytes:
        """A signature by the pair that is sealed in the core: what `sign` returns for its `sk`. InputError, DeviceError."""
        self._context("MLDSA.sign_sealed", context)
        return self._sign(_text(message, context, prehash), deterministic, {})

    def verify(
        self,
        pk: BytesLike,
        message: BytesLike,
        signature: BytesLike,
        context: BytesLike = b"",
        prehash: str | None = None,
    ) -> bool:
        """Whether a signature is the key's owner's, of this message and context: FIPS 204, algorithm 3, or with prehash algorithm 5.

        A signature of another length is none: False. InputError: `pk` has another length, or the context more than 255 bytes.
        """
        key = given("MLDSA.verify", "pk", pk, self.pk_bytes, f"a public key of {self.name}")
        self._context("MLDSA.verify", context)
        if memoryview(signature).nbytes != self.signature_bytes:
            return False
        text = _text(message, context, prehash)
        try:
            self._run("verify", {"pk": key, "message": text, "signature": view_of(signature)}, {})
        except InputError as error:
            if error.code != "RS_ERR_SIGNATURE":
                raise
            return False
        return True

    def public_key(self, sk: BytesLike) -> bytes:
        """The `pk` that belongs to a `sk`, computed from it, once `sk` has been checked. SecretKeyError: it is none that key generation makes."""
        key = given("MLDSA.public_key", "sk", sk, self.sk_bytes, f"a secret key of {self.name}")
        pk, workspace = public_memory(self.pk_bytes), secret_bytes(self._sizes.verify_workspace)
        check(lib.rs_mldsa_public_key(self._set, span(pk), span(key), span(workspace)))
        return get_bytes(pk, self.pk_bytes)

    def check(self, pk: BytesLike | None = None, sk: BytesLike | None = None) -> None:
        """Raises unless the keys are such as key generation makes. There is nothing to find in a `pk` but its length.

        InputError: a wrong length. SecretKeyError: entries of `sk` are out of range, or its parts do not belong together, or, if both are given, they
        are not one pair.
        """
        if pk is not None:
            given("MLDSA.check", "pk", pk, self.pk_bytes, f"a public key of {self.name}")
        own = None if sk is None else self.public_key(sk)
        if pk is not None and own is not None and own != bytes(pk):
            raise SecretKeyError("KEY_PAIR", f"These two keys of {self.name} are not one pair.", "Make the pair again.")

    def _sign(self, text: SchemeText, deterministic: bool, key: dict[str, CData]) -> bytes:
        """key: sk, or nothing: the one that is sealed."""
        signature, size = public_memory(self.signature_bytes), int(lib.RS_MLDSA_RANDOM_BYTES)
        zeros = public_memory(size) if deterministic else None
        self._run("sign", {**key, "message": text}, {"signature": signature}, {"rnd": (zeros, size)}, sealed=not key)
        return get_bytes(signature, self.signature_bytes)

    def _context(self, call: str, context: BytesLike) -> None:
        size = memoryview(context).nbytes
        if size > self.context_bytes_max:
            message = f"{call}: `context` has {size} bytes; a context has {self.context_bytes_max} at most."
            raise InputError("BYTES", message, "Use a shorter one, such as the name of a protocol.")
