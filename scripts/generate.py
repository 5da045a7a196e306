# SPDX-License-Identifier: Apache-2.0
"""Write the files that are made from the sources which hardware, library and manual share.

    build/venv/bin/python scripts/generate.py [--check]

hw/sequencer/isa.toml   instructions: rs_isa_pkg.sv, isa.h, tables of instruction.c, values of instruction.h, table.h of times, model_tags.h,
                        docs/instructions.md
hw/core/regs.rdl        registers: rs_regs.sv and rs_regs_pkg.sv (by PeakRDL), regs.h, docs/registers.md
hw/core/ring.rdl        registers of the ring of descriptors: rs_ring_pkg.sv, and their lines of regs.h and docs/registers.md
py/ringside/designs     fields of a design, rules between them: docs/designs.md, parameters of rs_core, rs_core_pkg and rs_core_shell
hw/core/core.f          the core for other projects: Bender.yml, hw/ringside.core, with the supported of designs/
pyproject.toml          version, address, licence: codemeta.json, lines of CITATION.cff and of the conda recipe
scripts/pictures        the rooms of library and package: docs/architecture.svg
                        where data flow in the core: docs/datapath.svg
"""

import sys
import tomllib

from common import ROOT, finish, say
from generating.hardware import from_lists
from generating.instructions import ISA
from generating.isa import from_isa
from generating.metadata import from_project
from generating.parameters import from_designs
from generating.registers import from_registers
from pictures import architecture, datapath


def main() -> int:
    isa = tomllib.loads(ISA.read_text(encoding="utf-8"))
    pictures = {"architecture": architecture.picture(), "datapath": datapath.picture(isa["unit"])}
    files = (
        from_isa(isa)
        | from_registers()
        | from_designs()
        | from_lists()
        | from_project()
        | {ROOT / "docs" / f"{name}.svg": text for name, text in pictures.items()}
    )
    stale = [path for path, text in files.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            say(f"  {path.relative_to(ROOT)}: not what scripts/generate.py makes of its source")
        return int(bool(stale))
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
        say(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    finish(main)
