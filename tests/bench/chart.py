# SPDX-License-Identifier: Apache-2.0
"""A bar chart of build/bench.json: processor time of the daily operations, per set and peer.

chart.py RESULT.json OUT.png
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import matplotlib as mpl  # noqa: E402

mpl.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from bench.plan import LEE, OPERATION, OURS, OURS_AVX2, OURS_WASM, SEAL_AVX2  # noqa: E402

PANELS = ("encode_encrypt_pk", "encode_encrypt_sk_seeded", "decrypt_decode_1limb", "decrypt_decode_full")
NOT_DRAWN = {"ringside-py", OURS_AVX2, OURS_WASM, SEAL_AVX2}
COLOURS = ("#1b6ca8", "#e07a1f", "#8a8a8a", "#7a5aa6", "#3f9b6c", "#b5484f")
# shown beside the bar of the full decryption: the same for the caller who knows how large his values are
SHORTER = {"decrypt_decode_full": "decrypt_decode_max_abs"}


def milliseconds(report: Mapping[str, Any], set_: str, op: str, peer: str) -> float | None:
    entry = report["sets"][set_]["operations"].get(op, {}).get(peer, {})
    return entry["cpu_ns_median"] / 1e6 if "cpu_ns_median" in entry else None


def series(report: Mapping[str, Any], sets: Sequence[str], op: str) -> list[tuple[str, str, list[float | None]]]:
    """Label, peer and times of every row of bars; peers without any are left out."""
    rows = [(str(peer["title"]), name, op) for name, peer in report["peers"].items() if name not in NOT_DRAWN]
    if op in SHORTER:
        rows.insert(1, ("Ringside, values at most 1", OURS, SHORTER[op]))
    out = [(label, name, [milliseconds(report, set_, which, name) for set_ in sets]) for label, name, which in rows]
    return [row for row in out if any(time is not None for time in row[2])]


def draw(report: Mapping[str, Any], out: Path) -> None:
    sets = [name for name in LEE if name in report["sets"]]
    names = [name for name in report["peers"] if name not in NOT_DRAWN]
    colour = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    figure, panels = plt.subplots(2, 2, figsize=(11, 6.4), constrained_layout=True)
    shown: dict[str, Any] = {}
    for op, axes in zip(PANELS, panels.flat, strict=True):
        rows = series(report, sets, op)
        width = 0.85 / max(1, len(rows))
        for i, (label, name, times) in enumerate(rows):
            places = [x + (i - (len(rows) - 1) / 2) * width for x in range(len(sets))]
            heights = [time or 0 for time in times]
            hatch = "" if label == report["peers"][name]["title"] else "////"
            shown[label] = axes.bar(
                places, heights, width, color=colour[name], hatch=hatch, edgecolor="white", linewidth=0.3
            )
        axes.set_yscale("log")
        axes.set_title(OPERATION[op].title, fontsize=10)
        axes.set_ylabel("processor time [ms]", fontsize=9)
        axes.set_xticks(range(len(sets)), sets)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=4, fontsize=9, frameon=False)
    figure.savefig(out, dpi=110, metadata={"Software": None})
    plt.close(figure)


def main() -> int:
    source, out = map(Path, sys.argv[1:])
    draw(json.loads(source.read_text(encoding="utf-8")), out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
