# SPDX-License-Identifier: Apache-2.0
"""Everything that `ringside rtl` writes, and the directory that it becomes."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..designs import Design
from ..errors import DeviceError, FileError
from ..native.files import check_directory, write_directory
from ..native.library import native_version
from ..sim.sources import CORE_TOP, of_core
from ..sim.verilate import reported, source_tree
from . import constraints, ipxact, lists, litex, page, vectors, wrapper
from . import module as sv
from . import registers as csr
from .lists import Names

FORMAT = "ringside rtl 1"
MANIFEST = "kit.json"
RESULTS = ("sim/obj_dir/", "sim/build.log", "sim/waves.vcd")  # that the self-test leaves: nobody's work
HEADERS = ("regs.h", "isa.h")
BRIDGES = ("rs_lite_master", "rs_apb_lite", "rs_tlul_lite")  # from other buses to the registers, for an integrator
INCLUDE = "lib/include/ringside"
LIMIT = 10_000_000  # cycles of the self-test: it needs a few hundred thousand of them at most
ASSERT_CYCLES = 8  # cycles of the reset, after which assertions count


@dataclass(frozen=True)
class Kit:
    """files: content by path within the directory."""

    design: Design
    names: Names
    clock_mhz: float
    jobs: tuple[str, ...]
    files: Mapping[str, bytes]

    def as_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "design": self.design.as_dict(),
            "top": self.names.block,
            "vlnv": self.names.vlnv,
            "clock_mhz": self.clock_mhz,
            "self_test": list(self.jobs),
            "files": {path: hashlib.sha256(content).hexdigest() for path, content in sorted(self.files.items())},
        }


def block_name(design: str) -> str:
    """A module's name: rise-1 -> ringside_rise_1."""
    word = re.sub(r"\W", "_", design)
    return word if word.startswith("ringside") else f"ringside_{word}"


def make(design: Design, clock_mhz: float = 0, base: int = 0) -> Kit:
    """clock_mhz: 0 for what the design states. base: address of the registers in the system, for the SVD. DeviceError: sources or tools
    are missing, the sources cannot be read, or the design has two ports to memory.
    """
    if design.ports != 1:
        message = f"{design.name} has {design.ports} ports to memory, and a kit's wrappers and self-test have one."
        raise DeviceError("DESIGN", message, "Take [stream] ports = 1, or the sources: `ringside designs NAME --rtl`.")
    clock_mhz = clock_mhz or design.clock_mhz
    with reported(f"The sources of {design.name} are not here", "SOURCES"):
        tree = source_tree()
    sources = of_core(tree)
    registers = csr.read(tree)
    top = sv.read(CORE_TOP, sources, design.owned)
    sources = [path for path in sources if path in top.sources or path.stem in BRIDGES]
    block = block_name(design.name)
    names = Names(block, native_version(), (*(f"rtl/{path.name}" for path in sources), f"rtl/{block}_shell.sv"))
    made = f"Made by `ringside rtl` {names.version} from the design {design.name}: change the design, not this file."
    about = f"Ringside's accelerator for CKKS encryption and decryption, design {design.name}"
    jobs = vectors.record(design, registers)
    test = vectors.files(jobs, design.bus_bits)

    files: dict[str, bytes | str] = {f"rtl/{path.name}": _read(path) for path in sources}
    files[names.rtl[-1]] = wrapper.shell(top, names.shell, made)
    files[names.wrapper] = wrapper.wrapper(top, names.block, names.shell, made)
    files[f"{block}.f"] = lists.plain(names, made)
    files[f"{block}.tcl"] = lists.vivado(names, made)
    files[f"{block}.core"] = lists.fusesoc(names, about, made)
    files["Bender.yml"] = lists.bender(block, "The Ringside maintainers", [*names.rtl, names.wrapper], made)
    files[f"constraints/{block}.sdc"] = constraints.sdc(top, block, clock_mhz, made)
    files[f"constraints/{block}.xdc"] = constraints.xdc(block, clock_mhz, made)
    files[f"registers/{block}.xml"] = ipxact.component(registers, top, names, about)
    files[f"registers/{block}.svd"] = csr.svd(registers, block, names.version, about, base)
    files[f"litex_module/{block}.py"] = page.litex(litex.facts(top, names, registers, design.name, made, base))
    for header in HEADERS:
        files[f"registers/{header}"] = _read(tree / INCLUDE / header)
    files[names.waiver] = lists.waiver(names, made)
    files["sim/selftest.f"] = lists.simulation(names, made)
    files["sim/lint.f"] = lists.lint(names, made)
    files[f"sim/{lists.RUN}"] = lists.run(names, made)
    files |= dict(zip(names.vectors, (test.memory, test.answers, test.script), strict=True))
    facts = {
        "names": names,
        "made": made,
        "top": top,
        "jobs": jobs,
        "bus_bits": design.bus_bits,
        "rows": test.rows,
        "steps": test.steps,
        "compared": test.compared,
        "base": vectors.BASE,
        "codes": vectors.CODES,
        "limit": LIMIT,
        "assert_cycles": ASSERT_CYCLES,
    }
    files |= page.bench(facts)
    files["README.md"] = page.readme(design, names, top, registers, jobs, clock_mhz, made)
    content = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return Kit(design, names, clock_mhz, tuple(job.op for job in jobs), content)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileError("FILE_MISSING", f"Cannot read {path}: {error.strerror}.") from error


# ---- the directory --------------------------------------------------------------------------------------------------
def check_place(place: Path, *, force: bool) -> None:
    """FileError unless it is missing, empty, or a kit that nobody has changed, and can be written."""
    check_directory(place)
    if force or not os.path.lexists(place):
        return
    hint = "Name another directory, or pass --force to replace it as a whole."
    if not place.is_dir():
        raise FileError("FILE_EXISTS", f"{place} exists and is no directory.", "Name another directory.")
    there = sorted(str(path.relative_to(place)) for path in place.rglob("*") if not path.is_dir())
    if not there:
        return
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        known = dict(manifest["files"]) if manifest["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        known = None
    if known is None:
        raise FileError("FILE_EXISTS", f"{place} is not empty, and `ringside rtl` has not made it.", hint)
    for name in there:
        path = place / name
        if name.startswith(RESULTS) and name not in known:
            continue
        if name != MANIFEST and (path.is_symlink() or known.get(name) != hashlib.sha256(_read(path)).hexdigest()):
            raise FileError("FILE_EXISTS", f"{path} is not as `ringside rtl` has made it, and would be lost.", hint)


def write(kit: Kit, place: Path, *, force: bool = False) -> None:
    """The whole directory, or what was there before. FileError: it is somebody else's, or cannot be written."""
    check_place(place, force=force)
    if force and place.exists() and not place.is_dir():
        raise FileError("FILE_EXISTS", f"{place} exists and is no directory.", "Name another directory.")
    manifest = json.dumps(kit.as_dict(), indent=2) + "\n"
    write_directory(place, [*kit.files.items(), (MANIFEST, manifest.encode())])
