# SPDX-License-Identifier: Apache-2.0
"""Plans of rotation keys: what they cost, and that stock SEAL and Lattigo compute every rotation of a program from the planned keys."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from interop import derive_seal
from journeys.client import Client
from line_process import LineProcess
from ringside.exchange.directory import library_of
from ringside.objects.key_plan import Candidate, Costs, KeyPlan, Planner, Target, plan_of, program_of

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
    usual, found = often.usual(whole), once.candidates()
    assert 4 * min(one.bytes for one in found if one.transforms <= usual.transforms) < usual.bytes
    assert 10 * often.candidates()[0].bytes < usual.bytes
    assert found[0].transforms <= usual.transforms  # a server's work is dear


@pytest.mark.parametrize("log_n", [13, 16])
def test_seven_hundred_rotations(log_n: int) -> None:
    draw, slots = random.Random(SEED), 1 << log_n - 1
    program = [(draw.randrange(1 - slots, slots), draw.randrange(1, 9)) for _ in range(700)]
    start = time.process_time()
    found = Planner(Costs(2 * slots, 4), program_of(program, slots), runs=10**6).candidates()
    assert time.process_time() - start < 10
    assert 10 * found[0].bytes < next(one.bytes for one in found if one.name == "direct")


def test_rotations_of_one_ciphertext() -> None:
    """They share the beginnings of their paths; with hoisting each of these is decomposed once."""
    costs = Costs(8192, 4, target="lattigo")
    assert costs.decompose + costs.apply == costs.switch
    apart, one = ([(step, 2, group) for step in range(1, 8)] for group in ("", "x"))

    def chosen(rows: list[tuple[int, int, str]], **how: Any) -> list[Candidate]:
        return Planner(costs, program_of(rows, 4096), runs=10**6, **how).candidates()

    for found in chosen(apart):
        assert found.transforms == 2 * sum(map(len, found.paths.values())) * costs.switch
    for is_hoisted in (False, True):
        for found in chosen(one, hoisted=is_hoisted):
            made, opened = (
                {path[:length] for path in found.paths.values() for length in range(begin, len(path) + begin)}
                for begin in (1, 0)
            )
            decomposed = 2 * len(opened if is_hoisted else made) * costs.decompose
            assert found.transforms == pytest.approx(2 * len(made) * costs.apply + decomposed)
            assert found.name != "direct" or len(opened) == 1


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
            assert set(one.paths) == set(planner.rotations)
            for steps, path in one.paths.items():
                assert set(path) <= set(one.keys)
                assert (sum(path) - steps) % slots == 0
                assert len(path) <= planner.switches


class Server:
    """Stock SEAL or Lattigo beside a client's folder."""

    def __init__(self, target: Target, person: Client, judge: Any) -> None:
        self.target, self.person, self.judge = target, person, judge
        self.folder, self.keys, self.there = person.folder, person.keys, person.folder / "server"
        self._format = () if target == "seal" else ("--format", target)
        self._loaded: os.stat_result | None = None

    def take(self, params: str | Path, plan: Path, *options: object) -> None:
        """The client makes the keys of a plan, which the server reads; they are checked against the plan on both sides."""
        run = self.person.run
        made = ("--out", self.keys, "--force", "--quiet", *self._format, *options)
        run("keygen", "--params", params, "--plan", plan, *made)
        run("plan-keys", "--check", plan, self.keys)
        below = self.keys / "rotations.seal"
        self._params, self._galois = below if below.exists() else self.keys / "params.seal", self.keys / "galois.key"
        if self.target == "lattigo":
            run("convert", self.keys, self.there, "--format", "lattigo", "--force")
            run("plan-keys", "--check", plan, self.there)
            self._params, self._galois = self.there / "params.json", self.there / "evaluation.bin"

    def derive(self, plan: Path) -> None:
        """The server makes its keys."""
        if self.target == "lattigo":
            self._galois = self.there / "derived"
            tops = {"UpperParams": self.there / "tops.json", "Upper": self.there / "tops.bin"}
            self.judge.ask("derive", Params=self._params, Plan=plan, Out=self._galois, **tops)
        else:
            derive_seal.main(plan, self.keys, self.there)
            self._params, self._galois = self.there / "params.seal", self.there / "galois.key"

    def take_direct(self, steps: list[int]) -> None:
        """A key for each rotation, of all moduli, of the same secret."""
        directory, self._galois = rs.KeyDirectory(self.keys), self.folder / "direct"
        self._galois.unlink(missing_ok=True)
        with directory.secret_key() as secret:
            if self.target == "lattigo":
                library: Any = library_of(directory, "lattigo")
                library.make_evaluation_keys(secret, self._galois, relin=False, rotations=steps)
            else:
                directory.ckks_context().write_galois_keys(secret, self._galois, steps)
                self._params = self.keys / "params.seal"

    def errors(self, paths: Mapping[int, Sequence[int]], level: int) -> dict[int, NDArray[np.float64]]:
        """How far off each slot of a rotation is, by its path of keys; 0: conjugation."""
        run, upload, answer = self.person.run, self.folder / "upload", self.folder / "answer"
        slots = rs.KeyDirectory(self.keys).params.slots
        generator, found = np.random.default_rng(SEED), {}
        values = generator.uniform(-1, 1, slots) + 1j * generator.uniform(-1, 1, slots)
        np.save(self.folder / "values.npy", values)
        options = ("--level", level, "--force", *self._format)
        run("encrypt", "--keys", self.keys, self.folder / "values.npy", upload, *options)
        for steps, path in paths.items():
            self._rotate(upload, path, answer)
            run("decrypt", "--keys", self.keys, answer, self.folder / "answer.npy", "--complex", "--force")
            truth = np.roll(values, -steps) if steps else values.conj()
            found[steps] = np.abs(np.load(self.folder / "answer.npy") - truth)
        return found

    def _rotate(self, upload: Path, path: Sequence[int], answer: Path) -> None:
        if self.target == "lattigo":
            shutil.copy(upload, answer)
            files = {"Params": self._params, "Evaluation": self._galois, "Ciphertext": answer, "Out": answer}
            for key in path:
                self.judge.ask("rotate", **files, Steps=key)
            return
        if self.judge.parameters_file != self._params or self._loaded != self._galois.stat():
            self.judge.use(self._params, 0)
            self._keys, self._loaded = self.judge.load("galois_keys", self._galois), self._galois.stat()
        turned = self.judge.load("ciphertext", upload)
        for key in path:
            turned = self.judge.rotate(turned, key, self._keys) if key else self.judge.conjugate(turned, self._keys)
        self.judge.save(turned, answer)


