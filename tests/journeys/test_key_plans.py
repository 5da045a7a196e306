# SPDX-License-Identifier: Apache-2.0
"""Plans of rotation keys: what they cost, and that stock SEAL computes every rotation of a program from the planned keys."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from interop.peers import SealNative
from journeys.client import Client
from ringside.objects.key_plan import Costs, KeyPlan, Planner, plan_of, program_of

SEED = 12
DOT = [(4096 >> bit, 1) for bit in range(1, 13)]
MATRIX = [
    (step, 1) for step in (*range(1, 8), *range(8, 64, 8))
]  # 64 x 64 by a vector: eight small steps, eight large ones
CONVOLUTION = [(32 * y + x, 1) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y] + [(1024, 1), (2048, 1)]


def drawn(draw: random.Random, slots: int) -> list[tuple[int, int]]:
    return [(draw.randrange(1 - slots, slots), draw.randrange(1, 9)) for _ in range(draw.randrange(1, 9))]


@pytest.mark.parametrize("program", [DOT, MATRIX, CONVOLUTION])
def test_plans_of_programs(program: list[tuple[int, int]]) -> None:
    """Beside SEAL's default on lee-13, at the level where the program rotates."""
    whole, wanted = Costs(8192, 6), program_of(program, 4096)
    often, once = (Planner(Costs(8192, 4), wanted, runs=runs) for runs in (10**6, 1))
    usual, direct = often.usual(whole), often.direct()
    assert 3.4 * direct.bytes < usual.bytes
    assert direct.transforms <= usual.transforms
    assert 10 * often.candidates()[0].bytes < usual.bytes
    assert once.candidates()[0].transforms <= usual.transforms  # a server's work is dear


def test_a_plan_leads_to_every_rotation_and_costs_no_more_than_the_plain_choices() -> None:
    draw = random.Random(SEED)
    for _ in range(30):
        slots = 1 << draw.randrange(9, 13)
        planner = Planner(Costs(2 * slots, 3), program_of(drawn(draw, slots), slots), runs=10 ** draw.randrange(5))
        found = planner.candidates()
        values = [planner.value(one) for one in found]
        assert values == sorted(values)
        assert values[0] <= min(planner.value(planner.direct()), planner.value(planner.usual(planner.costs)))
        for one in found:
            assert set(one.paths) == set(planner.program)
            for steps, path in one.paths.items():
                assert set(path) <= set(one.keys)
                assert (sum(path) - steps) % slots == 0
                assert len(path) <= planner.switches


