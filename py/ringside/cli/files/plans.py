# SPDX-License-Identifier: Apache-2.0
"""`ringside plan-keys`."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ...drawing import COLOURS, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Shape
from ...errors import InputError, MismatchError, ParameterError, UsageError
from ...exchange.directory import galois_keys_in, is_parameters, library_of_file, read_parameters_of
from ...native.files import read_file
from ...objects.common.evaluation_keys import OTHER_GENERATOR, SEAL_GENERATOR, galois_elements
from ...objects.common.params import Parameters
from ...objects.key_plan import (
    CONJUGATION,
    SWITCHES,
    Candidate,
    Costs,
    Groups,
    KeyPlan,
    Planner,
    Target,
    error_of,
    plan_of,
    program_of,
    upper_ring,
)
from ...objects.keydir import context_for
from ..common import options as opt
from ..common.output import counted, note, print_json, print_table, size_text
from ..common.places import PICTURES, output
from .keygen import Bits, chosen_parameters

WIDTH, HEIGHT, LEFT, FOOT, TOP = 640, 360, 70, 46, 52  # sizes of the picture
LETTER = 7, 13  # and of a letter with its space
ROTATIONS_SHOWN = 12


def _read_program(path: Path) -> Iterator[tuple[int, int, str]]:
    """Steps, how often, and group, of a CSV file with a column steps, and perhaps count and group. InputError with the line."""
    text = read_file(path).decode("utf-8-sig", errors="replace")
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True)
    for row in reader:
        try:
            yield int(row["steps"]), int(row.get("count") or 1), (row.get("group") or "").strip()
        except (KeyError, TypeError, ValueError):
            message = f"{path}, line {reader.line_num}: no steps of a rotation, or no count."
            hint = "The first line is `steps,count,group`; each further one a rotation, how often a run does it, and of which ciphertext, as 8,3,a."
            raise InputError("KEY_PLAN", message, hint) from None


def _program(rotations: Any, file: Path | None, slots: int, *, hoisted: bool) -> Groups:
    if (rotations is None) == (file is None) or rotations == "pow2":
        message = "Give the rotations of the program by --rotations or --program."
        raise UsageError("USAGE", message, "For example --rotations 1,2,4,8.")
    group = "all" * hoisted
    return program_of(_read_program(file) if file is not None else ((steps, 1, group) for steps in rotations), slots)


def check_keys(path: Path, folder: Path, *, json: bool) -> None:
    """MismatchError: a key of the plan is not there, or not one of the plan's ring."""
    plan = KeyPlan.of_text(read_file(path), str(path))
    params, found = galois_keys_in(folder, plan.parms_id)
    plan.check(params)
    ring, tables = plan.ring(params), context_for(params)
    seal, other = (
        {steps: galois_elements(tables, [steps], generator)[0] for steps in plan.sent}
        for generator in (SEAL_GENERATOR, OTHER_GENERATOR)
    )
    wanted, others = (seal, other) if plan.target == "seal" else (other, seal)
    missing = [steps for steps, element in wanted.items() if element not in found]
    hint = f"`ringside keygen --plan {path} --out DIR` makes the keys of this plan."
    if missing:
        names = ", ".join("conjugation" if steps == CONJUGATION else str(steps) for steps in missing[:ROTATIONS_SHOWN])
        message = f"{folder} lacks {len(missing)} of {counted(len(wanted), 'key')} of the plan: {names}."
        if set(others.values()) <= {*found}:
            message = f"The keys in {folder} rotate in another library's order of slots, not in that of {plan.target}."
        raise MismatchError("KEY_PLAN", message, hint)
    if wrong := [steps for steps, element in wanted.items() if found[element] != ring]:
        level = found[wanted[wrong[0]]].max_level
        message = f"The key for {wrong[0]} in {folder} is of level {level} or of other primes, and the plan of level {plan.level}."
        raise MismatchError("KEY_PLAN", message, hint)
    if json:
        print_json({"keys": len(wanted), "rotations": len(plan.paths), "level": plan.level})
        return
    print(f"{counted(len(wanted), 'key')} of level {plan.level}: all {counted(len(plan.paths), 'rotation')} of {path}")