def check_errors(
    found: Mapping[int, NDArray[np.float64]], direct: Mapping[int, NDArray[np.float64]], factor: float
) -> None:
    """At most this factor worse than by direct keys, over all slots. Worst slots are of Laplace distributions, so that four times as much in one is not
    seen in 10^8 tests."""
    ours, theirs = (np.concatenate([*errors.values()]) for errors in (found, direct))
    rms, worst = np.linalg.norm(ours) / np.linalg.norm(theirs), ours.max() / theirs.max()
    print(
        f"{len(found)} rotations: {rms:.3f} of the error by direct keys, {worst:.3f} in the worst slot, {ours.max():.3g}"
    )
    assert rms < factor
    assert worst < 4
    assert ours.max() < 2.0**-12


@pytest.fixture(params=["seal", "lattigo"])
def server(request: pytest.FixtureRequest, client: Callable[[str], Client]) -> Server:
    return Server(request.param, client("one"), request.getfixturevalue(request.param))


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_servers_rotate_by_a_plan(server: Server, count: int) -> None:
    """Below the highest level too, and each into the same directory. On average errors are at most twice what one key leaves; the worst slot's is a
    complex Gaussian's, five deviations of which are not seen in 10^10 rotations."""
    draw, params, ratios = random.Random(SEED), rs.Parameters.named("eval-13"), list[float]()
    plan = server.folder / "plan.json"
    for _ in range(count):
        level = draw.randrange(params.max_level + 1)
        planner = Planner(Costs(params.n, level + 1), program_of([*drawn(draw, params.slots), (0, 1)], params.slots))
        found = plan_of(params, level, planner.candidates()[0], server.target)
        plan.write_text(found.text(), encoding="utf-8")
        server.take("eval-13", plan)
        allowed = params.rotation_error(level=level)
        assert allowed is not None
        fresh = 16 * 2.0 ** -params.after(level=level).precision_bits
        for steps, error in server.errors(found.paths, level).items():
            ratios.append(float(error.max()) / (allowed * math.sqrt(len(found.paths[steps])) + fresh))
    print(f"{len(ratios)} rotations: {sum(ratios) / len(ratios):.2f} of a key's error, {max(ratios):.2f} at most")
    assert sum(ratios) < 2 * len(ratios)
    assert max(ratios) < 5


