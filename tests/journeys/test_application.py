# SPDX-License-Identifier: Apache-2.0
"""An application with a server of stock SEAL or TenSEAL: from `ringside advise`, by the commands that it prints, through products and a rotation, and
back, for two people whose keys must not meet."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tenseal as ts

import ringside as rs
from interop.peers import SealNative
from journeys.client import Client, readings, served

SLOTS = 2048


def answered(seal: SealNative, keys: Path, upload: Path, depth: int, answer: Path) -> Path:
    seal.use(keys / "params.seal")
    return served(seal, upload, answer, keys / "relin.key", keys / "galois.key", depth)


@pytest.mark.parametrize(("precision", "depth"), [(20, 2), pytest.param(16, 1, marks=pytest.mark.soak)])
def test_what_advise_says_holds_on_seal(
    client: Callable[[str], Client], seal: SealNative, precision: int, depth: int
) -> None:
    one, other = client("one"), client("other")
    asked = ("--precision", precision, "--depth", depth, "--rotations", 1, "--slots", SLOTS)
    advice = json.loads(one.run("advise", *asked, "--json"))[0]
    assert advice["precision_bits"] >= precision
    answers = {}
    for seed, person in enumerate((one, other)):
        sent = readings(seed, advice["n"] // 2)
        person.save(sent, "values.npy")
        for command in advice["commands"]:
            person.printed(command)
        answers[person] = answered(seal, person.keys, person.folder / "upload.seal", depth, person.folder / "answer")
        assert person.bits(answers[person], np.roll(sent**2**depth, -1)) >= advice["precision_bits"] - 1
    assert "key" in other.refused("decrypt", "--keys", other.keys, answers[one], other.folder / "mine.npy")
    # the server takes one person's upload for the other's: nothing that looks like an answer
    mixed = answered(seal, other.keys, one.folder / "upload.seal", depth, one.folder / "mixed")
    for person in (one, other):
        person.refused("decrypt", "--keys", person.keys, mixed, person.folder / "mixed.npy")
        assert not (person.folder / "mixed.npy").exists()


def test_the_readmes_keys_on_tenseal(client: Callable[[str], Client]) -> None:
    """README's set: TenSEAL squares, multiplies by numbers, and turns as it adds up."""
    one, other = client("one"), client("other")
    uploads = {}
    for seed, person in enumerate((one, other)):
        person.run(
            "keygen", "--params", "lee-14", "--relin", "--galois", "pow2", "--format", "tenseal", "--out", person.keys
        )
        sent = readings(seed, 512)
        upload = uploads[person] = person.encrypt(sent, "upload", "--format", "tenseal")
        server = ts.context_from((person.keys / "context.tenseal").read_bytes())
        assert server.is_public()
        there = ts.ckks_vector_from(server, upload.read_bytes())
        for name, found, truth in (
            ("square", there * there, sent * sent),
            ("fourth", (there * there) * (there * there), sent**4),
            ("twice", there * 2.0, 2 * sent),
            ("dot", there.dot(there), np.array([sent @ sent])),
        ):
            (person.folder / name).write_bytes(found.serialize())
            promised = rs.Parameters.named("lee-14").after(2 if name == "fourth" else 1, nominal=True).precision_bits
            if name == "dot":  # a sum of 512 products, in 9 rotations: 512 errors at most
                promised -= 9
            assert person.bits(person.folder / name, truth) >= promised - 1, name
    assert "key" in other.refused("decrypt", "--keys", other.keys, uploads[one], other.folder / "mine.npy")
