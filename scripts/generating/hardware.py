# SPDX-License-Identifier: Apache-2.0
"""The RTL for other projects: Bender.yml and hw/ringside.core, from hw/core/core.f and the supported designs."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from common import ROOT
from releasing.package_page import project

PACKAGE = ROOT / "py" / "ringside"
CORE = ROOT / "hw" / "core" / "core.f"


def _module(name: str) -> Any:
    """A module of the package from the tree, without the packages above it: those would load a compiled library."""
    place = PACKAGE
    for folder in ("tree", *(f"tree.{part}" for part in name.split(".")[:-1])):
        place = PACKAGE.joinpath(*folder.split(".")[1:])
        if folder not in sys.modules:
            package = sys.modules[folder] = ModuleType(folder)
            package.__path__ = [str(place)]
    return importlib.import_module(f"tree.{name}")


def from_lists() -> dict[Path, str]:
    lists, sources, files = map(_module, ("rtl.lists", "sim.sources", "designs.files"))
    about = project()
    rtl = [str(path.relative_to(ROOT)) for path in sources.read(CORE)]
    designs = {path.stem: files.load(str(path)) for path in sorted((ROOT / "designs").glob("*.toml"))}
    supported = {name: design.parameters for name, design in designs.items() if design.status == files.SUPPORTED}
    made = "Made from hw/core/core.f and designs/ by scripts/generate.py: do not edit."
    inside = [name.removeprefix("hw/") for name in rtl]
    return {
        ROOT / "Bender.yml": lists.bender("ringside", about["authors"][0]["name"], rtl, made),
        ROOT / "hw" / "ringside.core": lists.library(
            f"ringside:core:rs_core:{about['version']}", inside, supported, made
        ),
    }