@pytest.mark.slow
def test_lattigo_takes_keys_of_a_level(client: Callable[[str], Client], lattigo: LineProcess) -> None:
    """With several special primes: errors are at most twice those of keys of all primes."""
    server, paths = Server("lattigo", client("one"), lattigo), {3: [3], -5: [-5], 0: [0]}
    params, plan, sizes = server.folder / "theirs.json", server.folder / "plan.json", []
    files = {"Params": params, "Secret": server.folder / "secret", "Public": server.folder / "public"}
    lattigo.ask("create", LogN=12, LogQ=[50, 40, 40, 40], LogP=[51, 51], LogScale=40, **files)
    own = ("plan-keys", "--params", params, "--rotations", "3,-5,0")
    assert "another library than seal" in server.person.refused(*own)
    command = (*own, "--target", "lattigo", "--hoisted", "--force")
    assert "these parameters have several" in server.person.refused(*command, "--two-levels")
    for level in (3, 2, 1, 0):
        server.person.run(*command, "--level", level, "--choose", "direct", "--out", plan)
        server.take(params, plan, "--security", "none", "--relin")
        sizes.append((server.there / "evaluation.bin").stat().st_size)
        found = server.errors(paths, level)
        server.take_direct([*paths])
        check_errors(found, server.errors(paths, level), 2)
    assert sizes == sorted({*sizes}, reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "level"), [(3, 1), pytest.param(100, 2, marks=pytest.mark.soak)])
def test_servers_derive_their_keys(server: Server, count: int, level: int) -> None:
    """Rotations are at most half again as far off as by keys of the client's own."""
    draw, plan, chain = random.Random(SEED), server.folder / "plan.json", server.folder / "chain.seal"
    steps = [*sorted({draw.randrange(1, 1024) * draw.choice((-1, 1)) for _ in range(count)}), 0]
    rs.Parameters.from_bits(4096, [38, 28, 28, 51], security=0).save(chain)
    command = ("plan-keys", "--params", chain, "--level", level, "--target", server.target, "--two-levels")
    choice = ("--choose", "two levels, signed 16", "--out", plan)
    server.person.run(*command, "--rotations", ",".join(map(str, steps)), *choice)
    server.take(chain, plan, "--security", "none", "--relin")
    server.derive(plan)
    paths = {step: [step] for step in steps}
    derived = server.errors(paths, level)
    server.take_direct(steps)
    check_errors(derived, server.errors(paths, level), 1.5)


def test_two_levels(client: Callable[[str], Client], tmp_path: Path) -> None:
    """The cost of 600 rotations, and primes for which they are refused."""
    run, refused = client("one").run, client("two").refused
    steps = ("--rotations", ",".join(map(str, random.Random(SEED).sample(range(1, 4096), 600))), "--two-levels")
    chain = ("--bits", "8192:38,28,28,51")
    choices = {one["name"]: one for one in json.loads(run("plan-keys", *chain, *steps, "--json"))["choices"]}
    for name, factor in (("two levels, 2", 30), ("two levels, 16", 100)):
        assert factor * choices[name]["bytes"] < choices["direct"]["bytes"]
        assert choices[name]["transforms"] == choices["direct"]["transforms"]
        assert choices[name]["once"] > 0
    for bits, said in (
        ("16384:50,40,40,50", "derived key would be off by"),
        ("16384:50,40,40,50", "Take a special prime of at most 52 bits that has 1"),
        ("16384:50,40,60", "larger than the special one"),
        ("8192:38,38,33,51", "not secure"),
    ):
        assert said in refused("plan-keys", "--bits", bits, *steps)
    assert "are for CKKS" in refused("plan-keys", "--params", "bfv-13", *steps)
    plan = tmp_path / "plan.json"
    run("plan-keys", *chain, *steps, "--choose", "two levels, 4", "--out", plan)
    text = plan.read_text(encoding="utf-8")
    prime = json.loads(text)["derive"]["prime"]
    plan.write_text(text.replace(f"{prime}", f"{prime + 16384}"), encoding="utf-8")  # it is no prime
    refused("keygen", *chain, "--plan", plan, "--out", tmp_path / "keys")
    assert not (tmp_path / "keys").exists()


