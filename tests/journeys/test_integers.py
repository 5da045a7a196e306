# SPDX-License-Identifier: Apache-2.0
"""Somebody who counts: integers are encrypted by shell in BFV and BGV, stock SEAL computes with our keys, and the sums and products that come back are exact."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interop.peers import SealNative
from journeys.client import Client

ROW = 4096  # slots of a row of bfv-13


class Server(SealNative):
    """Stock SEAL with parameters of BFV or BGV. The file says the scheme; this binding has no name for BGV."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        parameters = self._parameters()
        parameters.load(str(folder / "params.seal"))
        self.context = self.seal.SEALContext(parameters, True, self.seal.SEC_LEVEL_TYPE.TC128)
        assert self.context.parameters_set(), self.context.parameters_error_message()
        self.evaluator = self.seal.Evaluator(self.context)

    def done(self, name: str, *arguments: Any) -> Any:
        """A new ciphertext that this operation makes."""
        made = self.seal.Ciphertext()
        getattr(self.evaluator, name)(*arguments, made)
        return made


def wrong(client: Client, answer: Path, truth: Any, *options: object) -> int:
    """How many integers of an answer are not those expected, as `decrypt` says."""
    np.save(client.folder / "truth.npy", truth)
    out, expected = client.folder / "answer.npy", client.folder / "truth.npy"
    told = client.run("decrypt", "--keys", client.keys, answer, out, "--truth", expected, "--json", *options)
    found = json.loads(told)
    assert found["compared"] == truth.size
    return int(found["wrong"])


@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_counts_are_added_and_multiplied_on_a_server(client: Callable[[str], Client], scheme: str) -> None:
    owner, other = client("owner"), client("other")
    for person in (owner, other):
        person.run("keygen", "--params", f"{scheme}-13", "--relin", "--galois", "1,0", "--out", person.keys)
    numbers = np.random.default_rng(1)
    prices, counts = (numbers.integers(-100, 101, (2, ROW)) for _ in range(2))
    np.save(owner.folder / "prices.npy", prices)
    (owner.folder / "counts.csv").write_text("\n".join(map(str, counts.reshape(-1))))
    owner.run("encrypt", "--keys", owner.keys, owner.folder / "prices.npy", owner.folder / "prices.seal")
    public = ("encrypt", "--public-key", "--keys", owner.keys)
    owner.run(*public, owner.folder / "counts.csv", owner.folder / "counts.seal")

    server = Server(owner.keys)
    relin, galois = (server.load(f"{name}_keys", owner.keys / f"{name}.key") for name in ("relin", "galois"))
    price, count = (server.load("ciphertext", owner.folder / f"{name}.seal") for name in ("prices", "counts"))
    total = server.multiply(price, count)
    server.save(total, owner.folder / "three")  # three polynomials
    server.relinearize(total, relin)
    left = server.done("rotate_rows", total, 1, galois)
    swapped = server.done("rotate_columns", left, galois)
    answer = server.done("add", swapped, price)
    for name, item in (("answer", answer), ("sum", server.done("add", price, count))):
        server.save(item, owner.folder / name)

    products = np.roll(prices * counts, -1, axis=1)[::-1] + prices
    assert wrong(owner, owner.folder / "answer", products, "--margin", 8) == 0
    assert wrong(owner, owner.folder / "three", prices * counts) == 0
    assert wrong(owner, owner.folder / "sum", prices + counts, "--count", 2 * ROW) == 0
    budget = ("inspect", "--keys", owner.keys, "--budget", "--json")
    fresh, left_over = (
        json.loads(owner.run(*budget, owner.folder / name))["noise_budget_bits"] for name in ("sum", "answer")
    )
    assert fresh > left_over > 8

    lower = server.done("mod_switch_to_next", answer)
    server.save(lower, owner.folder / "lower")
    assert wrong(owner, owner.folder / "lower", products) == 0
    factor = json.loads(owner.run("inspect", owner.folder / "lower", "--json")).get("correction_factor")
    convert = ("convert", owner.folder / "lower", owner.folder / "old")
    if scheme == "bfv":
        assert factor is None
        owner.run("encrypt", "--keys", owner.keys, owner.folder / "prices.npy", owner.folder / "ntt", "--form", "ntt")
        again = server.load("ciphertext", owner.folder / "ntt")
        server.evaluator.transform_from_ntt_inplace(again)
        server.save(server.done("add", again, count), owner.folder / "sum")
        assert wrong(owner, owner.folder / "sum", prices + counts) == 0
        owner.run(*convert)
        assert wrong(owner, owner.folder / "old", products) == 0
    else:
        assert factor not in (None, 1)
        assert f"correction factor {factor}" in owner.refused(*convert)

    theirs = ("decrypt", owner.folder / "answer", other.folder / "theirs.npy", "--keys", other.keys)
    assert "noise is too near" in other.refused(*theirs, "--margin", 8)
    assert not (other.folder / "theirs.npy").exists()
