# SPDX-License-Identifier: Apache-2.0
"""What an answer is made from, as hashes by name: an answer is old once one of them is another.

A comment changes none of them. The firmware's is that of its instructions and constants, as the compiler makes them. RTL, C and C++ are
taken without comments and spaces, Python without comments, docstrings and messages (docs/decisions/figures.md).
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from .. import designs
from ..designs import Design
from ..errors import ParameterError, RingsideError
from ..sim.options import ALONE
from ..sim.sources import CORE_HARNESS, of_core
from ..sim.verilate import SimulationError, run_tool
from ..soc import build
from ..synth import yosys
from .questions import (
    ASIC_TARGET,
    Asic,
    Batch,
    Bench,
    Energy,
    Evaluator,
    EvaluatorCore,
    Frames,
    Processor,
    ProcessorPower,
    Query,
    SchemeCycles,
    SchemeProfile,
    Simulation,
    SocRun,
    SocScheme,
    Synthesis,
    Transform,
)

PACKAGE = Path(__file__).parents[1]
STREAMING = ("pipe", "stream")  # blocks of hw/ that the streaming unit alone uses
ABSENT = "absent"  # instead of a hash: there is no such design
# a string or a character as it is; comments and spaces between two words or two operators become one space, others none
_WORDS = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|(?://[^\n]*|/\*.*?\*/|\s)+""", re.DOTALL)


def of(question: Query) -> dict[str, str]:
    """Everything that can change the answer. SimulationError: it cannot be known here, as the source tree or a compiler is missing."""
    return {name: found() for name, found in _parts(question).items()}


def _parts(question: Query) -> dict[str, Callable[[], str]]:
    match question:
        case Simulation() | Frames() | Batch():
            return _core(question.design) | {"driver": driver, "simulator": simulator, "measuring": _measuring}
        case SchemeCycles():
            driving = {"driver": driver, "schemes": _schemes_on_core, "simulator": simulator}
            return _core(question.design) | driving | {"measuring": _measuring_schemes}
        case Transform():
            return _core(question.design) | {"driver": driver, "simulator": simulator, "measuring": _measuring_slices}
        case Synthesis():
            return _core(question.design) | {"synthesis": _synthesis}
        case Asic():
            return _core(question.design) | {"synthesis": _synthesis, "cells": _cells}
        case Energy():
            parts = _core(question.design) | {"synthesis": _synthesis, "cells": _cells}
            return parts | {"driver": driver, "simulator": simulator}
        case SocRun():
            core = {} if question.design == ALONE else _core(question.design)
            return core | {"firmware": firmware, "system": system, "measuring": _measuring_systems}
        case SocScheme():
            core = {} if question.design == ALONE else _core(question.design)
            return core | {"firmware": schemes, "system": system, "measuring": _measuring_scheme_systems}
        case SchemeProfile():
            core = {} if question.design == ALONE else _core(question.design)
            slower = {"simulator": simulator} if question.divider > 1 else {}  # runs the core's programs once more
            return core | slower | {"firmware": profile, "system": system, "measuring": _measuring_profiles}
        case Processor():
            return {"processor": _processor, "synthesis": _synthesis, "cells": _cells}
        case ProcessorPower():
            return {
                "processor": _processor,
                "synthesis": _synthesis,
                "cells": _cells,
                "firmware": firmware,
                "system": system,
            }
        case Bench():
            return {"library": library}
        case Evaluator():
            return {"evaluator": evaluator}
        case EvaluatorCore():
            return _core(question.design) | {"simulator": simulator, "measuring": _measuring_products}


def netlist(question: Query) -> str | None:
    """The hash of the logic that was simulated or mapped; None: the question is of no core, or of one with the streaming unit, whose hundreds of
    multipliers Yosys flattens for longer than a simulation takes. SimulationError: it cannot be known here."""
    design = getattr(question, "design", ALONE)
    if design == ALONE or (loaded := _loaded(design)) is None or loaded.stream_lanes:
        return None
    return _netlist(loaded, _macros(question))


