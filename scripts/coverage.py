# SPDX-License-Identifier: Apache-2.0
"""How much of the RTL the hardware tests reach: Verilator's line and toggle coverage, merged over all models of all tests.

    coverage.py [arguments for pytest, as hw/dma or -k store]

It writes docs/coverage.md and build/coverage/index.html, the same with every place that nothing reaches. With arguments, or when a test
fails, it writes the page in build/ alone. Models with counters are others than those of the tests: the first run builds them all.
"""

import html
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import BUILD, PYTHON, ROOT, StopError, environment, finish, help_wanted, replace_file, say
from plugins.verilator_counts import Counts, Point, load, take
from setup import setup

PLACE = BUILD / "coverage"
RAW = PLACE / "raw"  # a folder per process of pytest, where models write
PAGE = ROOT / "docs" / "coverage.md"
COMMAND = "make coverage"
GENERATED = ("rs_regs",)  # by PeakRDL: its logic is general, the core uses a part of it


# ---- figures --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Share:
    reached: int
    total: int

    def __str__(self) -> str:
        if not self.total:
            return ""
        # not 100 % when one is missing
        return f"{int(1000 * self.reached / self.total) / 10:.1f} %"

    @property
    def missing(self) -> int:
        return self.total - self.reached


def share(points: Iterable[Point], counts: Counts) -> Share:
    hits = [counts[point] > 0 for point in points]
    return Share(sum(hits), len(hits))


def by_module(counts: Counts, blocks: Mapping[str, str]) -> dict[str, list[Point]]:
    """Of the modules of `blocks` (module -> block), in its order; those of testbenches are left out."""
    found: dict[str, list[Point]] = defaultdict(list)
    for point in counts:
        found[point.module].append(point)
    return {module: found[module] for module in blocks if module in found}


def rtl() -> dict[str, str]:
    """module -> block, by block. Functions of packages are constants of the elaboration."""
    files = [path for path in sorted(ROOT.glob("hw/*/rtl/*.sv")) if not path.stem.endswith("_pkg")]
    return {path.stem: path.parents[1].name for path in files}


def shares(points: Sequence[Point], counts: Counts) -> tuple[Share, Share]:
    """Blocks and branches; toggles."""
    return (
        share([point for point in points if not point.is_toggle], counts),
        share([point for point in points if point.is_toggle], counts),
    )


def table(counts: Counts, blocks: Mapping[str, str]) -> list[list[str]]:
    modules = by_module(counts, blocks)
    rows, all_points = [], []
    for module, points in modules.items():
        code, toggles = shares(points, counts)
        rows.append([blocks[module], f"`{module}`", str(code), str(code.missing), str(toggles), str(toggles.missing)])
        if module not in GENERATED:
            all_points += points
    code, toggles = shares(all_points, counts)
    rows.append(["all", "", str(code), str(code.missing), str(toggles), str(toggles.missing)])
    return rows


COLUMNS = ["block", "module", "code", "not reached", "toggles", "not seen"]


def markdown(counts: Counts, blocks: Mapping[str, str]) -> str:
    rows = [COLUMNS, ["---"] * 2 + ["---:"] * 4, *table(counts, blocks)]
    absent = [module for module in blocks if module not in by_module(counts, blocks)]
    without = f"No test builds {', '.join(f'`{one}`' for one in absent)}.\n\n" if absent else ""
    return (
        "\n".join(
            [
                f"<!-- Written by `{COMMAND}`: do not edit. -->",
                "# Coverage of the hardware tests",
                "",
                "This page is for those who change the hardware or judge its tests. `make coverage` runs the tests of `hw/` in Verilator with counters, merges",
                "those of all models and writes this page; `build/coverage/index.html` shows every place that is not reached.",
                "",
                "* *code*: blocks of statements and arms of branches that ran. Assertions are among them, their failing arms too: those never run.",
                "* *toggles*: edges of bits, rising and falling counted apart, of all widths with which tests build a module. A modulus has few values in a test, and",
                "  a counter of 32 bits does not overflow: such bits are not seen. Round constants never change in a place. Signals of more than 256 bits are not counted.",
                "* The generated register file does not count in the last line. What coverage cannot say, proofs do: see [SOUNDNESS.md](SOUNDNESS.md).",
                "",
                *("| " + " | ".join(row) + " |" for row in rows),
                "",
                without,
            ]
        ).rstrip()
        + "\n"
    )