@pytest.mark.parametrize("name", ["bfv-13", "bgv-13"])
def test_integers(client: Callable[[str], Client], tmp_path: Path, name: str) -> None:
    """Lattigo's parameters are those of both schemes."""
    person, plan, there = client("one"), tmp_path / "plan.json", tmp_path / "there"
    plan_keys = ("plan-keys", "--params", name, "--rotations", "0,1,3,7", "--level", 1, "--target", "lattigo")
    person.run(*plan_keys, "--out", plan)
    person.run("keygen", "--params", name, "--plan", plan, "--out", person.keys, "--relin", "--format", "lattigo")
    person.run("convert", person.keys, there, "--format", "lattigo")
    for keys in (person.keys, there):
        assert "all 4 rotations" in person.run("plan-keys", "--check", plan, keys)
    other = ("plan-keys", "--params", "bgv-13" if name == "bfv-13" else "bfv-13", *plan_keys[3:])
    person.run(*other, "--out", plan, "--force")
    assert "other parameters" in person.refused("plan-keys", "--check", plan, person.keys)


def test_keys_that_are_not_those_of_a_plan(client: Callable[[str], Client], tmp_path: Path) -> None:
    person = client("one")
    run, refused, keys, plan = person.run, person.refused, person.keys, tmp_path / "plan.json"
    planned = ("plan-keys", "--params", "eval-13", "--rotations", "3,-5,0", "--choose", "direct", "--force")
    make, check = ("keygen", "--params", "eval-13", "--out", keys, "--force"), ("plan-keys", "--check", plan)
    run(*planned, "--level", 1, "--out", plan)
    run(*make, "--plan", plan)
    assert json.loads(run(*check, keys, "--json")) == {"keys": 3, "level": 1, "rotations": 3}
    run(*planned, "--out", plan)
    assert "of level 1 or of other primes" in refused(*check, keys)
    assert "need its context" in refused("convert", keys, tmp_path / "there", "--format", "openfhe")
    (keys / "rotations.seal").unlink()
    assert "parameters" in refused(*check, keys)
    for options, said in (
        (("--galois", "3,-5"), "lacks 1 of 3 keys of the plan: conjugation"),
        (("--galois", "1,2"), "lacks 3 of 3 keys"),
        ((), "lacks 3 of 3 keys"),
        (("--galois", "3,-5,0", "--format", "lattigo"), "another library's order of slots"),
    ):
        run(*make, *options)
        assert said in refused(*check, keys)
    assert "for servers of seal, not for lattigo" in refused(*make, "--plan", plan, "--format", "lattigo")
    run("keygen", "--params", "lee-13", "--out", keys, "--force")
    assert "other parameters" in refused(*check, keys)
    assert "--check goes with" in refused(*check)
    assert "does not exist" in refused(*check, tmp_path / "none")
    assert "no public call" in refused(*planned, "--hoisted")


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
        {**whole, "target": "openfhe"}, {**whole, "derive": {}}, {**whole, "derive": {"prime": 3, "tops": [1], "wanted": {"1": [1]}}},
        {**whole, "paths": {"0": list(plan.paths[3])}}, {**whole, "n": "8192"},
    ]  # fmt: skip
    for content in (*map(json.dumps, wrong), text[:-9], "\ufeff[", "[" * 100_000):
        raises(rs.InputError, "is not a plan of keys", KeyPlan.of_text, content, "it")
    place = tmp_path / "plan.json"
    place.write_text(text, encoding="utf-8")
    assert "other parameters" in refused("keygen", "--params", "lee-13", "--plan", place, "--out", tmp_path / "keys")
    both = ("keygen", "--params", "eval-13", "--plan", place, "--out", tmp_path / "keys")
    assert "--plan or --galois" in refused(*both, "--galois", "1")
    assert "servers of seal" in refused(*both, "--format", "tenseal")
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