@cache
def _netlist(design: Design, macros: tuple[str, ...]) -> str:
    from .netlist import of

    return of(design, macros)


def program(question: Query) -> str | None:
    """The hash of the words that the driver of today makes of it; None: the question is of no single program."""
    match question:
        case Frames():
            return None
        case Simulation():
            op, size = question.op, (question.n, question.limbs, question.bits)
        case Energy():
            from ..synth.asic.figures import EnergyRun

            run = EnergyRun()
            op, size = run.op, (run.n, run.limbs, run.bits)
        case _:
            return None
    from ..cycles.operation import program as built

    loaded = _loaded(question.design)
    try:
        return None if loaded is None else _hashed(map(str, built(loaded, op, *size)))
    except RingsideError:  # the design cannot do it
        return None


def _macros(question: Query) -> tuple[str, ...]:
    """Those that its RTL is read with."""
    match question:
        case Synthesis():
            return yosys.with_ultra_ram(yosys.XCUP).macros if question.device else yosys.XC7.macros
        case Asic() | Energy():
            from ..synth.asic.flow import MACROS

            return MACROS
        case _:
            return ()


def _core(name: str) -> dict[str, Callable[[], str]]:
    def streams() -> bool:
        design = _loaded(name)
        return design is not None and bool(design.stream_lanes)

    return {"design": lambda: _design(name), "rtl": lambda: rtl(streams=streams())}


@cache
def _loaded(name: str) -> Design | None:
    """None: there is no such design, or no longer."""
    try:
        return designs.load(name)
    except ParameterError:
        return None


def _design(name: str) -> str:
    design = _loaded(name)
    return ABSENT if design is None else _hashed([json.dumps(design.parameters, sort_keys=True)])


