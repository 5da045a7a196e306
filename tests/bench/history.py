# SPDX-License-Identifier: Apache-2.0
"""How the ratios went: a line of figures/bench.jsonl for each set and peer of each `make bench`, a table of them in docs/benchmarks.md, and a picture.

A ratio is the peer's median time over ours, as in the table of docs/benchmarks.md; its spread is the larger one of the two times. Lines are only added.
"""

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from bench.plan import LEE, NODE_SEAL, OURS, OURS_AVX2, OURS_WASM, SEAL, SEAL_44, SEAL_AVX2, TENSEAL
from common import replace_file
from ringside.drawing import COLOURS, LINE, PAPER, SOFT, Box, Dot, Drawing, Label, Shape, round_step
from ringside.drawing import Line as Joined

PLACE = Path("figures") / "bench.jsonl"
PAGE = Path("docs") / "benchmarks.md"
PICTURE = Path("docs") / "bench-history.svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = (
    720,
    320,
    40,
    70,
    40,
    40,
)  # sizes of the picture, and of what is around its curves
BEGIN, END = "<!-- history:begin -->\n", "<!-- history:end -->"
PAIRS = ((OURS, SEAL), (OURS, SEAL_44), (OURS, TENSEAL), (OURS_AVX2, SEAL_AVX2), (OURS_WASM, NODE_SEAL))
OPS = ("encode_encrypt_pk", "encode_encrypt_sk_seeded", "decrypt_decode_1limb", "decrypt_decode_full")
SHOWN = "encode_encrypt_pk"  # in the table; the file has all of OPS

Line = Mapping[str, Any]


class HistoryError(Exception):
    """The file or the page is not as this program left it."""


