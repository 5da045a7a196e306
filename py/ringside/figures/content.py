# SPDX-License-Identifier: Apache-2.0
"""What an answer is made from, as hashes by name: an answer is old once one of them is another.

A comment changes none of them. The firmware's is that of its instructions and constants, as the compiler makes them. RTL, C and C++ are
taken without comments and spaces. Of Python it is the code that the measurement runs, found from the function that measures by what it names (reach.py),
without comments, docstrings and messages (docs/decisions/figures.md, decision 25).
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
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
from .reach import Reach, computing, outline

PACKAGE = Path(__file__).parents[1]
STREAMING = ("pipe", "stream")  # blocks of hw/ that the streaming unit alone uses
ABSENT = "absent"  # instead of a hash: there is no such design
# a string or a character as it is; comments and spaces between two words or two operators become one space, others none
_WORDS = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|(?://[^\n]*|/\*.*?\*/|\s)+""", re.DOTALL)


def of(question: Query) -> dict[str, str]:
    """Everything that can change the answer. SimulationError: it cannot be known here, as the source tree or a compiler is missing."""
    return {name: found() for name, found in _parts(question).items()}


Parts = dict[str, Callable[[], str]]

# the function that answers a kind of question
_ANSWERS = "ringside.figures.answers"
_MEASURED_BY: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("Simulation", "Frames"), (_ANSWERS, "_simulated")),
    **dict.fromkeys(("Batch", "Decryptions"), (_ANSWERS, "_batch")),
    "SchemeCycles": (_ANSWERS, "_scheme"),
    "Transform": (_ANSWERS, "_transform"),
    "Synthesis": (_ANSWERS, "_synthesised"),
    **dict.fromkeys(("Asic", "Energy"), (_ANSWERS, "_standard_cells")),
    "SocRun": (_ANSWERS, "_system"),
    "SocScheme": (_ANSWERS, "_scheme_system"),
    "SchemeProfile": (_ANSWERS, "_profile"),
    "Processor": (_ANSWERS, "_processor"),
    "ProcessorPower": (_ANSWERS, "_processor_power"),
    **dict.fromkeys(("Evaluator", "EvaluatorAes"), ("ringside_ltv.timing", "measure")),
    "EvaluatorCore": ("ringside_ltv.hardware.cycles", "measure"),
}
# code that makes no figure: it checks, says, shows and keeps. Designs are their parameters, a part of its own
_WITHOUT = frozenset(
    f"ringside.{name}"
    for name in (
        "arguments", "cli", "designs.design", "designs.files", "designs.limits", "designs.rules", "drawing", "errors",
        "figures.ledger", "hints", "interrupt", "native.files", "native.secret_files", "notebook", "processors", "progress", "sim.cache", "soc.build.source_tree",
    )
)  # fmt: skip
# folders whose code runs and counts, by what is measured; what else is reached makes its data
_MAPPING = ("figures", "synth", "sim", "designs")
_COUNTING = ("figures", "cycles", "sim", "executors", "designs", "ringside_ltv")
_COUNTING_SYSTEMS = (*_COUNTING, "soc")


def _parts(question: Query) -> Parts:
    kind = type(question).__name__
    core: Parts = {} if getattr(question, "design", ALONE) == ALONE else _core(getattr(question, "design", ALONE))
    on_core: Parts = core | {"driver": driver, "simulator": simulator}
    counting: Parts = {"measuring": lambda: _run(kind, _COUNTING), "host": lambda: _beside(kind, _COUNTING_SYSTEMS)}
    on_chip: Parts = {
        "measuring": lambda: _run(kind, _COUNTING_SYSTEMS),
        "host": lambda: _beside(kind, _COUNTING_SYSTEMS),
    }
    synthesis: Parts = {"synthesis": lambda: _synthesis(kind)}
    match question:
        case Simulation() | Frames() | Batch() | Transform():
            return on_core | counting
        case SchemeCycles():
            return on_core | {"schemes": _schemes_on_core} | counting
        case Synthesis():
            return core | synthesis
        case Asic():
            return core | synthesis | {"cells": _cells}
        case Energy():
            return on_core | synthesis | {"cells": _cells} | counting
        case SocRun():
            return core | {"firmware": firmware, "system": system} | on_chip
        case SocScheme():
            return core | {"firmware": schemes, "system": system} | on_chip
        case SchemeProfile():
            slower: Parts = (
                {"simulator": simulator} if question.divider > 1 else {}
            )  # runs the core's programs once more
            return core | slower | {"firmware": profile, "system": system} | on_chip
        case Processor():
            return synthesis | {"processor": _processor, "cells": _cells}
        case ProcessorPower():
            return (
                synthesis | on_chip | {"processor": _processor, "cells": _cells, "firmware": firmware, "system": system}
            )
        case Bench():
            return {"library": library}
        case Evaluator():
            return {"evaluator": evaluator, "measuring": lambda: _run(kind, ("ringside_ltv",))}
        case EvaluatorCore():
            return core | {"simulator": simulator} | counting


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
        return None if loaded is None else hashed(map(str, built(loaded, op, *size)))
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
    return ABSENT if design is None else hashed([json.dumps(design.parameters, sort_keys=True)])


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


