# SPDX-License-Identifier: Apache-2.0
"""Rotation keys that a server derives with stock SEAL from those that a client made (`ringside plan-keys --two-levels`): an example for servers.

    python derive_seal.py plan.json keys derived

reads rotations.seal and galois.key of the client's directory, and writes params.seal and galois.key, with which SEAL rotates. It imports SEAL's Python
binding, and nothing of Ringside. In C++, Ciphertext::data() and GaloisKeys::data() are in the place of the files.
"""

from __future__ import annotations

import importlib
import json
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

seal: Any = importlib.import_module("tenseal.sealapi")
Rows = list[NDArray[np.uint64]]  # a key's, each [2, limb, N]


def framed(content: bytes) -> bytes:
    """An object of SEAL's files: header of version 3.6, nothing compressed, size."""
    return b"\x5e\xa1\x10\x03\x06\x00\x00\x00" + struct.pack("<Q", 16 + len(content)) + content


def ciphertext(parms_id: list[int], words: NDArray[np.uint64]) -> bytes:
    """Two polynomials in NTT form, at scale 1."""
    _, limbs, n = words.shape
    head = struct.pack("<4QBQQQd", *parms_id, 1, 2, n, limbs, 1.0)
    return framed(head + framed(struct.pack("<Q", words.size) + words.astype("<u8").tobytes()))


def galois_keys(parms_id: list[int], n: int, keys: dict[int, Rows]) -> bytes:
    """By Galois element."""
    parts = [struct.pack("<4QQ", *parms_id, n)]
    for element in range(1, 2 * n, 2):
        rows = keys.get(element, [])
        parts += [struct.pack("<Q", len(rows)), *(ciphertext(parms_id, words) for words in rows)]
    return framed(b"".join(parts))


def context_of(parameters: Any) -> Any:
    """Its security is that of all moduli, which the client has checked."""
    return seal.SEALContext(parameters, True, seal.SEC_LEVEL_TYPE.NONE)


class Deriver:
    """upper: the ring of the client's keys, whose last prime of data is the special prime of the program's ring."""

    def __init__(self, keys: Path) -> None:
        self._parameters = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
        self._parameters.load(str(keys / "rotations.seal"))
        self._upper, self._tops = context_of(self._parameters), seal.GaloisKeys()
        self._tops.load(self._upper, str(keys / "galois.key"))
        self._evaluator, self._file = seal.Evaluator(self._upper), Path(tempfile.mkdtemp()) / "row"
        self.n = self._parameters.poly_modulus_degree()
        self._moduli = self._parameters.coeff_modulus()[:-1]
        # a row of the key for no rotation: (0, P) modulo the row's prime
        shape = (2, len(self._moduli), self.n)
        self._made: dict[tuple[int, ...], Rows] = {(): [np.zeros(shape, np.uint64) for _ in self._moduli[:-1]]}
        for row, words in enumerate(self._made[()]):
            words[1, row] = self._moduli[-1].value() % self._moduli[row].value()

    def element(self, steps: int) -> int:
        return int(pow(3, steps, 2 * self.n)) if steps else 2 * self.n - 1

    def _turned(self, words: NDArray[np.uint64], top: int) -> NDArray[np.uint64]:
        self._file.write_bytes(ciphertext(self._upper.first_parms_id(), words))
        row = seal.Ciphertext()
        row.load(self._upper, str(self._file))
        self._evaluator.apply_galois_inplace(row, self.element(top), self._tops)
        found = row.dyn_array()
        return np.fromiter((found.at(k) for k in range(found.size())), np.uint64, found.size()).reshape(words.shape)

    def rows(self, path: tuple[int, ...]) -> Rows:
        """What several keys have in common on their way is computed once."""
        if path not in self._made:
            self._made[path] = [self._turned(words, path[-1]) for words in self.rows(path[:-1])]
        return self._made[path]

    def write(self, wanted: dict[str, list[int]], out: Path) -> None:
        """wanted: for each key the client's keys that add up to its steps."""
        self._parameters.set_coeff_modulus(self._moduli)
        self._parameters.save(str(out / "params.seal"))
        parms_id = context_of(self._parameters).key_parms_id()
        found = {self.element(int(steps)): self.rows(tuple(path)) for steps, path in wanted.items()}
        (out / "galois.key").write_bytes(galois_keys(parms_id, self.n, found))


def main(plan: Path, keys: Path, out: Path) -> None:
    out.mkdir(exist_ok=True)
    Deriver(keys).write(json.loads(plan.read_text(encoding="utf-8"))["derive"]["wanted"], out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
