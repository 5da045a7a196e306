# SPDX-License-Identifier: Apache-2.0
"""An application whose server runs OpenFHE with its own defaults, for two people: products to the last level, a rotation, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import ringside as rs
from asserting import raises
from journeys.client import readings
from line_process import LineProcess

DEPTH = 2


def test_openfhes_defaults(openfhe: LineProcess, tmp_path: Path) -> None:
    """A first modulus of 60 bits, as OpenFHE has it where nobody names one, and a digit for each prime, as the page on OpenFHE says."""
    server = {name: tmp_path / name for name in ("context", "secret", "public")}
    openfhe.ask("create", **server, n=4096, depth=DEPTH, first=60, bits=50, digits=DEPTH + 1)
    there = rs.OpenFHE.read(server["context"], security=0)
    keys, answers = [there.context.keygen(), there.context.keygen()], []
    for number, key in enumerate(keys):
        folder = tmp_path / str(number)
        folder.mkdir()
        sent = readings(number, there.context.slots)
        there.make_relin_keys(key, folder / "relin")
        there.make_rotation_keys(key, folder / "galois", [1])
        (folder / "found").write_bytes(there.ciphertext_to_bytes(there.encrypt(sent, key, scale=2.0**50)))

        def ask(do: str, folder: Path = folder, **more: object) -> None:
            files = {"context": server["context"], "relin": folder / "relin", "galois": folder / "galois"}
            openfhe.ask(do, ciphertext=folder / "found", out=folder / "found", **files, **more)

        truth = sent.copy()
        for _ in range(DEPTH):
            ask("square")
            ask("rescale")
            truth *= truth
        ask("rotate", steps=1)
        answer = there.read_ciphertext(folder / "found")
        assert answer.level == there.context.max_level - DEPTH
        found = rs.measured_precision(there.decrypt_values(answer, key), np.roll(truth, -1))
        assert found >= there.context.params.after(DEPTH, 1, scale=2.0**50, nominal=True).precision_bits - 1
        answers.append(answer)
    raises(rs.RingsideError, "key", there.decrypt_values, answers[0], keys[1])
    for key in keys:
        key.close()
