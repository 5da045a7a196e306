# SPDX-License-Identifier: Apache-2.0
"""Area of many designs at once: tables of mapped parts, counted memories, and fitted units (`units.py`). A class that was never mapped is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import scope
from .units import COUNTED, FITTED, memories, view

RESOURCES = ("lut", "ff", "dsp")
GATES = "kge"  # without memories, of standard cells
REFUSED = np.nan


class ClassError(Exception):
    """A design of a class that was never mapped."""


def row_of(names: Sequence[str], v: Mapping[str, Any]) -> str:
    """The key of a row, of one design."""
    return " ".join(f"{float(v[name]):g}" for name in names)


@dataclass(frozen=True)
class AreaModel:
    """tables: LUT, FF and DSP of one part by its key; terms: coefficients of units; classes: which were mapped; memories: LUT and BRAM halves.

    gates: kGE of one part by its key; gate_terms: coefficients of units, by class, or of a LUT and a flip-flop of parts that have such classes. What was not
    mapped to standard cells has no kGE, which is NaN.
    """

    tables: dict[str, dict[str, list[float]]]
    terms: dict[str, dict[str, list[float]]]
    classes: dict[str, list[str]]
    memories: dict[str, list[float]]
    ranges: dict[str, list[float]]
    gates: dict[str, dict[str, float]] = field(default_factory=dict)
    gate_terms: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def of(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Of one design. ClassError."""
        arrays = {name: np.asarray([value]) for name, value in fields.items()}
        found = self.columns(arrays)
        if refused := found.pop("refused")[0]:
            raise ClassError(refused)
        return {name: values[0] for name, values in found.items()}

    def columns(self, fields: Mapping[str, Any], *, blocks: bool = False) -> dict[str, Any]:
        """lut, ff, dsp, kge, bram18 (halves of a BRAM36) as arrays; refused: the reason, empty where there is none.

        blocks: with the LUTs of each module, under its name.
        """
        v = view(fields)
        shape = np.broadcast_shapes(*(np.shape(value) for value in v.values()))
        totals = {name: np.zeros(shape, np.float32) for name in (*RESOURCES, GATES, "bram18")}
        refused = np.zeros(shape, np.uint8)
        reasons = [""]
        parts: dict[str, Any] = {}

        def refuse(where: Any, reason: str) -> None:
            if np.any(where):
                reasons.append(reason)
                refused[np.broadcast_to(where, shape) & (refused == 0)] = len(reasons) - 1

        for where, reason in scope.unknown(scope.AREA_KNOWN, fields, "area"):
            refuse(where, reason)
        for name, (low, high) in self.ranges.items():
            refuse((v[name] < low) | (v[name] > high), f"{name} was mapped from {low:g} to {high:g} only")
        for part in COUNTED:
            count = np.broadcast_to(part.count(v), shape)
            each = self._rows(part.module, part.key, v, count > 0, refuse, shape)
            if part.gate_classes is not None:
                each[-1] = self._by_class(part.module, part.gate_classes, v, each[:2], shape)
            parts[part.module] = each[0] * count
            for name, size in zip((*RESOURCES, GATES), each, strict=True):
                totals[name] += size * count
        for unit in FITTED:
            known = set(self.classes[unit.module])
            matrix = [np.broadcast_to(term(v), shape) for term in unit.terms]
            for key, where in _different(unit.classes, v, shape):
                if key not in known:
                    refuse(where, f"{unit.module} was never mapped with {', '.join(unit.classes)} = {key}")
            totals[GATES] += self._by_class(unit.module, unit.gate_classes, v, matrix, shape)
            for name in RESOURCES:
                size = _sum(self.terms[unit.module][name], matrix)
                totals[name] += size
                if name == "lut":
                    parts[unit.module] = size
        parts["memories"] = np.zeros(shape, np.float32)
        for memory in memories(v):
            count = np.broadcast_to(memory.count, shape)
            lut, halves = self._memory(memory.kind, memory.width, memory.depth, count > 0, refuse, shape)
            totals["lut"] += lut * count
            parts["memories"] += lut * count
            totals["bram18"] += halves * count
        found: dict[str, Any] = dict(totals)
        found["refused"] = np.array(reasons, object)[refused]
        return found | ({f"block {name}": size for name, size in parts.items()} if blocks else {})

    def _by_class(self, module: str, classes: Sequence[str], v: Any, terms: Sequence[Any], shape: Any) -> Any:
        """kGE, by the coefficients of each class; NaN where it has none."""
        gates = self.gate_terms.get(module, {})
        found = np.full(shape, np.nan, np.float32)
        for key, where in _different(classes, v, shape):
            if key in gates:
                found[where] = _sum(gates[key], terms)[where]
        return found

    def _rows(self, module: str, key: Sequence[str], v: Any, needed: Any, refuse: Any, shape: Any) -> list[Any]:
        found = [np.zeros(shape, np.float32) for _ in (*RESOURCES, GATES)]
        gates = self.gates.get(module, {})
        for name, where in _different(key, v, shape):
            found[-1][where & needed] = gates.get(name, np.nan)
            row = self.tables[module].get(name)
            if row is None:
                refuse(where & needed, f"{module} was never mapped with {', '.join(key)} = {name}")
                continue
            for array, value in zip(found, row, strict=False):
                array[where] = value
        return found

    def _memory(self, kind: str, width: Any, depth: Any, needed: Any, refuse: Any, shape: Any) -> tuple[Any, Any]:
        lut, halves = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        sizes = {"width": np.broadcast_to(width, shape) * needed, "depth": np.broadcast_to(depth, shape) * needed}
        for name, where in _different(("width", "depth"), sizes, shape):
            row = self.memories.get(f"{kind} {name}")
            if row is not None:
                lut[where], halves[where] = row
            elif name != "0 0":
                refuse(where & needed, f"{kind} was never mapped with width, depth = {name}")
        return lut, halves


def _sum(coefficients: Sequence[float], terms: Sequence[Any]) -> Any:
    size = np.zeros(np.shape(terms[0]), np.float32)
    for coefficient, term in zip(coefficients, terms, strict=True):
        if coefficient:
            size += np.float32(coefficient) * term
    return size


def _different(names: Sequence[str], v: Mapping[str, Any], shape: Any) -> list[tuple[str, Any]]:
    """Every different combination of these fields, with where it is."""
    if not names:
        return [("", np.ones(shape, bool))]
    code = np.zeros(shape, np.int64)
    choices = []
    for name in names:
        values, where = np.unique(np.broadcast_to(v[name], shape), return_inverse=True)
        code = code * len(values) + where.reshape(shape)
        choices.append(values)
    found = []
    for one in np.unique(code):
        rest, words = int(one), []
        for values in reversed(choices):
            rest, place = divmod(rest, len(values))
            words.append(f"{float(values[place]):g}")
        found.append((" ".join(reversed(words)), code == one))
    return found
