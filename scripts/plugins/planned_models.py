# SPDX-License-Identifier: Apache-2.0
"""Models for `make coverage`, and the forms of the modules of supported designs.

    planned_models.py FOLDER

writes for each of SUPPORTED FOLDER/<design>.design: all points of its model, of each form of a module (verilator_counts), and those which synthesis finds
constant (constant_bits), and FOLDER/<design>.parameters.
"""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from ringside import designs
from ringside.sim import core, verilate

TB = Path(__file__).resolve().parents[2] / "hw" / "core" / "tb"
SUPPORTED = ("rise-4", "aloha-he", "pqc-4", "pqc-4s")
MEMORIES = TB / "memories.vlt"  # what tests look at
PLANS = {"rs_sequencer": "rs_plan_sequencer", "rs_core": "rs_plan_core"}
SEALED = "rs_plan_seal"


def planned(model: verilate.Model) -> verilate.Model:
    """With what writes the plan's lines. A core that nothing is added to has assertions, and memories that tests can look at."""
    names = {path.stem for path in model.sources}
    plans = [plan for module, plan in PLANS.items() if module in names]
    plans += [SEALED] if plans and model.parameters.get("Sealed") else []
    sources = [*model.sources, *(TB / f"{plan}.sv" for plan in plans)]
    if model.top == core.CORE_TOP and not any(path.suffix == ".vlt" for path in sources):
        return replace(model, sources=[MEMORIES, *sources], assertions=True)
    return replace(model, sources=sources)


def plan() -> None:
    """From now on models are built so."""
    build = verilate.build_model

    def build_model(model, *arguments, **named):  # type: ignore[no-untyped-def]
        return build(planned(model), *arguments, **named)

    verilate.build_model = core.build_model = build_model


def main() -> None:
    from constant_bits import constant_bits, netlist
    from verilator_counts import Pile, forms_of, save_forms

    folder = Path(sys.argv[1])
    plan()
    for name in SUPPORTED:
        (folder / f"{name}.parameters").write_text(json.dumps(dict(designs.load(name).parameters)), encoding="utf-8")
        if (folder / f"{name}.design").exists():
            continue
        own = folder / name
        own.mkdir(exist_ok=True)
        os.environ["RINGSIDE_COVERAGE"] = str(own)
        core.Core(core.library(designs.load(name))).close()
        pile = Pile()
        pile.take(own)
        (piled,) = pile.models.values()
        constant = constant_bits(piled, netlist(designs.load(name).parameters), core.CORE_TOP)
        (folder / f"{name}.constants").write_text(json.dumps(constant), encoding="utf-8")
        save_forms(folder / f"{name}.design", forms_of(piled))


if __name__ == "__main__":
    main()
