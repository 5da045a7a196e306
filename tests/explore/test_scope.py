# SPDX-License-Identifier: Apache-2.0
"""No field of a design is forgotten by a model: it is followed, or other values are refused by its name, or it has no effect."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raises, some, written
from one_design import columns_of, cycles_of
from ringside import designs
from ringside.designs import Design
from ringside.designs.design import table
from ringside.designs.rules import problems
from ringside.explore import scope
from ringside.explore.model import constants
from ringside.explore.model.area import AreaModel, ClassError
from ringside.explore.model.programs import REGISTERS
from ringside.explore.search.evaluate import evaluate
from ringside.explore.space import reader
from ringside.explore.space.points import enumerate_all
from ringside.explore.space.reader import Workload
from ringside.sim.asm import assemble
from ringside.sim.timing import NotModelledError, program_times, row_of

LATENCY = 40
TASK = Workload("encrypt-pk-direct", 4096, 1, 30)
OTHER: dict[str, tuple[Any, ...]] = {"twiddles": ("stored", "on_the_fly"), "keccak": ("separate", "shared")}  # fmt: skip
# designs, what is changed of them, and programs that show what each field does
TIMED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("lee2023", {}, "SAMPLE s0 1 ternary\nSAMPLE s1 2\nEXPAND g1 ctx0 1 first"),
    ("aloha-he", {}, "SAMPLE s0 1 ternary\nSAMPLE s1 2\nEXPAND g1 ctx0 1 first"),
    ("aloha-he", {}, "LOADS g0 p7 0x3ff00d\nLIFTW g1 s0 g0 ctx0 3"),
    ("rise-4", {}, "STREAM ctx0 [p2 + 0x0] wide signed\nLIFT g1 s1 ctx0 add\nNTT g0 ctx0"),
    ("ringside-stream", {"outstanding": 8}, "PIPEKEY [p1 + 0x0]\nPIPE s0 g0 g1 2"),
    ("doroz2015", {}, "LOAD g0 ctx0 [p1 + 0x0]"),
    ("pqc-4", {}, "HASH d0 d0 [p1 + 0x0] bytes400\nNORM g0 ctx0 log_size8"),
)


def forgotten(followed: set[str], known: scope.KnownValues, free: tuple[str, ...]) -> set[str]:
    return set(table()) - followed - set(known) - set(free)


def followed_in_time() -> set[str]:
    """Fields by which the model says another time of one program, and those that the driver's programs follow."""
    found = set(REGISTERS)
    for name, changes, program in TIMED:
        design, words = replace(designs.load(name), **changes), np.array(assemble(program), np.uint64).tobytes()
        for field in table():
            others = [replace(design, **{field: value}) for value in other_value(field, getattr(design, field))]
            drawn = [row_of(one, 12, 30) for one in (design, *others) if not any(problems(one))]
            if len(set(program_times(np.concatenate(drawn), words)[0])) > 1:
                found.add(field)
    return found


def other_value(field: str, value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, str):
        return [other for other in OTHER.get(field, ()) if other != value]
    return [value * 2, value + 1, max(value // 2, 1), value + 2]


def sizes(model: AreaModel, design: Design) -> tuple[float, ...] | None:
    found = model.columns(columns_of(design))
    return None if found["refused"][0] else tuple(float(found[name][0]) for name in ("lut", "ff", "dsp", "bram18"))


def followed_in_area() -> set[str]:
    """Fields by which the model says something else of a design, or refuses it."""
    model = constants.load().area
    found = set()
    for base in map(designs.load, ("rise-4", "aloha-he", "rise-1")):
        before = some(sizes(model, base))
        fields = asdict(base)
        for field in table():
            if field not in scope.AREA_KNOWN:
                changed = [sizes(model, replace(base, **{field: value})) for value in other_value(field, fields[field])]
                if any(after != before for after in changed):
                    found.add(field)
    return found


def test_no_field_is_forgotten_in_time() -> None:
    assert forgotten(followed_in_time(), scope.TIME_KNOWN, scope.TIME_FREE) == set()


def test_no_field_is_forgotten_in_area() -> None:
    assert forgotten(followed_in_area(), scope.AREA_KNOWN, scope.AREA_FREE) == set()


@pytest.mark.parametrize("name", scope.TIME_KNOWN)
def test_other_values_are_refused_by_name(name: str) -> None:
    others: dict[str, Any] = {"burst_lines": 4, "field_mode": "sealed"}
    changed: dict[str, Any] = {name: others.get(name, True)}
    design = replace(designs.load("rise-4"), **changed)
    raises(NotModelledError, name, cycles_of, design, LATENCY, TASK)
    if name in scope.AREA_KNOWN:
        raises(ClassError, name, constants.load().area.of, asdict(design))


def test_a_space_refuses_some_of_its_designs(tmp_path: Path) -> None:
    """Those with a ring of descriptors, and says so; the others have the figures of a space without them."""
    text = """[explore]
name = "ring"
base = "rise-4"
[space]
"core.lanes" = [2, 4]
"sequencer.ring" = [false, true]
[[workload]]
op = "ntt"
n = 4096
"""
    found = []
    for axis in ("[false, true]", "[false]"):
        path = written(tmp_path / "space.toml", text.replace("[false, true]", axis))
        found.append(evaluate(enumerate_all(reader.load(path)), constants.load()))
    some, all_known = found
    assert list(some.refused) == ["area is known with ring = false only"]
    assert sorted(some.costs["cycles"].tolist()) == sorted(all_known.costs["cycles"].tolist())
