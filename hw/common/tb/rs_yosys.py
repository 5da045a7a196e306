# SPDX-License-Identifier: Apache-2.0
"""Yosys for the hardware: elaboration of every module, proofs about pipelines, resources of one module.

python rs_yosys.py elaborate [MODULE ...]
python rs_yosys.py stat MODULE [NAME=VALUE ...]
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
HW = ROOT / "hw"
WORKERS = 2

# Reads passes, one in a line; the process is the sandbox, because Yosys leaves it on errors.
RUNNER = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin:
    libyosys.run_pass(line.strip(), design)
"""


class YosysError(Exception):
    """The end of the log of a run that failed."""


def run(passes: Sequence[str]) -> str:
    """Run passes on an empty design; the log."""
    command = [sys.executable, "-c", RUNNER]
    done = subprocess.run(command, input="\n".join(passes), capture_output=True, text=True, cwd=ROOT)
    log = done.stdout + done.stderr
    if done.returncode or re.search(r"^ERROR:", log, re.MULTILINE):
        raise YosysError("\n".join(log.splitlines()[-30:]))
    return log


def all_sources() -> list[Path]:
    """Every RTL file, packages first and rs_pkg before the others."""
    found = sorted(HW.glob("*/rtl/*.sv"))
    packages = [path for path in found if path.stem.endswith("_pkg")]
    packages.sort(key=lambda path: path.stem != "rs_pkg")
    return packages + [path for path in found if path not in packages]


def read(top: str, sources: Sequence[Path], parameters: Mapping[str, Any] | None = None, *options: str) -> str:
    """The pass that reads a design; memories stay registers unless they ask for more by an attribute."""
    words = ["read_slang", "--no-implicit-memories", "--unroll-limit", "20000", "--top", top, *options]
    for name, value in (parameters or {}).items():
        words += ["-G", f"{name}={getattr(value, 'label', value)}"]
    return shlex.join([*words, *map(str, sources)])


# ---- elaboration ----------------------------------------------------------------------------------------------------
def elaborate(path: Path) -> str:
    """What is wrong with a module as the top with its default parameters; empty if nothing is."""
    passes = [
        read(path.stem, all_sources(), {}, "-D", "SYNTHESIS"),
        "hierarchy -check",
        "proc",
        "flatten",
        "check -assert",
        "select -assert-none t:$dlatch t:$adlatch t:$aldff t:$adff",
    ]
    try:
        run(passes)
    except YosysError as error:
        return f"{path.relative_to(ROOT)}:\n{error}"
    return ""


def elaborate_all(names: Sequence[str]) -> int:
    paths = [path for path in all_sources() if not path.stem.endswith("_pkg") and (not names or path.stem in names)]
    with ThreadPoolExecutor(WORKERS) as pool:
        findings = [finding for finding in pool.map(elaborate, paths) if finding]
    print("\n".join([*findings, f"{len(paths) - len(findings)} of {len(paths)} modules elaborate"]))
    return int(bool(findings) or not paths)


# ---- proofs ---------------------------------------------------------------------------------------------------------
Mutation = tuple[str, str, str]


def prove(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, Any] | None = None,
    mutation: Mutation | None = None,
    timeout: int = 3600,
) -> bool:
    """Whether all assertions hold for all inputs that meet the assumptions.

    Registers become wires, so what is proved is the function of the pipeline; that all paths have the latency of
    rs_pkg is what simulation at full throughput shows. Anything that is no plain register stops the proof.
    `mutation` replaces a text of one source, which has to be there exactly once: a proof of a broken design must fail.
    """
    with tempfile.TemporaryDirectory() as place:
        used = list(sources)
        if mutation:
            stem, old, new = mutation
            (broken,) = [path for path in used if path.stem == stem]
            text = broken.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{stem} has {text.count(old)} times: {old}"
            copy = Path(place) / broken.name
            copy.write_text(text.replace(old, new), encoding="utf-8")
            used[used.index(broken)] = copy
        log = run(
            [
                read(top, used, parameters, "-D", "FORMAL"),
                "hierarchy -check",
                "proc",
                "flatten",
                "opt_clean",
                f"techmap -map {HW / 'common' / 'formal' / 'rs_ff_to_wire.v'}",
                "select -assert-none t:$*ff* t:$*latch* t:$mem*",
                "opt -full",
                "check -assert",
                "chformal -lower",
                "select -assert-any t:$assert",
                f"sat -timeout {timeout} -prove-asserts -set-assumes -show-public",
            ]
        )
    if "SAT proof finished - no model found: SUCCESS!" in log:
        return True
    if "SAT proof finished - model found: FAIL!" in log:
        return False
    raise YosysError("\n".join(log.splitlines()[-30:]))


# ---- resources ------------------------------------------------------------------------------------------------------
def resources(top: str, parameters: Mapping[str, Any] | None = None) -> dict[str, int]:
    """LUT, FF, DSP and BRAM of one module on a 7-series FPGA, mapped and not placed. Shift registers count as LUTs."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run(
            [
                read(top, all_sources(), parameters, "-D", "SYNTHESIS"),
                "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
                f"tee -q -o {file.name} stat -json",
            ]
        )
        cells = json.loads(Path(file.name).read_text(encoding="utf-8"))["design"]["num_cells_by_type"]

    def total(*prefixes: str) -> int:
        return sum(count for name, count in cells.items() if name.startswith(prefixes))

    # half a RAMB36 is a RAMB18; a RAM32M or RAM64M takes four LUTs
    return {
        "LUT": total("LUT", "SRL") + 4 * total("RAM32M", "RAM64M"),
        "FF": total("FD"),
        "DSP": total("DSP48"),
        "BRAM18": 2 * total("RAMB36") + total("RAMB18"),
    }


def main() -> int:
    command, *rest = sys.argv[1:] or [""]
    if command == "elaborate":
        return elaborate_all(rest)
    if command == "stat" and rest:
        parameters = dict(word.split("=", 1) for word in rest[1:])
        print(" ".join(f"{name} {count}" for name, count in resources(rest[0], parameters).items()))
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
