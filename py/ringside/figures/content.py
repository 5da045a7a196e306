# SPDX-License-Identifier: Apache-2.0
"""What an answer is made from, as hashes by name: an answer is old once one of them is another.

A comment changes none of them. The firmware's is that of its instructions and constants, as the compiler makes them. RTL, C and C++ are
taken without comments and spaces. Of Python it is the code that the measurement runs, found from the function that measures by what it names (reach.py),
without comments, docstrings and messages (docs/decisions/figures.md, decision 25).
"""

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path

from .. import designs
from ..designs import Design
from ..errors import ParameterError, RingsideError
from ..hints import tree_with
from ..sim.options import ALONE
from ..sim.sources import CORE_HARNESS, of_core
from ..sim.verilate import SimulationError, run_tool
from ..soc import build
from ..synth import yosys
from .command import ASIC_TARGET, BENCH, Asked, always_said, parse
from .reach import Named, Reach, text_of

PACKAGE = Path(__file__).parents[1]
STREAMING = ("pipe", "stream")  # blocks of hw/ that the streaming unit alone uses
ABSENT = "absent"  # instead of a hash: there is no such design
# a string or a character as it is; comments and spaces between two words or two operators become one space, others none
_WORDS = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|(?://[^\n]*|/\*.*?\*/|\s)+""", re.DOTALL)


Parts = dict[str, Callable[[], str]]


def of(command: str) -> dict[str, str]:
    """Everything that can change the answer. SimulationError: it cannot be known here, as the source tree or a compiler is missing."""
    return {name: found() for name, found in _parts(parse(command)).items()}


# code that makes no figure: it checks, says, shows and keeps. Designs are their parameters, a part of its own
_WITHOUT = frozenset(
    f"ringside.{name}"
    for name in (
        "arguments", "cli.common", "designs.design", "designs.files", "designs.limits", "designs.rules", "drawing", "errors",
        "hints", "interrupt", "native.files", "native.secret_files", "notebook", "processors", "progress", "sim.cache", "soc.build.source_tree",
    )
)  # fmt: skip
# folders whose code runs and counts, by what is measured; what else is reached makes its data
_MAPPING = ("synth", "sim", "designs")
_COUNTING = ("cycles", "sim", "devices", "designs", "ringside_ltv")
_COUNTING_SYSTEMS = (*_COUNTING, "soc")
_CYCLES, _YOSYS = "ringside.cycles", "ringside.synth.yosys"


def _measured_by(asked: Asked) -> tuple[Named, ...]:
    """The functions that measure what a command prints."""
    match asked.verb:
        case "cycles" if "log_size" in asked.options:
            return ((f"{_CYCLES}.slices", "measure"),)
        case "cycles" if asked.is_scheme:
            return ((f"{_CYCLES}.schemes", "measure"), (f"{_CYCLES}.rings", "measure"))
        case "cycles":
            return ((f"{_CYCLES}.operation", "record"), *[(f"{_CYCLES}.streaming", "figures")] * asked.is_stream)
        case "synth" if asked.is_asic:
            return (("ringside.synth.asic.flow", "synthesise"),)
        case "synth":
            large = [(_YOSYS, name) for name in ("XCUP", "with_ultra_ram") if "device" in asked.options]
            return (("ringside.synth.resources", "synthesise"), *large)
        case "soc run":
            return ((f"{_CYCLES}.{'scheme_system' if asked.is_scheme else 'system'}", "measure"),)
        case "soc profile":
            return ((f"{_CYCLES}.profile", "profile"),)
        case "soc area":
            return (("ringside.synth.asic.processor", "synthesise"),)
        case "soc energy":
            return (("ringside.synth.asic.processor_energy", "measured"),)
        case "ltv time":
            return (("ringside_ltv.timing", "measure"),)
    return tuple(("ringside_ltv.hardware.cycles", name) for name in ("measure", "LATENCY", "BANDWIDTH"))


# the function of a command, whose usual values stand behind the words that are not written
_COMMANDS: Mapping[str, Named] = {
    "cycles": ("ringside.cli.hardware.cycles", "cycles"),
    "synth": ("ringside.cli.hardware.synth", "synth"),
    "soc run": ("ringside.cli.hardware.soc", "run"),
    "soc profile": ("ringside.cli.hardware.soc_profile", "profile"),
    "soc area": ("ringside.cli.hardware.soc", "area"),
    "soc energy": ("ringside.cli.hardware.soc", "energy"),
    "ltv time": ("ringside_ltv.cli", "time"),
    "ltv cycles": ("ringside_ltv.cli", "cycles"),
}


def _parts(asked: Asked) -> Parts:
    if asked.verb == BENCH:
        return {"library": library}
    by = _measured_by(asked)
    core: Parts = {} if asked.design == ALONE else _core(asked.design)
    on_core: Parts = core | {"driver": driver, "simulator": simulator}
    counting: Parts = {"measuring": lambda: _run(by, _COUNTING), "host": lambda: _beside(by)}
    on_chip: Parts = {"system": system, "measuring": lambda: _run(by, _COUNTING_SYSTEMS), "host": lambda: _beside(by)}
    synthesis: Parts = {"synthesis": lambda: _synthesis(by)}
    found: Parts = {"command": lambda: _command(asked)}
    match asked.verb:
        case "cycles":
            return found | on_core | ({"schemes": _schemes_on_core} if asked.is_scheme else {}) | counting
        case "synth" if asked.is_energy:
            return found | on_core | synthesis | {"cells": _cells} | counting
        case "synth":
            return found | core | synthesis | ({"cells": _cells} if asked.is_asic else {})
        case "soc run":
            image: Parts = {"firmware": partial(firmware, build.SCHEMES) if asked.is_scheme else firmware}
            return found | core | image | on_chip
        case "soc profile":
            # a slower core runs its programs once more
            slower: Parts = {"simulator": simulator} if "core_divider" in asked.options else {}
            return found | core | slower | {"firmware": partial(firmware, build.PROFILE)} | on_chip
        case "soc area":
            return found | synthesis | {"processor": _processor, "cells": _cells}
        case "soc energy":
            more: Parts = {"processor": _processor, "cells": _cells, "firmware": firmware}
            return found | synthesis | more | on_chip
        case "ltv time":
            return found | {"evaluator": evaluator, "measuring": lambda: _run(by, ("ringside_ltv",))}
    return found | on_core | counting


def netlist(command: str) -> str | None:
    """The hash of the logic that was simulated or mapped; None: the command is of no core, or of one with the streaming unit, whose hundreds of
    multipliers Yosys flattens for longer than a simulation takes. SimulationError: it cannot be known here."""
    asked = parse(command)
    if asked.design == ALONE or (loaded := loaded_design(asked.design)) is None or loaded.stream_lanes:
        return None
    return _netlist(loaded, _macros(asked))


@cache
def _netlist(design: Design, macros: tuple[str, ...]) -> str:
    from .netlist import of

    return of(design, macros)


def program(command: str) -> str | None:
    """The hash of the words that the driver of today makes of it; None: the command is of no single program."""
    asked = parse(command)
    if asked.is_energy:
        from ..synth.asic.figures import EnergyRun

        run = EnergyRun()
        op, size = run.op, (run.n, run.limbs, run.bits)
    elif asked.verb == "cycles" and "n" in asked.options and "frames" not in asked.options:
        op, size = asked.op, (asked.number("n"), asked.number("limbs"), asked.number("bits"))
    else:
        return None
    from ..cycles.operation import program as built

    loaded = loaded_design(asked.design)
    try:
        return None if loaded is None else hashed(map(str, built(loaded, op, *size)))
    except RingsideError:  # the design cannot do it
        return None


def _macros(asked: Asked) -> tuple[str, ...]:
    """Those that its RTL is read with."""
    if asked.verb != "synth":
        return ()
    if asked.is_asic:
        from ..synth.asic.flow import MACROS

        return MACROS
    return yosys.with_ultra_ram(yosys.XCUP).macros if "device" in asked.options else yosys.XC7.macros


def _core(name: str) -> dict[str, Callable[[], str]]:
    def streams() -> bool:
        design = loaded_design(name)
        return design is not None and bool(design.stream_lanes)

    return {"design": lambda: _design(name), "rtl": lambda: rtl(streams=streams())}


@cache
def loaded_design(name: str) -> Design | None:
    """None: there is no such design, or no longer."""
    try:
        return designs.load(name)
    except ParameterError:
        return None


def _design(name: str) -> str:
    design = loaded_design(name)
    return ABSENT if design is None else hashed([json.dumps(design.parameters, sort_keys=True)])


# ---- texts ----------------------------------------------------------------------------------------------------------
@cache
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


def hashed(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def sources(files: Iterable[Path]) -> str:
    return hashed(part for file in files for part in (file.name, words(file.read_text(encoding="utf-8"))))


@cache
def _reach(tree: Path | None) -> Reach:
    return Reach(
        {"ringside": PACKAGE} | ({"ringside_ltv": tree / "papers/evaluator/py/ringside_ltv"} if tree else {}), _WITHOUT
    )


def _code() -> Reach:
    return _reach(tree_with("papers/evaluator/py/ringside_ltv/timing.py"))


@cache
def _reached(by: tuple[Named, ...]) -> dict[str, list[str]]:
    """The code that measures, by its folder of the package or its other package. SimulationError: it is not here."""
    found: dict[str, list[str]] = {}
    try:
        units = _code().of(*by)
    except LookupError as error:
        raise SimulationError("the evaluator's package is not here") from error
    for (module, *name), nodes in sorted(units.items()):
        package, _, rest = module.partition(".")
        folder = rest.partition(".")[0] if package == PACKAGE.name else package
        texts = map(text_of, sorted(nodes, key=lambda node: getattr(node, "lineno", 0)))
        found.setdefault(folder, []).extend([module, *name, *texts])
    return found


@cache
def _run(by: tuple[Named, ...], folders: tuple[str, ...]) -> str:
    """Of what runs and counts."""
    found = _reached(by)
    return hashed(text for folder in folders for text in found.get(folder, ()))


@cache
def _beside(by: tuple[Named, ...]) -> str:
    """Of what makes the data and calls the library."""
    found = _reached(by)
    return hashed(text for folder in sorted(found) if folder not in _COUNTING_SYSTEMS for text in found[folder])


@cache
def _usual(verb: str) -> str:
    """Of the usual values that stand behind what a command need not say."""
    try:
        units = _code().usual(_COMMANDS[verb], always_said(verb))
    except LookupError as error:
        raise SimulationError("the evaluator's package is not here") from error
    return hashed(text for (*_, name), nodes in sorted(units.items()) for text in (name, *map(text_of, nodes)))


def _command(asked: Asked) -> str:
    """Of the words, and of what stands behind those that are not there."""
    return hashed([asked.command, _usual(asked.verb)])


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
    files = _c_files("lib/src/machine", "lib/src/schemes/on_core")
    return sources([file for file in files if file.parent.name != "ring"])


@cache
def _schemes_on_core() -> str:
    """A hash of the programs of ML-KEM, ML-DSA and NewHope."""
    return sources(_c_files("lib/src/mlkem/on_core", "lib/src/mldsa/on_core", "lib/src/papers/newhope/on_core"))


@cache
def library() -> str:
    """All of it that this machine's processor runs."""
    return sources(_c_files("lib/src", "lib/include"))


def evaluator() -> str:
    """LTV and AES on it, with the rooms of lib/ that it links. SimulationError: there is no source tree with it."""
    files = _c_files("papers/evaluator/src", "papers/evaluator/include")
    if not files:
        raise SimulationError("the evaluator's sources are not here")
    of_lib = _c_files("lib/src/base", "lib/src/hash", "lib/src/arith")
    return sources([*files, *of_lib, build.source_tree() / "lib/src/host/pool.c"])


def _c_files(*places: str) -> list[Path]:
    tree = build.source_tree()
    return [file for place in places for file in sorted((tree / place).rglob("*.[ch]"))]


@cache
def simulator() -> str:
    """The memory and the bus at a core's ports."""
    return sources(CORE_HARNESS.files(build.source_tree() / "sim"))


@cache
def system() -> str:
    """The SoC but for its core: RTL, processor, memory."""
    tree = build.source_tree()
    files = [*build.hardware_sources(tree), *build.HARNESS.files(tree / "sim")]
    return hashed([sources(files), _processor()])


@cache
def _firmware_place() -> Path:
    return build.firmware_place()


@cache
def firmware(link: str = build.FRAMES) -> str:
    """Instructions and constants of one of its images. SimulationError, too, if nobody has compiled it (soc.build.firmware): that takes half a minute."""
    elf = _firmware_place() / link
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
def _synthesis(by: tuple[Named, ...]) -> str:
    version = yosys.version()
    if version is None:
        raise SimulationError("Yosys is missing")
    return hashed([version, _run(by, _MAPPING)])


@cache
def _cells() -> str:
    """The library's files."""
    from ..synth.asic.technology import TARGETS

    library = hashlib.sha256()
    for file in TARGETS[ASIC_TARGET].files:
        if not file.is_file():
            raise SimulationError(f"{file} is missing: install qflow-tech-osu018")
        library.update(file.read_bytes())
    return library.hexdigest()[:12]
