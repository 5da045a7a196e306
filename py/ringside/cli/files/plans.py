# SPDX-License-Identifier: Apache-2.0
"""`ringside plan-keys`."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ...drawing import COLOURS, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Shape
from ...errors import InputError, UsageError
from ...native.files import read_file
from ...objects.common.params import CKKS, Parameters
from ...objects.key_plan import CONJUGATION, SWITCHES, Candidate, Costs, Planner, Rotations, plan_of, program_of
from ..common import options as opt
from ..common.output import counted, note, print_json, print_table, size_text
from ..common.places import PICTURES, output
from .keygen import chosen_parameters

WIDTH, HEIGHT, LEFT, FOOT, TOP = 640, 360, 70, 46, 34  # sizes of the picture
ROTATIONS_SHOWN = 12


def _read_program(path: Path) -> Iterator[tuple[int, int]]:
    """Steps and how often, of a CSV file with a column steps, and perhaps count. InputError with the line."""
    text = read_file(path).decode("utf-8-sig", errors="replace")
    reader = csv.DictReader(text.splitlines(), skipinitialspace=True)
    for row in reader:
        try:
            yield int(row["steps"]), int(row.get("count") or 1)
        except (KeyError, TypeError, ValueError):
            message = f"{path}, line {reader.line_num}: no steps of a rotation, or no count."
            hint = "The first line is `steps,count`; each further one a rotation and how often a run does it, as 8,3."
            raise InputError("KEY_PLAN", message, hint) from None


def _program(rotations: Any, file: Path | None, slots: int) -> Rotations:
    if (rotations is None) == (file is None) or rotations == "pow2":
        message = "Give the rotations of the program by --rotations or --program."
        raise UsageError("USAGE", message, "For example --rotations 1,2,4,8.")
    return program_of(_read_program(file) if file is not None else ((steps, 1) for steps in rotations), slots)


def _sum(path: Sequence[int]) -> str:
    return " + ".join(str(step) if step >= 0 else f"({step})" for step in path)


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
        Label(LEFT, HEIGHT - 12, "bytes of the keys", SOFT), Label(LEFT, TOP - 6, "transforms of a run", SOFT, "end"),
    ]  # fmt: skip
    for one in found:
        x, y, colour = across(one.bytes), up(one.transforms), COLOURS[1 if one is chosen else 0]
        shapes += [
            Dot(x, y, colour, f"{one.name}: {counted(len(one.keys), 'key')}", -1, PAPER),
            Label(x + 8, y, one.name, bold=one is chosen),
        ]
    return Drawing(shapes, WIDTH, HEIGHT, title)


_Params = Annotated[
    str,
    typer.Option(
        "--params",
        metavar="SET",
        help="A named parameter set, or a file of parameters.",
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
    Path | None, typer.Option("--program", metavar="FILE", help="The same as a CSV file, with columns steps and count.")
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
    params: _Params,
    rotations: _Rotations = None,
    program: _Program = None,
    level: _Level = None,
    runs: _Runs = 1000,
    switches: _Switches = SWITCHES,
    choose: _Choose = None,
    out: _Out = None,
    picture: _Picture = None,
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Choose the rotation keys for a program on a server of SEAL: few keys whose sums are its rotations.

    A rotation by 96 may be one by 64 and one by 32: fewer keys to upload, more work for the server. Costs are bytes of seeded
    key files, uncompressed, and a server's work in transforms of N points. The file of a plan has a path of keys for each
    rotation.

    The keys are then made by `ringside keygen --params SET --plan PLAN --out DIR`.

    Example: ringside plan-keys --params eval-13 --rotations 1,2,4,8,16,32 --level 1 --out plan.json
    """
    chosen, _ = chosen_parameters(params, None, None, None, 0)
    if chosen.special_prime is None:
        raise InputError(
            "RS_ERR_NO_SPECIAL",
            "Parameters with one modulus have no rotation keys.",
            "Take a set with two moduli or more.",
        )
    limbs = chosen.limbs_at(level)
    wanted = _program(rotations, program, chosen.n // 2)
    planner = Planner(Costs(chosen.n, limbs), wanted, switches=switches, runs=runs)
    usual = planner.usual(Costs(chosen.n, chosen.data_limbs))
    found = planner.candidates()
    by_name = {one.name: one for one in reversed(found)}
    if choose is not None and choose not in by_name:
        raise UsageError(
            "USAGE", f"There is no choice {choose!r}.", f"There are: {', '.join(one.name for one in found)}."
        )
    best = found[0] if choose is None else by_name[choose]
    title = f"{params}: {counted(len(wanted), 'rotation')}, level {limbs - 1}"
    if picture is not None:
        with output(picture, force=force, suffixes=PICTURES) as write:
            write(draw([usual, *found], best, title).content(picture))
    if out is not None:
        with output(out, force=force) as write:
            write(plan_of(chosen, limbs - 1, best).text().encode())
    errors = {one.name: _error(chosen, limbs - 1, one) for one in (usual, *found)}
    if json:
        choices = [
            {"name": one.name, "keys": one.keys, "bytes": one.bytes, "transforms": one.transforms, "longest": one.longest, "error_log2": errors[one.name], "paths": one.paths}
            for one in (usual, *found)
        ]  # fmt: skip
        print_json({"level": limbs - 1, "chosen": best.name, "choices": choices})
        return
    rows = [
        [one.name, str(len(one.keys)), size_text(one.bytes), f"{one.transforms:,.0f}", str(one.longest), _power(errors[one.name])]
        for one in (usual, *found)
    ]  # fmt: skip
    print_table(["keys", "number", "bytes", "transforms", "longest", "worst error"], rows, title, spare=["longest"])
    print(f"\n{best.name}: {', '.join('conjugation' if key == CONJUGATION else str(key) for key in best.keys)}")
    sums = [f"{steps} = {_sum(path)}" for steps, path in best.paths.items() if len(path) > 1]
    if sums:
        more = f" and {len(sums) - ROTATIONS_SHOWN} more" if len(sums) > ROTATIONS_SHOWN else ""
        print(f"rotations by several: {'; '.join(sums[:ROTATIONS_SHOWN])}{more}")
    if out is None:
        note("--out plan.json keeps the choice for `ringside keygen --plan`.")


def _error(params: Parameters, level: int, one: Candidate) -> float | None:
    """log2 of what the worst slot of the longest rotation is off by; None: integers are exact."""
    error = params.rotation_error(level=level) if params.scheme == CKKS else None
    return None if error is None else math.log2(error * math.sqrt(one.longest))


def _power(log2: float | None) -> str:
    return "-" if log2 is None else f"2^{log2:.1f}"
