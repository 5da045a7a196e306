# SPDX-License-Identifier: Apache-2.0
"""Ports with valid and ready, as a test drives or takes them, cycle by cycle."""

from __future__ import annotations

import random
from collections.abc import Iterable

from ringside.sim import verilate

OKAY, SLVERR, DECERR = 0, 2, 3


class Channel:
    """One direction of a port that the test drives: what was offered stays until it is taken; pauses are random."""

    def __init__(self, prefix: str, pace: float, chance: random.Random) -> None:
        self.prefix, self.pace, self.random = prefix, pace, chance
        self.queue: list[dict[str, int]] = []
        self.offered = False

    def drive(self, sim: verilate.Simulator) -> None:
        if not self.offered and self.queue and self.random.random() < self.pace:
            self.offered = True
            sim.set(**{f"{self.prefix}{name}": value for name, value in self.queue[0].items()})
        sim.set(**{f"{self.prefix}valid": int(self.offered)})

    def sample(self, sim: verilate.Simulator) -> dict[str, int] | None:
        """What was taken in this cycle."""
        if self.offered and sim.get(f"{self.prefix}ready"):
            self.offered = False
            return self.queue.pop(0)
        return None


class Taker:
    """The other direction: what the module offers, which must not change until it is taken."""

    def __init__(self, prefix: str, fields: Iterable[str], pace: float, chance: random.Random) -> None:
        self.prefix, self.fields, self.pace, self.random = prefix, tuple(fields), pace, chance
        self.waiting: dict[str, int] | None = None
        self.ready = False

    def drive(self, sim: verilate.Simulator) -> None:
        self.ready = self.random.random() < self.pace
        sim.set(**{f"{self.prefix}ready": int(self.ready)})

    def sample(self, sim: verilate.Simulator) -> dict[str, int] | None:
        if not sim.get(f"{self.prefix}valid"):
            assert self.waiting is None, f"{self.prefix} was withdrawn"
            return None
        offer = {name: sim.get(f"{self.prefix}{name}") for name in self.fields}
        assert self.waiting in (None, offer), f"{self.prefix} changed while it waited"
        self.waiting = None if self.ready else offer
        return offer if self.ready else None
