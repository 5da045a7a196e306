# SPDX-License-Identifier: Apache-2.0
"""One round of a run of AES once more, on a simulated core: its state has to have the library's bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ringside.devices.names import parse
from ringside.errors import DeviceError
from ringside.progress import Progress
from ringside.sim.options import Simulated

from ..scheme import ROUNDS, STATE, Scheme, Words
from .round import Round
from .server import CoreServer, check_design

SMALL = Path(__file__).with_name("doroz-2.toml")
BATCH = 2
RINGS = (255, 4369)  # larger ones: the host's part here is Python


def parse_core(text: str) -> Simulated:
    """`sim:doroz-2`, `sim:DESIGN,latency=100`. DeviceError: no simulated design."""
    wanted = parse(text, {SMALL.stem: str(SMALL)})
    if not isinstance(wanted, Simulated):
        message = f"AES on a core needs sim:DESIGN, not {text!r}."
        raise DeviceError("DEVICE", message, "sim:doroz-2 is made for ring 255.")
    return wanted


@dataclass(frozen=True)
class CoreRound:
    """What the core did."""

    design: str
    round: int
    level: int
    relinearisations: int
    programs: int
    cycles: int

    @property
    def text(self) -> str:
        return (
            f"round {self.round} from level {self.level}: {self.relinearisations} relinearisations, {self.programs} programs, "
            f"{self.cycles:,} cycles, all bits equal"
        )


class CoreCheck:
    """A check of round `number`: it keeps what the round began with and what the library made of it, and computes the round on the core afterwards."""

    def __init__(self, wanted: Simulated, scheme: Scheme, number: int) -> None:
        """DeviceError: the design, or any, cannot do it."""
        if scheme.parameters.m not in RINGS:
            raise DeviceError(
                "DEVICE",
                f"Ring {scheme.parameters.m} is too large for a core in simulation.",
                f"Use keys of `ringside ltv keygen --ring {RINGS[0]}`; `ringside ltv cycles doroz2015` measures parts of ring 65535.",
            )
        check_design(wanted.design, scheme, BATCH)
        self.number, self._wanted = number, wanted
        self.scheme, self._given, self._expected = scheme, list[Words](), list[Words]()

    def before(self, number: int, state: Words, key: Words) -> None:
        if number == self.number:
            self._given = [state.copy(), key.copy()]

    def after(self, number: int, state: Words) -> None:
        if number == self.number:
            self._expected = [state.copy()]

    @property
    def is_ready(self) -> bool:
        """False: the run began behind this round."""
        return bool(self._given and self._expected)

    def opened(self, keys: Sequence[Words], building: Progress) -> CoreServer:
        """The core for this round. keys: digits of the evaluation key. building: of the core's model."""
        core = CoreServer(self._wanted, self.scheme, len(self._given[0]), BATCH, building)
        core.load_keys(keys)
        return core

    def compute(self, core: CoreServer, progress: Progress) -> CoreRound:
        """progress: in relinearisations. DeviceError: other bits."""
        total, done = self.scheme.info.relinearisations // ROUNDS, 0

        def told(count: int) -> None:
            nonlocal done
            done += count
            progress(done, total)

        core.told = told
        (state, key), (expected,) = self._given, self._expected
        found = Round(self.scheme, core).run(self.number, state, key)
        if not np.array_equal(found, expected):
            wrong = int((found != expected).any(axis=(0, 2)).sum())
            raise DeviceError(
                "SIMULATION",
                f"{core.design} computes {wrong} of {STATE} ciphertexts of round {self.number} otherwise than the library: a fault of the RTL.",
            )
        return CoreRound(core.design, self.number, len(state), done, len(core.jobs), core.cycles)
