# SPDX-License-Identifier: Apache-2.0
"""What hw/sequencer/isa.toml says of operations and of the fields of their words."""

from collections.abc import Iterable, Mapping
from typing import Any

from common import ROOT, StopError

ISA = ROOT / "hw" / "sequencer" / "isa.toml"
# what the operands of an instruction can name
KINDS = ("dst_group", "dst_slot", "dst_slots", "dst_context", "a_group", "a_slot", "b_group")
# what else the hardware looks at: whether there is an address, it is that of numbers, or of a frame's message, ctx has roots or has to have
# twiddles, which of a context is written, what of a mask becomes, and that it needs encode
FACTS = (
    "reads_dst", "ctx", "memory", "wide", "numbers", "limbs", "frame", "roots", "twiddles", "bare", "fills", "takes_a",
    "encode",
)  # fmt: skip
# facts of a core with slices: an operation has a size of its own, a slice of one group, slices of several operands
SLICE_FACTS = ("log_size", "slice_dst", "slices")
FIELDS = "fields"  # the part of the core without which an operation is unknown
OPERANDS = ("dst", "a", "b")

Isa = Mapping[str, Any]


def place_of(isa: Isa, field: str) -> tuple[int, int]:
    """Lowest bit and width."""
    high, low = isa["field"][field]["bits"]
    return low, high - low + 1


def fields_of(op: Isa) -> list[str]:
    return [*(name for name in OPERANDS if name in op), *op.get("uses", [])]


def bits_of(isa: Isa, names: Iterable[str]) -> int:
    places = [place_of(isa, name) for name in names]
    if len({bit for low, width in places for bit in range(low, low + width)}) != sum(width for _, width in places):
        raise StopError(f"{ISA.name}: two of the fields {', '.join(names)} of an operation stand in one place")
    return sum(((1 << width) - 1) << low for low, width in places)


def mask(isa: Isa, op: Isa, part: str | None = None) -> int:
    """The bits of a word that an operation uses; part: those alone that a part of the core has to be built for, or "": all others."""
    names = ["op", *fields_of(op)]
    return bits_of(isa, [name for name in names if part is None or isa["field"][name].get("part", "") == part])


def needs_of(op: Isa) -> list[str]:
    """Parts of the core that the operation needs, whatever its flags: one, or several."""
    given = op.get("needs", {}).get("any", [])
    return [given] if isinstance(given, str) else list(given)


def is_optional(op: Isa) -> bool:
    """Unknown where the core has no fields: so such a core is the same with or without these operations in the set."""
    return FIELDS in needs_of(op)


def facts_of(op: Isa) -> dict[str, bool]:
    """KINDS and FACTS, and whether there is an offset."""
    uses = fields_of(op)
    facts = {kind: op.get(kind.split("_")[0]) == kind.split("_")[1] for kind in KINDS}
    facts |= {"near": "near" in uses, "fields": is_optional(op)}
    facts |= {name: bool(op.get(name)) for name in ("reads_dst", "bare", "fills", "takes_a")}
    names = ("ctx", "offset", "wide", "numbers", "frame", *SLICE_FACTS)
    facts |= {name: name in uses for name in names}
    facts |= {"limbs": "last_limb" in uses, "memory": "pointer" in uses or "last_limb" in uses}
    facts |= {kind: op.get("ctx_is") == kind for kind in ("roots", "twiddles")}
    return facts | {"encode": "encode" in needs_of(op)}


def check_isa(isa: Isa) -> None:
    """What tells whether words fit tells it of readable ones: the fault VALUE of a unit that reads a group says something about it."""
    for name, op in isa["op"].items():
        told = {
            operand for operand in OPERANDS if op.get(operand) == "group" and (operand != "dst" or op.get("reads_dst"))
        }
        allowed = isa["allow"].get(op.get("allow"), {})
        fits = ("readable", "PUBLIC", "PRODUCT")  # tags that tell nothing: PIPE tells nothing of a product
        if "VALUE" in op.get("raises", []) and any(allowed.get(operand) not in fits for operand in told):
            raise StopError(f"{ISA.name}: {name} tells something about {', '.join(sorted(told))}, whatever is in there")


def word_members(isa: Isa, form: str) -> list[str]:
    """The packed struct of a word of one format, from the top bit down."""
    lines, top = [], 63
    for name in sorted(isa["format"][form]["fields"], key=lambda name: -place_of(isa, name)[0]):
        low, width = place_of(isa, name)
        if low + width - 1 > top:
            raise StopError(f"{ISA.name}: field {name} overlaps another")
        if low + width - 1 < top:
            lines.append(f"logic [{top - low - width}:0] zero_{low + width};")
        lines.append(f"logic {'' if width == 1 else f'[{width - 1}:0]'} {name};")
        top = low - 1
    return lines
