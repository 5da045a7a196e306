# SPDX-License-Identifier: Apache-2.0
"""Write the README's table of numbers from build/bench.json (made by `make bench`)."""

import json
from typing import Any

from common import BUILD, ROOT, StopError, finish, say

ROWS = {
    "encode+encrypt, public key": "encode + encrypt, public key",
    "encode+encrypt, secret key, seeded": "encode + encrypt, secret key, seeded",
    "decrypt+decode, all limbs": "decrypt + decode, all limbs",
    "decrypt+decode, max_abs 1": "decrypt + decode, values known to be at most 1",
}
BEGIN, END = "<!-- bench:begin -->\n", "<!-- bench:end -->"


def table(bench: dict[str, Any]) -> str:
    sets = bench["sets"]
    heads = [f"{name} (N = {result['n']:,}, {result['limbs']} limbs)" for name, result in sets.items()]
    lines = [f"| milliseconds, Ringside / SEAL | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for key, label in ROWS.items():
        rows = [result["operations"][key] for result in sets.values()]
        cells = [f"{row['ringside']:.2f} / {row['net']:.2f} = **{row['ratio']:.1f}×**" for row in rows]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    memory = [result["memory"] for result in sets.values()]
    cells = [f"{row['ringside'] / 2**20:.1f} / {row['seal'] / 2**20:.1f}" for row in memory]
    lines.append(f"| peak memory, MiB | {' | '.join(cells)} |")
    return "\n".join(lines) + f"\n\n{bench['processor']}, TenSEAL {bench['tenseal']}, ringside {bench['ringside']}.\n"


def main() -> int:
    source = BUILD / "bench.json"
    if not source.exists():
        raise StopError("build/bench.json is missing: run `make bench` first")
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(head + BEGIN + table(json.loads(source.read_text())) + END + tail, encoding="utf-8")
    say("README.md: table written")
    return 0


if __name__ == "__main__":
    finish(main)