def _sum(path: Sequence[int]) -> str:
    return " + ".join(str(step) if step >= 0 else f"({step})" for step in path)


def _free(taken: list[tuple[float, float]], x: float, y: float, name: str) -> float:
    """The height of a name, below those that stand in its way."""
    while any(x < end and abs(y - height) < LETTER[1] for end, height in taken):
        y += LETTER[1]
    taken.append((x + LETTER[0] * len(name), y))
    return y


def draw(found: Sequence[Candidate], chosen: Candidate, title: str) -> Drawing:
    """Bytes of the keys across, a server's work up, both from one power of ten to another."""

    def axis(values: Sequence[float], start: float, end: float) -> tuple[Any, list[float]]:
        low, high = math.floor(math.log10(min(values))), math.floor(math.log10(max(values))) + 1
        return (
            lambda value: start + (end - start) * (math.log10(value) - low) / (high - low),
            [10.0**power for power in range(low, high + 1)],
        )  # fmt: skip

    across, bytes_marked = axis([one.bytes for one in found], LEFT, WIDTH - 110)
    up, work_marked = axis([one.transforms for one in found], HEIGHT - FOOT, TOP)
    shapes: list[Shape] = [Box(0, 0, WIDTH, HEIGHT, PAPER), Label(10, 16, title, bold=True)]
    for mark in bytes_marked:
        shapes += [
            Box(across(mark), TOP, 1, HEIGHT - FOOT - TOP, LINE),
            Label(across(mark), HEIGHT - FOOT + 14, size_text(round(mark)), SOFT, "middle"),
        ]
    for mark in work_marked:
        shapes += [
            Box(LEFT, up(mark), WIDTH - 110 - LEFT, 1, LINE),
            Label(LEFT - 6, up(mark), f"{mark:,.0f}", SOFT, "end"),
        ]
    shapes += [
        Label(LEFT, HEIGHT - 12, "bytes of the keys", SOFT), Label(10, TOP - 14, "transforms of a run", SOFT),
    ]  # fmt: skip
    taken: list[tuple[float, float]] = []  # ends of names, and their heights
    for one in sorted(found, key=lambda one: (one.bytes, -one.transforms)):
        x, y, colour = across(one.bytes), up(one.transforms), COLOURS[1 if one is chosen else 0]
        shapes += [
            Dot(x, y, colour, f"{one.name}: {counted(len(one.sent), 'key')}", -1, PAPER),
            Label(x + 8, _free(taken, x + 8, y, one.name), one.name, bold=one is chosen),
        ]
    return Drawing(shapes, WIDTH, HEIGHT, title)


