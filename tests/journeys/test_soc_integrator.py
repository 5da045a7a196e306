# SPDX-License-Identifier: Apache-2.0
"""An integrator with a core: two sets and two keys take turns on one device, stock SEAL computes on what it encrypts, and it decrypts the answers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from device.jobs import design
from interop.peers import SealNative
from journeys.client import readings, served
from ringside.devices.simulated import open_simulated
from ringside.sim.options import Simulated

pytestmark = pytest.mark.slow  # builds a simulator
DESIGN, SCALE = "lanes4-w32", 2.0**26
SETS = (rs.Parameters.from_bits(4096, [30, 27, 32]), rs.Parameters.from_bits(2048, [30, 24], security=0))


def test_sets_and_keys_take_turns_on_one_core(seal: SealNative, tmp_path: Path) -> None:
    with closing(open_simulated(Simulated(design(DESIGN), checked=True), SETS[0]._native)) as core:
        contexts = [rs.Context(params).on(core) for params in SETS]
        keys = [[context.keygen(), context.keygen()] for context in contexts]
        uploads: dict[tuple[int, int], rs.Ciphertext] = {}
        for turn in range(2):  # everything twice in a row
            for owner in range(2):
                for number, context in enumerate(contexts):
                    sent = readings(10 * number + owner, context.slots)
                    upload = context.encrypt(sent, keys[number][owner], scale=SCALE if number == 0 else 2.0**20)
                    found = context.decrypt_values(upload, keys[number][owner])
                    assert np.abs(found - sent).max() < 2.0**-7, (turn, owner, number)
                    uploads[number, owner] = upload
        raises(rs.RingsideError, "key", contexts[0].decrypt_values, uploads[0, 0], keys[0][1])
        raises(rs.RingsideError, "parameters", contexts[1].decrypt_values, uploads[0, 0], keys[1][0])

        parameters, ciphertext, relin, galois = (tmp_path / name for name in ("params", "ct", "relin", "galois"))
        SETS[0].save(parameters)
        seal.use(parameters)
        for owner in range(2):
            contexts[0].write_relin_keys(keys[0][owner], relin, overwrite=True)
            contexts[0].write_galois_keys(keys[0][owner], galois, [1], overwrite=True)
            uploads[0, owner].save(ciphertext, overwrite=True)
            served(seal, ciphertext, ciphertext, relin, galois)
            answer = contexts[0].decrypt_values(rs.Ciphertext.load(contexts[0], ciphertext), keys[0][owner])
            sent = readings(owner, contexts[0].slots)
            assert np.abs(answer - np.roll(sent * sent, -1)).max() < 2.0**-7
        for pair in keys:
            for key in pair:
                key.close()
