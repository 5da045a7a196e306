# SPDX-License-Identifier: Apache-2.0
"""Coefficients of units from mapped designs, and how wrong they are on a design that they have not seen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .area import GATES, RESOURCES, AreaModel, ClassError, row_of
from .units import COUNTED, FITTED, RAM, RAM_TWO, view

STEPS, ENOUGH, RIDGE = 1500, 1e-9, 1e-5
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MappedDesign:
    """A design's fields, and what Yosys made of its parts: by module and resource, and how many there are of each.

    gates: kGE of all parts of a module, of designs that were mapped to standard cells.
    """

    fields: Mapping[str, Any]
    sizes: Mapping[str, Mapping[str, float]]
    total: Mapping[str, float]
    gates: Mapping[str, float] = field(default_factory=dict)


def mapped_design(
    fields: Mapping[str, Any], blocks: Iterable[Mapping[str, Any]], gates: Mapping[str, float] | None = None
) -> MappedDesign:
    """blocks: module, instances and own resources of each, as `ringside synth --json` has them."""
    sizes: dict[str, dict[str, float]] = {}
    total = dict.fromkeys((*RESOURCES, "bram18"), 0.0)
    for block in blocks:
        size = sizes.setdefault(block["module"], dict.fromkeys((*RESOURCES, "bram18"), 0.0))
        for name in size:
            value = block["instances"] * (
                block["own"][name] if name != "bram18" else block["own"]["bram18"] + 2 * block["own"]["bram36"]
            )
            size[name] += value
            total[name] += value
    return MappedDesign(fields, sizes, total, gates or {})


def nonnegative(terms: Floats, values: Floats) -> Floats:
    """Least squares without negative coefficients, by coordinates."""
    scale = np.maximum(np.abs(terms).max(axis=0), 1e-12)
    a = terms / scale
    square, right = a.T @ a + RIDGE * np.eye(a.shape[1]) * max(1.0, float(len(values))), a.T @ values
    found = np.zeros(a.shape[1])
    for _ in range(STEPS):
        before = found.copy()
        for j in range(len(found)):
            found[j] = max(0.0, found[j] - (square[j] @ found - right[j]) / square[j, j])
        if np.abs(found - before).max() <= ENOUGH * max(1.0, np.abs(found).max()):
            break
    return np.asarray(found / scale)


@dataclass(frozen=True)
class Alone:
    """Parts that were mapped alone, by module and key. rows: LUTs, flip-flops, DSPs, in place of those of designs; gates: kGE, where no design has one of them."""

    rows: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    gates: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def fit(
    designs: Sequence[MappedDesign], memories: Mapping[str, Sequence[float]], alone: Alone | None = None
) -> AreaModel:
    """memories: of `kind width depth`, LUTs and BRAM halves."""
    alone = alone or Alone()
    views = [view(design.fields) for design in designs]
    tables: dict[str, dict[str, list[float]]] = {}
    for part in COUNTED:
        rows: dict[str, list[list[float]]] = {}
        for v, design in zip(views, designs, strict=True):
            if (number := float(part.count(v))) and part.module in design.sizes:
                each = [design.sizes[part.module][name] / number for name in RESOURCES]
                rows.setdefault(row_of(part.key, v), []).append(each)
        tables[part.module] = {key: np.mean(values, axis=0).tolist() for key, values in rows.items()}
        tables[part.module] |= {key: list(row) for key, row in alone.rows.get(part.module, {}).items()}
    terms: dict[str, dict[str, list[float]]] = {}
    classes: dict[str, list[str]] = {}
    for unit in FITTED:
        matrix = np.array([[float(term(v)) for term in unit.terms] for v in views])
        terms[unit.module] = {}
        for name in RESOURCES:
            size = np.array([design.sizes.get(unit.module, {}).get(name, 0.0) for design in designs])
            weight = 1 / np.array([max(design.total[name], 1.0) for design in designs])
            if name == "dsp":
                found = _multiples(matrix, size, unit.dsp)
            else:
                found = nonnegative(matrix * weight[:, None], size * weight)
            terms[unit.module][name] = found.tolist()
        classes[unit.module] = sorted({row_of(unit.classes, v) for v in views})
    kept = {key: list(value) for key, value in memories.items()}
    gates, gate_terms = _gates([design for design in designs if design.gates], terms)
    for module, known in alone.gates.items():
        gates[module] = {**known, **gates[module]}
    return AreaModel(tables, terms, classes, kept, ranges(designs), gates, gate_terms)


def _multiples(terms: Floats, sizes: Floats, place: int | None) -> Floats:
    """DSPs are counted: a unit has so many for each of one term, or none."""
    found = np.zeros(terms.shape[1])
    if place is not None and (there := terms[:, place] > 0).any():
        found[place] = np.mean(sizes[there] / terms[there, place])
    return found


def _gates(
    designs: Sequence[MappedDesign], terms: Mapping[str, Mapping[str, Sequence[float]]]
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, list[float]]]]:
    """kGE of counted parts by key, and coefficients of units by class.

    A unit's kGE is a sum of its LUTs and flip-flops, with factors of its own for each class, so that few designs are enough.
    """
    views = [view(design.fields) for design in designs]
    tables: dict[str, dict[str, float]] = {}
    for part in COUNTED:
        rows: dict[str, list[float]] = {}
        for v, design in zip(views, designs, strict=True):
            if number := float(
                part.count(v)
            ):  # where it has no gates of its own they are in those of what is around it
                rows.setdefault(row_of(part.key, v), []).append(design.gates.get(part.module, 0.0) / number)
        tables[part.module] = {key: float(np.mean(values)) for key, values in rows.items()}
    units: dict[str, dict[str, list[float]]] = {}
    for part in COUNTED:
        if part.gate_classes is not None:
            of_class = _by_class(
                part.gate_classes, [(v, d) for v, d in zip(views, designs, strict=True) if part.count(v)]
            )
            units[part.module] = {key: _factors(part.module, some).tolist() for key, some in of_class.items()}
    for unit in FITTED:
        of_class = _by_class(unit.gate_classes, zip(views, designs, strict=True))
        cells = np.array([terms[unit.module]["lut"], terms[unit.module]["ff"]])
        units[unit.module] = {key: (_factors(unit.module, some) @ cells).tolist() for key, some in of_class.items()}
    return tables, units


def _by_class(
    classes: Sequence[str], designs: Iterable[tuple[Mapping[str, Any], MappedDesign]]
) -> dict[str, list[MappedDesign]]:
    found: dict[str, list[MappedDesign]] = {}
    for v, design in designs:
        found.setdefault(row_of(classes, v), []).append(design)
    return found


def _factors(module: str, designs: Sequence[MappedDesign]) -> Floats:
    """kGE of a LUT and of a flip-flop."""
    cells = np.array([[design.sizes.get(module, {}).get(name, 0.0) for name in ("lut", "ff")] for design in designs])
    kge = np.array([design.gates.get(module, 0.0) for design in designs])
    weight = 1 / np.array([sum(design.gates.values()) for design in designs])
    return nonnegative(cells * weight[:, None], kge * weight)


def ranges(designs: Sequence[MappedDesign]) -> dict[str, list[float]]:
    """Least and largest value of each number, so that nothing is foreseen far beyond what was mapped."""
    names = (
        "lanes", "word_bits", "bank_groups", "bus_bits", "keccak_cores", "sample_lanes", "expand_words", "reducers",
        "contexts",
    )  # fmt: skip
    return {name: [float(min(d.fields[name] for d in designs)), float(max(d.fields[name] for d in designs))] for name in names}  # fmt: skip


def memory_key(kind: str, width: float, depth: float) -> str:
    assert kind in (RAM, RAM_TWO)
    return f"{kind} {int(width)} {int(depth)}"


def held_out(
    designs: Sequence[MappedDesign], memories: Mapping[str, Sequence[float]], alone: Alone | None = None
) -> list[dict[str, Any]]:
    """Each design foreseen by a model of all others: mapped, foreseen and the error in percent of each resource."""
    found = []
    for i, design in enumerate(designs):
        others = [*designs[:i], *designs[i + 1 :]]
        row: dict[str, Any] = {"design": design.fields["name"]}
        try:
            sizes = fit(others, memories, alone).of(design.fields)
        except ClassError as error:
            found.append(row | {"refused": str(error)})
            continue
        if design.gates and np.isfinite(sizes[GATES]):
            true, model = sum(design.gates.values()), float(sizes[GATES])
            row[GATES] = [round(true, 2), round(model, 2), round(100 * (model - true) / true, 2)]
        for name in (*RESOURCES, "bram18"):
            true, model = design.total[name], float(sizes[name])
            row[name] = [true, round(model, 1), round(100 * (model - true) / max(true, 1.0), 2)]
        found.append(row)
    return found
