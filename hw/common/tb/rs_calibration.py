# SPDX-License-Identifier: Apache-2.0
"""Our FPGA flow compared with Vivado on a public design: PicoRV32, whose package holds sources and Vivado's figures.

python rs_calibration.py
"""

import importlib.util
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rs_yosys import WORKERS, mapped

PACKAGE = "pythondata_cpu_picorv32"
# | PicoRV32 (small) | slice LUTs | of these LUTs as memory | slice registers |
_ROW = re.compile(r"^\| *PicoRV32 \((\w+)\) *\| *(\d+) *\| *\d+ *\| *(\d+) *\|$", re.MULTILINE)


@dataclass(frozen=True)
class Comparison:
    """LUTs with those in memories, and flip-flops, of one variant."""

    variant: str
    vendor_lut: int
    vendor_ff: int
    lut: int
    ff: int

    @property
    def lut_percent(self) -> float:
        """By how many per cent our LUT count is higher."""
        return 100 * (self.lut / self.vendor_lut - 1)

    @property
    def ff_percent(self) -> float:
        return 100 * (self.ff / self.vendor_ff - 1)


def sources() -> Path:
    """Where the package keeps PicoRV32."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"{PACKAGE} is not installed: pip install -r requirements/hw.txt")
    return Path(found.submodule_search_locations[0]) / "verilog"


def published(place: Path) -> dict[str, tuple[int, int]]:
    """LUTs and flip-flops of each variant: the authors' figures from Vivado's area-optimised synthesis (their README)."""
    text = (place / "README.md").read_text(encoding="utf-8")
    return {variant: (int(lut), int(ff)) for variant, lut, ff in _ROW.findall(text)}


def compared(*chosen: str) -> list[Comparison]:
    """The chosen variants, or every one, each inside the module that the authors put around it to measure."""
    place = sources()
    vendor = {name: figures for name, figures in published(place).items() if not chosen or name in chosen}
    files = f"{place / 'picorv32.v'} {place / 'scripts' / 'vivado' / 'synth_area_top.v'}"
    with ThreadPoolExecutor(WORKERS) as pool:
        ours = pool.map(lambda variant: mapped([f"read_verilog {files}"], f"top_{variant}"), vendor)
        return [Comparison(name, *vendor[name], found.lut, found.ff) for name, found in zip(vendor, ours, strict=True)]


def main() -> int:
    print(f"{'PicoRV32':10}{'LUT Vivado':>11}{'ours':>7}{'':>9}{'FF Vivado':>12}{'ours':>7}")
    for row in compared():
        lut, ff = f"{row.lut_percent:+.1f} %", f"{row.ff_percent:+.1f} %"
        print(f"{row.variant:10}{row.vendor_lut:11,}{row.lut:7,}{lut:>9}{row.vendor_ff:12,}{row.ff:7,}{ff:>9}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
