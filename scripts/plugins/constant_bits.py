# SPDX-License-Identifier: Apache-2.0
"""Bits of a design that synthesis finds constant: Yosys' propagation of constants through the whole core, flip-flops that are given one included.

They cannot toggle, so they are no points of coverage. A bit is constant in a form of a module if it is in all its instances.
"""

import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from verilator_counts import PAIR, Form, Piled, forms_and_pages

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "hw" / "common" / "tb"))
CONSTANT = {"0", "1", "x"}
STRUCT = re.compile(r"typedef struct packed \{(.*?)\n\s*\}", re.DOTALL)
MEMBER = re.compile(r"(\w+)\s*;")
GENERATED = re.compile(r"(gen_|u_)")
EDGE = re.compile(r":[01]->[01]$")


# ---- the netlist -------------------------------------------------------------------------------------------------------
def netlist(parameters: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Path of a signal -> its bits, the lowest first: a number, or a constant as text."""
    from ringside.sim.core import sources
    from ringside.sim.sources import CORE_TOP
    from ringside.synth.yosys import defined, read, run

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "core.json"
        passes = [read(CORE_TOP, sources(), parameters, *defined()), "hierarchy", "proc", "flatten", "opt_expr"]
        run([*passes, *3 * ["opt_dff -simple-dffe", "opt_clean", "opt_expr"], f"write_json {path}"])
        (module,) = json.loads(path.read_text(encoding="utf-8"))["modules"].values()
    return {name: one["bits"] for name, one in module["netnames"].items() if not one["hide_name"]}


# ---- bits of structures --------------------------------------------------------------------------------------------------
@cache
def structures() -> dict[frozenset[str], list[str]]:
    """Names of members -> the same in their order, the highest first."""
    found: dict[frozenset[str], list[str]] = {}
    for path in sorted(ROOT.glob("hw/*/rtl/*.sv")):
        for text in STRUCT.findall(re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))):
            members = MEMBER.findall(text)
            found[frozenset(members)] = members
    return found


def in_order(names: Iterable[str]) -> list[str]:
    """Bits of one signal, `addr[3]`, `len[0]`, the lowest first; empty if there is no such structure."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        head, _, rest = name.partition(".") if not name.startswith("[") else name.partition("]")
        if not name.startswith("["):
            member, bracket, index = head.partition("[")
            head, rest = member, f"{bracket}{index}{'.' if rest and bracket else ''}{rest}"
        below[head].append(rest.removeprefix("."))
    if set(below) == {""}:
        return [""]
    if all(head.startswith("[") for head in below):
        order = sorted(below, key=lambda head: int(head[1:]))
        joined = {head: f"{head}]" for head in below}
    else:
        order = list(reversed(structures().get(frozenset(below), [])))
        joined = {head: head for head in below}
    found = []
    for head in order:
        inside = in_order(below[head])
        if not inside:
            return []
        for rest in inside:
            dot = "." if rest and not rest.startswith("[") else ""
            found.append(f"{joined[head]}{dot}{rest}")
    return found


def signal_of(bit: str) -> tuple[str, str]:
    """A signal with the generate blocks that it is in, and which bit: `gen_x[0].q`, `[1].addr[3]`."""
    parts = bit.split(".")
    first = next((i for i, part in enumerate(parts) if not GENERATED.match(part)), len(parts) - 1)
    name, bracket, index = parts[first].partition("[")
    rest = [f"{bracket}{index}", *parts[first + 1 :]] if bracket else parts[first + 1 :]
    return ".".join([*parts[:first], name]), ".".join(rest)


# ---- both ------------------------------------------------------------------------------------------------------------
def constant_bits(piled: Piled, nets: Mapping[str, Sequence[Any]], top: str) -> dict[Form, list[str]]:
    """The constant bits of each form of a model, in the netlist."""
    forms = forms_and_pages(piled)
    instances = {top}
    for name in nets:
        parts = name.split(".")
        instances |= {
            f"{top}." + ".".join(parts[: i + 1]) for i, part in enumerate(parts[:-1]) if part.startswith("u_")
        }
    places: defaultdict[tuple[str, str], set[str]] = defaultdict(
        set
    )  # patterns of the instances that have a signal of a page
    signals: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for data in piled.points:
        keys = dict(PAIR.findall(data))
        if keys["t"] == "toggle":
            signal, bit = signal_of(EDGE.sub("", keys["o"]))
            page = keys["page"].partition("/")[2]
            signals[page, signal].add(bit)
            places[page, signal].add(keys["h"])

    @cache
    def matching(pattern: str) -> list[str]:
        expression = re.compile(re.escape(pattern).replace(r"\*", ".*"))
        return [path for path in instances if expression.fullmatch(path)]

    constant: dict[Form, set[str]] = {}
    for form, pages in forms.items():
        own: set[str] | None = None
        for page in pages:
            here = set()
            for (other, signal), bits in signals.items():
                if other == page:
                    here |= _of_signal(signal, bits, [p for h in places[other, signal] for p in matching(h)], nets, top)
            own = here if own is None else own & here
        constant[form] = own or set()
    return {form: sorted(bits) for form, bits in constant.items() if bits}


def _of_signal(
    signal: str, bits: set[str], paths: Sequence[str], nets: Mapping[str, Sequence[Any]], top: str
) -> set[str]:
    order = in_order(bits)
    if len(order) != len(bits):
        return set()
    found: set[int] | None = None
    for path in paths:
        net = nets.get(f"{path}.{signal}".removeprefix(f"{top}."))
        if net is None:
            continue
        if len(net) != len(order):
            return set()
        here = {i for i, bit in enumerate(net) if bit in CONSTANT}
        found = here if found is None else found & here
    return {_joined(signal, order[i]) for i in found or ()}


def _joined(signal: str, bit: str) -> str:
    return f"{signal}{'.' if bit and not bit.startswith('[') else ''}{bit}"
