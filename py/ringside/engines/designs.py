# SPDX-License-Identifier: Apache-2.0
"""Named hardware designs: one TOML file each, the only place where a design's parameters live.

A design is looked up by name among the files that come with the package, or given as the path of a TOML file.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_type_hints

from ..errors import ParameterError

FOLDER = Path(__file__).parents[1] / "designs"  # copied there from designs/ by the build
LANES_MAX = 256
REDUCTIONS = ("barrett", "wlm")
TWIDDLES = ("stored", "on_the_fly")
TERNARY_BYTES = (1, 2, 4, 8)  # divisors of a block of 136 bytes
NO_SAMPLER = {"lanes": 1, "keccak_cores": 1, "rounds_per_cycle": 1, "ternary_bytes": 1}


@dataclass(frozen=True)
class Design:
    """Parameters of one accelerator (docs/core.md).

    lanes: butterflies per cycle. word_bits: width of a residue. log_n_max: log2 of the largest N. bank_groups: polynomials on
    chip. contexts: moduli at a time. slots: small polynomials; 0: no sampler, errors come from outside.
    """

    name: str
    source: str
    lanes: int
    word_bits: int
    reduction: str
    log_n_max: int
    bank_groups: int
    contexts: int
    twiddles: str
    slots: int
    sample_lanes: int
    keccak_cores: int
    sample_rounds: int
    ternary_bytes: int
    expand: bool
    expand_rounds: int
    bus_bits: int
    outstanding: int
    program_depth: int

    @property
    def log_n_min(self) -> int:
        """log2 of the smallest N: 2^10, and 16 words per lane (docs/ntt_schedule.md)."""
        return max(10, self.lanes.bit_length() - 1 + 4)

    @property
    def chunk(self) -> int:
        """Words that enter or leave the banks in a cycle."""
        return min(self.bus_bits // (32 if self.word_bits <= 32 else 64), 4 * self.lanes)

    @property
    def parameters(self) -> dict[str, int]:
        """Those of rs_core."""
        return {
            "W": self.word_bits,
            "Reduction": REDUCTIONS.index(self.reduction),  # Verilator takes an enum's number
            "LogNMax": self.log_n_max,
            "Lanes": self.lanes,
            "Groups": self.bank_groups,
            "Contexts": self.contexts,
            "OnTheFly": TWIDDLES.index(self.twiddles),
            "Slots": self.slots,
            "SampleLanes": self.sample_lanes,
            "KeccakCores": self.keccak_cores,
            "SampleRounds": self.sample_rounds,
            "TernaryBytes": self.ternary_bytes,
            "Expand": int(self.expand),
            "ExpandRounds": self.expand_rounds,
            "BusBits": self.bus_bits,
            "Outstanding": self.outstanding,
            "ProgramDepth": self.program_depth,
        }

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


# Where each field stands in the file: [table] key -> field
_KEYS: dict[str, dict[str, str]] = {
    "design": {"name": "name", "source": "source"},
    "core": {
        "lanes": "lanes",
        "word_bits": "word_bits",
        "reduction": "reduction",
        "log_n_max": "log_n_max",
        "bank_groups": "bank_groups",
        "contexts": "contexts",
        "twiddles": "twiddles",
    },
    "sampler": {
        "slots": "slots",
        "lanes": "sample_lanes",
        "keccak_cores": "keccak_cores",
        "rounds_per_cycle": "sample_rounds",
        "ternary_bytes": "ternary_bytes",
    },
    "expand": {"present": "expand", "rounds_per_cycle": "expand_rounds"},
    "dma": {"bus_bits": "bus_bits", "outstanding": "outstanding"},
    "sequencer": {"program_depth": "program_depth"},
}
# What may be left out: of a part that is not there
_ABSENT = {
    "sampler": ("slots", 0, NO_SAMPLER),
    "expand": ("present", False, {"rounds_per_cycle": 1}),
}
_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}


def names() -> list[str]:
    """The named designs, by family and then by number of lanes."""

    def key(name: str) -> tuple[str, int]:
        family, _, number = name.rpartition("-")
        return (family, int(number)) if number.isdigit() else (name, 0)

    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=key)


def load(design: str) -> Design:
    """A named design or a TOML file. ParameterError: no such design, or a field missing, unknown or out of range."""
    path = Path(design) if design.endswith(".toml") else FOLDER / f"{design}.toml"
    try:
        with path.open("rb") as file:
            tables = tomllib.load(file)
    except FileNotFoundError:
        known = ", ".join(names())
        raise ParameterError(
            "DESIGN", f"There is no design {design!r}.", f"Known designs: {known}; or a .toml file."
        ) from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ParameterError("DESIGN", f"Cannot read the design {path}: {error}.") from error
    return _parse(path, tables)


def _parse(path: Path, tables: dict[str, Any]) -> Design:
    kinds = get_type_hints(Design)
    found: dict[str, Any] = {}
    for table, keys in _KEYS.items():
        given = tables.pop(table, {})
        if not isinstance(given, dict):
            raise _bad(path, f"[{table}] must be a table")
        switch, off, rest = _ABSENT.get(table, ("", None, {}))
        if switch and given.get(switch) == off and type(given.get(switch)) is type(off):
            given = {**rest, **given}
        for key, field in keys.items():
            value = given.pop(key, None)
            if type(value) is not kinds[field]:
                raise _bad(path, f"[{table}] {key} must be given as {_NAMES[kinds[field]]}, got {value!r}")
            found[field] = value
        if given:
            raise _bad(path, f"[{table}] has unknown keys: {', '.join(given)}")
    if tables:
        raise _bad(path, f"unknown tables: {', '.join(tables)}")
    design = Design(**found)
    for problem in _problems(design):
        raise _bad(path, problem)
    return design


def _problems(design: Design) -> list[str]:
    """What is out of range, in the words of the file."""

    def choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
        return "" if value in allowed else f"{name} must be one of {', '.join(allowed)}, got {value!r}"

    def power(name: str, value: int, low: int, high: int) -> str:
        is_power = value > 0 and value & (value - 1) == 0
        return (
            "" if is_power and low <= value <= high else f"{name} must be a power of two, {low} to {high}, got {value}"
        )

    def within(name: str, value: int, low: int, high: int, note: str = "") -> str:
        return "" if low <= value <= high else f"{name} must be {low} to {high}{note}, got {value}"

    def rounds(table: str, value: int) -> str:
        return "" if value > 0 and 24 % value == 0 else f"{table} rounds_per_cycle must divide 24, got {value}"

    found = [
        power("lanes", design.lanes, 1, LANES_MAX),
        within("word_bits", design.word_bits, 16, 64),
        choice("reduction", design.reduction, REDUCTIONS),
        within("log_n_max", design.log_n_max, design.log_n_min, 17, f" with {design.lanes} lanes"),
        within("bank_groups", design.bank_groups, 2, 16),
        within("contexts", design.contexts, 1, 4),
        choice("twiddles", design.twiddles, TWIDDLES),
        power("bus_bits", design.bus_bits, 64, 512),
        within("outstanding", design.outstanding, 4, 16),
        within("program_depth", design.program_depth, 64, 2048),
    ]
    if design.slots:
        found += [
            within("slots", design.slots, 0, 4),
            power("[sampler] lanes", design.sample_lanes, 1, design.chunk),
            within("keccak_cores", design.keccak_cores, 1, 16),
        ]
        found.append(rounds("[sampler]", design.sample_rounds))
        if design.ternary_bytes not in TERNARY_BYTES or 6 * design.sample_lanes % design.ternary_bytes:
            allowed = ", ".join(map(str, TERNARY_BYTES))
            found.append(f"ternary_bytes must be one of {allowed}, and divide 6 per lane, got {design.ternary_bytes}")
    if design.expand:
        found.append(rounds("[expand]", design.expand_rounds))
    return [problem for problem in found if problem]


def _bad(path: Path, what: str) -> ParameterError:
    return ParameterError("DESIGN", f"Design {path.name}: {what}.")
