# SPDX-License-Identifier: Apache-2.0
"""What was measured, as build/bench.json and as tables on the terminal."""

import math
import platform
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, JustifyMethod
from rich.table import Table

from bench import plan
from bench.figures import ABSENT, MET, MISSED, Results, Verdict, transform_work
from ringside.processors import processor_name

LEGEND = (
    "Processor time of one call: median over the rounds of each round's median; ± half the distance of the quartiles of the rounds. "
    "Ratios: median over the rounds of the ratio in that round. Wall time, minima and all counts are in the JSON file."
)


# ---- JSON -----------------------------------------------------------------------------------------------------------
def machine() -> dict[str, str]:
    done = subprocess.run(["cc", "--version"], capture_output=True, text=True)
    return {
        "processor": processor_name(),
        "kernel": f"{platform.system()} {platform.release()}",
        "compiler": done.stdout.partition("\n")[0],
        "python": platform.python_version(),
    }


def set_entry(set_: plan.ParameterSet, results: Results, peers: Sequence[str]) -> dict[str, Any]:
    operations: dict[str, Any] = {}
    for operation in plan.OPERATIONS:
        if set_.name not in operation.sets:
            continue
        row: dict[str, Any] = {}
        for peer in peers:
            samples = results.times.get((set_.name, operation.name, peer))
            if samples:
                row[peer] = samples.summary()
                raw = results.raw.get((set_.name, operation.name, peer))
                if raw:
                    row[peer]["with_binding"] = raw.summary()
            elif (set_.name, operation.name, peer) in results.absent:
                row[peer] = {"absent": results.absent[set_.name, operation.name, peer]}
        if row:
            operations[operation.name] = row
    memory = {peer: results.memory[set_.name, peer] for peer in peers if (set_.name, peer) in results.memory}
    bits = [q.bit_length() for q in set_.moduli]
    peaks = {op: size for (name, op), size in results.peaks.items() if name == set_.name}
    return {
        "n": set_.n, "modulus_bits": bits, "title": set_.title, "operations": operations, "memory_bytes": memory, "peak_bytes": peaks,
    }  # fmt: skip


def verdict_entry(verdict: Verdict) -> dict[str, Any]:
    bar = verdict.bar
    entry: dict[str, Any] = {
        "set": verdict.set, "kind": bar.kind, "peer": bar.peer, "bar": bar.value, "outcome": verdict.outcome,
    }  # fmt: skip
    if bar.ours != plan.OURS:
        entry["ours"] = bar.ours
    if bar.op:
        entry |= {"operation": bar.op, "peer_operation": bar.other_op}
    if verdict.outcome == ABSENT:
        return entry | {"reason": verdict.reason}
    entry |= {"got": round(verdict.got, 4), "short": round(verdict.short, 4)}
    if verdict.beside is not None:
        entry["beside"] = {"operation": bar.beside, "got": round(verdict.beside, 4)}
    return entry