# ---- texts ----------------------------------------------------------------------------------------------------------
def words(text: str) -> str:
    """A source of C, C++ or SystemVerilog without comments, and with single spaces."""

    def shortened(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        before, after = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
        return " " if before and after and _in_word(before) == _in_word(after) else ""

    return _WORDS.sub(shortened, text)


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


class _Computing(ast.NodeTransformer):
    """Leaves out docstrings, imports, types, what an error says and how notebooks show an object: no figure depends on them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        if node.name == "_repr_html_":
            return None
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Raise(self, node: ast.Raise) -> ast.Raise:
        return ast.Raise()


def statements(text: str) -> str:
    """The statements of a Python source that compute."""
    return _outline(_Computing().visit(ast.parse(text)))


def _outline(node: object) -> str:
    """A text as of ast.dump, but the same in all versions of Python: newer ones have more fields, which are empty in older sources."""
    if isinstance(node, list):
        return f"[{','.join(map(_outline, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [f"{name}={_outline(value)}" for name, value in ast.iter_fields(node) if value is not None and value != []]
    return f"{type(node).__name__}({','.join(fields)})"


def _hashed(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def _sources(files: Iterable[Path]) -> str:
    return _hashed(part for file in files for part in (file.name, words(file.read_text(encoding="utf-8"))))


def _modules(*places: str) -> str:
    """Modules and folders of the package."""
    files = [file for place in places for file in sorted((PACKAGE / place).rglob("*.py")) or [PACKAGE / f"{place}.py"]]
    return _hashed(part for file in files for part in (file.name, statements(file.read_text(encoding="utf-8"))))


# ---- parts ----------------------------------------------------------------------------------------------------------
@cache
def rtl(*, streams: bool) -> str:
    """A hash of the core's RTL, without the streaming unit's for designs that have none."""
    tree = build.source_tree()
    own = [tree / "hw" / block for block in STREAMING]
    return _sources(file for file in of_core(tree) if streams or not any(map(file.is_relative_to, own)))


@cache
def driver() -> str:
    """A hash of the code that writes programs and registers, but for the driver of the ring, with which nothing recorded runs."""
    files = _c_files("lib/src/machine", "lib/src/ckks/on_core")
    return _sources([file for file in files if file.parent.name != "ring"])


@cache
def _schemes_on_core() -> str:
    """A hash of the programs of ML-KEM, ML-DSA and NewHope."""
    return _sources(_c_files("lib/src/mlkem/on_core", "lib/src/mldsa/on_core", "lib/src/newhope/on_core"))


@cache
def library() -> str:
    """All of it that this machine's processor runs."""
    return _sources(_c_files("lib/src", "lib/include"))


@cache
def _measuring_products() -> str:
    """Programs of the evaluator's products, and the model of their cycles. SimulationError: there is no source tree with them."""
    files = sorted((build.source_tree() / "evaluator/py/ringside_ltv/hardware").glob("*.py"))
    if not files:
        raise SimulationError("the evaluator's package is not here")
    return _sources(files)


def evaluator() -> str:
    """LTV and AES on it. SimulationError: there is no source tree with it."""
    files = _c_files("evaluator/src", "evaluator/include")
    if not files:
        raise SimulationError("the evaluator's sources are not here")
    return _sources(files)


def _c_files(*places: str) -> list[Path]:
    tree = build.source_tree()
    return [file for place in places for file in sorted((tree / place).rglob("*.[ch]"))]


@cache
def simulator() -> str:
    """The memory and the bus at a core's ports."""
    return _sources(CORE_HARNESS.files(build.source_tree() / "sim"))


@cache
def system() -> str:
    """The SoC but for its core: RTL, processor, memory."""
    tree = build.source_tree()
    files = [*build.hardware_sources(tree), *build.HARNESS.files(tree / "sim")]
    return _hashed([_sources(files), _processor(), _modules("soc/top")])


@cache
def _firmware_place() -> Path:
    return build.firmware_place()


@cache
def firmware() -> str:
    """Its instructions and constants. SimulationError, too, if nobody has compiled it (soc.build.firmware): that takes half a minute."""
    return _image(_firmware_place())


@cache
def profile() -> str:
    """The same of the image that profiles schemes."""
    return _image(_firmware_place().with_name(build.PROFILE))


@cache
def schemes() -> str:
    """The same of the image that calls ML-KEM, ML-DSA and NewHope."""
    return _image(_firmware_place().with_name(build.SCHEMES))


def _image(elf: Path) -> str:
    if not elf.exists():
        raise SimulationError("the firmware is not compiled")
    with tempfile.TemporaryDirectory() as place:
        image = Path(place) / "image"
        run_tool([build.OBJCOPY, "-O", "binary", elf, image])
        return hashlib.sha256(image.read_bytes()).hexdigest()[:12]


@cache
def _processor() -> str:
    """Rocket is its package's."""
    tree = build.source_tree()
    pins = [line for file in sorted((tree / "requirements").glob("*.txt")) for line in file.read_text().splitlines()]
    return _hashed(line for line in pins if line.startswith("pythondata-cpu-rocket=="))


@cache
def _synthesis() -> str:
    version = yosys.version()
    if version is None:
        raise SimulationError("Yosys is missing")
    return _hashed([version, _modules("synth/parts", "synth/resources", "synth/yosys")])


@cache
def _cells() -> str:
    from ..synth.asic.technology import TARGETS

    library = hashlib.sha256()
    for file in TARGETS[ASIC_TARGET].files:
        if not file.is_file():
            raise SimulationError(f"{file} is missing: install qflow-tech-osu018")
        library.update(file.read_bytes())
    return _hashed([library.hexdigest(), _modules("synth/asic")])


@cache
def _measuring() -> str:
    return _modules("cycles/operation", "cycles/streaming")


@cache
def _measuring_schemes() -> str:
    return _modules("cycles/schemes", "pqc/on_core")


@cache
def _measuring_slices() -> str:
    return _modules("cycles/slices")


@cache
def _measuring_profiles() -> str:
    return _modules("cycles/profile", "soc/job")


@cache
def _measuring_systems() -> str:
    return _modules("cycles/system", "soc/job")


@cache
def _measuring_scheme_systems() -> str:
    return _modules("cycles/scheme_system", "soc/schemes")
