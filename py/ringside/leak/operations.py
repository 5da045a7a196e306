# SPDX-License-Identifier: Apache-2.0
"""Decapsulations of ML-KEM with what is fixed in one class of traces and random in the other.

By message: one key, and ciphertexts of a fixed or a random message whose coins are random and not those of the message. A fixed ciphertext would be no
test: it is public. All are refused at the end, and whoever lacks the key sees one distribution in both classes.

By key: such ciphertexts, and a fixed or a random secret under one public key. What is public stays, so that cycles and public values do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Literal

import numpy as np

from ..cycles.known import SEED, scheme_on
from ..devices.simulated import SimulatedDevice
from ..errors import DeviceError
from ..native.library import lib
from ..operations import KEMS, SEALED, TABLE, OperationRow
from ..pqc import MLKEM
from ..sim.verilate import pack
from .toggles import Bench

Fixed = Literal["message", "key"]
KNOWN = tuple(name for name, row in TABLE.items() if row.scheme in KEMS and row.what.startswith("decaps"))
MESSAGE = bytes(range(7, 39))  # the fixed one
Q, DEGREE, HALF = 3329, 256, 32  # ML-KEM's; bytes of a message, of d and of z
BITS = {"ML-KEM-512": 4, "ML-KEM-768": 4, "ML-KEM-1024": 5}  # d_v: those of a coefficient of a ciphertext's second part
LANES = 2 * HALF // 8  # a slot's, for d and z; the hash of what they are bound to follows


def with_message(kem: MLKEM, ek: bytes, message: bytes, rng: np.random.Generator) -> bytes:
    """A ciphertext of this message, with the coins of another one. Half of q is half of the range of a coefficient of its second part, which is its
    upper bit: that flips where the messages differ."""
    other, bits = rng.bytes(HALF), BITS[kem.name]
    _, ct = kem.encaps(ek, other)
    size = DEGREE * bits // 8
    fields = np.unpackbits(np.frombuffer(ct[-size:], np.uint8), bitorder="little").reshape(DEGREE, bits)
    differ = np.frombuffer(message, np.uint8) ^ np.frombuffer(other, np.uint8)
    fields[:, -1] ^= np.unpackbits(differ, bitorder="little")
    return ct[:-size] + np.packbits(fields, bitorder="little").tobytes()


class Decapsulation:
    """call(): runs it; result: what it has to give."""

    def __init__(self, row: OperationRow, device: SimulatedDevice, bench: Bench, fixed: Fixed) -> None:
        self.sealed = row.what.endswith(SEALED)
        self._fixed, self._device, self._bench = fixed, device, bench
        self._plain = MLKEM(row.scheme)
        self._kem: MLKEM = scheme_on(row, device)
        self._ek, self._dk = self._plain.keygen(SEED)
        if self.sealed:
            self._kem.seal(SEED)
        self._kept = [bench.lane(lib.RS_KEY_INDEX + LANES + i) for i in range(HALF // 8)] if self.sealed else []

    def prepared(self, is_fixed: bool, rng: np.random.Generator) -> tuple[Callable[[], bytes], bytes]:
        """A call of one class, and its result."""
        by_key = self._fixed == "key"
        ct = with_message(self._plain, self._ek, MESSAGE if is_fixed and not by_key else rng.bytes(HALF), rng)
        dk, z = self._dk, SEED[HALF:]
        if by_key and self.sealed:
            roots = SEED if is_fixed else rng.bytes(2 * HALF)
            z = roots[HALF:]
            self._put(roots)
        elif by_key and not is_fixed:
            z = rng.bytes(HALF)
            vectors = len(dk) - len(self._ek) - 2 * HALF
            secret = pack(rng.integers(0, Q, vectors * 8 // 12, np.uint64), 12).tobytes()
            dk = secret + dk[vectors:-HALF] + z
        result = hashlib.shake_256(z + ct).digest(HALF)  # the answer to a ciphertext that is refused
        if self.sealed:
            return lambda: self._kem.decaps_sealed(ct), result
        return lambda: self._kem.decaps(dk, ct), result

    def _put(self, roots: bytes) -> None:
        """Other d and z into the slot, with the hash that was there: the public key stays."""
        words = [int(word) for word in np.frombuffer(roots, "<u8")] + self._kept
        for lane, word in enumerate(words):
            self._device.core.write(lib.RS_REG_PROGRAM_INDEX, lib.RS_KEY_INDEX + lane)
            self._device.core.write(lib.RS_REG_PROGRAM_LO, word & 0xFFFF_FFFF)
            self._device.core.write(lib.RS_REG_PROGRAM_HI, word >> 32)


def check(op: str, fixed: str) -> OperationRow:
    """DeviceError: the bench has no inputs for it."""
    if op not in KNOWN or fixed not in ("message", "key"):
        raise DeviceError("OPERATION", f"No inputs are known for {op} by {fixed}.", f"Operations: {', '.join(KNOWN)}.")
    return TABLE[op]