def as_json(
    results: Results, sets: Sequence[plan.ParameterSet], titles: Mapping[str, str], verdicts: Sequence[Verdict],
    rounds: int, origins: Mapping[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    peers: dict[str, Any] = {}
    for name, title in titles.items():
        reason = results.peers_absent.get(name)
        origin = (origins or {}).get(name)
        facts = {"absent": reason} if reason else results.facts.get(name, {})
        peers[name] = {"title": title, **({"origin": origin} if origin else {}), **facts}
    return {
        "machine": machine(),
        "rounds": rounds,
        "unit": "ns per call; bars are judged by cpu, threads by wall",
        "peers": peers,
        "sets": {set_.name: set_entry(set_, results, list(titles)) for set_ in sets},
        "bars": [verdict_entry(verdict) for verdict in verdicts],
        "passed": not any(verdict.outcome == MISSED for verdict in verdicts),
    }


# ---- terminal -------------------------------------------------------------------------------------------------------
def title_of(op: str) -> str:
    return plan.OPERATION[op].title if op in plan.OPERATION else op


def cell(entry: Mapping[str, Any], unit_ns: float) -> str:
    if "absent" in entry:
        return "absent"
    value = entry["cpu_ns_median"] / unit_ns
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f} ±{100 * entry['cpu_spread']:.0f}%"


def instructions_of(peers: Mapping[str, Any], ours: str) -> str:
    """What the back end of the library used; empty if nobody said."""
    backend = str(peers.get(ours, {}).get("backend", ""))
    return plan.INSTRUCTIONS.get(backend, backend)


def head_of(name: str, peers: Mapping[str, Any]) -> str:
    """A column's head: the peer, and below it its version, a part in a line."""
    version = str(peers.get(name, {}).get("version", ""))
    return "\n".join([name, *(part for part in version.split(", ") if part)])


# Tables are apart by what both sides may do: first everything the processor has, then no AVX-512, then plain C of ours, then WebAssembly.
APART = {
    plan.OURS_AVX2: (plan.OURS_AVX2, plan.SEAL_AVX2),
    plan.OURS_PORTABLE: (plan.OURS_PORTABLE, plan.SEAL_AVX2),
    plan.OURS_WASM: (plan.OURS_WASM, plan.NODE_SEAL),
}


def times_tables(name: str, entry: Mapping[str, Any], peers: Mapping[str, Any]) -> list[Table]:
    measured = [peer for peer in peers if any(peer in row for row in entry["operations"].values())]
    groups = {plan.OURS: [peer for peer in measured if not any(peer in pair for pair in APART.values())]}
    groups |= {ours: [peer for peer in measured if peer in pair] for ours, pair in APART.items() if ours in measured}
    return [
        times_table(name, entry, shown, peers, instructions_of(peers, ours)) for ours, shown in groups.items() if shown
    ]


def times_table(
    name: str, entry: Mapping[str, Any], shown: Sequence[str], peers: Mapping[str, Any], instructions: str
) -> Table:
    unit, unit_ns = ("µs", 1e3) if name in plan.NTT or entry["n"] < 4096 else ("ms", 1e6)
    title = "; ".join(part for part in (f"{name}: {entry['title']}", instructions, unit) if part)
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for peer in shown:
        table.add_column(head_of(peer, peers), justify="right", no_wrap=True)
    for op, row in entry["operations"].items():
        if any(peer in row for peer in shown):
            table.add_row(title_of(op), *(cell(row[peer], unit_ns) if peer in row else "" for peer in shown))
    sizes = entry["operations"].get("save_load_seeded", {})
    if any(peer in sizes for peer in shown):
        counts = [sizes.get(peer, {}).get("bytes", 0) for peer in shown]
        table.add_row("bytes of the file", *(f"{count:,}" if count else "" for count in counts))
    memory = entry["memory_bytes"]
    if any(peer in memory for peer in shown):
        table.add_row("peak memory, MiB", *(f"{memory[peer] / 2**20:.1f}" if peer in memory else "" for peer in shown))
    return table


def what(entry: Mapping[str, Any]) -> str:
    if entry["kind"] == plan.MEMORY:
        return "peak memory"
    if entry["kind"] == plan.PEAK:
        return "peak memory of streamed keys, MiB"
    title = title_of(entry["operation"])
    return f"{title}: bytes" if entry["kind"] == plan.BYTES else title


def is_limit(entry: Mapping[str, Any]) -> bool:
    """Whether the bar is an upper one."""
    return entry["kind"] in (plan.MEMORY, plan.BYTES, plan.PEAK)


def note(entry: Mapping[str, Any], sets: Mapping[str, Any]) -> str:
    """The distance of a missed bar, the reason of an absent one, the work of a transform."""
    if entry["outcome"] == ABSENT:
        return str(entry["reason"])
    parts = []
    if entry["outcome"] == MISSED:
        parts.append(f"{100 * entry['short']:.0f} % {'above' if is_limit(entry) else 'short'}")
    if "beside" in entry:
        parts.append(f"{title_of(entry['beside']['operation'])}: {entry['beside']['got']:.2f}")
    if entry["set"] in plan.NTT and entry["outcome"] == MISSED:
        times = sets[entry["set"]]["operations"][entry["operation"]]
        multiplications, moved = transform_work(sets[entry["set"]]["n"])
        rates = [
            f"{peer} {multiplications / times[peer]['cpu_ns_median']:.2f}/ns"
            for peer in (entry.get("ours", plan.OURS), entry["peer"])
        ]
        parts.append(f"{multiplications:,} multiplications ({', '.join(rates)}), {moved // 1024:,} KiB")
    return "; ".join(parts)


# Ringside's own operations that bars compare with.
_OWN = {"batch16_threads1": "one thread", "key_file": "in memory"}


def bars_table(report: Mapping[str, Any]) -> Table:
    table = Table(title="Bars", title_justify="left", box=None, pad_edge=False)
    columns: tuple[tuple[str, JustifyMethod], ...] = (
        ("set", "left"), ("", "left"), ("against", "left"), ("bar", "right"), ("got", "right"), ("", "left"),
    )  # fmt: skip
    for column, justify in columns:
        table.add_column(column, justify=justify, no_wrap=True)
    table.add_column("")
    colours = {MET: "green", MISSED: "bold red", ABSENT: "yellow"}
    for entry in report["bars"]:
        outcome = entry["outcome"]
        got = f"{entry['got']:.3g}" if "got" in entry else ""
        bar = f"{'<=' if is_limit(entry) else '>='} {entry['bar']:g}"
        verdict = f"[{colours[outcome]}]{outcome}[/]"
        against = _OWN.get(entry.get("peer_operation", ""), "") if entry["peer"] == plan.OURS else entry["peer"]
        table.add_row(entry["set"], what(entry), against, bar, got, verdict, note(entry, report["sets"]))
    return table


def summary(report: Mapping[str, Any]) -> str:
    outcomes = [entry["outcome"] for entry in report["bars"]]
    counts = {outcome: outcomes.count(outcome) for outcome in (MET, MISSED, ABSENT)}
    text = f"{counts[MET]} bars met, {counts[MISSED]} missed"
    return text + (f", {counts[ABSENT]} not judged: something is absent" if counts[ABSENT] else "")


def show(report: Mapping[str, Any], console: Console) -> None:
    place = report["machine"]
    console.print(
        f"{place['processor']}; {place['kernel']}; {place['compiler']}; {report['rounds']} rounds", highlight=False
    )
    for name, peer in report["peers"].items():
        told = f"absent: {peer['absent']}" if "absent" in peer else ", ".join(facts_of(peer))
        console.print(f"  {name:15} {told}", highlight=False, markup=False)
    console.print(LEGEND, highlight=False)
    for name, entry in report["sets"].items():
        for table in times_tables(name, entry, report["peers"]):
            console.print()
            console.print(table, highlight=False)
    console.print()
    console.print(bars_table(report), highlight=False)
    console.print(f"\n{summary(report)}", highlight=False)


def facts_of(peer: Mapping[str, Any]) -> list[str]:
    facts = {key: value for key, value in peer.items() if key not in ("title", "overhead", "version")}
    return [str(peer.get("version", "not measured")), *(f"{key} {value}" for key, value in facts.items())]
