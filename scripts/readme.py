# SPDX-License-Identifier: Apache-2.0
"""Write the README's table of numbers and docs/bench.png from build/bench.json (made by `make bench`)."""

import json
from typing import Any

from common import BUILD, PYTHON, ROOT, StopError, finish, run_quiet, say
from setup import setup

SOURCE = BUILD / "bench.json"
CHART = ROOT / "docs" / "bench.png"
OURS = "ringside"
PEERS = ("seal-hexl", "tenseal")  # the first of these that was measured is shown
# operation of ours, of the peer, label
ROWS = (
    ("encode_encrypt_pk", "encode_encrypt_pk", "encode + encrypt, public key"),
    ("encode_encrypt_sk_seeded", "encode_encrypt_sk_seeded", "encode + encrypt, secret key, seeded"),
    ("decrypt_decode_1limb", "decrypt_decode_1limb", "decrypt + decode, one limb left"),
    ("decrypt_decode_full", "decrypt_decode_full", "decrypt + decode, all limbs"),
    ("decrypt_decode_max_abs", "decrypt_decode_full", "decrypt + decode, values known to be at most 1"),
    ("keygen", "keygen", "secret and public key"),
    ("context", "context", "context"),
    ("save_load_seeded", "save_load_seeded", "save + load, seeded"),
)
BEGIN, END = "<!-- bench:begin -->\n", "<!-- bench:end -->"


def time_of(result: dict[str, Any], op: str, peer: str) -> float | None:
    entry = result["operations"].get(op, {}).get(peer, {})
    return entry["cpu_ns_median"] / 1e6 if "cpu_ns_median" in entry else None


def number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def time_cell(result: dict[str, Any], op: str, other_op: str, peer: str) -> str:
    us, them = time_of(result, op, OURS), time_of(result, other_op, peer)
    if us is None:
        return "–"
    if them is None:
        return f"{number(us)} / –"
    return f"{number(us)} / {number(them)} = **{them / us:.1f}×**"


def memory_cell(result: dict[str, Any], peer: str) -> str:
    us, them = (result["memory_bytes"].get(name) for name in (OURS, peer))
    return " / ".join("–" if size is None else f"{size / 2**20:.1f}" for size in (us, them))


def table(bench: dict[str, Any]) -> str:
    sets = {name: result for name, result in bench["sets"].items() if name.startswith("lee-")}
    peer = next((name for name in PEERS if "version" in bench["peers"].get(name, {})), None)
    if peer is None or not sets:
        raise StopError("the last bench measured no SEAL, or none of the sets lee-…: run `make bench` first")
    heads = [f"{name} (N = {result['n']:,}, {len(result['modulus_bits'])} limbs)" for name, result in sets.items()]
    lines = [f"| milliseconds, Ringside / SEAL | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for op, other_op, label in ROWS:
        cells = [time_cell(result, op, other_op, peer) for result in sets.values()]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    lines.append(f"| peak memory, MiB | {' | '.join(memory_cell(result, peer) for result in sets.values())} |")
    versions = f"{bench['peers'][peer]['version']}; {bench['peers'][OURS]['version']}"
    chart = f"![Processor time by set and library]({CHART.relative_to(ROOT)})"
    return "\n".join(lines) + f"\n\n{bench['machine']['processor']}, one core, processor time; {versions}.\n\n{chart}\n"


def main() -> int:
    if not SOURCE.exists():
        raise StopError("build/bench.json is missing: run `make bench` first")
    bench = json.loads(SOURCE.read_text(encoding="utf-8"))
    text = table(bench)
    setup("readme")
    run_quiet([PYTHON, ROOT / "tests" / "bench" / "chart.py", SOURCE, CHART], "chart")
    readme = ROOT / "README.md"
    head, rest = readme.read_text(encoding="utf-8").split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(head + BEGIN + text + END + tail, encoding="utf-8")
    say(f"README.md: table written; {CHART.relative_to(ROOT)}: chart drawn")
    return 0


if __name__ == "__main__":
    finish(main)
