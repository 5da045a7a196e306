# SPDX-License-Identifier: Apache-2.0
"""Random parameter sets of BFV and BGV with keys in both, and what a server makes of values, computed in the clear."""

from __future__ import annotations

import math
import random
import struct
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ringside as rs
from interop.peers import Peer
from oracle import reference
from oracle.reference import Integers, is_prime

NAMES = ("batching", "batching", "batching", "65537", "odd", "power", "tiny", "wide")


def _batching_prime(draw: random.Random, n: int, bits: int) -> int:
    """A random prime of up to that many bits that is 1 modulo 2N."""
    while True:
        t = draw.randrange(1, (1 << bits) // (2 * n)) * 2 * n + 1
        if is_prime(t):
            return t


def _plain_modulus(draw: random.Random, n: int, room: int) -> int:
    name = draw.choice(NAMES)
    low = n.bit_length() + 5
    if name == "batching" and room > low:
        return _batching_prime(draw, n, draw.randint(low, min(room, 58 if draw.random() < 0.5 else 24)))
    if name == "odd":
        return draw.randrange(3, 1 << 20, 2)
    if name == "power":
        return 1 << draw.randint(1, 18)
    if name == "wide":
        return draw.randrange(2, 1 << max(2, min(room, 59)))
    return draw.choice((2, 3, 5)) if name == "tiny" else 65537


def random_set(draw: random.Random, degrees: tuple[int, ...]) -> rs.Parameters:
    """One that SEAL has too, with room for noise at the first level."""
    while True:
        n = draw.choice(degrees)
        bits = [draw.randint(26, 60) for _ in range(draw.randint(1, 5 if n < 8192 else 9))]
        room = sum(bits[: max(1, len(bits) - 1)]) - 24
        t, scheme = _plain_modulus(draw, n, room), draw.choice(("bfv", "bgv"))
        try:
            params = rs.Parameters.from_bits(n, bits, scheme=scheme, plain_modulus=t, security=0)
        except rs.ParameterError:  # no such primes, or t has a factor in common with one
            continue
        if t.bit_length() <= room:
            return params


def plaintext_file(words: Integers) -> bytes:
    """SEAL 3.6's Plaintext of coefficients."""

    def wrapped(body: bytes) -> bytes:
        return struct.pack("<HBBBBHQ", 0xA15E, 16, 3, 6, 0, 0, 16 + len(body)) + body

    data = words.astype("<u8").tobytes()
    return wrapped(bytes(32) + struct.pack("<Qd", len(words), 1.0) + wrapped(struct.pack("<Q", len(words)) + data))


class Message:
    """N integers, in slots if there are any, and what becomes of them. data: from 0 to t - 1."""

    def __init__(self, params: rs.Parameters, data: Integers) -> None:
        self.params = params
        self.data = data
        self.t = params.plain_modulus or 0

    @classmethod
    def drawn(cls, params: rs.Parameters, draw: random.Random) -> Message:
        t = params.plain_modulus or 0
        extremes = [0, 1 % t, t - 1, t // 2, (t + 1) // 2 % t]
        return cls(params, reference.integers(extremes + [draw.randrange(t) for _ in range(params.n - len(extremes))]))

    @property
    def packing(self) -> str:
        return "slots" if self.params.batching else "coefficients"

    @property
    def signed(self) -> NDArray[np.int64]:
        return reference.centred(self.data, self.t).astype(np.int64)

    def _with(self, data: Integers) -> Message:
        return Message(self.params, data % self.t)

    def summed(self, count: int) -> Message:
        return self._with(self.data * count)

    def times(self, data: Integers) -> Message:
        if self.params.batching:
            return self._with(self.data * data)
        return self._with(reference.multiply(self.data, data, self.t))

    def squared(self) -> Message:
        return self.times(self.data)

    def turned(self) -> Message:
        """Rows turned by one step."""
        return self._with(np.roll(self.data.reshape(2, -1), -1, axis=1).ravel())

    def moved(self) -> Message:
        """Rows turned by one step, then exchanged."""
        if self.params.batching:
            return self._with(self.turned().data.reshape(2, -1)[::-1].ravel())
        turned = reference.automorphism(self.data, 3, self.t)
        return self._with(reference.automorphism(turned, 2 * self.params.n - 1, self.t))

    def plus(self, other: Message) -> Message:
        return self._with(self.data + other.data)


class ExactSetting:
    """A set in Ringside and in a SEAL, with keys of either."""

    def __init__(self, peer: Peer, params: rs.Parameters, folder: Path, *, their_keys: bool, version: str) -> None:
        self.peer: Any = peer
        self.params, self.folder = params, folder
        self.files: dict[str, Any] = {"version": version, "compression": "zstd" if peer.reads_compressed else "none"}
        self.context = rs.ExactContext(params)
        params.save(folder / "params", **self.files)
        peer.use(folder / "params", 0)
        secret, public = folder / "secret", folder / "public"
        if their_keys:
            self.their_secret = peer.make_secret_key()
            self.their_public = peer.make_keys("public_key", self.their_secret, False, [])
            peer.save(self.their_secret, secret)
            peer.save(self.their_public, public)
            self.secret = rs.SecretKey.load(self.context, secret)
            self.public = rs.PublicKey.load(self.context, public)
        else:
            self.secret = self.context.keygen()
            self.public = self.context.public_key(self.secret)
            self.secret.save(secret, **self.files)
            self.public.save(public, **self.files)
            self.their_secret, self.their_public = peer.load("secret_key", secret), peer.load("public_key", public)

    @property
    def levels(self) -> int:
        """Levels of SEAL's chain: it ends where t is not below q."""
        t, limbs = self.params.plain_modulus or 0, range(1, self.params.data_limbs + 1)
        return sum(math.prod(self.params.moduli[:count]) > t for count in limbs)

    @cached_property
    def relin_keys(self) -> Any:
        self.context.write_relin_keys(self.secret, self.folder / "relin", **self.files)
        return self.peer.load("relin_keys", self.folder / "relin")

    @cached_property
    def galois_keys(self) -> Any:
        self.context.write_galois_keys(self.secret, self.folder / "galois", [1, 0], **self.files)
        return self.peer.load("galois_keys", self.folder / "galois")

    def theirs(self, ciphertext: rs.Ciphertext, version: str | None = None) -> Any:
        """Ours inside SEAL."""
        ciphertext.save(self.folder / "out", **self.files | ({"version": version} if version else {}))
        return self.peer.load("ciphertext", self.folder / "out")

    def ours(self, theirs: Any) -> rs.Ciphertext:
        self.peer.save(theirs, self.folder / "in")
        return rs.Ciphertext.load(self.context, self.folder / "in")

    def values(self, ciphertext: rs.Ciphertext, like: Message) -> Integers:
        """Decrypted by us, 0 to t - 1."""
        found = self.context.decrypt_values(ciphertext, self.secret, packing=like.packing)
        return reference.integers(found) % like.t

    def peer_plaintext(self, message: Message) -> Any:
        if self.params.batching:
            return self.peer.encode_integers(message.signed)
        (self.folder / "plain").write_bytes(plaintext_file(message.data))
        return self.peer.load("plaintext", self.folder / "plain")

    def peer_words(self, plaintext: Any) -> Integers:
        """Coefficients of a plaintext of SEAL, which ends behind the last one that is not 0."""
        words = self.peer.words("plaintext", plaintext)
        return reference.integers(np.pad(words, (0, self.params.n - len(words))))

    def peer_values(self, theirs: Any) -> Integers:
        """Decrypted by SEAL, 0 to t - 1."""
        plaintext = self.peer.decrypt(theirs, self.their_secret)
        if self.params.batching:
            return reference.integers(self.peer.decode_integers(plaintext))
        return self.peer_words(plaintext)
