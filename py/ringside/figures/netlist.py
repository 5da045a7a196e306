# SPDX-License-Identifier: Apache-2.0
"""The logic of a design as one hash: flat, and without names, so that RTL may change in words and keep the figures of designs that it leaves alone.

Each cell is hashed with the hashes of the cells that drive it, again and again, until no further cells can be told apart by what drives them
(colour refinement of a graph). What no output and no other cell tells apart is the same logic.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..designs import Design
from ..native.files import write_bytes
from ..sim.core import sources
from ..sim.verilate import SimulationError, content_hash
from ..synth import yosys
from ..synth.resources import directory

TOP = "rs_core"
# products of constants and logic that nothing reads go, so that a part which is tied off leaves no trace
PASSES = (
    "hierarchy -check", "proc", "flatten -noscopeinfo", "opt -full", "memory_collect", "opt -full", "clean -purge",
)  # fmt: skip
UNBUILT = {"scan_ready_o": "0"}  # outputs of parts that an integrator may add, as they are without: no design has them
NAMES = {"MEMID"}  # parameters that are names of the source
# attributes that tell a mapper what to do; others are places and names
TELLING = {"keep", "ram_style", "no_rw_check"}

# cells whose bits have no order, whose operands can change places, and whose pairs of bits can
UNORDERED = {"$reduce_and", "$reduce_or", "$reduce_bool", "$reduce_xor", "$reduce_xnor", "$logic_not"}
PAIRED = {"$eq", "$ne", "$eqx", "$nex"}
SWAPPABLE = PAIRED | {"$and", "$or", "$xor", "$xnor", "$add", "$mul"}

Seen = tuple[list[str], list[int]]  # the state of bits: what they are, and the cells that drive them


@dataclass(frozen=True)
class Loose:
    """Inputs in groups that can change places. ordered: the bits of a group cannot."""

    ordered: bool
    groups: list[list[tuple[str, int]]]


FlatModule = Mapping[str, Any]  # a module as Yosys writes it in JSON


def of(design: Design, macros: Sequence[str] = ()) -> str:
    """The hash; kept, by the sources. SimulationError: there is no Yosys, no source tree, or it failed."""
    if yosys.version() is None:
        raise SimulationError("Yosys is missing")
    parameters = design.parameters
    words = [yosys.version() or "", *PASSES, *macros, *(f"{key}={value}" for key, value in sorted(parameters.items()))]
    place = directory() / f"{content_hash(words, [Path(__file__), *sources()])}.netlist"
    if place.exists():
        return place.read_text(encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "flat.json"
            yosys.run([yosys.read(TOP, sources(), parameters, *yosys.defined(*macros)), *PASSES, f"write_json {file}"])
            found = hashed(json.loads(file.read_text(encoding="utf-8"))["modules"][TOP])
    except yosys.YosysError as error:
        raise SimulationError(f"{design.name} cannot be elaborated: {error}") from error
    place.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(place, found.encode())
    return found


def hashed(module: FlatModule) -> str:
    """The hash of a flat module. Its ports count by name."""
    cells = list(module["cells"].values())
    drivers: dict[int, tuple[int, str]] = {}  # a bit -> its cell, and where it leaves it; -1: the module's own port
    for number, cell in enumerate(cells):
        for port in _ports(cell, "output"):
            drivers |= {bit: (number, f"{port}.{place}") for place, bit in enumerate(cell["connections"][port])}
    for port, found in module["ports"].items():
        if found["direction"] == "input":
            drivers |= {bit: (-1, f"{port}.{place}") for place, bit in enumerate(found["bits"])}

    def seen(bits: Sequence[int | str]) -> Seen:
        """What the bits are but for the cells that drive them, and those cells; -1: none."""
        ends = [drivers.get(bit, (-1, "undriven")) if isinstance(bit, int) else (-1, bit) for bit in bits]
        return [name for _, name in ends], [number for number, _ in ends]

    own: list[bytes] = []  # what is known of a cell, but for what drives it
    read: list[list[int]] = []  # the cells that drive it, in order
    loose: list[tuple[int, Loose]] = []  # cells whose inputs have no order
    for number, cell in enumerate(cells):
        inputs = {port: seen(cell["connections"][port]) for port in _ports(cell, "input")}
        free = _loose(cell["type"], inputs)
        if free is not None:
            loose.append((number, free))
        named = None if free is not None else {port: names for port, (names, _) in inputs.items()}
        own.append(_digest(json.dumps([_kind(cell), named]).encode()))
        read.append(
            [] if free is not None else [found for _, numbers in inputs.values() for found in numbers if found >= 0]
        )
    outputs = {
        port: seen(found["bits"])
        for port, found in sorted(module["ports"].items())
        if found["direction"] != "input" and found["bits"] != [UNBUILT.get(port)]
    }

    labels = own
    distinct = 0
    while len(set(labels)) > distinct:
        distinct = len(set(labels))
        further = [
            _digest(alone + b"".join([labels[found] for found in numbers]))
            for alone, numbers in zip(own, read, strict=True)
        ]
        for number, free in loose:
            further[number] = _digest(own[number] + _without_order(free, labels))
        labels = further
    ends = json.dumps([[port, names] for port, (names, _) in outputs.items()]).encode()
    driving = [labels[number] for _, numbers in outputs.values() for number in numbers if number >= 0]
    return _digest(b"".join([ends, *driving, *sorted(labels)])).hex()


def _loose(kind: str, inputs: Mapping[str, Seen]) -> Loose | None:
    """Inputs of a cell that gives the same in whatever order it has them; None: the order counts. Yosys orders those that it makes
    by names, which change with the source."""
    bits = {port: list(zip(names, numbers, strict=True)) for port, (names, numbers) in inputs.items()}
    if kind in UNORDERED:
        return Loose(True, [[bit] for bit in bits["A"]])
    if kind in SWAPPABLE and len(bits["A"]) == len(bits["B"]):
        a, b = bits["A"], bits["B"]
        if kind in PAIRED:
            return Loose(False, [list(pair) for pair in zip(a, b, strict=True)])
        return Loose(True, [a, b])
    return None


def _without_order(free: Loose, labels: Sequence[bytes]) -> bytes:
    def bit(found: tuple[str, int]) -> bytes:
        name, number = found
        return _digest(name.encode() + (labels[number] if number >= 0 else b""))

    found = [[bit(one) for one in group] for group in free.groups]
    return b"".join(sorted(b"".join(group if free.ordered else sorted(group)) for group in found))


def _ports(cell: FlatModule, direction: str) -> Iterator[str]:
    return (port for port, found in sorted(cell["port_directions"].items()) if found == direction)


def _kind(cell: FlatModule) -> list[Any]:
    parameters = {name: value for name, value in sorted(cell["parameters"].items()) if name not in NAMES}
    attributes = {name: value for name, value in sorted(cell["attributes"].items()) if name in TELLING}
    return [cell["type"], parameters, attributes]


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).digest()
