# SPDX-License-Identifier: Apache-2.0
"""Yosys for the hardware: elaboration of every module, resources and slowest paths of one module.

python rs_yosys.py elaborate [MODULE ...]
python rs_yosys.py stat MODULE [NAME=VALUE ...]     LUT, FF, DSP and memories on a 7-series FPGA
python rs_yosys.py parts DEVICE MODULE [NAME=VALUE ...]   on this FPGA (ringside.synth.chips), part by part, kept in the cache
python rs_yosys.py paths MODULE [NAME=VALUE ...]    alone on a Lattice ECP5, placed and routed: clock, slowest paths step by step
"""

import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
HW = ROOT / "hw"
WORKERS = 2

# the package's own runner, by its path: lint elaborates before the package is installed
sys.path.append(str(ROOT / "py" / "ringside" / "synth"))
from yosys import Resources, YosysError, defined, mapped, read, run, version  # noqa: E402, F401 (rs_formal takes version)


def all_sources() -> list[Path]:
    """Every RTL file, packages first and rs_pkg before the others."""
    found = sorted([*HW.glob("*/rtl/*.sv"), *ROOT.glob("soc/rtl/*.sv")])
    packages = [path for path in found if path.stem.endswith("_pkg")]
    packages.sort(
        key=lambda path: (path.stem != "rs_pkg", len(set(re.findall(r"\w+_pkg::", path.read_text()))))
    )  # first what others use
    return packages + [path for path in found if path not in packages]


# ---- elaboration ----------------------------------------------------------------------------------------------------
def elaborate(path: Path) -> str:
    """The errors of a module as the top with its default parameters; empty if there are none."""
    passes = [
        read(path.stem, all_sources(), {}, *defined()), "hierarchy -check", "proc", "flatten", "check -assert",
        "select -assert-none t:$dlatch t:$adlatch t:$aldff t:$adff",
    ]  # fmt: skip
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


# ---- resources ------------------------------------------------------------------------------------------------------
def resources(top: str, parameters: Mapping[str, Any] | None = None) -> Resources:
    """Resources of one module on a 7-series FPGA, mapped and not placed; `ringside synth` has those of whole designs."""
    return mapped([read(top, all_sources(), parameters, *defined())])


def measured(name: str, top: str, parameters: Mapping[str, Any]) -> tuple[Any, Any, list[Any], int]:
    """The device, its family, the module's blocks (ringside.synth.resources), the number of different parts. Multipliers are parts: mapped once."""
    from ringside.synth import chips
    from ringside.synth.parts import CUTS
    from ringside.synth.resources import measure
    from ringside.synth.yosys import FAMILIES, with_ultra_ram

    device = chips.DEVICES[name]
    family = FAMILIES[device.family]
    family = with_ultra_ram(family) if device.uram else family
    (blocks,), parts, _ = measure([(top, parameters)], None, family, files=all_sources(), cuts=[*CUTS, "rs_modmul"])
    return device, family, blocks, parts


def part_by_part(name: str, top: str, parameters: Mapping[str, Any]) -> str:
    """A table of the module's parts, and what the module takes of the device."""
    from ringside.synth import chips

    device, family, blocks, parts = measured(name, top, parameters)
    units = ["lut", "ff", "dsp", "bram36", "bram18", *(["uram"] if device.uram else [])]
    rows = [["part, with those in it", "instances", *units]]
    rows += [
        ["  " * b.depth + b.module, str(b.instances), *(f"{getattr(b.total, unit):,}" for unit in units)]
        for b in blocks
        if b.module != "rs_ram_1rw"
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    shares = [
        f"{unit} {needed:,} of {there:,}, {100 * needed / there:.1f} %"
        for unit, (needed, there) in chips.usage(blocks[0].total, device).items()
        if there
    ]
    return "\n".join([*lines, f"{device.name}: {'; '.join(shares)}", f"{parts} different parts; {family.source}"])


def alone_timed(place: Path, top: str, files: Sequence[Path], parameters: Mapping[str, Any], device: Any) -> Any:
    """A module without pins and shell, placed and routed in an empty device: nextpnr's report."""
    from ringside.synth import ecp5

    place.mkdir(parents=True, exist_ok=True)
    ecp5._map(place, top, files, parameters, inside=True)
    ecp5._stage(place, "nextpnr_ecp5", [*ecp5._command(device, top), "--out-of-context", "--write"], "routed.json")
    return ecp5._report(place)


def slowest_paths(top: str, parameters: Mapping[str, Any]) -> str:
    """The slowest path between flip-flops, and the slowest of each kind from and to ports (here ports connect to nothing)."""
    from ringside.synth import chips

    with tempfile.TemporaryDirectory() as place:
        device = chips.DEVICES[chips.DEFAULTS["ecp5"]]
        found = alone_timed(Path(place), top, all_sources(), parameters, device)
    lines = [f"{clock}: {figures['achieved']:.1f} MHz" for clock, figures in found["fmax"].items()]
    lines.append(
        ", ".join(f"{cell} {number['used']}" for cell, number in found["utilization"].items() if number["used"])
    )
    for path in found["critical_paths"]:
        steps = path["path"]
        lines.append(f"\n{path['from']} -> {path['to']}: {sum(step['delay'] for step in steps):.2f} ns")
        lines += [f"  {step['delay']:5.2f} {step['type']:8} {step.get('net') or step['to']['cell']}" for step in steps]
    return "\n".join(lines)


def main() -> int:
    command, *rest = sys.argv[1:] or [""]
    parameters = dict(word.split("=", 1) for word in rest[1:] if "=" in word)
    if command == "elaborate":
        return elaborate_all(rest)
    if command == "stat" and rest:
        found = resources(rest[0], parameters)
        print(f"LUT {found.lut} FF {found.ff} DSP {found.dsp} BRAM18 {2 * found.bram36 + found.bram18}")
        return 0
    if command == "parts" and len(rest) > 1:
        print(part_by_part(rest[0], rest[1], parameters))
        return 0
    if command == "paths" and rest:
        print(slowest_paths(rest[0], parameters))
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
