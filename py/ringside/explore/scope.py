# SPDX-License-Identifier: Apache-2.0
"""Fields of designs that a model does not follow, each with the values at which its figures hold: other values are refused by the field's name.

A field that is neither here, nor read by a model, nor without an effect on it, has been forgotten (tests/explore/test_scope.py).
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

KnownValues = Mapping[str, tuple[Any, ...]]

TIME_KNOWN: KnownValues = {"field_mode": ("open",)}
AREA_KNOWN: KnownValues = {
    "burst_lines": (1,), "short": (False,), "ring": (False,), "fields": (False,), "stream_lanes": (0,),
    "slices": (1,), "slot_words": (1,),
}  # fmt: skip
_TEXTS = ("name", "source", "status", "clock_mhz")  # no logic
# the driver's programs have no halves of polynomials, and a doorbell starts them
TIME_FREE = (*_TEXTS, "short", "ring")
# log_n_min: a comparison, and choices of STORES; stream_factor: a few gates, mapped both ways, whose part is in the models' errors.
# Those of the streaming unit and of fields are refused with it, and with them.
AREA_FREE = (*_TEXTS, "log_n_min", "stream_factor", "ports", "field_rounds", "field_words", "field_mode")


def unknown(known: KnownValues, fields: Mapping[str, Any], what: str) -> Iterator[tuple[Any, str]]:
    """Where a field has another value, with the reason. fields: of designs, as arrays or values; what: that the models have not."""
    for name, values in known.items():
        column = np.asarray(fields[name])
        where = ~np.isin(column, values)
        if where.any():
            yield where, f"{what} is known with {name} = {_words(values)} only"


def _words(values: tuple[Any, ...]) -> str:
    return " or ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