@pytest.mark.parametrize("count", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_seal_rotates_by_a_plan(client: Callable[[str], Client], seal: SealNative, count: int) -> None:
    """Below the highest level, by parameters of their own, and twice into the same directory; errors are at most twice what one key leaves."""
    draw, params = random.Random(SEED), rs.Parameters.named("eval-13")
    slots, generator = params.slots, np.random.default_rng(SEED)
    person = client("one")
    run, keys, plan_file = person.run, person.keys, person.folder / "plan.json"
    for number in range(count):
        level = draw.randrange(params.max_level + 1)
        program = program_of([*drawn(draw, slots), (0, 1)], slots)
        planner = Planner(Costs(params.n, level + 1), program)
        plan_file.write_text(plan_of(params, level, planner.candidates()[0]).text(), encoding="utf-8")
        run("keygen", "--params", "eval-13", "--plan", plan_file, "--out", keys, "--force", "--quiet")
        plan = json.loads(plan_file.read_text(encoding="utf-8"))
        below = keys / "rotations.seal"
        assert below.exists() == (level < params.max_level)
        seal.use(below if below.exists() else keys / "params.seal")
        values = generator.uniform(-1, 1, slots) + 1j * generator.uniform(-1, 1, slots)
        np.save(person.folder / "values.npy", values)
        run(
            "encrypt",
            "--keys",
            keys,
            "--level",
            level,
            person.folder / "values.npy",
            person.folder / "upload.seal",
            "--force",
        )
        galois = seal.load("galois_keys", keys / "galois.key")
        allowed = params.rotation_error(level=level)
        assert allowed is not None
        for steps, path in plan["paths"].items():
            turned = seal.load("ciphertext", person.folder / "upload.seal")
            for key in path:
                turned = seal.rotate(turned, key, galois) if key else seal.conjugate(turned, galois)
            seal.save(turned, person.folder / "answer.seal")
            run(
                "decrypt",
                "--keys",
                keys,
                person.folder / "answer.seal",
                person.folder / "answer.npy",
                "--complex",
                "--force",
            )
            truth = np.roll(values, -int(steps)) if int(steps) else values.conj()
            error = np.abs(np.load(person.folder / "answer.npy") - truth).max()
            fresh = 16 * 2.0 ** -params.after(level=level).precision_bits
            assert error < 2 * allowed * math.sqrt(len(path)) + fresh, (number, level, steps)


def test_what_is_no_plan(client: Callable[[str], Client], tmp_path: Path) -> None:
    refused = client("one").refused
    params = rs.Parameters.named("eval-13")
    plan = plan_of(params, 1, Planner(Costs(params.n, 2), program_of([(3, 1), (5, 1)], params.slots)).candidates()[0])
    text = plan.text()
    assert KeyPlan.of_text(text, "plan") == plan
    whole: dict[str, Any] = json.loads(text)
    wrong: list[Any] = [
        [], {}, 3, {**whole, "more": 1}, {**whole, "kind": "plan"}, {**whole, "keys": [1, 1.5]}, {**whole, "level": True},
        {**whole, "keys": []}, {**whole, "paths": {"3": [*plan.paths[3], 1]}}, {**whole, "paths": {"3": []}}, {**whole, "paths": {"x": [1]}},
        {**whole, "paths": {"0": list(plan.paths[3])}}, {**whole, "n": "8192"},
    ]  # fmt: skip
    for content in (*map(json.dumps, wrong), text[:-9], "\ufeff[", "[" * 100_000):
        raises(rs.InputError, "is not a plan of keys", KeyPlan.of_text, content, "it")
    place = tmp_path / "plan.json"
    place.write_text(text, encoding="utf-8")
    assert "other parameters" in refused("keygen", "--params", "lee-13", "--plan", place, "--out", tmp_path / "keys")
    both = ("keygen", "--params", "eval-13", "--plan", place, "--out", tmp_path / "keys")
    assert "--plan or --galois" in refused(*both, "--galois", "1")
    assert "servers of SEAL" in refused(*both, "--format", "tenseal")
    assert not (tmp_path / "keys").exists()


def test_the_command(client: Callable[[str], Client], tmp_path: Path) -> None:
    person = client("one")
    run, refused = person.run, person.refused
    steps = tmp_path / "steps.csv"
    steps.write_text("steps, count\n1, 5\n-2,\n0,2\n", encoding="utf-8")
    command = ("plan-keys", "--params", "eval-13", "--program", steps, "--level", 1)
    found = json.loads(run(*command, "--json"))
    assert [found["level"], found["choices"][0]["name"]] == [1, "pow2"]
    chosen = next(one for one in found["choices"] if one["name"] == found["chosen"])
    assert set(chosen["paths"]) == {"1", "-2", "0"}
    assert chosen["error_log2"] < -10
    printed = run(*command, "--choose", "direct", "--picture", tmp_path / "costs.svg", "--out", tmp_path / "plan.json")
    assert "conjugation" in printed
    assert "direct" in (tmp_path / "costs.svg").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))["keys"] == [-2, 0, 1]
    assert "no choice 'all'" in refused(*command, "--choose", "all")
    for content, said in (
        ("steps\n1\nx\n", "line 3"),
        ("a,b\n1,2\n", "line 2"),
        ("steps\n", "no rotation"),
        ("steps\n99999\n", "99999"),
    ):
        steps.write_text(content, encoding="utf-8")
        assert said in refused(*command)
    assert "one modulus" in refused("plan-keys", "--params", "seal-embedded-1024", "--rotations", "1")
    assert "--rotations or --program" in refused("plan-keys", "--params", "eval-13")