_Keys = Annotated[
    Path | None, typer.Argument(metavar="[KEYS]", help="Directory of keys that --check looks at, for SEAL or Lattigo.")
]
_Check = Annotated[
    Path | None,
    typer.Option("--check", metavar="PLAN", help="Check that each rotation of this plan is a sum of keys in KEYS."),
]
_Params = Annotated[
    str | None,
    typer.Option(
        "--params",
        metavar="SET",
        help="A named parameter set, or a file of parameters, SEAL's or Lattigo's.",
        autocompletion=opt.named_parameters,
    ),
]
_Rotations = Annotated[
    Any,
    typer.Option(
        "--rotations",
        metavar="STEPS",
        parser=opt.parse_rotations,
        help="The steps of each rotation of a run, such as 1,2,4 (0: conjugation; in BFV and BGV the rows change places).",
    ),
]
_Program = Annotated[
    Path | None,
    typer.Option(
        "--program",
        metavar="FILE",
        help="The same as a CSV file, with columns steps, count, and group: a name for the ciphertext that is rotated.",
    ),
]
_Target = Annotated[
    Target, typer.Option("--target", help="Library of the server: it tells the order of slots, and what keys cost.")
]
_Hoisted = Annotated[
    bool,
    typer.Option(
        "--hoisted",
        help="The server decomposes a ciphertext once for all its rotations: those of a group, or all of --rotations.",
    ),
]
_TwoLevels = Annotated[
    bool, typer.Option("--two-levels", help="Plan keys, too, from which the server derives those for the rotations.")
]
_Level = Annotated[
    int | None,
    typer.Option(
        "--level",
        help="Level at which the program rotates; its keys are smaller below the highest. Default: the highest.",
    ),
]
_Runs = Annotated[
    int,
    typer.Option(
        "--runs",
        min=1,
        help="Runs of the program in the life of the keys: the more, the less a server's work counts beside the bytes.",
    ),
]
_Switches = Annotated[int, typer.Option("--switches", min=1, max=16, help="Keys that one rotation may take.")]
_Choose = Annotated[
    str | None,
    typer.Option("--choose", metavar="NAME", help="Take this one of the choices. Default: the cheapest by --runs."),
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="PLAN", help="Write the choice for `ringside keygen --plan`, and for the server."),
]
_Picture = Annotated[
    Path | None, typer.Option("--picture", metavar="FILE", help="Draw bytes and work of all choices, as .svg or .png.")
]


