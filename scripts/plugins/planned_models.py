# SPDX-License-Identifier: Apache-2.0
"""Models for `make coverage`, and the forms of the modules of supported designs.

    planned_models.py FOLDER

writes for each supported design FOLDER/<design>.design: all points of its model, of each form of a module (verilator_counts); .dead: those that cannot be
reached, because Verilator leaves no statement in the model that counts them; .constants: bits that synthesis finds constant (constant_bits); .parameters.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from constant_bits import constant_bits, netlist
from verilator_counts import Pile, Piled, forms_and_pages, forms_of, save_forms

from ringside import designs
from ringside.sim import core, verilate
from ringside.sim.sources import CORE_TOP

TB = Path(__file__).resolve().parents[2] / "hw" / "core" / "tb"
MEMORIES = TB / "memories.vlt"  # what tests look at
PLANS = {"rs_sequencer": "rs_plan_sequencer", "rs_core": "rs_plan_core"}
SEALED = "rs_plan_seal"


def planned(model: verilate.Model) -> verilate.Model:
    """With what writes the plan's lines, but where a test compares all signals. A core that nothing is added to has assertions, and memories that tests
    can look at."""
    names = {path.stem for path in model.sources}
    if any(path.suffix == ".vlt" and path.name != MEMORIES.name for path in model.sources):
        return model
    plans = [plan for module, plan in PLANS.items() if module in names]
    plans += [SEALED] if plans and model.parameters.get("Sealed") else []
    sources = [*model.sources, *(TB / "plan" / f"{plan}.sv" for plan in plans)]
    if model.top == CORE_TOP and not any(path.suffix == ".vlt" for path in sources):
        return replace(model, sources=[MEMORIES, *sources], assertions=True)
    return replace(model, sources=sources)


def plan() -> None:
    """From now on models are built so."""
    build = verilate.build_model

    def build_model(model, *arguments, **named):  # type: ignore[no-untyped-def]
        return build(planned(model), *arguments, **named)

    for module in (verilate, core):
        module.build_model = build_model  # type: ignore[attr-defined]


# where Verilator's C++ declares a point: its counter, line, column, kind and module, what it is; and where it is counted
DECLARED = re.compile(
    r'__vlCoverInsert\(&\(vlSymsp->__Vcoverage\[(\d+)\]\), \w+, "[^"]*", (\d+), (\d+), "[^"]*", "v_(\w+)/([^"]*)", "([^"]*)"'
)
COUNTED = re.compile(r"__Vcoverage\[(\d+)\]")
Place = tuple[int, int, str, str]  # line, column, kind, what


def never_counted(model: verilate.Model) -> dict[str, set[Place]]:
    """For each module with its parameters the arms whose condition is constant: no instance has a statement that counts them."""
    root = verilate.verilator_root()
    declared: dict[int, tuple[str, Place]] = {}
    counted: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        command: list[str | Path] = [root / "bin" / "verilator_bin", *model.options, "-Mdir", folder, *model.sources]
        verilate.run_tool(command, os.environ | {"VERILATOR_ROOT": str(root)})
        for path in sorted(Path(folder).glob("*.cpp")):
            for line in path.read_text(encoding="utf-8").splitlines():
                if found := DECLARED.search(line):
                    counter, number, column, kind, page, what = found.groups()
                    declared[int(counter)] = page, (int(number), int(column), kind, what)
                else:
                    counted.update(map(int, COUNTED.findall(line)))
    alive = {point for counter, point in declared.items() if counter in counted}
    dead: defaultdict[str, set[Place]] = defaultdict(set)
    for page, place in set(declared.values()) - alive:
        dead[page].add(place)
    return dead


def points_of(name: str, folder: Path) -> Piled:
    """All points of a design's model."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    os.environ["RINGSIDE_COVERAGE"] = str(folder)
    core.Core(core.library(designs.load(name))).close()
    pile = Pile()
    pile.take(folder)
    (piled,) = pile.models.values()
    return piled


def main() -> None:
    folder = Path(sys.argv[1])
    plan()
    opened: dict[str, Piled] = {}
    for name in designs.supported():
        parameters = dict(designs.load(name).parameters)
        (folder / f"{name}.parameters").write_text(json.dumps(parameters), encoding="utf-8")
        if not all((folder / f"{name}.{kind}").exists() for kind in ("design", "dead", "constants")):
            opened[name] = points_of(name, folder / name)
            save_forms(folder / f"{name}.design", forms_of(opened[name]))
    for name, piled in opened.items():
        dead = never_counted(planned(core.model(designs.load(name))))
        found = {
            form: sorted(set.intersection(*(dead[page] for page in pages)))
            for form, pages in forms_and_pages(piled).items()
        }
        (folder / f"{name}.dead").write_text(json.dumps(found), encoding="utf-8")
        constant = constant_bits(piled, netlist(designs.load(name).parameters), CORE_TOP)
        (folder / f"{name}.constants").write_text(json.dumps(constant), encoding="utf-8")


if __name__ == "__main__":
    main()
