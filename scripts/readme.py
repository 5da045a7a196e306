# SPDX-License-Identifier: Apache-2.0
"""Write the table of numbers in docs/benchmarks.md and docs/bench.png from build/bench.json (made by `make bench`).

Nothing is written if a figure of the table is unsteady: the bounds are in tests/bench/plan.py. Of several results, kept from several runs,
each column is the first one that is steady, whole.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from common import BUILD, PYTHON, ROOT, VENV, StopError, finish, replace_file, run_quiet, say
from setup import setup

sys.path.insert(0, str(ROOT / "tests"))

from bench import plan

SOURCE = BUILD / "bench.json"
CHART = ROOT / "docs" / "bench.png"
PAGE = "docs/benchmarks.md"
PEERS = (plan.SEAL, plan.TENSEAL)  # the first of these that was measured is shown
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
ROWS_AVX2 = ROWS[:3]
BEGIN, END = "<!-- bench:begin -->\n", "<!-- bench:end -->"

Entry = Mapping[str, Any]


def entry_of(result: Entry, op: str, peer: str) -> Entry | None:
    entry: Entry = result["operations"].get(op, {}).get(peer, {})
    return entry if "cpu_ns_median" in entry else None


def number(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


# ---- may it be shown? -----------------------------------------------------------------------------------------------
def faults_of(entry: Entry) -> Iterator[str]:
    if entry["rounds"] < plan.ROUNDS_MIN:
        yield f"{entry['rounds']} rounds only"
    elif entry["cpu_spread"] > plan.SPREAD_MAX:
        yield f"spread {100 * entry['cpu_spread']:.0f} %"


def unsteady(sets: Mapping[str, Entry], rows: Sequence[tuple[str, str, str]], ours: str, peer: str) -> Iterator[str]:
    """Faults of a table's figures, one sentence each."""
    for name, result in sets.items():
        for op, other_op, _ in rows:
            pair = [(who, what, entry_of(result, what, who)) for who, what in ((ours, op), (peer, other_op))]
            for who, what, entry in pair:
                for fault in faults_of(entry) if entry else ():
                    yield f"{name}, {what}, {who}: {fault}"
            us, them = (entry for _, _, entry in pair)
            if us is None or them is None:
                continue
            ratios = [them[figure] / us[figure] for figure in ("cpu_ns_median", "cpu_ns_min")]
            if max(ratios) > plan.MINIMA_FACTOR_MAX * min(ratios):
                yield f"{name}, {op}: {ratios[0]:.1f} times by medians, {ratios[1]:.1f} times by minima"


def check_steady(faults: Sequence[str]) -> None:
    if faults:
        raise StopError(
            f"{PAGE} was left as it is, because figures of the last bench are unsteady:\n\n  "
            + "\n  ".join(dict.fromkeys(faults))
            + f"\n\nA figure needs {plan.ROUNDS_MIN} rounds and a spread (half the distance of its rounds' quartiles) of at most "
            f"{100 * plan.SPREAD_MAX:.0f} %, and ratios by medians and by minima may differ by a factor of {plan.MINIMA_FACTOR_MAX}. "
            'Stop what else runs on this machine, then `make bench`, or `make bench ARGS="--rounds 15"`.'
        )


# ---- text -----------------------------------------------------------------------------------------------------------
def time_cell(result: Entry, op: str, other_op: str, ours: str, peer: str) -> str:
    us, them = entry_of(result, op, ours), entry_of(result, other_op, peer)
    if us is None:
        return "–"
    mine = us["cpu_ns_median"] / 1e6
    if them is None:
        return f"{number(mine)} / –"
    other = them["cpu_ns_median"] / 1e6
    return f"{number(mine)} / {number(other)} = **{other / mine:.1f}×**"


def memory_cell(result: Entry, peer: str) -> str:
    us, them = (result["memory_bytes"].get(name) for name in (plan.OURS, peer))
    return " / ".join("–" if size is None else f"{size / 2**20:.1f}" for size in (us, them))