def statements(text: str) -> str:
    """The statements of a Python source that compute."""
    return outline(computing(text))


def hashed(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def sources(files: Iterable[Path]) -> str:
    return hashed(part for file in files for part in (file.name, words(file.read_text(encoding="utf-8"))))


@cache
def _reach() -> Reach:
    packages = {"ringside": PACKAGE}
    with suppress(SimulationError):
        packages["ringside_ltv"] = build.source_tree() / "evaluator/py/ringside_ltv"
    return Reach(packages, _WITHOUT)


@cache
def _reached(kind: str) -> dict[str, list[str]]:
    """The code that measures, by its folder of the package or its other package. SimulationError: it is not here."""
    found: dict[str, list[str]] = {}
    try:
        units = _reach().of(_MEASURED_BY[kind])
    except LookupError as error:
        raise SimulationError("the evaluator's package is not here") from error
    for (module, *name), nodes in sorted(units.items()):
        package, _, rest = module.partition(".")
        folder = rest.partition(".")[0] if package == PACKAGE.name else package
        texts = map(outline, sorted(nodes, key=lambda node: getattr(node, "lineno", 0)))
        found.setdefault(folder, []).extend([module, *name, *texts])
    return found


@cache
def _run(kind: str, folders: tuple[str, ...]) -> str:
    """Of what runs and counts."""
    found = _reached(kind)
    return hashed(text for folder in folders for text in found.get(folder, ()))


@cache
def _beside(kind: str, folders: tuple[str, ...]) -> str:
    """Of what makes the data and calls the library."""
    found = _reached(kind)
    return hashed(text for folder in sorted(found) if folder not in folders for text in found[folder])


# ---- parts ----------------------------------------------------------------------------------------------------------
@cache
def rtl(*, streams: bool) -> str:
    """A hash of the core's RTL, without the streaming unit's for designs that have none."""
    tree = build.source_tree()
    own = [tree / "hw" / block for block in STREAMING]
    return sources(file for file in of_core(tree) if streams or not any(map(file.is_relative_to, own)))


@cache
def driver() -> str:
    """A hash of the code that writes programs and registers, but for the driver of the ring, with which nothing recorded runs."""
    files = _c_files("lib/src/machine", "lib/src/ckks/on_core")
    return sources([file for file in files if file.parent.name != "ring"])


@cache
def _schemes_on_core() -> str:
    """A hash of the programs of ML-KEM, ML-DSA and NewHope."""
    return sources(_c_files("lib/src/mlkem/on_core", "lib/src/mldsa/on_core", "lib/src/newhope/on_core"))


@cache
def library() -> str:
    """All of it that this machine's processor runs."""
    return sources(_c_files("lib/src", "lib/include"))


def evaluator() -> str:
    """LTV and AES on it. SimulationError: there is no source tree with it."""
    files = _c_files("evaluator/src", "evaluator/include")
    if not files:
        raise SimulationError("the evaluator's sources are not here")
    return sources(files)


def _c_files(*places: str) -> list[Path]:
    tree = build.source_tree()
    return [file for place in places for file in sorted((tree / place).rglob("*.[ch]"))]


@cache
def simulator() -> str:
    """The memory and the bus at a core's ports."""
    return sources(CORE_HARNESS.files(build.source_tree() / "sim"))


def system() -> str:
    """The SoC but for its core: RTL, processor, memory."""
    return hashed(system_parts())


@cache
def system_parts() -> tuple[str, str]:
    tree = build.source_tree()
    files = [*build.hardware_sources(tree), *build.HARNESS.files(tree / "sim")]
    return sources(files), _processor()


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
    return hashed(line for line in pins if line.startswith("pythondata-cpu-rocket=="))


@cache
def _synthesis(kind: str) -> str:
    version = yosys.version()
    if version is None:
        raise SimulationError("Yosys is missing")
    return hashed([version, _run(kind, _MAPPING)])


def _cells() -> str:
    return cells_digest()[:12]


@cache
def cells_digest() -> str:
    """Of the library's files."""
    from ..synth.asic.technology import TARGETS

    library = hashlib.sha256()
    for file in TARGETS[ASIC_TARGET].files:
        if not file.is_file():
            raise SimulationError(f"{file} is missing: install qflow-tech-osu018")
        library.update(file.read_bytes())
    return library.hexdigest()
