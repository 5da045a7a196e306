# SPDX-License-Identifier: Apache-2.0
"""A module as gates of at most three inputs and flip-flops, by the project's own Yosys."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringside.synth.yosys import defined, read, run

Net = int | str  # Yosys' number, or the constants "0", "1" and "x"


@dataclass(frozen=True)
class Netlist:
    """gates: kind and inputs by the net that they drive; registers: what a flip-flop takes by what it holds."""

    gates: Mapping[Net, tuple[str, tuple[Net, ...]]]
    registers: Mapping[Net, Net]
    ports: Mapping[str, tuple[Net, ...]]
    outputs: frozenset[str]
    names: Mapping[Net, str]


def synthesised(top: str, sources: Sequence[Path], parameters: Mapping[str, Any] | None = None) -> Netlist:
    """Nothing is merged, shared or moved over a flip-flop: what a cone reaches is what the RTL says, or less."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "netlist.json"
        run(
            [
                read(top, sources, parameters, *defined()),
                f"synth -top {top} -flatten -noabc -noshare",
                "dfflegalize -cell $_DFF_P_ 01",
                "simplemap",
                "opt_expr",
                "opt_clean -purge",
                f"write_json {file}",
            ]
        )
        modules = json.loads(file.read_text(encoding="utf-8"))["modules"]
    return _netlist(modules[top])


def _netlist(module: Mapping[str, Any]) -> Netlist:
    gates: dict[Net, tuple[str, tuple[Net, ...]]] = {}
    registers: dict[Net, Net] = {}
    for cell in module["cells"].values():
        kind, pins = cell["type"], {name: bits[0] for name, bits in cell["connections"].items()}
        if kind == "$_DFF_P_":
            registers[pins["Q"]] = pins["D"]
        else:
            gates[pins["Y"]] = (kind, tuple(pins[name] for name in "ABS" if name in pins))
    names: dict[Net, str] = {}
    for name, net in module["netnames"].items():
        for i, bit in enumerate(net["bits"]):
            if bit not in names or name.endswith("_q"):
                names[bit] = f"{name}[{i}]"
    ports = {name: tuple(port["bits"]) for name, port in module["ports"].items()}
    outputs = frozenset(name for name, port in module["ports"].items() if port["direction"] == "output")
    return Netlist(gates, registers, ports, outputs, names)