# ---- lines ----------------------------------------------------------------------------------------------------------
def commit(root: Path) -> str:
    """The commit of the tree, with a + where its library is not that of the commit; empty where there is no Git."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    changed = git("status", "--porcelain", "--", "lib/src", "lib/include", "CMakeLists.txt", "lib/CMakeLists.txt")
    return git("rev-parse", "--short=8", "HEAD") + "+" * bool(changed)


def ratios(operations: Mapping[str, Mapping[str, Line]], ours: str, peer: str) -> dict[str, tuple[float, float]]:
    """Ratio and spread by operation, where both sides have been measured."""
    found = {}
    for op in OPS:
        us, them = (operations.get(op, {}).get(side, {}) for side in (ours, peer))
        if "cpu_ns_median" in us and "cpu_ns_median" in them:
            spread = max(us["cpu_spread"], them["cpu_spread"])
            found[op] = (round(them["cpu_ns_median"] / us["cpu_ns_median"], 3), round(spread, 3))
    return found


def lines_of(bench: Line, at: str, date: str) -> list[dict[str, Any]]:
    """Those of one result, build/bench.json."""
    lines = []
    for name, entry in bench["sets"].items():
        for ours, peer in PAIRS:
            found = ratios(entry["operations"], ours, peer) if name in LEE else {}
            if found:
                line = {"date": date, "commit": at, "set": name, "peer": peer}
                line |= {"peer_version": bench["peers"][peer]["version"], "back_end": bench["peers"][ours]["backend"]}
                lines.append({**line, "processor": bench["machine"]["processor"], "ratios": found})
    return lines


def read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    lines = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            lines.append({**line, "ratios": {op: (float(a), float(b)) for op, (a, b) in line["ratios"].items()}})
        except (ValueError, KeyError, TypeError, AttributeError):
            raise HistoryError(
                f"{path.name}: line {number} is none of a bench; take the file from Git, and measure again"
            ) from None
    return lines


# ---- table ----------------------------------------------------------------------------------------------------------
def cell(line: Line | None) -> str:
    if line is None or SHOWN not in line["ratios"]:
        return "–"
    ratio, spread = line["ratios"][SHOWN]
    return f"{ratio:.1f} ±{100 * spread:.0f} %"


def table(lines: Iterable[Line]) -> str:
    """The newest run of each pair, a column per set; the picture has those before."""
    runs: dict[tuple[str, ...], dict[str, Line]] = {}
    for line in lines:
        key = tuple(str(line[name]) for name in ("peer", "date", "commit", "back_end", "peer_version"))
        runs.setdefault(key, {})[line["set"]] = line  # the later one of two runs of one commit and day
    rows = [f"| date | commit | back end | against | {' | '.join(LEE)} |", "|---" * (len(LEE) + 4) + "|"]
    for _, peer in PAIRS:
        for key in [key for key in runs if key[0] == peer][-1:]:
            _, date, at, back_end, version = key
            cells = " | ".join(cell(runs[key].get(name)) for name in LEE)
            rows.append(f"| {date} | {at} | {back_end} | {peer}: {version} | {cells} |")
    return "\n".join(rows) + "\n"


def picture(lines: Iterable[Line]) -> Drawing:
    """SHOWN's ratio to the first pair's peer from run to run, a curve for each set."""
    curves: dict[str, dict[int, float]] = {}  # by set and run; the later one of two runs of one commit and day
    runs: dict[str, int] = {}
    for line in lines:
        if line["peer"] == PAIRS[0][1] and SHOWN in line["ratios"]:
            name = f"{line['date']} {line['commit']}"
            curves.setdefault(line["set"], {})[runs.setdefault(name, len(runs))] = line["ratios"][SHOWN][0]
    names = [*runs]
    top = max((ratio for curve in curves.values() for ratio in curve.values()), default=1.0)
    step = round_step(top)

    def place(run: int, ratio: float) -> tuple[float, float]:
        share = run / max(1, len(runs) - 1)
        return LEFT + (WIDTH - LEFT - RIGHT) * share, HEIGHT - FOOT - (HEIGHT - FOOT - TOP) * ratio / top

    title = f"times as fast as {PAIRS[0][1]}: encode + encrypt, public key, run by run"
    shapes: list[Shape] = [Box(0, 0, WIDTH, HEIGHT, PAPER), Label(10, 18, title, bold=True)]
    for tick in (step * count for count in range(int(top / step + 1e-9) + 1)):
        _, y = place(0, tick)
        shapes += [Box(LEFT, y, WIDTH - LEFT - RIGHT, 1, LINE), Label(LEFT - 6, y, f"{tick:g}", SOFT, "end")]
    for run, anchor in {0: "start", len(runs) // 2: "middle", len(runs) - 1: "end"}.items() if runs else ():
        shapes.append(Label(place(run, 0)[0], HEIGHT - FOOT + 16, names[run], SOFT, anchor))
    free = 0.0  # below the name before
    for name, curve in sorted(curves.items(), key=lambda one: -[*one[1].values()][-1]):
        series = LEE.index(name)
        places = [place(run, ratio) for run, ratio in curve.items()]
        shapes.append(Joined(tuple(places), COLOURS[series], series))
        for (x, y), (run, ratio) in zip(places, curve.items(), strict=True):
            shapes.append(Dot(x, y, COLOURS[series], f"{name}, {names[run]}: {ratio:.1f}", series, PAPER, radius=3.5))
        free = max(free, places[-1][1])
        shapes.append(Label(WIDTH - RIGHT + 8, free, name, COLOURS[series], series=series))
        free += 14
    return Drawing(shapes, WIDTH, HEIGHT, title)


def show(root: Path) -> None:
    """Writes the table into the page, between its marks, and the picture beside it."""
    page = root / PAGE
    head, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise HistoryError(f"{PAGE} has lost the marks of its history, {BEGIN.strip()} and {END}: put them back")
    lines = read(root / PLACE)
    replace_file(page, head + begin + table(lines) + end + tail)
    replace_file(root / PICTURE, picture(lines).file())


def record(root: Path, bench: Line, at: str = "", date: str = "") -> Sequence[Line]:
    """Adds a result to the file and the page. What was added."""
    path = root / PLACE
    before = read(path)
    added = lines_of(bench, at or commit(root), date or dt.datetime.now(dt.UTC).date().isoformat())
    replace_file(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in [*before, *added]))
    show(root)
    return added