def plan_keys(
    keys: _Keys = None,
    params: _Params = None,
    bits: Bits = None,
    rotations: _Rotations = None,
    program: _Program = None,
    level: _Level = None,
    target: _Target = "seal",
    runs: _Runs = 1000,
    switches: _Switches = SWITCHES,
    hoisted: _Hoisted = False,
    two_levels: _TwoLevels = False,
    choose: _Choose = None,
    out: _Out = None,
    picture: _Picture = None,
    check: _Check = None,
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Choose the rotation keys for a program on a server of SEAL or Lattigo: few keys whose sums are its rotations.

    A rotation by 96 may be one by 64 and one by 32: fewer keys to upload, more work for the server. Costs are bytes of key
    files, uncompressed (SEAL's are seeded), and a server's work in transforms of N points. The file of a plan has a path of
    keys for each rotation; rotations of one ciphertext share the beginning of their paths.

    With --two-levels the client sends few keys over one more prime, and the server derives the others (docs/guide.md).

    The keys are then made by `ringside keygen --params SET --plan PLAN --out DIR`.

    Examples: ringside plan-keys --params eval-13 --rotations 1,2,4,8,16,32 --level 1 --out plan.json;
    ringside plan-keys --check plan.json keys
    """
    if check is not None and keys is not None:
        check_keys(check, keys, json=json)
        return
    if check is not None or keys is not None:
        message = "--check goes with a plan and a directory of keys."
        raise UsageError("USAGE", message, "For example `ringside plan-keys --check plan.json keys`.")
    if hoisted and target == "seal":
        message = "SEAL has no public call that decomposes a ciphertext once for several rotations."
        raise UsageError("USAGE", message, "Leave out --hoisted, or name another --target.")
    chosen, costs = _ring(params, bits, level, target)
    planner = Planner(
        costs, _program(rotations, program, chosen.n // 2, hoisted=hoisted), switches=switches, runs=runs, hoisted=hoisted
    )  # fmt: skip
    usual = planner.usual(replace(costs, limbs=chosen.data_limbs))
    found = planner.candidates(_derived(planner, chosen) if two_levels else ())
    by_name = {one.name: one for one in reversed(found)}
    if choose is not None and choose not in by_name:
        raise UsageError(
            "USAGE", f"There is no choice {choose!r}.", f"There are: {', '.join(one.name for one in found)}."
        )
    best = found[0] if choose is None else by_name[choose]
    title = (
        f"{params or chosen.name or 'own bits'}: {counted(len(planner.rotations), 'rotation')}, level {costs.limbs - 1}"
    )
    if picture is not None:
        with output(picture, force=force, suffixes=PICTURES) as write:
            write(draw([usual, *found], best, title).content(picture))
    if out is not None:
        with output(out, force=force) as write:
            write(plan_of(chosen, costs.limbs - 1, best, target).text().encode())
    _show(chosen, planner, [usual, *found], best, title, json=json)
    if out is None and not json:
        note("--out plan.json keeps the choice for `ringside keygen --plan`.")


def _ring(name: str | None, bits: Any, level: int | None, target: Target) -> tuple[Parameters, Costs]:
    """Parameters, and the costs at a level."""
    chosen, _ = chosen_parameters(name, bits, None, None, 0)
    special = 1
    if name is not None and is_parameters(name):
        if library_of_file(name) != target:
            message = f"{name} has parameters of another library than {target}."
            raise UsageError("USAGE", message, "--target lattigo plans for Lattigo's; there are no plans for OpenFHE.")
        special = len(read_parameters_of(read_file(Path(name))).p)
    if chosen.special_prime is None or not special:
        raise InputError(
            "RS_ERR_NO_SPECIAL",
            "Parameters with one modulus have no rotation keys.",
            "Take a set with two moduli or more.",
        )
    return chosen, Costs(chosen.n, chosen.limbs_at(level), special, target)


def _derived(planner: Planner, params: Parameters) -> list[Candidate]:
    """Those that rotate about as precisely as direct keys. ParameterError: none does."""
    level = planner.costs.limbs - 1
    if planner.costs.special > 1:
        message = "Keys are derived over one special prime, and these parameters have several."
        raise ParameterError("KEY_PLAN", message, "Leave out --two-levels.")
    found, refused = [], None
    for one in planner.derived(upper_ring(params.at_level(level), params.security)):
        try:
            error_of(params, level, one)
            found.append(one)
        except ParameterError as error:
            refused = error
    if refused is not None and not found:
        raise refused
    return found


def _show(
    params: Parameters, planner: Planner, found: Sequence[Candidate], best: Candidate, title: str, *, json: bool
) -> None:
    level = planner.costs.limbs - 1
    is_known = (
        planner.costs.special == 1
    )  # the parameters have one special prime, others of the server's are not theirs
    errors = [error_of(params, level, one) if is_known else None for one in found]
    powers = [None if error is None else math.log2(error) for error in errors]
    if json:
        choices = [
            {"name": one.name, "keys": one.sent, "bytes": one.bytes, "transforms": one.transforms, "once": one.once, "longest": one.longest, "error_log2": power, "paths": one.paths}
            for one, power in zip(found, powers, strict=True)
        ]  # fmt: skip
        print_json({"level": level, "chosen": best.name, "choices": choices})
        return
    rows = [
        [one.name, str(len(one.sent)), size_text(one.bytes), f"{one.transforms:,.0f}", f"{one.once:,.0f}" if one.once else "-", str(one.longest), _power(power)]
        for one, power in zip(found, powers, strict=True)
    ]  # fmt: skip
    columns = ["keys", "number", "bytes", "transforms", "once", "longest", "worst error"]
    print_table(columns, rows, title, spare=["longest", "once"])
    print(f"\n{best.name}: {', '.join('conjugation' if key == CONJUGATION else str(key) for key in best.sent)}")
    sums = [f"{steps} = {_sum(path)}" for steps, path in best.paths.items() if len(path) > 1]
    if sums:
        more = f" and {len(sums) - ROTATIONS_SHOWN} more" if len(sums) > ROTATIONS_SHOWN else ""
        print(f"rotations by several: {'; '.join(sums[:ROTATIONS_SHOWN])}{more}")


def _power(log2: float | None) -> str:
    return "-" if log2 is None else f"2^{log2:.1f}"
