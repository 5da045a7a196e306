# SPDX-License-Identifier: Apache-2.0
"""`ringside doctor`."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from .. import __version__
from ..errors import RingsideError
from ..hints import DISTRIBUTION, install, tree_with
from ..native.library import ffi, lib
from ..processors import usable_processors
from ..sim import cache as store
from .common.options import JsonFlag
from .common.output import print_facts, print_json, print_table, size_text

BACKENDS = ("avx512ifma", "avx512", "avx2", "neonsha3", "neon", "fma", "rvv", "portable")
# what an extra of the package gives, and what installs it in the source tree
EXTRAS = {
    "demo": ("ringside demo: photograph, TenSEAL, a cloud", "demo"),
    "sim": ("cycles, timeline, build, devices sim: and soc:", "hardware"),
    "rtl": ("rtl: a design as a directory for other tools", "hardware"),
    "synth": ("synth: FPGA and standard cells", "hardware"),
    "heir": ("heir: programs that HEIR compiled", "test"),
    "tables": ("table, ringside.tables: Parquet and Arrow", "test"),
    "cluster": ("table --dask", "test"),
    "explore": ("explore: spaces too large to compute whole, explore --dask", "test"),
}
# programs of the system, and what they are for
TOOLS = {
    "c++": "models of designs (sim:, soc:)",
    "cmake": "firmware of the SoC",
    "riscv64-unknown-elf-gcc": "firmware of the SoC",
    "qemu-system-riscv64": "the SoC's memory before a run",
    "sta": "clocks and energy in standard cells (OpenSTA)",
}


@dataclass(frozen=True)
class Finding:
    """A part of an installation. state: version or place, empty if it is missing; remedy: the command that brings it."""

    name: str
    gives: str
    state: str
    remedy: str = ""


def backends() -> list[str]:
    """Those that this processor has, the one in use first."""
    chosen = str(ffi.string(lib.rs_backend_name()).decode())
    found = [name for name in BACKENDS if name != chosen and lib.rs_backend_select(name.encode()) == 0]
    assert lib.rs_backend_select(chosen.encode()) == 0
    return [chosen, *found]


def _backend_text(chosen: str, others: list[str]) -> str:
    wanted = os.environ.get("RINGSIDE_BACKEND", "")
    if wanted and wanted not in (chosen, *others):
        return f"none: RINGSIDE_BACKEND is {wanted!r}, and this processor has {', '.join([chosen, *others])}"
    return chosen + (f"; RINGSIDE_BACKEND chooses {' or '.join(others)}" if others else "")


def extras() -> list[Finding]:
    """Every extra of the package, with what is there of it."""
    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        lines = []
    return [
        _extra(name, gives, install(name, target), [line for line in lines if _is_of(line, name)])
        for name, (gives, target) in EXTRAS.items()
    ]


def _is_of(line: str, extra: str) -> bool:
    return re.search(rf"extra == ['\"]{extra}['\"]", line) is not None


def _extra(name: str, gives: str, remedy: str, lines: list[str]) -> Finding:
    packages = [found[0] for line in lines if (found := re.match(r"[A-Za-z0-9._-]+", line))]
    there = {package: version for package in packages if (version := _version(package)) is not None}
    missing = [package for package in packages if package not in there]
    state = ", ".join(f"{package} {version}" for package, version in there.items())
    return Finding(name, gives, "" if missing or not packages else state, remedy if missing or not packages else "")


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def tools() -> list[Finding]:
    from ..synth.asic.technology import OSU018

    remedy = "`make hardware` in the source tree installs it"
    places = {name: (gives, shutil.which(name) or "") for name, gives in TOOLS.items()}
    cells = OSU018.files[0]
    places[OSU018.name] = ("standard cells of synth", str(cells) if cells.is_file() else "")
    return [Finding(name, gives, place, "" if place else remedy) for name, (gives, place) in places.items()]


def figures() -> str:
    """How many recorded figures there are."""
    from ..figures.ledger import shipped

    try:
        return f"{len(shipped().rows)} recorded answers"
    except RingsideError as error:
        return str(error)


def _without_tree() -> str:
    """What the package brings of the tree, and what it does not."""
    if tree_with("hw/core/rtl/rs_core.sv"):
        return "none; the package has the RTL, so cores can be simulated and mapped. Documents, tests and the SoC's processor are in a clone (RINGSIDE_TREE)"
    return "none: simulation needs it (clone the repository, or set RINGSIDE_TREE)"


def doctor(json: JsonFlag = False) -> None:
    """Tell what is installed, what each extra gives, and which back end runs.

    Nothing is changed, and nothing of it is an error: a part that is missing is said with the command that brings it. `ringside selftest` checks what is there.

    Example: ringside doctor
    """
    tree = tree_with("CITATION.cff")
    kept = sum(entry.size for entry in store.entries())
    chosen, *others = backends()
    facts = {
        "version": __version__,
        "package": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": usable_processors(),
        "backend": chosen,
        "other_backends": others,
        "source_tree": None if tree is None else str(tree),
        "cache": str(store.root()),
        "cache_bytes": kept,
        "figures": figures(),
    }
    parts = {"extras": extras(), "tools": tools()}
    if json:
        print_json(facts | {name: [asdict(one) for one in found] for name, found in parts.items()})
        return
    print_facts(
        [
            ("ringside", f"{__version__}, {facts['package']}"),
            ("python", f"{facts['python']}, {sys.executable}"),
            ("system", f"{facts['system']}, {facts['processors']} processors"),
            ("back end", _backend_text(chosen, others)),
            ("source tree", str(tree) if tree else _without_tree()),
            ("cache", f"{store.root()}, {size_text(kept)}"),
            ("figures", str(facts["figures"])),
        ]
    )
    for title, found in parts.items():
        rows = [[one.name, one.state or f"missing: {one.remedy}", one.gives] for one in found]
        print_table([title[:-1], "state", "for"], rows)