# ---- the page with every place ----------------------------------------------------------------------------------------
STYLE = """body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; color: #171b26; }
table { border-collapse: collapse; } td, th { padding: .1em .8em; text-align: right; } td:first-child, td:nth-child(2) { text-align: left; }
tr { border-top: 1px solid #dfe3eb; } pre { background: #f6f7f9; padding: .6em; overflow-x: auto; } summary { cursor: pointer; }"""


def _missing_code(module: str, points: Sequence[Point], counts: Counts, path: Path) -> str:
    missing = sorted(
        (one for one in points if not one.is_toggle and not counts[one]), key=lambda one: (one.line, one.column)
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    shown = [f"{one.line:4}  {one.what:<10}  {lines[one.line - 1].strip()}" for one in missing]
    return f"<pre>{html.escape(chr(10).join(shown))}</pre>" if shown else ""


def _missing_toggles(points: Sequence[Point], counts: Counts) -> str:
    """Signals, with the number of edges that are not seen."""
    signals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in points:
        if one.is_toggle:
            name = re.split(r"[\[:]", one.what)[0]
            signals[name][0] += not counts[one]
            signals[name][1] += 1
    shown = [f"{name}: {missing} of {total}" for name, (missing, total) in signals.items() if missing]
    return f"<p>{html.escape(', '.join(shown))}</p>" if shown else ""


def page(counts: Counts, blocks: Mapping[str, str]) -> str:
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(cell.strip('`'))}</td>" for cell in row) + "</tr>"
        for row in table(counts, blocks)
    )
    parts = []
    for module, points in by_module(counts, blocks).items():
        code = _missing_code(module, points, counts, ROOT / "hw" / blocks[module] / "rtl" / f"{module}.sv")
        inside = code + _missing_toggles(points, counts)
        if inside:
            parts.append(f"<details><summary>{module}</summary>{inside}</details>")
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of the hardware tests</title><style>{STYLE}</style></head>
<body><h1>Coverage of the hardware tests</h1>
<p>docs/coverage.md says what the columns mean. Below: what is not reached, by module.</p>
<table><tr>{head}</tr>
{rows}</table>
<h2>Not reached</h2>
{chr(10).join(parts)}
</body></html>
"""


# ---- main -----------------------------------------------------------------------------------------------------------
def main() -> int:
    if help_wanted(__doc__):
        return 0
    arguments = sys.argv[1:]
    setup("test")
    shutil.rmtree(RAW, ignore_errors=True)
    RAW.mkdir(parents=True)
    places = (
        []
        if any(not word.startswith("-") and (ROOT / word).exists() for word in arguments)
        else sorted(ROOT.glob("hw/*/tb"))
    )
    env = environment() | {
        "RINGSIDE_COVERAGE": str(RAW),
        "PYTHONPATH": str(Path(__file__).resolve().parent / "plugins"),
    }
    command = [PYTHON, "-m", "pytest", "-q", "-p", "ringside_coverage", "-n", "auto", *places, *arguments]
    code = subprocess.run(list(map(str, command)), cwd=ROOT, env=env).returncode
    counts = load(RAW.rglob("*.json"))
    for folder in [path for path in RAW.rglob("*") if path.is_dir()]:
        take(folder, counts)  # of models that lived to the end
    if not counts:
        raise StopError("No model has written its counters.")
    blocks = rtl()
    replace_file(PLACE / "index.html", page(counts, blocks))
    say(f"wrote {(PLACE / 'index.html').relative_to(ROOT)}")
    if code or arguments:
        say(f"{PAGE.relative_to(ROOT)} is left as it was: " + ("a test failed" if code else "not all tests were run"))
        return code
    replace_file(PAGE, markdown(counts, blocks))
    say(f"wrote {PAGE.relative_to(ROOT)}: {', '.join(table(counts, blocks)[-1][2:])}")
    return 0


if __name__ == "__main__":
    finish(main)
