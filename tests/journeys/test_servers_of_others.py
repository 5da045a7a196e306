# SPDX-License-Identifier: Apache-2.0
"""Applications whose server runs Lattigo, or OpenFHE with its own defaults, for two people: products to the last level, a rotation, and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from journeys.client import readings
from line_process import LineProcess
from ringside.objects.common.evaluation import Remaining


def two_people(
    there: Any,
    products: int,
    promise: Remaining,
    make_keys: Callable[[rs.SecretKey, Path], object],
    ask: Callable[..., object],
    place: Path,
    **upload: float,
) -> None:
    """Each gets what was promised, and cannot read the other's answer. make_keys puts evaluation keys into a folder; ask: of the server, with such a folder and more."""
    keys, answers = [there.context.keygen(), there.context.keygen()], []
    for number, key in enumerate(keys):
        folder = place / str(number)
        folder.mkdir()
        sent = readings(number, there.context.slots)
        make_keys(key, folder)
        found = folder / "found"
        found.write_bytes(there.ciphertext_to_bytes(there.encrypt(sent, key, **upload)))
        truth = sent.copy()
        for _ in range(products):
            ask("square", folder, found)
            ask("rescale", folder, found)
            truth *= truth
        ask("rotate", folder, found, 1)
        answer = there.read_ciphertext(found)
        assert answer.level == there.context.max_level - products
        bits = rs.measured_precision(there.decrypt_values(answer, key), np.roll(truth, -1))
        assert bits >= promise.precision_bits - 1
        answers.append(answer)
    raises(rs.RingsideError, "key", there.decrypt_values, answers[0], keys[1])
    for key in keys:
        key.close()


@pytest.mark.parametrize("name", ["eval-13", pytest.param("lee-14", marks=pytest.mark.soak)])
def test_a_named_set_on_lattigo(lattigo: LineProcess, tmp_path: Path, name: str) -> None:
    there = rs.Lattigo(rs.Context(rs.Parameters.named(name)))
    context, params = there.context, tmp_path / "params"
    params.write_bytes(there.parameters_to_bytes())

    def make_keys(key: rs.SecretKey, folder: Path) -> None:
        context.write_relin_keys(key, folder / "relin")
        context.write_galois_keys(key, folder / "galois", [1], generator=5)
        there.convert_evaluation_keys(folder / "evaluation", relin_keys=folder / "relin", galois_keys=folder / "galois")

    def ask(do: str, folder: Path, found: Path, steps: int = 0) -> None:
        files = {"Params": params, "Evaluation": folder / "evaluation", "Ciphertext": found, "Out": found}
        lattigo.ask(do, **files, Steps=steps)

    two_people(there, context.max_level, context.params.after(context.max_level, 1), make_keys, ask, tmp_path)


def test_openfhes_defaults(openfhe: LineProcess, tmp_path: Path) -> None:
    """A first modulus of 60 bits, as OpenFHE has it where nobody names one, and a digit for each prime, as the page on OpenFHE says."""
    depth, scale = 2, 2.0**50
    server = {name: tmp_path / name for name in ("context", "secret", "public")}
    openfhe.ask("create", **server, n=4096, depth=depth, first=60, bits=50, digits=depth + 1)
    there = rs.OpenFHE.read(server["context"], security=0)

    def make_keys(key: rs.SecretKey, folder: Path) -> None:
        there.make_relin_keys(key, folder / "relin")
        there.make_rotation_keys(key, folder / "galois", [1])

    def ask(do: str, folder: Path, found: Path, steps: int = 0) -> None:
        files = {"context": server["context"], "relin": folder / "relin", "galois": folder / "galois"}
        openfhe.ask(do, ciphertext=found, out=found, steps=steps, **files)

    promise = there.context.params.after(depth, 1, scale=scale, nominal=True)
    two_people(there, depth, promise, make_keys, ask, tmp_path, scale=scale)
