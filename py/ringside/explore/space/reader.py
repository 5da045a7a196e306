# SPDX-License-Identifier: Apache-2.0
"""A space: what designs there are, what they have to do, and what is wanted of them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ... import designs
from ...designs import Design
from ...designs.design import table, types
from ...errors import ParameterError
from ...hints import did_you_mean
from ...operations import NONE, TABLE
from ...operations import SLICES as SLICED
from ...report import published
from ...sim.options import NUMBERS
from . import links, schema
from .links import Link
from .schema import SpaceTable

LATENCY, CLOCK = "memory.latency", "clock.mhz"  # axes of the system around a design
SYSTEM = {LATENCY: NUMBERS["latency"], CLOCK: (1, 10000)}
ENGINE, ENGINES = "engine", ("core", "stream")  # an axis of kinds of hardware (model/engines.py)
ASIDE = (*SYSTEM, ENGINE)  # axes that are no field of a design
LATENCY_USUAL = 40  # sim.core.Memory
FPGAS, ASICS, MAX = ("xc7",), ("osu018",), "max"
COSTS = ("lut", "ff", "dsp", "bram36", "kge")
OBJECTIVES = ("cycles", "time_us", *COSTS, "lut_cycles", "energy_uj", "edp", "mhz", "fps")
RULE = re.compile(r"\s*(<=|>=)\s*(\d+(?:\.\d+)?)\s*")
VALUES_MAX = 64  # values of an axis
SCHEMES = tuple(name for name, row in TABLE.items() if row.takes == (NONE,))  # operations that have sizes of their own
SCHEME_N, SCHEME_BITS = 2048, 23  # words of a group of theirs at most, bits of their moduli at most
TABLES = ("explore", "space", "link", "workload", "target", "objectives", "constraints", "verify", "papers")


@dataclass(frozen=True)
class Workload:
    """An operation. moduli: instead of limbs and bits; frames: in one call, where designs take them so; cycles count per frame.

    slices: polynomials of n coefficients in a group, of `ntt` and `intt`. Operations of a scheme have sizes of their own.
    """

    op: str
    n: int
    limbs: int
    bits: int
    moduli: tuple[int, ...] = ()
    frames: int = 1
    weight: float = 1.0
    slices: int = 0

    @property
    def name(self) -> str:
        if self.op in SCHEMES:
            return self.op
        if self.slices:
            return f"{self.op}-{self.n}-s{self.slices}"
        size = f"q{'.'.join(map(str, self.moduli))}" if self.moduli else f"{self.limbs}x{self.bits}"
        return f"{self.op}-{self.n}-{size}" + (f"-f{self.frames}" if self.frames > 1 else "")

    @property
    def log_n(self) -> int:
        return self.n.bit_length() - 1

    @property
    def modulus_bits(self) -> int:
        return max(q.bit_length() for q in self.moduli) if self.moduli else self.bits


@dataclass(frozen=True)
class Limits:
    """A bound of an objective or cost."""

    what: str
    most: bool
    value: float


@dataclass(frozen=True)
class Space:
    """axes: values by the field of a design, or by one of SYSTEM; linked: the same of expressions.

    near: distance from the front of what is verified too; ties: the distance within which a design is as good as a verified one, and is not asked.
    """

    name: str
    base: Design
    axes: dict[str, tuple[Any, ...]]
    linked: dict[str, Link]
    workloads: tuple[Workload, ...]
    fpga: str
    asic: str
    minimise: tuple[str, ...]
    maximise: tuple[str, ...]
    limits: tuple[Limits, ...]
    near: float
    ties: float
    random: int
    papers: tuple[str, ...]
    text: str


def fields() -> dict[str, str]:
    """Fields of designs by `table.key`."""
    return {row.place: field for field, row in table().items() if row.table not in ("design",) and field != "clock_mhz"}


def places() -> dict[str, str]:
    return {field: place for place, field in fields().items()}


def load(path: Path) -> Space:
    """ParameterError, with line and key: something in the file is unknown, missing or out of range."""
    whole = schema.load(path).known(TABLES)
    head = whole.table("explore", ("name", "base"))
    head.need("name", "base")
    name = head.text("name", head.get("name"))
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,40}", name):
        raise head.bad("name", f"must be small letters, digits and - between them, got {name!r}")
    base = _base(head)
    axes = _axes(whole.table("space"))
    linked = _links(whole.table("link"), axes)
    target = whole.table("target", ("fpga", "asic"))
    wanted = whole.table("objectives", ("minimise", "maximise"))
    verify = whole.table("verify", ("near", "ties", "random"))
    near = verify.real("near", verify.get("near", 0.02), 0, 1)
    ties = verify.real("ties", verify.get("ties", 0.0), 0, 0.1)
    if near and ties:
        raise verify.bad("ties", "leaves out what `near` asks: one of them must be 0")
    minimise = wanted.texts("minimise", ["cycles", "lut"], OBJECTIVES)
    maximise = wanted.texts("maximise", [], OBJECTIVES)
    if not minimise and not maximise:
        raise wanted.bad("minimise", "nothing is wanted: name one objective or more")
    if both := sorted({*minimise} & {*maximise}):
        raise wanted.bad("maximise", f"{both[0]} is to be small already: keep it in one of the two")
    return Space(
        name=name,
        base=base,
        axes=axes,
        linked=linked,
        workloads=_workloads(whole),
        fpga=target.text("fpga", target.get("fpga", FPGAS[0]), FPGAS),
        asic=target.text("asic", target.get("asic", ASICS[0]), ASICS),
        minimise=minimise,
        maximise=maximise,
        limits=_limits(whole.table("constraints", OBJECTIVES)),
        near=near,
        ties=ties,
        random=verify.whole("random", verify.get("random", 20), 0, 1000),
        papers=whole.table("papers", ("show",)).texts("show", [], published.names()),
        text=whole.place.text,
    )


def _base(head: SpaceTable) -> Design:
    name = head.text("base", head.get("base"))
    beside = head.place.path.parent / name
    try:
        return designs.load(str(beside) if name.endswith(".toml") else name)
    except ParameterError as error:
        raise head.bad("base", error.message.rstrip("."), error.hint) from error


def _axes(given: SpaceTable) -> dict[str, tuple[Any, ...]]:
    of_design = fields()
    given.known((*of_design, *ASIDE))
    if not given.given:
        raise given.bad("", "has no axis: a space needs one at least")
    found: dict[str, tuple[Any, ...]] = {}
    for key, value in given.given.items():
        values = _values(given, key, value)
        kind: type = types()[of_design[key]] if key in of_design else str if key == ENGINE else int
        for one in values:
            if type(one) is not kind:
                raise given.bad(key, f"{one!r} is not of the kind of this key, {kind.__name__}")
            if key == ENGINE:
                given.text(key, one, ENGINES)
            number: Any = one
            if key in SYSTEM and not SYSTEM[key][0] <= number <= SYSTEM[key][1]:
                raise given.bad(key, f"must be {SYSTEM[key][0]} to {SYSTEM[key][1]}, got {one}")
        found[of_design.get(key, key)] = values
    return found


def _values(given: SpaceTable, key: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, dict):
        value = _range(given, key, value)
    if not isinstance(value, list) or not value:
        raise given.bad(key, f"must be a list of values or {{ from, to, step }}, got {value!r}")
    if any(isinstance(one, list | dict) for one in value):
        raise given.bad(key, f"holds a list or a table, where values stand: {value!r}")
    if len(set(value)) < len(value):
        raise given.bad(key, "has a value twice")
    if len(value) > VALUES_MAX:
        raise given.bad(key, f"has {len(value)} values, {VALUES_MAX} are the most")
    return tuple(value)


def _range(given: SpaceTable, key: str, ends: dict[str, Any]) -> list[int]:
    if ends.keys() - {"from", "to", "step"} or not {"from", "to"} <= ends.keys():
        raise given.bad(key, "a range has from, to, and perhaps step")
    low = given.whole(key, ends["from"], 0, 1 << 20)
    high = given.whole(key, ends["to"], low, 1 << 20)
    step = ends.get("step", 1)
    times = re.fullmatch(r"x([2-9])", step) if isinstance(step, str) else None
    if times is None and (type(step) is not int or step < 1):
        raise given.bad(key, f'step must be a whole number or "x2" to "x9", got {step!r}')
    if times is not None and low == 0:
        raise given.bad(key, "a range whose steps multiply begins above 0")
    found = [low]
    while len(found) <= VALUES_MAX and (after := found[-1] * int(times[1]) if times else found[-1] + step) <= high:
        found.append(after)
    return found


def _links(given: SpaceTable, axes: dict[str, tuple[Any, ...]]) -> dict[str, Link]:
    of_design = fields()
    given.known(of_design)
    found: dict[str, Link] = {}
    for key, value in given.given.items():
        if of_design[key] in axes:
            raise given.bad(key, "is an axis of [space] already")
        try:
            link = links.read(given.text(key, value))
        except links.LinkError as error:
            raise given.bad(key, str(error)) from None
        for name in link.names:
            field = of_design.get(name, name)
            if field not in types() and field not in ASIDE:
                raise given.bad(key, f"there is no field {name!r}", did_you_mean(name, of_design))
            if field == CLOCK and CLOCK not in axes:
                raise given.bad(key, f"{CLOCK} is no axis of this space, so it has no value")
            if field in map(of_design.get, given.given) and field not in found:
                raise given.bad(key, f"{name} is linked too, and has to stand before it")
        found[of_design[key]] = link
    return found


def _workloads(whole: SpaceTable) -> tuple[Workload, ...]:
    given = whole.get("workload")
    if not isinstance(given, list) or not given:
        raise whole.bad("workload", "is missing: say in [[workload]] what the designs have to do")
    return tuple(_workload(SpaceTable(whole.place, "workload", one, number)) for number, one in enumerate(given))


def _workload(given: SpaceTable) -> Workload:
    said = given.known(("op", "n", "limbs", "bits", "moduli", "frames", "weight", "slices")).given.keys()
    given.need("op")
    op = given.text("op", given.get("op"), (name for name, row in TABLE.items() if row.takes))
    weight = given.real("weight", given.get("weight", 1.0), 1e-6, 1e6)
    if op in SCHEMES:
        for key in said - {"op", "weight"}:
            raise given.bad(key, f"{op} has sizes of its own: give op and weight")
        return Workload(op, SCHEME_N, 1, SCHEME_BITS, weight=weight)
    given.need("n")
    n = given.whole("n", given.get("n"), 128 if "slices" in said else 256, 1 << 17)
    if n & (n - 1):
        raise given.bad("n", f"must be a power of two, got {n}")
    moduli = given.get("moduli", [])
    if not isinstance(moduli, list):
        raise given.bad("moduli", f"must be a list of primes, got {moduli!r}")
    if moduli and (said & {"limbs", "bits"}):
        raise given.bad("moduli", "takes the place of limbs and bits: give one of the two")
    for q in moduli:
        given.whole("moduli", q, 257, (1 << 60) - 1)
    if "slices" in said:
        if SLICED not in TABLE[op].takes or said & {"moduli", "limbs", "bits", "frames"}:
            raise given.bad("slices", "goes with op = ntt or intt, n and weight alone")
        count = given.whole("slices", given.get("slices"), 1, 64)
        return Workload(op, n, 1, SCHEME_BITS, weight=weight, slices=count)
    limbs = len(moduli) - (op not in ("ntt", "intt")) if moduli else given.get("limbs", 1)
    return Workload(
        op=op,
        n=n,
        limbs=given.whole("moduli" if moduli else "limbs", limbs, 1, 64),
        bits=given.whole("bits", given.get("bits", 30), 14, 60),
        moduli=tuple(moduli),
        frames=given.whole("frames", given.get("frames", 1), 1, 8),
        weight=weight,
    )


def _limits(given: SpaceTable) -> tuple[Limits, ...]:
    found = []
    for key, value in given.given.items():
        match = RULE.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise given.bad(key, f'must be "<= NUMBER" or ">= NUMBER", got {value!r}')
        found.append(Limits(key, match[1] == "<=", float(match[2])))
    return tuple(found)
