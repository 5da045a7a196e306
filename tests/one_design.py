# SPDX-License-Identifier: Apache-2.0
"""The model of cycles for one design at a time; the package has it for many."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ringside.designs import Design
from ringside.explore import scope
from ringside.explore.model.cycles import _timed_all
from ringside.explore.model.programs import frames_in, programs_of
from ringside.explore.space.reader import Workload
from ringside.sim.timing import NotModelledError, row_of


def columns_of(design: Design) -> dict[str, np.ndarray[Any, Any]]:
    """Its fields as columns of one row."""
    return {name: np.array([value]) for name, value in asdict(design).items()}


def cycles_of(design: Design, latency: int, workload: Workload) -> int:
    """Of one design. DeviceError, ParameterError: it cannot do it. NotModelledError."""
    for _, reason in scope.unknown(scope.TIME_KNOWN, asdict(design), "time"):
        raise NotModelledError(reason)
    row = row_of(design, workload.log_n, workload.modulus_bits, latency)
    cycles, _ = _timed_all(programs_of(design, workload), row)
    return round(float(cycles[0]) / frames_in(design, workload))
