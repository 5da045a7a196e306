# SPDX-License-Identifier: Apache-2.0
"""What an exploration has found: costs of all points, where each comes from, and the front."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...notebook import facts_html
from ..model.constants import Models
from ..space.reader import Space
from .evaluate import Evaluated, wanted
from .front import front, knee, near

MODEL_SAYS, CORRECTED, ANSWERED = range(3)  # where a point's costs come from
SOURCES = ("model", "corrected", "verified")


@dataclass
class Exploration:
    """model: what the models said; found: with answers in its place, and corrected beside them; source: MODEL_SAYS, CORRECTED or ANSWERED of each point.

    front: points of it, by the first objective; chosen: it and what is near it; random: points that nobody chose; answers: by point, with residuals;
    turns: of the loop, how many points each asked; closed: whether the front and all near it have answers, and with `ties` no other point is better by more.
    """

    space: Space
    models: Models
    model: Evaluated
    found: Evaluated
    front: NDArray[np.int64]
    chosen: NDArray[np.int64]
    random: NDArray[np.int64]
    searched: str
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    source: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    turns: list[dict[str, int]] = field(default_factory=list)
    closed: bool = False

    @property
    def knee(self) -> int:
        return knee(wanted(self.space, self.found.costs), self.front)

    def best(self, objective: str) -> int:
        """Of the front."""
        column = self.found.costs[objective][self.front]
        place = np.argmax(column) if objective in self.space.maximise else np.argmin(column)
        return int(self.front[int(place)])

    def _repr_html_(self) -> str:
        facts: list[tuple[str, object]] = [("designs", f"{len(self.found.points):,}"), ("searched", self.searched)]
        facts += [("within the constraints", f"{int(self.found.fits.sum()):,}"), ("on the front", len(self.front))]
        names = [*self.space.minimise, *self.space.maximise] if len(self.front) else []
        facts += [(f"best {name}", f"{self.found.costs[name][self.best(name)]:,.6g}") for name in names]
        return facts_html(f"Exploration {self.space.name}", facts)


def chosen_of(
    space: Space, found: Evaluated, allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The front of the points that are allowed, and it with what is near it."""
    values, index = wanted(space, found.costs), np.flatnonzero(allowed)
    best = index[front(values[index])]
    close = index[near(values[index], np.searchsorted(index, best), space.near)] if space.near else best
    return best, np.concatenate([best, np.setdiff1d(close, best)])
