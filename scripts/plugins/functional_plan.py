# SPDX-License-Identifier: Apache-2.0
"""The plan of functional coverage: which crosses a core of these parameters can have, by hw/sequencer/isa.toml, and which ones the lines of
hw/core/tb/plan/rs_plan_*.sv have seen. `parameters` are those of rs_core.

A cross is a tuple: its group, and what meets in it. What cannot happen has no cross here; the function that leaves it out says why.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

Cross = tuple[str, ...]
Parameters = Mapping[str, Any]
Tags = frozenset[str]

ISA = tomllib.loads((Path(__file__).resolve().parents[2] / "hw" / "sequencer" / "isa.toml").read_text(encoding="utf-8"))
OPS: Mapping[int, tuple[str, Any]] = {op["number"]: (name, op) for name, op in ISA["op"].items()}
UNITS = list(ISA["unit"])
TAGS = list(ISA["tag"])
FAULTS = list(ISA["fault"])
# tags of digests, steps of a choice: hw/sequencer/rtl/rs_seal.sv
DIGESTS = ("LOST", "OPEN", "ROOT", "RAW", "HASHED", "KEY", "REFUSAL", "GIVEN", "MADE", "SHARED")
IN_PAIRS = {"LOST", "ROOT", "RAW"}
STEPS = ("NONE", "GIVEN", "DECODED", "MADE")
PLACES = ("outside", *(f"vault {part}" for part in range(4)))
ON_BUS = ("LOAD", "STORE", "SPONGE", "PACK")
STOPS = ("abort", "zeroize", "watchdog")
ORDERS = ("address first", "together", "data first")
GROUPS = {
    "tags": "operation x tag of one source x tag of another x accepted or refused",
    "seal": "operation x what a digest is x where in memory or what another one is",
    "faults": "cause x unit",
    "stops": "abort, zeroize, watchdog x unit x what it does",
    "slaves": "unit x how memory takes addresses and data",
}


def key(parameters: Parameters) -> str:
    """As the lines have it."""
    numbers = [parameters[name] for name in ("W", "Groups", "LogNMax")]
    return (
        ".".join(map(str, numbers))
        + "."
        + "".join(str(int(parameters.get(n, 0))) for n in ("Encode", "Fields", "Sealed"))
    )


# ---- what is built -----------------------------------------------------------------------------------------------------
def features(parameters: Parameters) -> dict[str, bool]:
    """Names of isa.toml, `needs`."""
    given = {name: bool(parameters.get(name, 0)) for name in ("Encode", "Fields", "Expand", "Sealed", "Short")}
    return {
        **{name.lower(): value for name, value in given.items()},
        "slots": parameters.get("Slots", 1) > 0,
        "factor": bool(parameters.get("StreamFactor", 0)),
        "reduce": bool(parameters.get("Reducers", 0)),
        "pipe": bool(parameters.get("StreamLanes", 0)),
        "slices": parameters.get("Slices", 1) > 1,
        "onto": parameters["Groups"] > 2,
    }


def built(parameters: Parameters) -> dict[str, Any]:
    """Operations that do not always end with RANGE or ILLEGAL."""
    has = features(parameters)
    found = {}
    for name, op in ISA["op"].items():
        slots = any(op.get(field) in ("slot", "slots") for field in ("dst", "a", "b"))
        given = op.get("needs", {}).get("any", [])
        needed = [given] if isinstance(given, str) else given
        stream = name == "STREAM" and not (has["slots"] or has["factor"])
        if all(has[what] for what in needed) and (not slots or has["slots"]) and not stream:
            found[name] = op
    return found


# ---- tags --------------------------------------------------------------------------------------------------------------
def sources(op: Any) -> list[tuple[str, str]]:
    """Operands with tags that are read: (field, kind)."""
    fields = (*(["dst"] if op.get("reads_dst") else []), "a", "b")
    return [(field, op[field]) for field in fields if op.get(field) in ("group", "slot")]


def _members(name: str) -> Tags:
    return frozenset(ISA["class"][name]["tags"]) if name in ISA["class"] else frozenset([name])


def _facts(parameters: Parameters) -> dict[str, bool]:
    """Those that are always so, or never. Of a sealed core no product is public: rs_core_control."""
    has = features(parameters)
    fixed = {"encode": has["encode"], "slots": has["slots"]}
    return fixed | (dict.fromkeys(("encrypts", "decrypts"), False) if has["sealed"] else {})


def made(rows: Sequence[Any], tags: Mapping[str, str], facts: Mapping[str, bool]) -> set[str]:
    """The tags that a rule can give. Facts that are not fixed can be either."""
    found = set()
    for row in rows:
        if any(tags.get(name) not in _members(row[name]) for name in ("dst", "slot", "term", "a", "b") if name in row):
            continue
        said = [(name.lstrip("!"), not name.startswith("!")) for name in row.get("if", [])]
        if any(facts.get(name, value) != value for name, value in said):
            continue
        tag = row["tag"]
        if tag in ISA["rule"]:
            found |= made(ISA["rule"][tag]["rows"], tags, facts)
        else:
            found.add(tags.get(tag, tag))
        if all(name in facts for name, _ in said):
            break
    return found


def reachable(parameters: Parameters) -> dict[str, Tags]:
    """Tags that groups and slots can have: those that some operation makes of such."""
    has, facts = features(parameters), _facts(parameters)
    tags: dict[str, set[str]] = {"group": {"EMPTY"}, "slot": {"EMPTY"}}
    before = None
    while before != (before := {kind: set(one) for kind, one in tags.items()}):
        for op in built(parameters).values():
            kind = op.get("dst")
            if "tag" not in op or kind not in tags:
                continue
            operands = {field: sorted(before[of] - {"EMPTY"}) for field, of in sources(op)}
            for values in product(*operands.values()):
                own = dict(zip(operands, values, strict=True))
                terms = {own.get("a", "")}
                if "term" in op and op["term"] in ISA["term"]:
                    terms = made(ISA["term"][op["term"]]["rows"], own, facts)
                for term in terms:
                    named = own | {"term": term, "slot": own.get("a", "")}
                    new = made(ISA["rule"][op["tag"]]["rows"], named, facts)
                    if kind == "group" and has["slices"]:
                        for old in before["group"] - {"EMPTY"}:
                            for one in set(new):
                                new |= made(ISA["rule"]["mixed"]["rows"], {"dst": old, "term": one}, facts)
                    tags[kind] |= new
        if has["sealed"]:
            tags["group"].add("SECRET")  # a DRAW of a secret seed
    return {kind: frozenset(one) for kind, one in tags.items()}


def _allows(op: Any, tags: Mapping[str, str]) -> bool:
    rule = ISA["allow"].get(op.get("allow", ""), {})
    return all(tags[field] in _members(rule[field]) for field in tags if field in rule)


def _tags(parameters: Parameters) -> Iterator[Cross]:
    """All tags that can be in each two sources. What is EMPTY, or not allowed, is refused, all else accepted; of a sealed core the vault takes a
    STOREF of anything, too."""
    has, kinds = features(parameters), reachable(parameters)
    for name, op in built(parameters).items():
        fields = sources(op)
        pairs: list[tuple[tuple[str, str], ...]] = list(combinations(fields, 2)) or [tuple(fields)] * bool(fields)
        for pair in pairs:
            for values in product(*(sorted(kinds[kind]) for _, kind in pair)):
                named = dict(zip((field for field, _ in pair), values, strict=True))
                cross = ("tags", name, *(f"{field} {tag}" for field, tag in named.items()))
                accepted = "EMPTY" not in values and _allows(op, named)
                yield (*cross, "accepted" if accepted else "refused")
                if has["sealed"] and name == "STOREF" and not accepted and "EMPTY" not in values:
                    yield (*cross, "accepted")


# ---- the seal ----------------------------------------------------------------------------------------------------------
def _seal(parameters: Parameters) -> Iterator[Cross]:
    """Everything that a digest of a sealed core can be, wherever. What the key, a LOADD of secrets and the end of a program make of a digest they make of
    both of its pair, so of these three no two stand side by side."""
    if not features(parameters)["sealed"]:
        return
    for digest in DIGESTS:
        yield from (("seal", "HASH", digest, place) for place in PLACES)
        beside = [other for other in DIGESTS if other == digest or not {digest, other} <= IN_PAIRS]
        yield from (("seal", "STORED", digest, other) for other in beside)
        yield from (("seal", "STORED", digest, place) for place in PLACES)
        yield from (("seal", "DRAW", digest, time) for time in ("steady", "as long as it takes"))
        yield from (("seal", "choice", digest, field) for field in ("key", "given", "made", "refusal"))
    for place in PLACES:
        yield from (("seal", name, place) for name in ("LOADD", "STORED", "STOREF"))
        yield from (("seal", "LOADF", place, how) for how in ("secret", "public"))
    yield from (("seal", name, f"step {step}") for name in ("HASH", "STOREF", "choice") for step in STEPS)


def _field(word: int, name: str) -> int:
    high, low = map(int, ISA["field"][name]["bits"])
    return word >> low & (1 << high - low + 1) - 1


def _of_seal(word: int, digests: int, step: int) -> Iterator[Cross]:
    name = OPS[_field(word, "op")][0]
    sealed = ISA["sealed"]

    def digest(number: int) -> str:
        return DIGESTS[digests >> 4 * (number & 7) & 15]

    place = (
        PLACES[1 + (_field(word, "near") >> 6 & 3)] if _field(word, "pointer") == sealed["vault_pointer"] else PLACES[0]
    )
    kind, a = _field(word, "hash"), _field(word, "a")
    if name == "HASH" and kind == sealed["hash_choice"]:
        operands = {
            "key": _field(word, "dst"),
            "given": a,
            "made": _field(word, "pointer"),
            "refusal": _field(word, "halves"),
        }
        yield from (("seal", "choice", digest(number), field) for field, number in operands.items())
        yield ("seal", "choice", f"step {STEPS[step]}")
    elif name == "HASH" and kind != sealed["hash_key"]:
        if kind >= sealed["hash_prefix"] or _field(word, "append"):
            yield ("seal", "HASH", digest(a), place)
        yield ("seal", "HASH", f"step {STEPS[step]}")
    elif name == "STORED":
        yield ("seal", "STORED", digest(a), digest(a + 1))
        yield from (("seal", "STORED", digest(number), place) for number in (a, a + 1))
        yield ("seal", "STORED", place)
    elif name == "DRAW":
        draw = _field(word, "draw")
        steady = draw >= 8 and draw & 7 not in (3, 4)
        yield ("seal", "DRAW", digest(_field(word, "seed_digest")), "steady" if steady else "as long as it takes")
    elif name == "LOADF":
        yield ("seal", "LOADF", place, "secret" if _field(word, "secret") else "public")
    elif name in ("LOADD", "STOREF"):
        yield ("seal", name, place)
        if name == "STOREF":
            yield ("seal", name, f"step {STEPS[step]}")


# ---- faults ------------------------------------------------------------------------------------------------------------
def _faults(parameters: Parameters) -> Iterator[Cross]:
    """For each unit what the checks of one of its operations find, what the unit itself reports, and what ends it. LOG_N and PROGRAM are of no unit."""
    has = features(parameters)
    for name, op in built(parameters).items():
        if "unit" not in op:
            continue
        uses = op.get("uses", [])
        reads = bool(sources(op)) or "ctx" in uses
        causes = {"ILLEGAL", "RANGE", "WATCHDOG", "ABORTED", *op.get("raises", [])}
        causes |= {"WIDE"} if "wide" in uses and parameters["W"] > 32 else set()
        causes |= {"ALIGN"} if "pointer" in uses else set()
        causes |= {"EMPTY"} if reads or name == "STORED" else set()
        causes |= {"CONTEXT"} if op.get("ctx_is") or (has["encode"] and "ctx" in uses) else set()
        causes |= (
            {"SECRET"}
            if "allow" in op or (has["sealed"] and has["fields"] and op.get("needs") == {"any": "fields"})
            else set()
        )
        yield from (("faults", cause, op["unit"]) for cause in sorted(causes))


# ---- all ---------------------------------------------------------------------------------------------------------------
def units(parameters: Parameters) -> list[str]:
    return [unit for unit in UNITS if any(op.get("unit") == unit for op in built(parameters).values())]


def _stops(parameters: Parameters) -> Iterator[Cross]:
    """Units that are not on the bus do not wait for memory."""
    for stop, unit in product(STOPS, units(parameters)):
        does = ("is idle", "runs", "drains", *(["waits for memory"] if unit in ON_BUS else []))
        yield from (("stops", stop, unit, what) for what in does)


def _slaves(parameters: Parameters) -> Iterator[Cross]:
    """A slave that takes whatever comes first is one of these in each burst."""
    there = units(parameters)
    for unit in (unit for unit in ON_BUS if unit in there):
        yield from (("slaves", unit, "writes", order) for order in ORDERS if unit != "LOAD")
        yield from (("slaves", unit, "reads", how) for how in ("at once", "address waits") if unit != "STORE")


def expected(parameters: Parameters) -> set[Cross]:
    parts = (_tags, _seal, _faults, _stops, _slaves)
    return {cross for part in parts for cross in part(parameters)}


def _of_tags(op: int, dst: int, a: int, b: int, dst_slot: int, a_slot: int, verdict: int) -> Iterator[Cross]:
    outcome = {0: "accepted", FAULTS.index("EMPTY"): "refused", FAULTS.index("SECRET"): "refused"}.get(verdict)
    if outcome is None or op not in OPS:
        return
    name, what = OPS[op]
    tags = {
        ("dst", "group"): dst, ("a", "group"): a, ("b", "group"): b, ("dst", "slot"): dst_slot, ("a", "slot"): a_slot,
    }  # fmt: skip
    fields = [f"{field} {TAGS[tags[field, kind]]}" for field, kind in sources(what)]
    for pair in combinations(fields, 2) if len(fields) > 1 else [tuple(fields)]:
        yield ("tags", name, *pair, outcome)


def _of_fault(fault: int, failed: int, busy: int, unit: int) -> Iterator[Cross]:
    name = FAULTS[fault]
    if name in ("WATCHDOG", "ABORTED"):
        yield from (("faults", name, UNITS[u]) for u in range(len(UNITS)) if busy >> u & 1)
    elif failed:
        yield ("faults", name, UNITS[(failed & -failed).bit_length() - 1])
    elif unit < len(UNITS):
        yield ("faults", name, UNITS[unit])


def _of_stop(stop: int, busy: int, active: int, draining: int) -> Iterator[Cross]:
    for u, unit in enumerate(UNITS):
        moves = bool(active >> u & 1) or unit not in ON_BUS
        runs = "drains" if draining else "runs" if moves else "waits for memory"
        yield ("stops", STOPS[stop], unit, runs if busy >> u & 1 else "is idle")


def _of_bus(parameters: Parameters, who: int, how: int, *, writes: bool) -> Iterator[Cross]:
    """who: the upper bits of an ID: rs_core_bus, rs_core_fields."""
    unit = {2: "SPONGE", 3: "PACK"}.get(who, "STORE" if writes else "LOAD")
    names = ORDERS if writes else ("at once", "address waits")
    yield ("slaves", unit, "writes" if writes else "reads", names[how])


def seen(parameters: Parameters, lines: Iterable[str]) -> set[Cross]:
    """The crosses of lines that are of a core with these parameters."""
    found: set[Cross] = set()
    for line in {line for line in lines if line.split(" ", 2)[1:2] == [key(parameters)]}:
        kind, _, *words = line.split()
        numbers = [int(word) for word in words]
        if kind == "T":
            found.update(_of_tags(*numbers))
        elif kind == "S" and numbers[-1] in (0, FAULTS.index("EMPTY"), FAULTS.index("SECRET")):
            found.update(_of_seal(*numbers[:-1]))
        elif kind == "F":
            found.update(_of_fault(*numbers))
        elif kind == "A":
            found.update(_of_stop(*numbers))
        elif kind in "RW":
            found.update(_of_bus(parameters, *numbers, writes=kind == "W"))
    return found
