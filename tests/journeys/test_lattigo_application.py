# SPDX-License-Identifier: Apache-2.0
"""An application whose server runs Lattigo, for two people: products to the last level, a rotation, and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from journeys.client import readings
from line_process import LineProcess


@pytest.mark.parametrize("name", ["eval-13", pytest.param("lee-14", marks=pytest.mark.soak)])
def test_a_named_set_on_lattigo(lattigo: LineProcess, tmp_path: Path, name: str) -> None:
    there = rs.Lattigo(rs.Context(rs.Parameters.named(name)))
    context, params = there.context, tmp_path / "params"
    params.write_bytes(there.parameters_to_bytes())
    answers, keys = [], [context.keygen(), context.keygen()]
    for number, key in enumerate(keys):
        folder = tmp_path / str(number)
        folder.mkdir()
        sent = readings(number, context.slots)
        context.write_relin_keys(key, folder / "relin")
        context.write_galois_keys(key, folder / "galois", [1], generator=5)
        there.convert_evaluation_keys(folder / "evaluation", relin_keys=folder / "relin", galois_keys=folder / "galois")
        (folder / "found").write_bytes(there.ciphertext_to_bytes(there.encrypt(sent, key)))

        def ask(do: str, folder: Path = folder, **more: object) -> None:
            files = {"Params": params, "Evaluation": folder / "evaluation"}
            lattigo.ask(do, Ciphertext=folder / "found", Out=folder / "found", **files, **more)

        truth = sent.copy()
        for _ in range(context.max_level):
            ask("square")
            ask("rescale")
            truth *= truth
        ask("rotate", Steps=1)
        answer = there.read_ciphertext(folder / "found")
        assert answer.level == 0
        found = rs.measured_precision(there.decrypt_values(answer, key), np.roll(truth, -1))
        assert found >= context.params.after(context.max_level, 1).precision_bits - 1
        answers.append(answer)
    raises(rs.RingsideError, "key", there.decrypt_values, answers[0], keys[1])
    for key in keys:
        key.close()
