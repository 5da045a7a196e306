# SPDX-License-Identifier: Apache-2.0
"""All engines. A new one is a file beside core.py and a line here."""

from __future__ import annotations

from . import core
from .engine import Design, Engine

DEFAULT = core.ENGINE.name  # of design files that name none
ENGINES: dict[str, Engine] = {engine.name: engine for engine in (core.ENGINE,)}


def engine_of(design: Design) -> Engine:
    """The engine that a design is made of."""
    return ENGINES[design.engine]
