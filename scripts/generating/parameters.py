# SPDX-License-Identifier: Apache-2.0
"""Parameters of rs_core: everything that is made from py/ringside/designs."""

import importlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from common import ROOT

from .text import made, systemverilog, with_parts, wrapped

DESIGNS = ROOT / "py" / "ringside" / "designs"
CORE = ROOT / "hw" / "core"
MADE = made(DESIGNS / "design.py")
END = "// ---- end of what is made"


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    value: str
    about: str

    @property
    def lines(self) -> str:
        about = wrapped(self.about, 0, 120).replace("\n    ", "\n// ")
        return f"// {about}\nparameter {self.kind} {self.name} = {self.value}"


def _parameter(page: ModuleType, row: Any, value: Any) -> Parameter:
    limits = f" ({page.allowed(row).replace('`', '')})" if row.limit else ""
    if isinstance(value, bool | str):
        return Parameter(row.rtl, "bit", f"1'b{row.number(value)}", row.about + limits)
    return Parameter(row.rtl, "int unsigned", str(value), row.about + limits)


def _parameters(design: ModuleType, page: ModuleType) -> Iterator[Parameter]:
    for field, row in design.table().items():
        if row.rtl:
            yield _parameter(page, row, design.own(field))
    for row in design.OTHERS:
        yield _parameter(page, row, row.least)


def _filled(path: Path, *bodies: str) -> str:
    text = path.read_text(encoding="utf-8")
    return systemverilog(with_parts(text, f"// {MADE}", END, *bodies))


def _listed(head: str, members: Iterable[str], close: str = "") -> str:
    """A list in few lines: the formatter would give each member its own."""
    whole = wrapped(head + ", ".join(member.replace(" ", "\xa0") for member in members) + close, 2).replace("\xa0", " ")
    return f"// verilog_format: off\n{whole}\n  // verilog_format: on\n"


def from_designs(designs: Path = DESIGNS) -> dict[Path, str]:
    """designs: its modules, without the package above them: that would load a compiled library."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "designs"]:
        del sys.modules[name]
    package = sys.modules["designs"] = ModuleType("designs")
    package.__path__ = [str(designs)]
    page, design = (importlib.import_module(f"designs.{name}") for name in ("page", "design"))
    rows = list(_parameters(design, page))
    members = "".join(f"{row.kind} {row.name};\n" for row in rows)
    smallest = _listed("localparam config_t Smallest = '{", (f"{row.name}: {row.value}" for row in rows), "};")
    bodies = {
        "rtl/rs_core.sv": (
            "".join(f"{row.lines},\n" for row in rows),
            _listed("localparam rs_core_pkg::config_t C = '{", (f"{row.name}: {row.name}" for row in rows), "};"),
        ),
        "rtl/rs_core_pkg.sv": (f"typedef struct packed {{\n{members}}} config_t;\n\n// rs_core's own\n{smallest}",),
        "fpga/rs_core_shell.sv": (
            _listed("", (f"parameter {row.kind} {row.name} = {row.value}" for row in rows)),
            _listed("", (f".{row.name}({row.name})" for row in rows)),
        ),
    }
    texts = {CORE / name: _filled(CORE / name, *some) for name, some in bodies.items()}
    return texts | {ROOT / "docs" / "designs.md": page.text(MADE)}