def times(
    sets: Mapping[str, Entry], rows: Sequence[tuple[str, str, str]], ours: str, peer: str, version: str
) -> list[str]:
    heads = [f"{name} (N = {result['n']:,}, {len(result['modulus_bits'])} limbs)" for name, result in sets.items()]
    lines = [f"| milliseconds, Ringside / {version} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for op, other_op, label in rows:
        cells = [time_cell(result, op, other_op, ours, peer) for result in sets.values()]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return lines


def largest_spread(sets: Mapping[str, Entry]) -> float:
    """The largest spread of all figures that the tables show."""
    shown = [(ROWS, (plan.OURS, *PEERS)), (ROWS_AVX2, (plan.OURS_AVX2, plan.SEAL_AVX2))]
    found = [
        entry_of(result, op, peer)
        for rows, peers in shown
        for result in sets.values()
        for row in rows
        for op in row[:2]
        for peer in peers
    ]
    return max((entry["cpu_spread"] for entry in found if entry), default=0.0)


def described(peer: Entry) -> str:
    """The measured thing exactly: version, back end or HEXL's instructions, and where it is from."""
    parts = [str(peer["version"])]
    backend = peer.get("backend")
    if backend:
        parts.append(f"back end {backend} ({plan.INSTRUCTIONS.get(backend, 'see docs/benchmarks.md')})")
    if "hexl" in peer:
        parts.append(f"HEXL {peer['hexl']}")
    if "origin" in peer:
        parts.append(str(peer["origin"]))
    return ", ".join(parts)


def was_measured(bench: Entry, peer: str) -> bool:
    return "version" in bench["peers"].get(peer, {})


def faults_of_set(name: str, bench: Entry, peer: str) -> list[str]:
    """Faults of one column's figures."""
    column = {name: bench["sets"][name]}
    faults = [*unsteady(column, ROWS, plan.OURS, peer)]
    if was_measured(bench, plan.OURS_AVX2) and was_measured(bench, plan.SEAL_AVX2):
        faults += unsteady(column, ROWS_AVX2, plan.OURS_AVX2, plan.SEAL_AVX2)
    return faults


def combined(benches: Sequence[Entry]) -> Entry:
    """One bench of several on the same machine: each set, so each column, whole from the first one in which it is steady."""
    first = benches[0]
    for other in benches[1:]:
        if other["machine"] != first["machine"] or other["peers"] != first["peers"]:
            raise StopError(
                "these benches are of different machines or programs: their figures do not go into one table"
            )
    peer = next((name for name in PEERS if was_measured(first, name)), None)
    names = sorted({name for bench in benches for name in bench["sets"]})
    if peer is None or len(benches) == 1:
        return first
    sets = {}
    for name in names:
        having = [bench for bench in benches if name in bench["sets"]]
        steady = [bench for bench in having if not faults_of_set(name, bench, peer)]
        sets[name] = (steady or having)[0]["sets"][name]
    return {**first, "sets": sets}


def table(bench: Entry) -> str:
    sets = {name: result for name, result in bench["sets"].items() if name.startswith("lee-")}
    peer = next((name for name in PEERS if was_measured(bench, name)), None)
    if peer is None or not sets:
        raise StopError("the last bench measured no SEAL, or none of the sets lee-…: run `make bench` first")
    lines = times(sets, ROWS, plan.OURS, peer, bench["peers"][peer]["version"])
    lines.append(f"| peak memory, MiB | {' | '.join(memory_cell(result, peer) for result in sets.values())} |")
    spread = f"medians, spread at most ±{100 * largest_spread(sets):.1f} %"
    lines += [
        "",
        f"{bench['machine']['processor']}, one core, processor time, {spread}. {described(bench['peers'][plan.OURS])}.",
    ]
    lines.append(f"Against {described(bench['peers'][peer])}.")
    both = [result for result in sets.values() if entry_of(result, ROWS_AVX2[0][0], plan.OURS_AVX2)]
    if was_measured(bench, plan.OURS_AVX2) and was_measured(bench, plan.SEAL_AVX2) and both:
        some = {name: result for name, result in sets.items() if result in both}
        lines += ["", "Both sides without AVX-512, as on a processor that has AVX2 only:", ""]
        lines += times(some, ROWS_AVX2, plan.OURS_AVX2, plan.SEAL_AVX2, bench["peers"][plan.SEAL_AVX2]["version"])
    check_steady([fault for name in sets for fault in faults_of_set(name, bench, peer)])
    chart = f"![Processor time by set and library]({CHART.name})"
    return "\n".join([*lines, "", chart, ""])


def replace_table(page: Path, text: str) -> None:
    """Puts the table between its marks."""
    head, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise StopError(f"{page.name} has lost the marks of its table, {BEGIN.strip()} and {END}: put them back")
    replace_file(page, head + begin + text + end + tail)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benches", nargs="*", type=Path, help="results of `make bench`; default build/bench.json")
    arguments = parser.parse_args(words)
    sources = arguments.benches or [SOURCE]
    for source in sources:
        if not source.exists():
            raise StopError(f"{source} is missing: run `make bench` first")
    bench = combined([json.loads(source.read_text(encoding="utf-8")) for source in sources])
    text = table(bench)
    setup("readme")
    shown = BUILD / "readme.json"
    shown.write_text(json.dumps(bench), encoding="utf-8")
    run_quiet([PYTHON, ROOT / "tests" / "bench" / "chart.py", shown, CHART], "chart")
    replace_table(ROOT / PAGE, text)
    if not arguments.benches:  # the ledger has those of build/bench.json
        run_quiet([VENV / "bin" / "ringside", "figures", "refresh", "--only", "make bench", "--again"], "figures")
    say(f"{PAGE}: table written; {CHART.relative_to(ROOT)}: chart drawn")
    return 0


if __name__ == "__main__":
    finish(main)
