# SPDX-License-Identifier: Apache-2.0
"""The models against simulations and syntheses: the recorded ones of named designs here, of designs drawn at random each night."""

import datetime as dt
import json
import statistics
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ringside import designs
from ringside.cycles.operation import record
from ringside.designs.rules import problems
from ringside.errors import RingsideError
from ringside.explore.model import constants, fit
from ringside.explore.model.area import ClassError
from ringside.explore.model.cycles import cycles_of, timed
from ringside.explore.model.programs import text_of
from ringside.explore.model.units import memories, view
from ringside.explore.model.walk import NotModelledError, ops_of
from ringside.explore.space import reader
from ringside.explore.space.points import enumerate_all
from ringside.explore.space.reader import Workload
from ringside.sim.options import Simulated

TREE = Path(__file__).parents[2]
MEDIAN, MEAN, MOST = 0.1, 0.3, 3.0  # percent


def recorded(kind: str) -> list[dict[str, Any]]:
    lines = (TREE / "figures" / "ours.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["question"]["kind"] == kind]


def test_cycles_of_named_designs() -> None:
    errors = []
    for row in recorded("Simulation"):
        asked = row["question"]
        if "cycles" not in row["figures"] or asked["design"] not in designs.names():
            continue
        workload = Workload(asked["op"], asked["n"], asked["limbs"], asked["bits"])
        try:
            model = cycles_of(designs.load(asked["design"]), 40, workload)
        except NotModelledError:
            continue
        errors.append(abs(100 * (model / row["figures"]["cycles"] - 1)))
    assert len(errors) >= 60
    assert statistics.median(errors) <= MEDIAN
    assert statistics.mean(errors) <= MEAN
    assert max(errors) <= MOST


def test_a_lift_that_reads_waits_for_store() -> None:
    """Both read groups through one port. `ringside cycles ringside-8e --op encode-encrypt-pk-direct --n 8192 --limbs 3 --bits 54`"""
    workload = Workload("encode-encrypt-pk-direct", 8192, 3, 54)
    assert cycles_of(designs.load("ringside-8e"), 40, workload) == pytest.approx(92_940, rel=1e-4)


def drawn(numbers: np.random.Generator) -> tuple[Any, int, Workload]:
    """A design, a latency and an operation that nobody chose."""

    def one(*values: Any) -> Any:
        return values[numbers.integers(len(values))]

    while True:
        base = designs.load(one("rise-1", "rise-4", "aloha-he"))
        changed = {"lanes": one(1, 2, 4), "reduction": one("wlm", "barrett"), "twiddles": one("stored", "on_the_fly"), "bank_groups": one(2, 3, 4, 5), "contexts": one(1, 2), "encode": one(False, True), "slots": one(2, 3), "sample_lanes": one(1, 2, 4), "keccak_cores": one(1, 2), "keccak_slices": one(16, 64), "keccak": one("separate", "shared"), "bus_bits": one(64, 128, 256), "outstanding": one(8, 16, 32), "reducers": one(0, 2)}  # fmt: skip
        design = replace(base, name="drawn", stream_factor=False, log_n_min=10, **changed)
        if any(problems(design)):
            continue
        ops = ["encrypt-pk-direct", "encrypt-sk", "decrypt", "ntt"]
        op = one(*ops, *(["encode-encrypt-pk-direct", "decrypt-decode"] if design.encode else []))
        bits = min(design.word_bits - 2, 54)
        workload = Workload(op, 1 << one(11, 12), 1 if op in ("ntt", "decrypt-decode") else one(1, 2, 3), bits)
        try:
            text_of(design, workload)
        except RingsideError:
            continue
        return design, one(20, 40, 100), workload


def compared(count: int, seed: int) -> list[float]:
    numbers = np.random.default_rng(seed)
    errors = []
    for _ in range(count):
        design, latency, workload = drawn(numbers)
        simulated = Simulated(design, {"latency": latency})
        true = record(simulated, workload.op, workload.n, workload.limbs, workload.bits).measurement.cycles
        errors.append(100 * (cycles_of(design, latency, workload) / true - 1))
        print(f"{errors[-1]:+.3f} % {workload.name} @{latency} {design}")
    return errors


@pytest.mark.slow
def test_cycles_of_a_drawn_design() -> None:
    assert max(map(abs, compared(1, 20261126))) <= MOST


@pytest.mark.soak
def test_cycles_of_designs_drawn_tonight() -> None:
    """Sixty pairs of a design and an operation, others each night; the seed is in the output."""
    seed = dt.date.today().toordinal()
    print("seed", seed)
    errors = [abs(error) for error in compared(60, seed)]
    print("median", statistics.median(errors), "mean", statistics.mean(errors), "most", max(errors))
    assert statistics.median(errors) <= MEDIAN
    assert statistics.mean(errors) <= MEAN
    assert max(errors) <= MOST


def test_many_designs_are_as_one(tmp_path: Path) -> None:
    space = reader.load(TREE / "designs" / "spaces" / "tiny.toml")
    points = enumerate_all(space)
    found = timed(points, space.workloads[0])
    for i in range(0, len(points), 17):
        assert found.cycles[i] == cycles_of(points.design(i), points.latency(i), space.workloads[0])


def test_what_has_no_model_is_refused() -> None:
    with pytest.raises(NotModelledError):
        ops_of(["NTT g0 ctx0 log_size7", "END"])
    with pytest.raises(NotModelledError):
        ops_of(["PIPE s0 g0 g1", "END"])


def test_memories_are_counted() -> None:
    """BRAM of the mapped named designs to the last half, as far as their memories' sizes were mapped."""
    models = constants.load()
    for row in recorded("Synthesis"):
        asked, cells = row["question"], row["figures"]
        if asked["device"] or asked["design"] not in designs.names():
            continue
        v = view({name: np.asarray(value) for name, value in asdict(designs.load(asked["design"])).items()})
        sizes = [(float(m.count), models.area.memories.get(fit.memory_key(m.kind, float(m.width), float(m.depth)))) for m in memories(v) if m.count]  # fmt: skip
        if all(size is not None for _, size in sizes):
            assert sum(count * size[1] for count, size in sizes if size) == 2 * cells["bram36"] + cells["bram18"]


def test_area_of_held_out_designs() -> None:
    """The errors that the constants state are those of the rows beside them."""
    models = constants.load()
    for name in ("lut", "ff"):
        errors = [abs(row[name][2]) for row in models.rows if name in row]
        assert models.held_out[name]["designs"] == len(errors)
        assert models.held_out[name]["mean"] == pytest.approx(statistics.mean(errors), abs=0.01)
        assert statistics.mean(errors) <= 6


def test_a_class_that_was_never_mapped_is_refused() -> None:
    models = constants.load()
    with pytest.raises(ClassError, match="word_bits"):
        models.area.of(asdict(replace(designs.load("rise-4"), word_bits=61)))
    with pytest.raises(ClassError, match="lanes"):
        models.area.of(asdict(replace(designs.load("rise-4"), lanes=256, log_n_min=12)))


def test_coefficients_are_found() -> None:
    numbers = np.random.default_rng(3)
    terms = numbers.random((40, 3))
    found = fit.nonnegative(terms, terms @ np.array([2.0, 0.0, 5.0]))
    assert found == pytest.approx([2, 0, 5], abs=0.05)
    assert (fit.nonnegative(terms, terms @ np.array([2.0, -1.0, 5.0])) >= 0).all()
