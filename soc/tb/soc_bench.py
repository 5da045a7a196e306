# SPDX-License-Identifier: Apache-2.0
"""A module of soc/rtl in a simulator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rs_channels import Bundled

from ringside.sim import verilate

RTL = Path(__file__).resolve().parents[1] / "rtl"


def simulator(top: str, parameters: Mapping[str, Any] | None = None, names: Iterable[str] = ()) -> Bundled:
    """After reset."""
    sources = [RTL / f"{name}.sv" for name in ("rs_soc_pkg", *names, top)]
    sim = Bundled(verilate.build(top, sources, dict(parameters or {})))
    sim.set(rst_ni=0)
    sim.step(2)
    sim.set(rst_ni=1)
    return sim
