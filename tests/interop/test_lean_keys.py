# SPDX-License-Identifier: Apache-2.0
"""Relinearisation and Galois keys of the lean client (lean.h) in SEAL 4.3 and 4.4: products and rotations with the promised precision."""

from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from interop.peers import SealNative, SealNewest
from interop.test_depth import SEED, Work, is_promised
from lean_client import LeanClient

MASTER: bytes = SEED["insecure_deterministic_seed"]
SCALE = 2.0**26
SETS = [(4096, [27, 26, 26, 30]), (8192, [29, 28, 28, 28, 30]), (16384, [30, 30, 30, 30])]


@pytest.mark.parametrize(("n", "bits"), SETS)
def test_seals_multiply_and_rotate_with_keys_of_a_device(n: int, bits: list[int], tmp_path: Path) -> None:
    """The library's files for the same seed, in blocks of transforms where N is above 4096."""
    work = Work(rs.Parameters.from_bits(n, bits), tmp_path, scale=SCALE)
    work.values = np.random.default_rng(n).uniform(-1, 1, work.context.slots)
    lean = LeanClient.of_key(work.context, work.key, small=True)
    relin, galois = work.file("relin"), work.file("galois")
    work.context.write_relin_keys(work.key, relin, compression="none", overwrite=True, **SEED)
    work.context.write_galois_keys(work.key, galois, [1, -3, 0], compression="none", **SEED)
    for path, elements in ((relin, [0]), (galois, work.context.galois_elements([1, -3, 0]))):
        theirs = path.read_bytes()
        cut = len(theirs) // 3
        assert lean.keys(elements, MASTER) == theirs
        path.write_bytes(lean.keys(elements, MASTER, 0, cut) + lean.keys(elements, MASTER, cut))  # a link broke
        assert path.read_bytes() == theirs
    work.upload().save(work.file("upload"), compression="none")
    work.params.save(work.file("params"), compression="none")  # SEAL 4.4 of PyPI has no codec
    promise = work.params.after(1, rotations=1, scale=SCALE)
    for seal in (SealNative(), SealNewest()):
        seal.use(work.file("params"))
        ciphertext, relin_keys, galois_keys = (
            seal.load(kind, work.file(name))
            for kind, name in (("ciphertext", "upload"), ("relin_keys", "relin"), ("galois_keys", "galois"))
        )
        product = seal.multiply(ciphertext, ciphertext)
        seal.relinearize(product, relin_keys)
        seal.rescale(product)
        for steps in (1, -3):
            seal.save(seal.rotate(product, steps, galois_keys), work.file("answer"))
            answer = rs.Ciphertext.load(work.context, work.file("answer"))
            assert answer.level == promise.level
            is_promised(work.bits(answer, np.roll(work.values**2, -steps)), promise)


def test_what_is_no_list_of_elements() -> None:
    context = rs.Context(rs.Parameters.from_bits(4096, [27, 26, 26, 30]))
    with context.keygen() as key:
        lean = LeanClient.of_key(context, key)
        for elements in ([], [2], [3, 3], [5, 3], [0, 3], [8193]):
            raises(rs.RingsideError, "ascending", lean.keys, elements, MASTER)
        raises(rs.RingsideError, "length", lean.keys, [3], MASTER[1:])
