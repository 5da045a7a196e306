# SPDX-License-Identifier: Apache-2.0
"""Rocket, verilated once into an archive that the tops of all designs are linked with.

Verilator wraps a library that it makes in a module of its own (--lib-create): a top has that small module in place of Rocket's 27 MB.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..processors import usable_processors
from ..progress import Progress
from ..sim.verilate import (
    SimulationError,
    cache_directory,
    compiler,
    content_hash,
    levels,
    locked,
    run_tool,
    verilator_root,
)

NAME = "rs_rocket"  # module, archive
TOP = "ExampleRocketSystem"
CONFIGURATION = "freechips.rocketchip.system.LitexFullConfig"  # RV64GC, one core, 16 KiB of each cache, no second level
BESIDE = ("plusarg_reader", "AsyncResetReg", "EICG_wrapper")
REMEDY = "run `make soc` in the source tree"
COMPILED = ("-std=gnu++17", "-fPIC", "-w")
OPTIONS = (
    *(
        "--cc",
        "--lib-create",
        NAME,
        "--prefix",
        f"V{NAME}",
        "--top-module",
        TOP,
        "--output-split",
        "20000",
        "--no-timing",
    ),
    *("-O3", "--x-assign", "fast", "--x-initial", "fast", "--no-assert", "-Wno-fatal", "-Wno-lint"),
    # Chisel's printf and stop
    *("-DSYNTHESIS", "-DPRINTF_COND=0", "-DSTOP_COND=0"),
)


@dataclass(frozen=True)
class Archive:
    """module: the SystemVerilog that stands for Rocket; library: what to link."""

    module: Path
    library: Path


def sources() -> list[Path]:
    """Rocket's Verilog. SimulationError: the package is missing."""
    spec = importlib.util.find_spec("pythondata_cpu_rocket")
    if spec is None or spec.origin is None:
        raise SimulationError(f"the package pythondata-cpu-rocket is missing: {REMEDY}")
    place = Path(spec.origin).parent / "verilog"
    made = place / "generated-src"
    files = [made / f"{CONFIGURATION}.v", made / f"{CONFIGURATION}.behav_srams.v"]
    return files + [place / "vsrc" / f"{name}.v" for name in BESIDE]


def build(progress: Progress | None = None, beside: Sequence[Path] = ()) -> Archive:
    """Rocket's archive, from the cache or made: some two minutes of processor time, once. beside: SystemVerilog that binds modules to Rocket's."""
    root, files = verilator_root(), [*sources(), *beside]
    key = content_hash([OPTIONS, COMPILED, levels(), compiler()], [*files, root / "include" / "verilated_config.h"])
    place = cache_directory() / f"{NAME}-{key}"
    found = Archive(place / f"{NAME}.sv", place / f"lib{NAME}.a")
    with locked(place):
        if not (place / ".built").exists():
            progress = progress or (lambda done, total: None)
            progress(0, 1)
            run_tool(
                [root / "bin" / "verilator_bin", *OPTIONS, "-Mdir", place, *files],
                os.environ | {"VERILATOR_ROOT": str(root)},
            )
            _compile(place, root, found.library, progress)
            (place / ".built").touch()
    return found


def _compile(place: Path, root: Path, library: Path, progress: Progress) -> None:
    include = [f"-I{path}" for path in (place, root / "include", root / "include" / "vltstd")]
    options = [*COMPILED, *include]
    fast, slow = levels()

    def one(source: Path) -> Path:
        level = slow if source.stem.endswith("__Slow") else fast
        made = source.with_suffix(".o")
        run_tool([compiler(), *options, level, "-c", source, "-o", made])
        return made

    files, objects = sorted(place.glob("*.cpp"), key=lambda path: -path.stat().st_size), []
    with ThreadPoolExecutor(usable_processors()) as pool:
        for made in pool.map(one, files):
            objects.append(made)
            progress(len(objects), len(files))
    run_tool(["ar", "rcs", library, *objects])
    for path in {*objects, *place.glob("*.cpp"), *place.glob("*.h"), *place.glob("*.mk"), *place.glob("*.d")}:
        path.unlink()
