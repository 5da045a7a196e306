# SPDX-License-Identifier: Apache-2.0
"""Random circuits on stock SEAL with the set that `advise` proposes: all values are right, and no step leaves less budget than predicted."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

from interop.exact_sets import ExactSetting, Message
from interop.peers import SealNewest
from ringside.objects.exact.advice import ExactAdvice, ExactTask, advise
from ringside.objects.exact.noise import PLAIN_PRODUCT, PRODUCT, ROTATION, SUM, SWITCH, Circuit, Noise, NoiseStep

DAILY, CIRCUITS = 8, 50


@pytest.fixture(scope="module")
def below() -> Iterator[dict[tuple[str, int], list[float]]]:
    """Bits by which predictions are below SEAL's budgets, by scheme and products before; printed at the end (pytest -s)."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    yield found
    for (scheme, products), bits in sorted(found.items()):
        print(f"\n{scheme}, {products} products: {min(bits):.1f} to {max(bits):.1f} bits, median {np.median(bits):.1f}")


def drawn(draw: random.Random, most: int) -> ExactTask:
    packing = draw.choice(("slots", "slots", "slots", "coefficients"))
    depth = draw.randint(0, 1 if packing == "coefficients" else most)
    sums, rotations = draw.choice((1, 2, 7, 100, 5000)), draw.choice((0, 0, 1, 3)) * (packing == "slots")
    circuit = Circuit(depth, sums, draw.choice((0, 0, 1, 2)), rotations, packing)
    return ExactTask(draw.choice(("bfv", "bgv")), draw.randint(1, 1 << draw.choice((4, 10, 16, 20, 30))), circuit)


def in_another_order(draw: random.Random, advice: ExactAdvice, circuit: Circuit) -> Noise:
    """The circuit's operations anywhere, rotations and products with plaintexts one by one."""
    rest = [(ROTATION, 1)] * circuit.rotations + [(PLAIN_PRODUCT, 1)] * circuit.plain_products
    rest += [(PRODUCT, 1)] * circuit.depth + [(SUM, circuit.sums)] * (circuit.sums > 1)
    draw.shuffle(rest)
    return reduce(lambda noise, one: noise.after(*one), rest, Noise.fresh(advice.params, circuit.packing))


class Server:
    """SEAL, which computes steps on a ciphertext, and on its message in the clear."""

    def __init__(self, setting: ExactSetting, draw: random.Random) -> None:
        self.setting, self.draw = setting, draw
        self.evaluator = setting.peer.evaluator
        self.message = self.plain()
        packing = self.message.packing
        self.theirs = setting.theirs(setting.context.encrypt(self.message.signed, setting.public, packing=packing))

    def plain(self) -> Message:
        """Random, or in coefficients all alike, which adds up most."""
        params, half = self.setting.params, (self.setting.params.plain_modulus or 0) // 2
        alike = not params.batching and self.draw.random() < 0.5
        return Message(params, np.full(params.n, half, object)) if alike else Message.drawn(params, self.draw)

    def compute(self, step: NoiseStep) -> None:
        one, evaluator = self.setting, self.evaluator
        if step.operation == PRODUCT:
            self.message = self.message.squared()
            evaluator.square_inplace(self.theirs)
            evaluator.relinearize_inplace(self.theirs, one.relin_keys)
        elif step.operation == SUM:  # the same one so often: noises add up
            first = self.theirs
            for bit in f"{step.count:b}"[1:]:
                self.theirs = evaluator.add(self.theirs, self.theirs)
                self.theirs = evaluator.add(self.theirs, first) if bit == "1" else self.theirs
            self.message = self.message.summed(step.count)
        for _ in range(step.count if step.operation in (ROTATION, PLAIN_PRODUCT, SWITCH) else 0):
            if step.operation == SWITCH:
                evaluator.mod_switch_to_next_inplace(self.theirs)
            elif step.operation == PLAIN_PRODUCT:
                plain = self.plain()
                self.message = self.message.times(plain.data)
                evaluator.multiply_plain_inplace(self.theirs, one.peer_plaintext(plain))
            else:
                self.message = self.message.turned()
                evaluator.rotate_rows_inplace(self.theirs, 1, one.galois_keys)


@pytest.mark.parametrize(
    "number", [n if n < DAILY else pytest.param(n, marks=pytest.mark.soak) for n in range(CIRCUITS)]
)
def test_advice_holds(number: int, tmp_path: Path, below: dict[tuple[str, int], list[float]]) -> None:
    draw = random.Random(f"exact advice {number}")
    task = drawn(draw, 3 if number < DAILY else 6)
    first = advise(task)[0]
    assert first.fits, task
    assert first.noise.failure_log2 <= -128
    params, peer = first.params, SealNewest()
    assert (params.plain_modulus or 0) > 2 * task.largest
    setting = ExactSetting(peer, params, tmp_path, their_keys=False, version=peer.version)
    peer.use(tmp_path / "params", 128)
    noise = first.noise
    if draw.random() < 0.5:
        noise = in_another_order(draw, first, task.circuit)
        assert noise.budget_bits >= first.noise.budget_bits
    server, products = Server(setting, draw), 0
    for step in noise.steps:
        server.compute(step)
        products += step.operation == PRODUCT
        bits = peer.noise_budget(server.theirs, setting.their_secret)
        assert bits >= step.budget_bits, (task, params, step)
        below[task.scheme, products].append(bits - step.budget_bits)
    assert np.array_equal(setting.values(setting.ours(server.theirs), server.message), server.message.data), task
